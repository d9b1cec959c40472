//! Makes functions return nothing, and deletes the `return` at the end of a body.

use tree_sitter::Node;

use super::outline::{Function, Outline, has_side_effect};
use super::text::{EditSet, Text, replace, without_overlap};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

pub(super) fn returns(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for function in &outline.functions {
        found.extend(return_nothing(&outline, function));
        found.extend(without_last_return(text, function));
    }
    found
}

/// The return statements of `function`.
pub(super) fn returns_in<'t>(function: &Function<'t>) -> Vec<Node<'t>> {
    function.body.subtree().into_iter().filter(|node| node.kind() == "return_statement").collect()
}

fn return_nothing(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let (prototypes, calls) = outline.uses(function)?;
    let of = function.node.field("type")?;
    let declarator = function.parameters.parent()?;
    let is_void = outline.text.of(of) == "void" && declarator.parent_of_kind("pointer_declarator").is_none();
    if function.name == "main" || is_void || calls.iter().any(|call| is_value_used(*call)) {
        return None;
    }
    let declarators = std::iter::once(declarator).chain(prototypes);
    let mut edits = declarators.map(void).collect::<Option<EditSet>>()?;
    edits.extend(
        returns_in(function).into_iter().filter_map(|found| without_value(outline.text, function, found)),
    );
    without_overlap(edits)
}

/// Whether the value of `call` is used. That of a last statement may be the value of its block.
fn is_value_used(call: Node<'_>) -> bool {
    let Some(statement) = call.parent_of_kind("expression_statement") else { return true };
    let block = statement.parent();
    block.and_then(|block| block.parent_of_kind("parenthesized_expression")).is_some()
}

/// Replaces the type before a function's declarator by `void`.
fn void(declarator: Node<'_>) -> Option<TextEdit> {
    let around = declarator.ancestors().find(|node| node.kind() != "pointer_declarator");
    let whole = around.filter(|whole| matches!(whole.kind(), "declaration" | "function_definition"))?;
    let of = whole.field("type")?;
    let is_plain = whole.fields("declarator").len() == 1 && of.field("body").is_none();
    is_plain.then(|| TextEdit::replace(of.start_byte()..declarator.start_byte(), "void "))
}

/// Deletes the value of a `return`; its side effects stay.
fn without_value(text: &Text<'_>, function: &Function<'_>, found: Node<'_>) -> Option<TextEdit> {
    let value = *found.elements().first()?;
    let is_last = function.body.elements().last() == Some(&found);
    Some(match (is_last, has_side_effect(value)) {
        (true, true) => replace(found, format!("{};", text.of(value))),
        (true, false) => text.delete_with_line(found.byte_range()),
        (false, true) => replace(found, format!("{{ {}; return; }}", text.of(value))),
        (false, false) => replace(found, "return;"),
    })
}

/// Deletes the last `return` of `main`, or of a function without a value.
fn without_last_return(text: &Text<'_>, function: &Function<'_>) -> Vec<EditSet> {
    let last = function.body.elements().pop();
    let Some(last) = last.filter(|last| last.kind() == "return_statement") else { return Vec::new() };
    let value = last.elements().into_iter().next();
    if function.name != "main" && value.is_some() {
        return Vec::new();
    }
    let effect = value.filter(|value| has_side_effect(*value));
    let with_effect = effect.map(|value| vec![replace(last, format!("{};", text.of(value)))]);
    std::iter::once(vec![text.delete_with_line(last.byte_range())]).chain(with_effect).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn an_unused_value_is_not_returned() {
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
