//! Makes a function `main`, and makes an assignment an initialiser.

use tree_sitter::Node;

use super::outline::{Function, Outline, declaration_of, parameters};
use super::text::{EditSet, Text, contains, delete, replace};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// The function that `main` only calls becomes `main`, with its parameters as variables.
pub(super) fn promote(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let main = outline.functions.iter().find(|function| function.name == "main");
    main.and_then(|main| replace_main(&outline, main)).into_iter().collect()
}

fn replace_main(outline: &Outline<'_>, main: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let statements = main.body.elements();
    let (first, rest) = statements.split_first()?;
    let call = first.elements().first().copied().filter(|call| call.kind() == "call_expression")?;
    let is_return = |node: &Node<'_>| node.kind() == "return_statement";
    (rest.len() < 2 && rest.iter().all(is_return) && main.parameters.elements().len() < 2).then_some(())?;
    let name = text.of(call.field("function")?);
    let function = outline.functions.iter().find(|function| function.name == name && name != "main")?;
    let (prototypes, calls) = outline.uses(function)?;
    (calls == [call]).then_some(())?;
    let arguments = call.field("arguments")?.elements();
    let parameters = parameters(text, function.parameters);
    (parameters.len() == arguments.len()).then_some(())?;
    let mut edits = outline.delete_function(main, &[])?;
    for prototype in prototypes {
        edits.push(text.delete_with_line(declaration_of(prototype)?.byte_range()));
    }
    let declarator = function.node.field("declarator")?;
    (declarator.kind() == "function_declarator").then_some(())?;
    edits.push(TextEdit::replace(function.node.start_byte()..declarator.end_byte(), "int main(void)"));
    let mut variables = String::from("{");
    for (parameter, value) in parameters.iter().zip(&arguments) {
        let declarator = parameter.field("declarator");
        (!declarator.is_some_and(|inner| inner.kind().contains("array"))).then_some(())?;
        if declarator.and_then(NodeExt::declared_name).is_some() {
            variables.extend([" ", text.of(*parameter), " = ", text.of(*value), ";"]);
        }
    }
    edits.push(replace(function.body.child(0)?, variables));
    let bare_returns =
        function.body.subtree().into_iter().filter(|node| is_return(node) && node.elements().is_empty());
    edits.extend(bare_returns.map(|node| replace(node, "return 0;")));
    Some(edits)
}

/// A variable is initialised with 0, and a statement that sets it is deleted.
pub(super) fn settle(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for declaration in outline.of_kind("declaration") {
        let scope = outline.scope(declaration);
        for declarator in declaration.fields("declarator") {
            let zero = match declarator.kind() {
                "identifier" | "pointer_declarator" => " = 0",
                "array_declarator" => " = {0}",
                _ => continue,
            };
            let Some(name) = declarator.declared_name() else { continue };
            let initialised = TextEdit::insert(declarator.end_byte(), zero);
            let setters = outline.named(text.of(name), scope).into_iter().filter_map(setter);
            let setters = setters.filter(|statement| contains(scope, *statement));
            found.extend(setters.map(|statement| vec![initialised.clone(), delete(statement)]));
        }
        let loops = outline.nodes.iter().filter(|node| node.kind() == "for_statement");
        found.extend(loops.filter_map(|node| declare_in_loop(text, declaration, *node)));
    }
    found
}

/// Moves the declaration of a variable into the `for` that sets it first.
fn declare_in_loop(text: &Text<'_>, declaration: Node<'_>, node: Node<'_>) -> Option<EditSet> {
    let first = node.field("initializer").filter(|first| first.kind() == "assignment_expression")?;
    let left = first.field("left")?;
    let [declarator] = declaration.fields("declarator")[..] else { return None };
    let is_same = declarator.kind() == "identifier" && text.of(declarator) == text.of(left);
    let block = declaration.parent_of_kind("compound_statement")?;
    let kind = &text.source[declaration.start_byte()..declarator.start_byte()];
    let edits = || vec![delete(declaration), TextEdit::insert(first.start_byte(), kind)];
    (is_same && contains(block, node)).then(edits)
}

/// The statement that only sets the variable at `node`, or passes its address to a call.
fn setter(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    while matches!(at.parent()?.kind(), "subscript_expression" | "pointer_expression" | "cast_expression") {
        at = at.parent()?;
    }
    let parent = at.parent()?;
    let action = match parent.kind() {
        "assignment_expression" if at.is_field("left") => parent,
        "argument_list" => parent.parent()?,
        _ => return None,
    };
    action.parent_of_kind("expression_statement")
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn the_only_function_that_main_calls_becomes_main() {
        let source = "void f(int a, int *b);\nvoid f(int a, int *b) { if (a) return; g(b); }\n\
                      int main() { f(1, 0); return 0; }\n";
        assert_eq!(
            texts(source, Pass::Promote),
            ["int main(void) { int a = 1; int *b = 0; if (a) return 0; g(b); }\n"],
        );
        let twice = "void f(void) { g(); }\nint main() { f(); f(); }\n";
        assert!(texts(twice, Pass::Promote).is_empty());
        let more = "int f(void) { return 1; }\nint main() { f(); g(); }\n";
        assert!(texts(more, Pass::Promote).is_empty());
    }

    #[test]
    fn the_variable_of_a_loop_is_declared_there() {
        assert_eq!(
            texts("void f(void) { int a; for (a = 0; a < 9; a++) g(a); }", Pass::Settle),
            [
                "void f(void) { int a = 0; for (a = 0; a < 9; a++)  }",
                "void f(void) {  for (int a = 0; a < 9; a++) g(a); }",
            ],
        );
        let global = texts("int a; void f(void) { for (a = 0; a < 9; a++) g(a); }", Pass::Settle);
        assert!(global.iter().all(|text| !text.contains("(int a")), "{global:?}");
    }

    #[test]
    fn a_variable_is_initialised_and_its_assignment_deleted() {
        assert_eq!(
            texts("void f(void) { int a, *b; char c[2]; a = g(); h(c, &a); }", Pass::Settle),
            [
                "void f(void) { int a = 0, *b; char c[2];  h(c, &a); }",
                "void f(void) { int a = 0, *b; char c[2]; a = g();  }",
                "void f(void) { int a, *b; char c[2] = {0}; a = g();  }",
            ],
        );
    }
}
