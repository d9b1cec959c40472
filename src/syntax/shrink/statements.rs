//! Statements: what may go whole, and what may take the place of what holds it.

use tree_sitter::Node;

use super::{EditSet, Text, cut, put};
use crate::model::TextEdit;

/// Each statement goes: outer ones first, and of equally deep ones the last first, since what
/// stands later needs what stands earlier.
pub(super) fn statements(text: &Text<'_>) -> Vec<EditSet> {
    let mut found: Vec<(usize, std::cmp::Reverse<usize>, EditSet)> = Vec::new();
    for node in text.nodes() {
        if let Some(shrink) = gone(node) {
            found.push((depth(node), std::cmp::Reverse(node.start_byte()), shrink));
        }
    }
    found.sort_by_key(|a| (a.0, a.1));
    found.into_iter().map(|(_, _, shrink)| shrink).collect()
}

/// How many statements hold `node`.
fn depth(node: Node<'_>) -> usize {
    std::iter::successors(node.parent(), Node::parent).filter(|above| is_statement(*above)).count()
}

pub(super) fn is_statement(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("_statement") || matches!(kind, "declaration" | "type_definition" | "else_clause")
}

/// What stands where `node` stood when it is gone; none for what cannot go by itself.
fn gone(node: Node<'_>) -> Option<EditSet> {
    let parent = node.parent()?;
    // What the parser did not understand inside a statement may go with it.
    if !is_statement(node) || node.is_error() || node.is_missing() {
        return None;
    }
    match parent.kind() {
        "compound_statement" => Some(vec![cut(node)]),
        _ if node.kind() == "else_clause" => Some(vec![cut(node)]),
        "case_statement" => {
            // `case 1: case 2:` nests in some versions of the grammar; both are cut whole.
            Some(vec![cut(node)])
        }
        "if_statement" | "while_statement" | "for_statement" | "do_statement" | "else_clause"
        | "labeled_statement"
            if is_body(parent, node) =>
        {
            (node.kind() != "compound_statement" && !is_empty(node)).then(|| vec![put(node, ";")])
        }
        _ => None,
    }
}

/// Whether `node` is what `parent` controls, not part of its header.
fn is_body(parent: Node<'_>, node: Node<'_>) -> bool {
    parent.kind() == "else_clause"
        || parent.kind() == "labeled_statement"
        || ["consequence", "alternative", "body"]
            .iter()
            .any(|field| parent.child_by_field_name(field) == Some(node))
}

fn is_empty(node: Node<'_>) -> bool {
    node.kind() == "expression_statement" && node.named_child_count() == 0
}

/// What is held takes the place of what holds it: an arm that of its `if`, a body that of its
/// loop, statements that of their braces.
pub(super) fn unwrap(text: &Text<'_>) -> Vec<EditSet> {
    let mut found = Vec::new();
    for node in text.nodes() {
        if node.has_error() {
            continue;
        }
        let field = |name: &str| node.child_by_field_name(name);
        let body = field("body");
        match node.kind() {
            "if_statement" => {
                found.extend(field("consequence").map(|arm| only(node, arm)));
                let other = field("alternative").map(|other| {
                    if other.kind() == "else_clause" { other.named_child(0).unwrap_or(other) } else { other }
                });
                found.extend(other.map(|arm| only(node, arm)));
                found.extend(field("condition").and_then(|condition| tested(node, condition)));
                found.extend(returned(text, node));
            }
            "expression_statement" => found.extend(left(text, node)),
            "while_statement" => {
                found.extend(body.map(|body| only(node, body)));
                // The keyword: once is enough.
                found.extend(node.child(0).map(|keyword| vec![put(keyword, "if")]));
                found.extend(field("condition").and_then(|condition| tested(node, condition)));
            }
            "for_statement" => {
                found.extend(body.map(|body| only(node, body)));
                found.extend(field("condition").filter(|_| body.is_some()).map(|condition| {
                    vec![before(node, condition, "if ("), between(condition, body.unwrap_or(condition), ") ")]
                }));
            }
            "do_statement" => found.extend(body.map(|body| only(node, body))),
            "switch_statement" => found.extend(body.map(|body| straightened(node, body))),
            "labeled_statement" => {
                let last = u32::try_from(node.named_child_count().saturating_sub(1)).unwrap_or(0);
                found.extend(node.named_child(last).map(|inner| only(node, inner)));
            }
            "compound_statement" => found.extend(bare(node)),
            "case_statement" => found.extend(unlabelled(node)),
            "preproc_if" | "preproc_ifdef" => found.extend(chosen(text, node)),
            _ => {}
        }
    }
    // The largest first.
    found.sort_by_key(|shrink: &EditSet| {
        std::cmp::Reverse(shrink.iter().map(|edit| edit.end - edit.start).sum::<usize>())
    });
    found
}

/// Of `node` only `part` stays.
pub(super) fn only(node: Node<'_>, part: Node<'_>) -> EditSet {
    [before(node, part, ""), after(part, node, "")].into_iter().filter(|edit| edit.start < edit.end).collect()
}

fn before(node: Node<'_>, part: Node<'_>, with: &str) -> TextEdit {
    TextEdit { start: node.start_byte(), end: part.start_byte(), with: with.into() }
}

fn after(part: Node<'_>, node: Node<'_>, with: &str) -> TextEdit {
    TextEdit { start: part.end_byte(), end: node.end_byte(), with: with.into() }
}

fn between(first: Node<'_>, second: Node<'_>, with: &str) -> TextEdit {
    TextEdit { start: first.end_byte(), end: second.start_byte(), with: with.into() }
}

/// Only the condition stays, as a statement.
fn tested(node: Node<'_>, condition: Node<'_>) -> Option<EditSet> {
    let inner =
        if condition.kind() == "parenthesized_expression" { condition.named_child(0)? } else { condition };
    // What has no effect is no statement worth asking about.
    let has_effect = ["call_expression", "assignment_expression", "update_expression"];
    has_effect.contains(&inner.kind()).then(|| vec![before(node, inner, ""), after(inner, node, ";")])
}

/// `if (c) return a; else return b;` returns what it tests, or the opposite.
fn returned(text: &Text<'_>, node: Node<'_>) -> Vec<EditSet> {
    let condition = node.child_by_field_name("condition");
    let other = node.child_by_field_name("alternative").and_then(|other| other.named_child(0));
    let arms = [node.child_by_field_name("consequence"), other];
    let returns = arms.iter().all(|arm| arm.is_some_and(|arm| arm.kind() == "return_statement"));
    let Some(condition) = condition.filter(|_| returns) else { return Vec::new() };
    let tested = text.of(condition);
    ["", "!"].map(|sign| vec![put(node, &format!("return {sign}{tested};"))]).into()
}

/// A call of what the text does not define, which may be one that does not return, becomes a `return`.
fn left(text: &Text<'_>, node: Node<'_>) -> Option<EditSet> {
    let call = node.named_child(0).filter(|call| call.kind() == "call_expression")?;
    let name = text.of(call.child_by_field_name("function")?);
    let mut above = std::iter::successors(node.parent(), Node::parent);
    let function = above.find(|above| above.kind() == "function_definition")?;
    let header = &text.source[function.start_byte()..function.child_by_field_name("body")?.start_byte()];
    let defines = |found: &Node<'_>| {
        let declarator = found.child_by_field_name("declarator");
        found.kind() == "function_definition"
            && declarator.is_some_and(|declarator| text.of(declarator).starts_with(name))
    };
    let is_void = header.split(|c: char| !c.is_alphanumeric() && c != '_').take(3).any(|word| word == "void")
        && !header.contains("main");
    (!text.nodes().iter().any(defines))
        .then(|| vec![put(node, if is_void { "return;" } else { "return 0;" })])
}

/// A `switch` becomes the statements of its body, one after the other.
fn straightened(node: Node<'_>, body: Node<'_>) -> EditSet {
    let mut edits = vec![before(node, body, "")];
    let mut stack = vec![body];
    while let Some(at) = stack.pop() {
        let mut cursor = at.walk();
        for child in at.children(&mut cursor) {
            match child.kind() {
                "break_statement" => edits.push(put(child, ";")),
                "case_statement" => {
                    edits.extend(label(child));
                    stack.push(child);
                }
                "switch_statement" | "while_statement" | "for_statement" | "do_statement" => {}
                _ => stack.push(child),
            }
        }
    }
    edits
}

/// The words up to the colon of a `case`.
fn label(case: Node<'_>) -> Option<TextEdit> {
    let mut cursor = case.walk();
    let colon = case.children(&mut cursor).find(|child| child.kind() == ":")?;
    Some(TextEdit { start: case.start_byte(), end: colon.end_byte(), with: String::new() })
}

fn unlabelled(case: Node<'_>) -> Option<EditSet> {
    Some(vec![label(case)?])
}

/// Of a conditional directive one branch stays.
fn chosen(text: &Text<'_>, node: Node<'_>) -> Vec<EditSet> {
    let line_end = |at: usize| text.source[at..].find('\n').map_or(text.source.len(), |feed| at + feed + 1);
    let Some(end) = node.child_count().checked_sub(1).and_then(|last| node.child(last)) else {
        return Vec::new();
    };
    let drop = |start: usize, end: usize| TextEdit { start, end, with: String::new() };
    let alternative = node.child_by_field_name("alternative");
    let first_ends = alternative.map_or(end.start_byte(), |other| other.start_byte());
    let first = vec![drop(node.start_byte(), line_end(node.start_byte())), drop(first_ends, node.end_byte())];
    let other = alternative.filter(|other| other.kind() == "preproc_else").map(|other| {
        vec![drop(node.start_byte(), line_end(other.start_byte())), drop(end.start_byte(), node.end_byte())]
    });
    let is_apart = |shrink: &EditSet| end.kind() == "#endif" && shrink[0].end <= shrink[1].start;
    std::iter::once(first).chain(other).filter(is_apart).collect()
}

/// Braces that hold one statement, or that stand in a sequence, go.
fn bare(block: Node<'_>) -> Option<EditSet> {
    let parent = block.parent()?;
    let is_item = matches!(parent.kind(), "compound_statement" | "case_statement");
    let mut cursor = block.walk();
    let held: Vec<Node<'_>> = block.named_children(&mut cursor).collect();
    let is_single = held.len() == 1 && held[0].kind() != "declaration" && held[0].kind() != "comment";
    let is_body = is_statement(parent) && parent.kind() != "compound_statement";
    let last = block.child_count().checked_sub(1)?;
    (is_item || is_body && is_single).then(|| {
        [block.child(0), block.child(last)].into_iter().flatten().map(|brace| put(brace, "")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::super::Pass;
    use super::super::tests::texts as all;

    #[test]
    fn statements_go_from_the_outside_and_from_the_end() {
        let source = "int f(int x) { int a; if (x) { g(); } else h(); return a; }";
        let found = all(source, Pass::Statements);
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
    fn what_is_held_takes_the_place_of_what_holds_it() {
        let found = all("void f(int x) { if (g(x)) { a(); } else b(); }", Pass::Unwrap);
        for expected in [
            "void f(int x) { { a(); } }",
            "void f(int x) { b(); }",
            "void f(int x) { g(x); }",
            "void f(int x) { if (g(x))  a();  else b(); }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
        let found = all("void f(int x) { for (int i = 0; i < x; i++) a(); while (x) b(); }", Pass::Unwrap);
        for expected in [
            "void f(int x) { a(); while (x) b(); }",
            "void f(int x) { if (i < x) a(); while (x) b(); }",
            "void f(int x) { for (int i = 0; i < x; i++) a(); if (x) b(); }",
        ] {
            assert!(found.iter().any(|text| text == expected), "{expected}\n{found:#?}");
        }
    }

    #[test]
    fn what_is_tested_is_returned_and_what_does_not_return_leaves() {
        let found = all("int f(int a) { if (a > 1) return 0; else return 1; }", Pass::Unwrap);
        for expected in ["return (a > 1);", "return !(a > 1);"] {
            let expected = format!("int f(int a) {{ {expected} }}");
            assert!(found.contains(&expected), "{expected}\n{found:#?}");
        }
        let found =
            all("void g(void) { abort(); f(); }\nvoid f(void) { }\nint main() { exit(0); }\n", Pass::Unwrap);
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found.iter().any(|text| text.starts_with("void g(void) { return; f(); }")));
        assert!(found.iter().any(|text| text.ends_with("int main() { return 0; }\n")));
    }

    #[test]
    fn of_a_conditional_directive_one_branch_stays() {
        let found = all("#if A\nint a;\n#else\nint b;\n#endif\nint c;\n", Pass::Unwrap);
        // What takes out more comes first.
        assert_eq!(found, ["int a;\n\nint c;\n", "int b;\n\nint c;\n"]);
        let found = all("#ifdef A\nint a;\n#endif\n", Pass::Unwrap);
        assert_eq!(found, ["int a;\n\n"]);
    }

    #[test]
    fn a_switch_becomes_its_statements() {
        let found = all("void f(int x) { switch (x) { case 1: a(); break; default: b(); } }", Pass::Unwrap);
        assert!(found.iter().any(|text| text == "void f(int x) { {  a(); ;  b(); } }"), "{found:#?}");
    }
}
