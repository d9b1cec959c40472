//! What takes the place of more than it is: a function that of `main`, an initialiser that of the
//! statement which sets a variable.

use tree_sitter::Node;

use super::outline::{Function, Outline, declarators, elements, gone, holds, name_of, parameters};
use super::{EditSet, Text, cut, put};
use crate::model::TextEdit;

/// The function that `main` does nothing but call becomes `main`, with its parameters as variables.
pub(super) fn promoted(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let main = outline.functions.iter().find(|function| function.name == "main");
    main.and_then(|main| in_place_of(&outline, main)).into_iter().collect()
}

fn in_place_of(outline: &Outline<'_>, main: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let statements = elements(main.body);
    let (first, rest) = statements.split_first()?;
    let call = elements(*first).first().copied().filter(|call| call.kind() == "call_expression")?;
    let is_end = |node: &Node<'_>| node.kind() == "return_statement";
    (rest.len() < 2 && rest.iter().all(is_end) && elements(main.parameters).len() < 2).then_some(())?;
    let name = text.of(call.child_by_field_name("function")?);
    let function = outline.functions.iter().find(|function| function.name == name && name != "main")?;
    let (prototypes, calls) = outline.uses(function)?;
    (calls.len() == 1 && calls[0] == call).then_some(())?;
    let given = elements(call.child_by_field_name("arguments")?);
    let taken = parameters(text, function.parameters);
    (taken.len() == given.len()).then_some(())?;
    let mut edits = outline.undefined(main, &[])?;
    for prototype in prototypes {
        edits.push(gone(text, super::outline::declaration_of(prototype)?.byte_range()));
    }
    let declarator = function.node.child_by_field_name("declarator")?;
    (declarator.kind() == "function_declarator").then_some(())?;
    edits.push(TextEdit {
        start: function.node.start_byte(),
        end: declarator.end_byte(),
        with: "int main(void)".into(),
    });
    let variables = taken.iter().zip(&given).map(|(parameter, value)| {
        let is_array =
            parameter.child_by_field_name("declarator").is_some_and(|inner| inner.kind().contains("array"));
        let is_named = parameter.child_by_field_name("declarator").and_then(name_of).is_some();
        (!is_array).then(|| {
            if is_named { format!(" {} = {};", text.of(*parameter), text.of(*value)) } else { String::new() }
        })
    });
    let variables: String = variables.collect::<Option<Vec<String>>>()?.concat();
    edits.push(put(function.body.child(0)?, &format!("{{{variables}")));
    let mut stack = vec![function.body];
    while let Some(node) = stack.pop() {
        if node.kind() == "return_statement" && elements(node).is_empty() {
            edits.push(put(node, "return 0;"));
        }
        let mut cursor = node.walk();
        stack.extend(node.children(&mut cursor));
    }
    Some(edits)
}

/// A variable is 0 from the start, and a statement that sets it goes.
pub(super) fn settled(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for declaration in outline.nodes.iter().filter(|node| node.kind() == "declaration" && !node.has_error()) {
        let scope = outline.scope(*declaration);
        for declarator in declarators(*declaration) {
            let zero = match declarator.kind() {
                "identifier" | "pointer_declarator" => " = 0",
                "array_declarator" => " = {0}",
                _ => continue,
            };
            let Some(name) = name_of(declarator) else { continue };
            let end = declarator.end_byte();
            let settled = TextEdit { start: end, end, with: zero.into() };
            let setters = outline.named(text.of(name), scope.clone());
            let statements =
                setters.into_iter().filter_map(setter).filter(|node| holds(&scope, &node.byte_range()));
            found.extend(statements.map(|node| vec![settled.clone(), cut(node)]));
        }
        found.extend(outline.nodes.iter().filter_map(|node| into_loop(text, *declaration, *node)));
    }
    found
}

/// A variable that a `for` sets first is declared there.
fn into_loop(text: &Text<'_>, declaration: Node<'_>, node: Node<'_>) -> Option<EditSet> {
    let first = node.child_by_field_name("initializer").filter(|_| node.kind() == "for_statement")?;
    let left = first.child_by_field_name("left").filter(|_| first.kind() == "assignment_expression")?;
    let [declarator] = declarators(declaration)[..] else { return None };
    let is_same = declarator.kind() == "identifier" && text.of(declarator) == text.of(left);
    let shared = declaration.parent().filter(|parent| parent.kind() == "compound_statement")?;
    (is_same && holds(&shared.byte_range(), &node.byte_range())).then(|| {
        let kind = &text.source[declaration.start_byte()..declarator.start_byte()];
        vec![
            cut(declaration),
            TextEdit { start: first.start_byte(), end: first.start_byte(), with: kind.into() },
        ]
    })
}

/// The statement that does nothing but set the variable at `node`, or hand its address to a call.
fn setter(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    while matches!(at.parent()?.kind(), "subscript_expression" | "pointer_expression" | "cast_expression") {
        at = at.parent()?;
    }
    let parent = at.parent()?;
    let act = match parent.kind() {
        "assignment_expression" if parent.child_by_field_name("left") == Some(at) => parent,
        "argument_list" => parent.parent()?,
        _ => return None,
    };
    act.parent().filter(|statement| statement.kind() == "expression_statement")
}

#[cfg(test)]
mod tests {
    use super::super::Pass;
    use super::super::tests::texts;

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
    fn a_variable_is_settled_and_what_set_it_goes() {
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
