//! The places where a line may be broken, and the lines that may be joined.
//!
//! Lines matter in C only in directives, in `__LINE__`, and where a macro turns its argument into a string. So a line
//! feed may be inserted between any two tokens that are neither in a directive nor in an argument of a macro, and any
//! two statements may share a line.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::nodes::NodeExt;
use super::{Program, Slot, Statement, StatementId, StatementKind, without_comments};
use crate::model::{Line, TextEdit};

/// Words of programs that depend on their lines.
const TELLING: [&str; 4] = ["__LINE__", "__builtin_LINE", "assert", "_Pragma"];

/// The longest statement that is laid out on one line, in bytes.
const LONGEST: usize = 100;

/// A gap between two tokens in which a line may be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The statement and the place: "the call on line 4 after `(`".
    pub words: String,
    /// The line feed, with the indentation of the line.
    pub edit: TextEdit,
    /// Whether it is in a part of a loop that runs in each iteration, other than the body.
    pub in_loop_head: bool,
}

impl Program {
    /// Whether the program may behave differently when its lines change.
    pub fn knows_lines(&self) -> bool {
        TELLING.iter().any(|word| self.mentions(word))
    }

    /// Every place at which a line may be broken, in source order.
    pub fn breaks(&self) -> Vec<Break> {
        let ids = self.ids().map(|id| (self.statement(id).range.clone(), id)).collect();
        let mut finder = Finder { program: self, ids, tokens: Vec::new(), proposals: Vec::new() };
        finder.walk(self.tree.root_node());
        finder.proposals.sort_by_key(|proposal| proposal.before);
        finder.proposals.dedup_by_key(|proposal| proposal.before);
        finder.proposals.iter().filter_map(|proposal| finder.accepted(proposal)).collect()
    }

    /// Pairs of consecutive simple statements, each on a line of its own and without macros and blocks, so that they
    /// may share a line.
    pub fn neighbours(&self) -> Vec<(StatementId, StatementId)> {
        let pairs = self.groups.iter().flat_map(|group| group.items.windows(2));
        let mut found: Vec<(StatementId, StatementId)> = pairs
            .map(|pair| (pair[0], pair[1]))
            .filter(|(first, second)| {
                let (a, b) = (self.statement(*first), self.statement(*second));
                let between = self.source.get(a.range.end..b.range.start).map(without_comments);
                self.is_plain(*first)
                    && self.is_plain(*second)
                    && a.lines.0 < b.lines.0
                    && between.is_some_and(|between| between.trim().is_empty())
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// Whether `id` is an expression on one line that is in a sequence and contains no statement.
    fn is_plain(&self, id: StatementId) -> bool {
        let statement = self.statement(id);
        let holds = self
            .statements
            .get(id.index() + 1)
            .is_some_and(|next| statement.range.contains(&next.range.start));
        matches!(statement.kind, StatementKind::Expression | StatementKind::Call)
            && statement.slot == Slot::Item
            && is_understood(statement)
            && !statement.conditional
            && statement.lines.0 == statement.lines.1
            && !holds
            && !self.may_lead_elsewhere(&statement.range)
    }

    /// The text of a small branch, loop or block of several lines as one line; none if it contains comments, directives
    /// or continued lines.
    pub fn flat(&self, id: StatementId) -> Option<String> {
        let statement = self.statement(id);
        let text = &self.source[statement.range.clone()];
        let is_small = statement.kind.is_compound()
            && is_understood(statement)
            && !statement.conditional
            && statement.lines.0 < statement.lines.1;
        if !is_small || ["//", "/*", "\\\n", "\\\r", "#"].iter().any(|bad| text.contains(bad)) {
            return None;
        }
        let flat = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        (flat.len() <= LONGEST).then_some(flat)
    }

    /// The white space at the start of `line`.
    fn indentation(&self, line: Line) -> &str {
        let text = self.line_text(line);
        &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
    }
}

fn is_understood(statement: &Statement) -> bool {
    !statement.broken && !statement.directive
}

/// A token before which the line may be broken, as far as the tree shows.
struct Proposal {
    before: usize,
    words: String,
    context: Context,
}

#[derive(Clone, Copy)]
struct Context {
    statement: Option<StatementId>,
    in_loop_head: bool,
}

struct Finder<'a> {
    program: &'a Program,
    ids: HashMap<Range<usize>, StatementId>,
    tokens: Vec<Range<usize>>,
    proposals: Vec<Proposal>,
}

impl Finder<'_> {
    fn walk(&mut self, root: Node<'_>) {
        let mut stack = vec![(root, Context { statement: None, in_loop_head: false }, false)];
        while let Some((node, mut context, is_frozen)) = stack.pop() {
            if node.child_count() == 0 && !node.byte_range().is_empty() {
                self.tokens.push(node.byte_range());
            }
            if let Some(id) = self.ids.get(&node.byte_range()) {
                context.statement = Some(*id);
            }
            let is_frozen = is_frozen || self.is_frozen(node);
            let mut children = node.all_children();
            for child in children.iter().rev() {
                let is_head = is_loop(node) && node.field("body") != Some(*child);
                let in_loop_head = context.in_loop_head || is_head;
                stack.push((*child, Context { in_loop_head, ..context }, is_frozen));
            }
            if !is_frozen {
                children.retain(|child| !child.is_extra());
                self.propose_around_tokens(node, &children, context);
                self.propose_before_statements(node, &children, context);
            }
        }
        self.tokens.sort_by_key(|token| token.start);
    }

    /// Whether line breaks must not be inserted in `node`, because it is assembly or contains the arguments of a macro.
    fn is_frozen(&self, node: Node<'_>) -> bool {
        let is_macro = |call: Node<'_>| {
            let name = call.field("function").map_or("", |name| &self.program.source[name.byte_range()]);
            self.program.macros.names.contains(name) || !name.contains(|c: char| c.is_lowercase())
        };
        node.kind().starts_with("gnu_asm")
            || node.kind() == "argument_list" && node.parent().is_some_and(is_macro)
    }

    /// Before and after the tokens of `node` itself.
    fn propose_around_tokens(&mut self, node: Node<'_>, children: &[Node<'_>], context: Context) {
        for (index, child) in children.iter().enumerate() {
            let next = children.get(index + 1);
            let is_token = child.child_count() == 0 && !child.is_named();
            let own = child.kind();
            let (before, after) = match node.kind() {
                "assignment_expression"
                | "binary_expression"
                | "conditional_expression"
                | "init_declarator" => (is_token, is_token),
                "comma_expression" | "declaration" => (false, own == ","),
                "argument_list" | "parenthesized_expression" => {
                    (own == ")" && index > 1, own == "(" && children.len() > 2 || own == ",")
                }
                "return_statement" => (false, own == "return" && next.is_some_and(Node::is_named)),
                "labeled_statement" | "case_statement" => (false, own == ":"),
                "else_clause" => (own == "else", own == "else"),
                "do_statement" => (own == "while", own == "do"),
                "for_statement" => (false, own == ";"),
                _ => (false, false),
            };
            if before {
                self.propose(*child, format!("before `{own}`"), context);
            }
            if let Some(next) = next.filter(|_| after) {
                let is_step = own == ";" && next.parent_of_kind("for_statement").is_some();
                let in_loop_head = context.in_loop_head || is_step;
                self.propose(*next, format!("after `{own}`"), Context { in_loop_head, ..context });
            }
        }
    }

    /// Before statements and braces, and after the heads of statements.
    fn propose_before_statements(&mut self, node: Node<'_>, children: &[Node<'_>], context: Context) {
        match node.kind() {
            "compound_statement" | "case_statement" => {
                for (index, child) in children.iter().enumerate() {
                    if let Some(kind) = StatementKind::of(*child) {
                        self.propose(*child, format!("before its {}", kind.name()), context);
                    } else if child.kind() == "}" && index > 0 {
                        self.propose(*child, "before `}`".into(), context);
                    }
                }
                let is_body = context.statement.is_some_and(|id| is_body(self.program.statement(id)));
                if is_body && node.kind() == "compound_statement" {
                    self.propose(node, "before its body".into(), context);
                }
            }
            "if_statement" | "while_statement" | "for_statement" | "switch_statement" => {
                if let Some(body) = node.field("consequence").or_else(|| node.field("body")) {
                    self.propose(body, "after its head".into(), context);
                }
            }
            _ => {}
        }
    }

    fn propose(&mut self, node: Node<'_>, words: String, context: Context) {
        self.proposals.push(Proposal { before: node.start_byte(), words, context });
    }

    /// The proposed break, if the gap on the line contains only blanks.
    fn accepted(&self, proposal: &Proposal) -> Option<Break> {
        let program = self.program;
        let statement = program.statement(proposal.context.statement?);
        let number = self.tokens.partition_point(|token| token.start < proposal.before);
        let last = &self.tokens[number.checked_sub(1)?];
        let (line, gap) = (program.line_of(proposal.before), last.end..proposal.before);
        let is_free = program.source.get(gap.clone())?.chars().all(|c| c == ' ' || c == '\t');
        if !is_free
            || !is_understood(statement)
            || program.line_of(last.start) != line
            || program.is_directive(line)
        {
            return None;
        }
        let kind = if is_body(statement) { "function" } else { statement.kind.name() };
        Some(Break {
            words: format!("the {kind} on line {line} {}", proposal.words),
            edit: TextEdit::replace(gap, format!("\n{}", program.indentation(line))),
            in_loop_head: proposal.context.in_loop_head,
        })
    }
}

/// Whether `statement` is the body of a function.
fn is_body(statement: &Statement) -> bool {
    statement.slot == Slot::Fixed && statement.parent.is_none()
}

fn is_loop(node: Node<'_>) -> bool {
    matches!(node.kind(), "for_statement" | "while_statement" | "do_statement")
}

#[cfg(test)]
mod tests {
    use super::super::render;
    use super::*;

    fn broken(source: &str) -> String {
        let program = Program::parse(source.into());
        assert_eq!(program.error_nodes, 0);
        let edits: Vec<TextEdit> = program.breaks().into_iter().map(|place| place.edit).collect();
        render(source, &edits)
    }

    fn flat(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_are_broken_between_tokens_and_the_meaning_stays() {
        let source =
            "int f(int a) {\n  if (a > 1 && g(a, 2)) a = 1; else return -a;\n  return a ? 1 : 2;\n}\n";
        let text = broken(source);
        assert_eq!(
            flat(&text),
            flat(source).replace("if (a", "if ( a").replace("2)) a", "2 ) ) a").replace("g(a", "g( a")
        );
        for line in ["  else", "  )", "  a", "  >", "  g(", "  ?", "  return", "{"] {
            assert!(text.lines().any(|text| text == line), "{line:?} in\n{text}");
        }
    }

    #[test]
    fn text_that_depends_on_lines_or_is_not_understood_stays_whole() {
        let whole = [
            "#define STR(x) #x\nint f(void)\n{\n  puts(\n    STR(a + b, c + d)\n  );\n}\n",
            "int f(void)\n{\n  __asm__ volatile (\"nop; nop\" : : \"r\" (1) : \"memory\");\n}\n",
            "#if A && B\nint x = 1 + 2;\n#endif\n#define X(a) f(a, 1) + 2\n",
            "int a[2] = { 1, 2 };\nint b = 1 + 2;\n",
        ];
        for source in whole {
            assert_eq!(broken(source), source);
        }
        for source in
            ["int f(void) { return __LINE__; }", "#include <assert.h>\nvoid f(int x) { assert(x); }"]
        {
            assert!(Program::parse(source.into()).knows_lines());
        }
    }

    #[test]
    fn breaks_in_loop_heads_are_marked() {
        let source = "void f(int a) {\n  for (i = 0; i < 2; i++) a = 1;\n  while (a < 3) a += 1;\n  do a--; while (a > 0);\n}";
        let program = Program::parse(source.into());
        let of = |in_loop_head| {
            let places = program.breaks().into_iter().filter(move |place| place.in_loop_head == in_loop_head);
            places.map(|place| place.words).collect::<Vec<_>>()
        };
        let bodies = of(false);
        assert!(bodies.contains(&"the for on line 2 after its head".to_string()), "{bodies:?}");
        assert!(bodies.contains(&"the expression on line 3 after `+=`".to_string()), "{bodies:?}");
        assert!(bodies.contains(&"the do on line 4 before `while`".to_string()), "{bodies:?}");
        let heads = of(true);
        assert!(heads.contains(&"the for on line 2 after `;`".to_string()), "{heads:?}");
        assert!(heads.contains(&"the while on line 3 before `<`".to_string()), "{heads:?}");
        assert!(heads.iter().all(|words| !words.contains("expression")), "{heads:?}");
    }

    #[test]
    fn only_plain_statements_of_one_sequence_can_be_joined() {
        let source = "#define M return\nvoid f(int a) {\n  a = 1; /* x */\n  // y\n  g(a);\n  a = ({ a; });\n  a++;\n  M;\n  \
                      h(1,\n2);\nl: a = 2;\n  a = 3;\n#if X\n  a = 4;\n#endif\n  a = 5;\n}\n";
        let program = Program::parse(source.into());
        let lines: Vec<_> = program
            .neighbours()
            .into_iter()
            .map(|(a, b)| (program.statement(a).lines.0, program.statement(b).lines.0))
            .collect();
        assert_eq!(lines, [(3, 5)]);
    }

    #[test]
    fn a_small_block_becomes_one_line() {
        let source = "void f(int a) {\n  if (a) {\n    g(\"a  b\");\n\n    h();\n  }\n  if (a) { // no\n    g();\n  }\n}";
        let program = Program::parse(source.into());
        let flat: Vec<_> = program.ids().filter_map(|id| program.flat(id)).collect();
        assert_eq!(flat, ["if (a) { g(\"a  b\"); h(); }", "{ g(\"a  b\"); h(); }"]);
    }
}
