//! Returns: functions that return nothing, and `return` at the end of a body.

use tree_sitter::Node;

use super::outline::{Function, Outline, acts, apart, elements, gone, holds};
use super::{EditSet, Text, put};
use crate::model::TextEdit;

/// Functions whose value nobody uses return nothing; a last `return` goes.
pub(super) fn returns(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for function in &outline.functions {
        found.extend(to_void(&outline, function));
        found.extend(last(text, function));
    }
    found
}

/// The return statements of `function`.
pub(super) fn all<'t>(outline: &Outline<'t>, function: &Function<'t>) -> Vec<Node<'t>> {
    let body = function.body.byte_range();
    let returns = outline.nodes.iter().filter(|node| node.kind() == "return_statement");
    returns.copied().filter(|node| holds(&body, &node.byte_range())).collect()
}

fn to_void(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let (prototypes, calls) = outline.uses(function)?;
    let of = function.node.child_by_field_name("type")?;
    if function.name == "main"
        || outline.text.of(of) == "void" && !points(function.parameters.parent()?)
        || !calls.iter().all(|call| is_statement(*call))
    {
        return None;
    }
    let mut edits = vec![void(function.parameters.parent()?)?];
    for prototype in prototypes {
        edits.push(void(prototype)?);
    }
    for found in all(outline, function) {
        edits.extend(emptied(outline.text, function, found));
    }
    apart(edits)
}

/// Whether nobody uses the value of `call`. That of a last statement may be the value of its block.
fn is_statement(call: Node<'_>) -> bool {
    let Some(statement) = call.parent().filter(|parent| parent.kind() == "expression_statement") else {
        return false;
    };
    let block = statement.parent();
    block.and_then(|block| block.parent()).is_none_or(|around| around.kind() != "parenthesized_expression")
}

/// Whether a pointer stands between the type and the function's declarator.
fn points(declarator: Node<'_>) -> bool {
    declarator.parent().is_some_and(|parent| parent.kind() == "pointer_declarator")
}

/// The type in front of a function's declarator becomes `void`.
fn void(declarator: Node<'_>) -> Option<TextEdit> {
    let mut at = declarator;
    while at.parent()?.kind() == "pointer_declarator" {
        at = at.parent()?;
    }
    let whole = at.parent().filter(|whole| matches!(whole.kind(), "declaration" | "function_definition"))?;
    let of = whole.child_by_field_name("type")?;
    let defines = of.child_by_field_name("body").is_some();
    let single = super::outline::declarators(whole).len() == 1;
    let edit = TextEdit { start: of.start_byte(), end: declarator.start_byte(), with: "void ".into() };
    (single && !defines).then_some(edit)
}

/// A `return` without its value.
fn emptied(text: &Text<'_>, function: &Function<'_>, found: Node<'_>) -> Option<TextEdit> {
    let value = *elements(found).first()?;
    let is_last = elements(function.body).last() == Some(&found);
    Some(match (is_last, acts(value)) {
        (true, true) => put(found, &format!("{};", text.of(value))),
        (true, false) => gone(text, found.byte_range()),
        (false, true) => put(found, &format!("{{ {}; return; }}", text.of(value))),
        (false, false) => put(found, "return;"),
    })
}

/// The last `return` of `main`, or of a function without a value, is not needed.
fn last(text: &Text<'_>, function: &Function<'_>) -> Vec<EditSet> {
    let last = elements(function.body).into_iter().next_back();
    let Some(last) = last.filter(|last| last.kind() == "return_statement") else { return Vec::new() };
    let value = elements(last).into_iter().next();
    if function.name != "main" && value.is_some() {
        return Vec::new();
    }
    let acting = value.filter(|value| acts(*value));
    let kept = acting.map(|value| vec![put(last, &format!("{};", text.of(value)))]);
    [vec![gone(text, last.byte_range())]].into_iter().chain(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn a_value_that_nobody_uses_is_not_returned() {
        let source = "static char *f(int);\nstatic char *f(int a) {\n  if (a) return g();\n  if (!a) return 0;\n  \
                      return h();\n}\nint k(void) { f(1); return 2; }\nint l(int a) { return k() + l(a); }\n";
        assert_eq!(
            texts(source, Pass::Returns),
            [
                "static void f(int);\nstatic void f(int a) {\n  if (a) { g(); return; }\n  if (!a) return;\n  h();\n}\n\
             int k(void) { f(1); return 2; }\nint l(int a) { return k() + l(a); }\n"
            ]
        );
    }

    #[test]
    fn main_needs_no_return() {
        let source = "void f(void) {\n  return;\n}\nint main(void) {\n  f();\n  return g();\n}\n";
        assert_eq!(
            texts(source, Pass::Returns),
            [
                source.replace("  return;\n", ""),
                source.replace("  return g();\n", ""),
                source.replace("return g();", "g();"),
            ]
        );
    }
}
