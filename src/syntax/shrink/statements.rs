//! Deletes statements, and replaces statements by parts of them.

use std::cmp::Reverse;

use tree_sitter::Node;

use super::text::{EditSet, Text, delete, keep_only, replace};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// Deletes each statement: outer ones first, and of equally deep ones the last first, since later statements depend
/// on earlier ones. A `return` that is all of a function is last, since a caller mostly needs its value.
pub(super) fn statements(text: &Text<'_>) -> Vec<EditSet> {
    let nodes = text.nodes().into_iter();
    let mut found: Vec<(Node<'_>, TextEdit)> =
        nodes.filter_map(|node| Some((node, delete_statement(node)?))).collect();
    let depth = |node: Node<'_>| node.ancestors().filter(|above| is_statement(*above)).count();
    found.sort_by_cached_key(|(node, _)| (is_only_return(*node), depth(*node), Reverse(node.start_byte())));
    found.into_iter().map(|(_, edit)| vec![edit]).collect()
}

pub(super) fn is_statement(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("_statement") || matches!(kind, "declaration" | "type_definition" | "else_clause")
}

fn delete_statement(node: Node<'_>) -> Option<TextEdit> {
    let parent = node.parent()?;
    // A statement that contains text that the parser did not understand may be deleted too.
    if !is_statement(node) || node.is_error() || node.is_missing() {
        return None;
    }
    let is_empty = node.kind() == "expression_statement" && node.named_child_count() == 0;
    match parent.kind() {
        // A label needs a statement.
        "case_statement" if is_only_statement(node) && !is_empty => Some(replace(node, ";")),
        "compound_statement" | "case_statement" => Some(delete(node)),
        _ if node.kind() == "else_clause" => Some(delete(node)),
        "if_statement" | "while_statement" | "for_statement" | "do_statement" | "else_clause"
        | "labeled_statement" => {
            let is_body = matches!(parent.kind(), "else_clause" | "labeled_statement")
                || ["consequence", "alternative", "body"].iter().any(|field| node.is_field(field));
            (is_body && node.kind() != "compound_statement" && !is_empty).then(|| replace(node, ";"))
        }
        _ => None,
    }
}

/// Whether `node` is the only statement after its label.
fn is_only_statement(node: Node<'_>) -> bool {
    let beside = [node.prev_named_sibling(), node.next_named_sibling()];
    !beside.into_iter().flatten().any(is_statement)
}

/// Whether `node` is all of a function and returns a value.
fn is_only_return(node: Node<'_>) -> bool {
    let is_body = |parent: Node<'_>| {
        parent.named_child_count() == 1 && parent.parent_of_kind("function_definition").is_some()
    };
    node.kind() == "return_statement" && node.named_child_count() == 1 && node.parent().is_some_and(is_body)
}

/// A part of a statement replaces it: an arm its `if`, a body its loop, statements their braces.
pub(super) fn unwrap(text: &Text<'_>) -> Vec<EditSet> {
    let parsed = text.nodes().into_iter().filter(|node| !node.has_error());
    let mut found: Vec<EditSet> = parsed.flat_map(|node| unwrapped(text, node)).collect();
    // The largest first.
    found.sort_by_key(|edits| Reverse(edits.iter().map(|edit| edit.range().len()).sum::<usize>()));
    found
}

fn unwrapped(text: &Text<'_>, node: Node<'_>) -> Vec<EditSet> {
    let keep = |part: Option<Node<'_>>| part.map(|part| keep_only(node, part));
    let (body, condition) = (node.field("body"), node.field("condition"));
    let found = match node.kind() {
        "if_statement" => {
            let arms = [keep(node.field("consequence")), keep(alternative(node)), keep_condition(node)];
            return arms.into_iter().flatten().chain(return_condition(text, node)).collect();
        }
        "expression_statement" => vec![replace_call_by_return(text, node)],
        "while_statement" => {
            let as_if = node.child(0).map(|keyword| vec![replace(keyword, "if")]);
            vec![keep(body), as_if, keep_condition(node)]
        }
        "for_statement" => {
            let as_if = condition.zip(body).map(|(condition, body)| {
                let header = node.start_byte()..condition.start_byte();
                let step = condition.end_byte()..body.start_byte();
                vec![TextEdit::replace(header, "if ("), TextEdit::replace(step, ") ")]
            });
            vec![keep(body), as_if]
        }
        "do_statement" => vec![keep(body)],
        "switch_statement" => vec![body.map(|body| without_cases(node, body))],
        "labeled_statement" => vec![keep(node.named_children(&mut node.walk()).last())],
        "compound_statement" => vec![without_braces(node)],
        "case_statement" => vec![delete_label(node).map(|edit| vec![edit])],
        "preproc_if" | "preproc_ifdef" => return keep_branch(text, node),
        _ => return Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// The statement after `else`.
fn alternative(node: Node<'_>) -> Option<Node<'_>> {
    let other = node.field("alternative")?;
    Some(if other.kind() == "else_clause" { other.named_child(0).unwrap_or(other) } else { other })
}

/// Keeps only the condition, as a statement, if it has an effect.
fn keep_condition(node: Node<'_>) -> Option<EditSet> {
    let mut condition = node.field("condition")?;
    if condition.kind() == "parenthesized_expression" {
        condition = condition.named_child(0)?;
    }
    let has_effect =
        matches!(condition.kind(), "call_expression" | "assignment_expression" | "update_expression");
    let before = TextEdit::delete(node.start_byte()..condition.start_byte());
    let after = TextEdit::replace(condition.end_byte()..node.end_byte(), ";");
    has_effect.then(|| vec![before, after])
}

/// `if (c) return a; else return b;` becomes `return c;` or `return !c;`.
fn return_condition(text: &Text<'_>, node: Node<'_>) -> Vec<EditSet> {
    let other = node.field("alternative").and_then(|other| other.named_child(0));
    let are_returns = [node.field("consequence"), other]
        .iter()
        .all(|arm| arm.is_some_and(|arm| arm.kind() == "return_statement"));
    let Some(condition) = node.field("condition").filter(|_| are_returns) else { return Vec::new() };
    let condition = text.of(condition);
    ["", "!"].map(|sign| vec![replace(node, format!("return {sign}{condition};"))]).into()
}

/// Replaces a call of a function from outside by a `return`, since such a function may not return.
fn replace_call_by_return(text: &Text<'_>, node: Node<'_>) -> Option<EditSet> {
    let call = node.named_child(0).filter(|call| call.kind() == "call_expression")?;
    let name = text.of(call.field("function")?);
    let function = node.ancestors().find(|above| above.kind() == "function_definition")?;
    let header = &text.source[function.start_byte()..function.field("body")?.start_byte()];
    let defines = |found: &Node<'_>| {
        found.kind() == "function_definition"
            && found.field("declarator").is_some_and(|declarator| text.of(declarator).starts_with(name))
    };
    let mut words = header.split(|c: char| !c.is_alphanumeric() && c != '_').take(3);
    let is_void = words.any(|word| word == "void") && !header.contains("main");
    let is_foreign = !text.nodes().iter().any(defines);
    is_foreign.then(|| vec![replace(node, if is_void { "return;" } else { "return 0;" })])
}

/// Replaces a `switch` by the statements of its body, one after the other.
fn without_cases(node: Node<'_>, body: Node<'_>) -> EditSet {
    // A `break` in an inner statement belongs to that.
    let is_inner = |node: Node<'_>| {
        matches!(node.kind(), "switch_statement" | "while_statement" | "for_statement" | "do_statement")
    };
    let edits = body.subtree_without(is_inner).into_iter().filter_map(|inside| match inside.kind() {
        "break_statement" => Some(replace(inside, ";")),
        "case_statement" => delete_label(inside),
        _ => None,
    });
    std::iter::once(TextEdit::delete(node.start_byte()..body.start_byte())).chain(edits).collect()
}

/// Deletes a `case` up to its colon.
fn delete_label(case: Node<'_>) -> Option<TextEdit> {
    let colon = case.all_children().into_iter().find(|child| child.kind() == ":")?;
    Some(TextEdit::delete(case.start_byte()..colon.end_byte()))
}

/// Keeps one branch of a conditional directive.
fn keep_branch(text: &Text<'_>, node: Node<'_>) -> Vec<EditSet> {
    let line_end = |at: usize| text.source[at..].find('\n').map_or(text.source.len(), |feed| at + feed + 1);
    let Some(end) = node.all_children().pop().filter(|end| end.kind() == "#endif") else { return Vec::new() };
    let keep = |start: usize, stop: usize| {
        (start <= stop).then(|| {
            vec![TextEdit::delete(node.start_byte()..start), TextEdit::delete(stop..node.end_byte())]
        })
    };
    let alternative = node.field("alternative");
    let first_end = alternative.map_or(end.start_byte(), |other| other.start_byte());
    let first = keep(line_end(node.start_byte()), first_end);
    let other = alternative
        .filter(|other| other.kind() == "preproc_else")
        .and_then(|other| keep(line_end(other.start_byte()), end.start_byte()));
    first.into_iter().chain(other).collect()
}

/// Deletes braces that contain one statement, or that are in a sequence.
fn without_braces(block: Node<'_>) -> Option<EditSet> {
    let parent = block.parent()?;
    let is_item = matches!(parent.kind(), "compound_statement" | "case_statement");
    let inside: Vec<Node<'_>> = block.named_children(&mut block.walk()).collect();
    let is_single = inside.len() == 1 && !matches!(inside[0].kind(), "declaration" | "comment");
    let children = block.all_children();
    let (open, close) = (children.first()?, children.last()?);
    (is_item || is_statement(parent) && is_single).then(|| vec![delete(*open), delete(*close)])
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn statements_are_deleted_from_the_outside_and_from_the_end() {
        let source = "int f(int x) { int a; if (x) { g(); } else h(); return a; }";
        let found = texts(source, Pass::Statements);
        assert_eq!(
            found,
            [
                "int f(int x) { int a; if (x) { g(); } else h();  }",
                "int f(int x) { int a;  return a; }",
                "int f(int x) {  if (x) { g(); } else h(); return a; }",
                "int f(int x) { int a; if (x) { g(); }  return a; }",
                "int f(int x) { int a; if (x) { g(); } else ; return a; }",
                "int f(int x) { int a; if (x) {  } else h(); return a; }",
            ]
            .map(String::from)
        );
    }

    #[test]
    fn the_only_return_of_a_function_is_deleted_last() {
        let source = "int f(void) { return 1; } int main(void) { { f(); } }";
        assert_eq!(
            texts(source, Pass::Statements),
            [
                "int f(void) { return 1; } int main(void) {  }",
                "int f(void) { return 1; } int main(void) { {  } }",
                "int f(void) {  } int main(void) { { f(); } }",
            ]
            .map(String::from)
        );
    }

    #[test]
    fn a_part_of_a_statement_replaces_it() {
        let found = texts("void f(int x) { if (g(x)) { a(); } else b(); }", Pass::Unwrap);
        for expected in [
            "void f(int x) { { a(); } }",
            "void f(int x) { b(); }",
            "void f(int x) { g(x); }",
            "void f(int x) { if (g(x))  a();  else b(); }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
        let found = texts("void f(int x) { for (int i = 0; i < x; i++) a(); while (x) b(); }", Pass::Unwrap);
        for expected in [
            "void f(int x) { a(); while (x) b(); }",
            "void f(int x) { if (i < x) a(); while (x) b(); }",
            "void f(int x) { for (int i = 0; i < x; i++) a(); if (x) b(); }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn conditions_are_returned_and_foreign_calls_become_returns() {
        let found = texts("int f(int a) { if (a > 1) return 0; else return 1; }", Pass::Unwrap);
        for expected in ["return (a > 1);", "return !(a > 1);"] {
            let expected = format!("int f(int a) {{ {expected} }}");
            assert!(found.contains(&expected), "{expected}\n{found:#?}");
        }
        let found = texts(
            "void g(void) { abort(); f(); }\nvoid f(void) { }\nint main() { exit(0); }\n",
            Pass::Unwrap,
        );
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found.iter().any(|text| text.starts_with("void g(void) { return; f(); }")));
        assert!(found.iter().any(|text| text.ends_with("int main() { return 0; }\n")));
    }

    #[test]
    fn one_branch_of_a_conditional_directive_is_kept() {
        let found = texts("#if A\nint a;\n#else\nint b;\n#endif\nint c;\n", Pass::Unwrap);
        // Larger deletions come first.
        assert_eq!(found, ["int a;\n\nint c;\n", "int b;\n\nint c;\n"]);
        let found = texts("#ifdef A\nint a;\n#endif\n", Pass::Unwrap);
        assert_eq!(found, ["int a;\n\n"]);
    }

    #[test]
    fn the_only_statement_of_a_label_becomes_an_empty_one() {
        let found = texts("void f(int x) { switch (x) case 1: a(); }", Pass::Statements);
        assert!(found.iter().any(|text| text == "void f(int x) { switch (x) case 1: ; }"), "{found:#?}");
        let found = texts("void f(int x) { switch (x) { case 1: a(); b(); } }", Pass::Statements);
        assert!(found.iter().any(|text| text.contains("case 1:  b();")), "{found:#?}");
    }

    #[test]
    fn a_switch_is_replaced_by_its_statements() {
        let found = texts("void f(int x) { switch (x) { case 1: a(); break; default: b(); } }", Pass::Unwrap);
        assert!(found.iter().any(|text| text == "void f(int x) { {  a(); ;  b(); } }"), "{found:#?}");
    }
}
