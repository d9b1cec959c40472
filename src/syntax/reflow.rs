//! Where a text may be broken into lines, and which of its lines may become one.
//!
//! C does not know lines but in directives, in `__LINE__`, and where a macro makes a string of what
//! it is given. So a line feed may stand in every gap between two tokens that is neither in a
//! directive nor in what a macro is called with, and any two statements may share a line.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::{Program, Slot, Statement, StatementId, StatementKind, without_comments};
use crate::model::{Line, TextEdit};

/// Words of programs that know their lines.
const TELLING: [&str; 4] = ["__LINE__", "__builtin_LINE", "assert", "_Pragma"];

/// The longest statement that is laid out on one line, in bytes.
const LONGEST: usize = 100;

/// A gap between two tokens of a line in which the line may be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// What is broken, and where: "the call on line 4 behind `(`".
    pub words: String,
    /// The line feed, with the indentation of the line.
    pub edit: TextEdit,
    /// Whether it is in what a loop does each time around, its body left out.
    pub in_loop_head: bool,
}

impl Program {
    /// Whether the program may do something else when its lines are others.
    pub fn knows_lines(&self) -> bool {
        TELLING.iter().any(|word| self.mentions(word))
    }

    /// Every place at which a line may be broken, in source order.
    pub fn breaks(&self) -> Vec<Break> {
        let ids: HashMap<(usize, usize), StatementId> = self
            .ids()
            .map(|id| (id, &self.statement(id).range))
            .map(|(id, at)| ((at.start, at.end), id))
            .collect();
        let mut finder = Finder { program: self, ids, tokens: Vec::new(), wishes: Vec::new() };
        finder.walk(self.tree.root_node());
        finder.wishes.sort_by_key(|wish| wish.before);
        finder.wishes.dedup_by_key(|wish| wish.before);
        finder.wishes.iter().filter_map(|wish| finder.granted(wish)).collect()
    }

    /// Simple statements that follow each other, each alone on a line of its own and free of macros
    /// and blocks, so that they may stand on one line.
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

    /// Whether `id` is an expression on one line that stands in a sequence and holds no statement.
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

    /// The text of a small branch, loop or block of several lines, as one line; none where comments,
    /// directives or lines that are continued stand in it.
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

    /// The white space that `line` begins with.
    fn indentation(&self, line: Line) -> &str {
        let text = self.line_text(line);
        &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
    }
}

fn is_understood(statement: &Statement) -> bool {
    !statement.broken && !statement.directive
}

/// A token before which the line may be broken, as far as the tree goes.
struct Wish {
    before: usize,
    words: String,
    statement: Option<StatementId>,
    in_loop_head: bool,
}

#[derive(Clone, Copy)]
struct Context {
    statement: Option<StatementId>,
    in_loop_head: bool,
}

struct Finder<'a> {
    program: &'a Program,
    ids: HashMap<(usize, usize), StatementId>,
    tokens: Vec<Range<usize>>,
    wishes: Vec<Wish>,
}

impl Finder<'_> {
    fn walk(&mut self, root: Node<'_>) {
        let mut stack = vec![(root, Context { statement: None, in_loop_head: false }, false)];
        while let Some((node, mut context, frozen)) = stack.pop() {
            if node.child_count() == 0 && !node.byte_range().is_empty() {
                self.tokens.push(node.byte_range());
            }
            if let Some(id) = self.ids.get(&(node.start_byte(), node.end_byte())) {
                context.statement = Some(*id);
            }
            let frozen = frozen || self.is_frozen(node);
            if !frozen {
                self.wish(node, context);
            }
            let mut cursor = node.walk();
            let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
            let body = node.child_by_field_name("body");
            for child in children.iter().rev() {
                let mut inner = context;
                inner.in_loop_head |= is_loop(node) && body != Some(*child);
                stack.push((*child, inner, frozen));
            }
        }
        self.tokens.sort_by_key(|token| token.start);
    }

    /// Whether no line may be broken in `node`: assembly, and what a macro is called with.
    fn is_frozen(&self, node: Node<'_>) -> bool {
        let is_macro = |call: Node<'_>| {
            let name = call
                .child_by_field_name("function")
                .map_or("", |name| &self.program.source[name.byte_range()]);
            self.program.macros.names.contains(name) || !name.contains(|c: char| c.is_lowercase())
        };
        node.kind().starts_with("gnu_asm")
            || node.kind() == "argument_list" && node.parent().is_some_and(is_macro)
    }

    /// The places in `node` itself, not in its parts.
    fn wish(&mut self, node: Node<'_>, context: Context) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
        for (index, child) in children.iter().enumerate() {
            let next = children.get(index + 1);
            let is_token = child.child_count() == 0 && !child.is_named();
            let (mut before, mut behind) = (false, false);
            let own = child.kind();
            match node.kind() {
                "assignment_expression"
                | "binary_expression"
                | "conditional_expression"
                | "init_declarator" => {
                    (before, behind) = (is_token, is_token);
                }
                "comma_expression" | "declaration" => behind = own == ",",
                "argument_list" | "parenthesized_expression" => {
                    before = own == ")" && index > 1;
                    behind = own == "(" && children.len() > 2 || own == ",";
                }
                "return_statement" => behind = own == "return" && next.is_some_and(Node::is_named),
                "labeled_statement" | "case_statement" => behind = own == ":",
                "else_clause" => (before, behind) = (own == "else", own == "else"),
                "do_statement" => (before, behind) = (own == "while", own == "do"),
                "for_statement" => behind = own == ";",
                _ => {}
            }
            if before {
                self.push(*child, format!("before `{own}`"), context, own);
            }
            if let Some(next) = next.filter(|_| behind) {
                self.push(*next, format!("behind `{own}`"), context, own);
            }
        }
        self.wish_in_structure(node, &children, context);
    }

    /// Before statements and braces.
    fn wish_in_structure(&mut self, node: Node<'_>, children: &[Node<'_>], context: Context) {
        match node.kind() {
            "compound_statement" | "case_statement" => {
                for (index, child) in children.iter().enumerate() {
                    let kind = StatementKind::of(*child).map(StatementKind::name);
                    match kind {
                        Some(kind) => self.push(*child, format!("before its {kind}"), context, "{"),
                        _ if child.kind() == "}" && index > 0 => {
                            self.push(*child, "before `}`".into(), context, "}");
                        }
                        _ => {}
                    }
                }
                let is_body = context.statement.is_some_and(|id| {
                    let statement = self.program.statement(id);
                    statement.slot == Slot::Fixed && statement.parent.is_none()
                });
                if is_body && node.kind() == "compound_statement" {
                    self.push(node, "before its body".into(), context, "{");
                }
            }
            "if_statement" | "while_statement" | "for_statement" | "switch_statement" => {
                let body =
                    node.child_by_field_name("consequence").or_else(|| node.child_by_field_name("body"));
                if let Some(body) = body {
                    self.push(body, "behind its head".into(), context, ")");
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, node: Node<'_>, place: String, context: Context, token: &str) {
        let head = node.parent().is_some_and(|parent| parent.kind() == "for_statement") && token == ";";
        self.wishes.push(Wish {
            before: node.start_byte(),
            words: place,
            statement: context.statement,
            in_loop_head: context.in_loop_head || head,
        });
    }

    /// The break that is wished for, if there is a gap on the line that holds nothing.
    fn granted(&self, wish: &Wish) -> Option<Break> {
        let program = self.program;
        let statement = program.statement(wish.statement?);
        let behind = self.tokens.partition_point(|token| token.start < wish.before);
        let last = &self.tokens[behind.checked_sub(1)?];
        let (line, gap) = (program.line_of(wish.before), last.end..wish.before);
        let is_free = program.source.get(gap.clone())?.chars().all(|c| c == ' ' || c == '\t');
        if !is_free
            || !is_understood(statement)
            || program.line_of(last.start) != line
            || program.is_directive(line)
        {
            return None;
        }
        let is_body = statement.slot == Slot::Fixed && statement.parent.is_none();
        let kind = if is_body { "function" } else { statement.kind.name() };
        Some(Break {
            words: format!("the {kind} on line {line} {}", wish.words),
            edit: TextEdit {
                start: gap.start,
                end: gap.end,
                with: format!("\n{}", program.indentation(line)),
            },
            in_loop_head: wish.in_loop_head,
        })
    }
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
    fn a_line_is_broken_between_tokens_and_says_the_same() {
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
    fn what_depends_on_lines_or_is_not_understood_stays_whole() {
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
    fn heads_of_loops_are_told_apart() {
        let source = "void f(int a) {\n  for (i = 0; i < 2; i++) a = 1;\n  while (a < 3) a += 1;\n  do a--; while (a > 0);\n}";
        let program = Program::parse(source.into());
        let of = |in_loop_head| {
            let places = program.breaks().into_iter().filter(move |place| place.in_loop_head == in_loop_head);
            places.map(|place| place.words).collect::<Vec<_>>()
        };
        let bodies = of(false);
        assert!(bodies.contains(&"the for on line 2 behind its head".to_string()), "{bodies:?}");
        assert!(bodies.contains(&"the expression on line 3 behind `+=`".to_string()), "{bodies:?}");
        assert!(bodies.contains(&"the do on line 4 before `while`".to_string()), "{bodies:?}");
        let heads = of(true);
        assert!(heads.contains(&"the for on line 2 behind `;`".to_string()), "{heads:?}");
        assert!(heads.contains(&"the while on line 3 before `<`".to_string()), "{heads:?}");
        assert!(heads.iter().all(|words| !words.contains("expression")), "{heads:?}");
    }

    #[test]
    fn only_plain_statements_of_one_sequence_are_neighbours() {
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
