//! The walk over the parse tree that finds statements, sequences and functions.
//!
//! tree-sitter-c reads old-style definitions without a return type as an
//! expression statement or an error, followed by a block at file scope. That
//! block is treated as a function's body, so such programs are handled like others.

use tree_sitter::Node;

use super::comments::without_comments;
use super::lines::line_at;
use super::nodes::NodeExt;
use super::statements::{Function, Group, Slot, Statement, StatementId, StatementKind};
use super::words::{is_word, words};

#[derive(Debug, Default)]
pub struct Found {
    pub statements: Vec<Statement>,
    pub groups: Vec<Group>,
    pub functions: Vec<Function>,
    pub error_nodes: usize,
}

#[derive(Clone, Copy, Default)]
struct Context {
    parent: Option<StatementId>,
    slot: Slot,
    group: Option<usize>,
    in_function: bool,
    broken: bool,
    conditional: bool,
}

/// Walk the tree below `root`, with an explicit stack: a long chain of `else if` would overflow the call stack.
pub fn collect(source: &str, starts: &[usize], root: Node<'_>) -> Found {
    let mut walk = Walk { source, starts, found: Found::default() };
    let mut stack = vec![(root, Context::default())];
    while let Some((node, context)) = stack.pop() {
        let before = stack.len();
        walk.visit(node, context, &mut stack);
        stack[before..].reverse();
    }
    walk.found
}

struct Walk<'a> {
    source: &'a str,
    starts: &'a [usize],
    found: Found,
}

impl Walk<'_> {
    fn visit<'t>(&mut self, node: Node<'t>, context: Context, stack: &mut Vec<(Node<'t>, Context)>) {
        let mut inner = context;
        if node.is_error() || node.is_missing() {
            self.found.error_nodes += 1;
            inner.broken = true;
        }
        if node.kind().starts_with("preproc_") {
            inner.conditional = context.in_function;
            self.mark_up(context.parent, |statement| statement.directive = true);
        }
        if node.kind() == "function_definition" {
            self.function(node, node.start_byte());
            inner = Context { in_function: true, parent: None, slot: Slot::Fixed, group: None, ..context };
            self.mark_up(context.parent, |statement| statement.directive = true);
        } else if node.kind() == "compound_statement" && !context.in_function {
            self.function(node, old_style_start(node));
            inner = Context { in_function: true, ..context };
        }
        let kind = StatementKind::of(node).filter(|_| inner.in_function && !in_for_header(node));
        match kind {
            Some(kind) => {
                let id = self.statement(node, kind, inner);
                inner.parent = Some(id);
                inner.conditional = false;
            }
            None if is_transparent(node) => {}
            None => {
                // Inside an expression only a statement expression contains statements.
                inner.slot = Slot::Fixed;
                inner.group = None;
            }
        }
        self.descend(node, kind, inner, stack);
    }

    /// Push the children with their contexts.
    fn descend<'t>(
        &mut self,
        node: Node<'t>,
        kind: Option<StatementKind>,
        context: Context,
        stack: &mut Vec<(Node<'t>, Context)>,
    ) {
        let value = kind == Some(StatementKind::Block)
            && node.parent().is_some_and(|parent| parent.kind() == "parenthesized_expression");
        // If a `case` is the whole body of a switch, the parser adds the statements after the switch to the `case`.
        // If the parser did not recognise the switch, the text before the `case` still ends with a parenthesis.
        let overreaches = kind == Some(StatementKind::Case)
            && (node.parent().is_some_and(|parent| parent.kind() == "switch_statement")
                || self.source[..node.start_byte()].trim_end().ends_with(')'));
        let is_sequence = matches!(kind, Some(StatementKind::Block | StatementKind::Case)) && !overreaches;
        let group = is_sequence.then(|| {
            self.found.groups.push(Group::default());
            self.found.groups.len() - 1
        });
        let children = node.all_children();
        let last_named = children.iter().rposition(|child| StatementKind::of(*child).is_some());
        let mut after_colon = false;
        let mut unsure = false;
        for (index, child) in children.iter().enumerate() {
            let field = u32::try_from(index).ok().and_then(|index| node.field_name_for_child(index));
            let mut inner = context;
            inner.slot = match kind {
                Some(StatementKind::Block) if value && Some(index) == last_named => Slot::Fixed,
                Some(StatementKind::Case) if overreaches => Slot::Fixed,
                Some(StatementKind::Case) if after_colon => Slot::AfterLabel,
                Some(StatementKind::Block | StatementKind::Case) if unsure => Slot::Unsure,
                Some(StatementKind::Block | StatementKind::Case) => Slot::Item,
                Some(StatementKind::Labeled) => Slot::AfterLabel,
                Some(_) if matches!(field, Some("consequence" | "alternative" | "body")) => Slot::Body,
                Some(_) => Slot::Fixed,
                None => context.slot,
            };
            if kind.is_some() {
                inner.group = group;
            }
            after_colon = child.kind() == ":" || after_colon && StatementKind::of(*child).is_none();
            unsure = child.is_named() && child.has_error() || unsure && child.is_extra();
            stack.push((*child, inner));
        }
    }

    fn statement(&mut self, node: Node<'_>, kind: StatementKind, context: Context) -> StatementId {
        let label = node.field("label").filter(|_| kind == StatementKind::Labeled);
        let labels: Vec<String> =
            label.map(|label| label.text(self.source).to_string()).into_iter().collect();
        self.mark_up(context.parent, |statement| statement.labels.extend_from_slice(&labels));
        if kind == StatementKind::Case {
            // It marks every statement between itself and its `switch`.
            let mut is_inside = true;
            self.mark_up(context.parent, |statement| {
                is_inside &= statement.kind != StatementKind::Switch;
                statement.foreign_case |= is_inside;
            });
        }
        let range = node.byte_range();
        let last = range.end.saturating_sub(1).max(range.start);
        let lines = (line_at(self.starts, range.start), line_at(self.starts, last));
        let id = StatementId::new(self.found.statements.len());
        if let Some(group) = context.group {
            self.found.groups[group].items.push(id);
        }
        self.found.statements.push(Statement {
            kind,
            lines,
            slot: context.slot,
            parent: context.parent,
            group: context.group,
            broken: context.broken
                || node.has_error()
                || range.is_empty()
                // After code that the parser did not understand, an apparent label may be the end of a `case`.
                || kind == StatementKind::Labeled && context.slot == Slot::Unsure,
            directive: false,
            conditional: context.conditional,
            labels,
            foreign_case: kind == StatementKind::Case,
            declares: if kind == StatementKind::Declaration { self.declared(node) } else { None },
            range,
        });
        id
    }

    /// Mark `from` and every statement that contains it.
    fn mark_up(&mut self, from: Option<StatementId>, mut mark: impl FnMut(&mut Statement)) {
        let mut at = from;
        while let Some(id) = at {
            let statement = &mut self.found.statements[id.index()];
            mark(statement);
            at = statement.parent;
        }
    }

    fn function(&mut self, node: Node<'_>, start: usize) {
        let header_end = node.field("body").map_or(node.start_byte(), |body| body.start_byte());
        let header = without_comments(&self.source[start..header_end.max(start)]);
        let name = header.split('(').next().unwrap_or("").trim_end();
        let name = name.rsplit(|c| !is_word(c)).next().unwrap_or("");
        self.found.functions.push(Function {
            name: name.to_string(),
            range: start..node.end_byte(),
            has_errors: node.has_error(),
            is_static: words(&header).any(|word| word == "static"),
        });
    }

    /// The names of a declaration that defines only variables.
    fn declared(&self, node: Node<'_>) -> Option<Vec<String>> {
        let defines_type = ["struct_specifier", "union_specifier", "enum_specifier"];
        let type_node = node.field("type")?;
        if node.kind() != "declaration"
            || defines_type.contains(&type_node.kind()) && type_node.field("body").is_some()
        {
            return None;
        }
        let names = node.fields("declarator").into_iter().map(NodeExt::declared_name);
        names.map(|name| name.map(|name| name.text(self.source).to_string())).collect()
    }
}

/// A declaration in the header of a `for` is part of the loop.
fn in_for_header(node: Node<'_>) -> bool {
    node.kind() == "declaration" && node.parent().is_some_and(|parent| parent.kind() == "for_statement")
}

/// Nodes that contain statements but are not statements.
fn is_transparent(node: Node<'_>) -> bool {
    node.kind().starts_with("preproc_") || matches!(node.kind(), "else_clause" | "attributed_statement")
}

/// The start of the old-style definition whose body is the block `body`: after the previous definition or block, or
/// after a declaration that is not a parameter's.
pub(super) fn old_style_start(body: Node<'_>) -> usize {
    let mut first = body;
    while let Some(node) = first.prev_sibling() {
        match node.kind() {
            "declaration" => first = node,
            "expression_statement" | "ERROR" | "call_expression" => {
                // `static int` before an old-style header is parsed as a separate error.
                first = node.prev_sibling().filter(Node::is_error).unwrap_or(node);
                break;
            }
            _ => break,
        }
    }
    first.start_byte()
}

#[cfg(test)]
mod tests {
    use super::super::Program;
    use super::Slot::{AfterLabel, Body, Item};
    use super::*;

    fn of(program: &Program, kind: StatementKind) -> Vec<&Statement> {
        program.statements.iter().filter(|statement| statement.kind == kind).collect()
    }

    #[test]
    fn slots_follow_from_the_surrounding_construct() {
        let program = Program::parse(
            "int f(int x) {\n if (x) a(); else b();\n while (x) c();\n d();\n\
             l: e();\n switch (x) { case 1: g(); h(); }\n return ({ i(); x; });\n}\n"
                .into(),
        );
        let slots: Vec<Slot> = of(&program, StatementKind::Call).iter().map(|call| call.slot).collect();
        assert_eq!(slots, [Body, Body, Body, Item, AfterLabel, AfterLabel, Item, Item]);
        let value = of(&program, StatementKind::Expression);
        assert_eq!(value[0].slot, Slot::Fixed);
    }

    #[test]
    fn old_style_definitions_have_bodies_and_names() {
        let program = Program::parse(
            "int v;\nmain () {\n a();\n}\nf (a, b) int a, b; {\n b();\n}\nint g (p) char *p; { c(); }\n"
                .into(),
        );
        let names: Vec<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["main", "f", "g"]);
        assert_eq!(of(&program, StatementKind::Call).len(), 3);
    }

    #[test]
    fn statements_between_directives_are_items() {
        let program = Program::parse("void f(void) {\n#if A\n a();\n#else\n b();\n#endif\n c();\n}\n".into());
        let calls = of(&program, StatementKind::Call);
        assert!(calls.iter().all(|call| call.slot == Slot::Item), "{calls:?}");
        assert_eq!(program.groups[calls[0].group.unwrap()].items.len(), 3);
    }

    #[test]
    fn a_case_binds_to_its_switch() {
        let program = Program::parse("void f(int x) { switch (x) { case 1: { case 2: a(); } } }".into());
        let blocks = of(&program, StatementKind::Block);
        assert!(blocks.iter().skip(1).all(|block| block.foreign_case));
        assert!(!of(&program, StatementKind::Switch)[0].foreign_case);
    }
}
