//! Inline: a variable or a function gives way to what it stands for.

use tree_sitter::Node;

use super::macros::filled;
use super::outline::{
    Function, Outline, acts, apart, changes, declarators, elements, enclosed, holds, parameters, undeclared,
    words,
};
use super::{EditSet, Text, put, returns};
use crate::model::TextEdit;

/// An expression that is not too long to stand in several places.
const SHORT: usize = 40;

/// Calls that one function's expression may replace.
const FEW: usize = 8;

/// One candidate for each function that has a place at its calls, then for each variable.
pub(super) fn inlined(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let called = outline.functions.iter().filter_map(|function| {
        as_expression(&outline, function).or_else(|| as_statement(&outline, function))
    });
    let mut found: Vec<EditSet> = called.collect();
    for node in outline.nodes.iter().filter(|node| node.kind() == "declaration" && !node.has_error()) {
        let all = declarators(*node);
        found.extend((0..all.len()).filter_map(|index| variable(&outline, *node, &all, index)));
    }
    found
}

/// A variable that keeps the value it begins with.
fn variable(outline: &Outline<'_>, declaration: Node<'_>, all: &[Node<'_>], index: usize) -> Option<EditSet> {
    let text = outline.text;
    let (declarator, value) =
        (all[index].child_by_field_name("declarator")?, all[index].child_by_field_name("value")?);
    let mut plain = declarator;
    while plain.kind() == "pointer_declarator" {
        plain = plain.child_by_field_name("declarator")?;
    }
    let scope = outline.scope(declaration);
    let name = text.of(plain);
    let mut uses = outline.named(name, scope.clone());
    uses.retain(|used| *used != plain);
    let several = uses.len() > 1 && (acts(value) || text.of(value).len() > SHORT);
    let known =
        outline.named(name, outline.everything()).len() == uses.len() + 1 || scope != outline.everything();
    if plain.kind() != "identifier"
        || !known
        || uses.is_empty()
        || several
        || value.kind() == "initializer_list"
        || outline.hidden.contains(name)
        || uses.iter().any(|used| changes(*used) || declares(*used))
    {
        return None;
    }
    let with = enclosed(text.of(value));
    let edits = uses.into_iter().map(|used| put(used, &with));
    apart(edits.chain([undeclared(text, declaration, index)]).collect())
}

/// Whether `node` declares another thing of its name.
fn declares(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        let kind = parent.kind();
        kind.ends_with("_declarator") && parent.child_by_field_name("declarator") == Some(node)
            || kind == "declaration"
            || kind == "parameter_declaration"
    })
}

/// The names of the parameters, where each has one.
fn names<'t>(outline: &Outline<'t>, function: &Function<'t>) -> Option<Vec<&'t str>> {
    let own = parameters(outline.text, function.parameters).into_iter();
    let named = own.map(|one| {
        let simple = one.kind() == "parameter_declaration";
        let mut at = one.child_by_field_name("declarator").filter(|_| simple)?;
        while at.kind() == "pointer_declarator" {
            at = at.child_by_field_name("declarator")?;
        }
        (at.kind() == "identifier").then(|| outline.text.of(at))
    });
    named.collect()
}

/// The arguments of a call.
fn given(call: Node<'_>) -> Option<Vec<Node<'_>>> {
    call.child_by_field_name("arguments").map(elements)
}

/// A function whose body is `return e;` gives way to `e`.
fn as_expression(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let [only] = elements(function.body)[..] else { return None };
    let value = *elements(only).first().filter(|_| only.kind() == "return_statement")?;
    let (prototypes, calls) = outline.uses(function)?;
    let names = names(outline, function)?;
    let said = text.of(value);
    let recursive = calls.iter().any(|call| holds(&function.node.byte_range(), &call.byte_range()));
    let mentions: Vec<Node<'_>> =
        names.iter().flat_map(|name| outline.named(name, value.byte_range())).collect();
    if recursive
        || calls.is_empty()
        || calls.len() > 1 && (said.len() > SHORT || calls.len() > FEW)
        || mentions.iter().any(|mention| changes(*mention))
        || function.name == "main"
    {
        return None;
    }
    let mut edits = outline.undefined(function, &prototypes)?;
    for call in calls {
        let arguments = given(call).filter(|arguments| arguments.len() == names.len())?;
        for (name, argument) in names.iter().zip(&arguments) {
            let times = outline.named(name, value.byte_range()).len();
            (times == 1 || !acts(*argument)).then_some(())?;
        }
        let arguments: Vec<String> =
            arguments.into_iter().map(|argument| enclosed(text.of(argument))).collect();
        edits.push(put(call, &enclosed(&filled(said, &names, &arguments))));
    }
    apart(edits)
}

/// A function that one statement calls gives way to its body.
fn as_statement(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let (prototypes, calls) = outline.uses(function)?;
    let [call] = calls[..] else { return None };
    let statement = call.parent().filter(|parent| parent.kind() == "expression_statement")?;
    let names = names(outline, function)?;
    let arguments = given(call).filter(|arguments| arguments.len() == names.len())?;
    let returned = returns::all(outline, function);
    let items = elements(function.body);
    let last = items.last().copied();
    if holds(&function.node.byte_range(), &call.byte_range())
        || returned.iter().any(|found| Some(*found) != last)
        || function.name == "main"
    {
        return None;
    }
    let locals = items.iter().filter(|item| item.kind() == "declaration" || item.kind() == "type_definition");
    let declared: Vec<&str> = locals
        .flat_map(|item| declarators(*item))
        .filter_map(super::outline::name_of)
        .map(|name| text.of(name))
        .chain(names.iter().copied())
        .collect();
    let clash = arguments.iter().any(|argument| {
        let said = text.of(*argument);
        words(said).any(|word| declared.contains(&&said[word]))
    });
    (!clash).then_some(())?;
    let own = parameters(text, function.parameters).into_iter().zip(&arguments);
    let starts: String =
        own.map(|(one, argument)| format!(" {} = {};", text.of(one), text.of(*argument))).collect();
    let body = body(text, function, returned.first().copied())?;
    let splices =
        declared.is_empty() && statement.parent().is_some_and(|up| up.kind() == "compound_statement");
    let with = if splices { body.trim().into() } else { format!("{{{starts}{body}}}") };
    let edits = outline.undefined(function, &prototypes)?;
    apart(edits.into_iter().chain([put(statement, &with)]).collect())
}

/// What stands between the braces of `function`, without the return at its end.
fn body(text: &Text<'_>, function: &Function<'_>, last: Option<Node<'_>>) -> Option<String> {
    let (start, end) = (function.body.start_byte() + 1, function.body.end_byte().checked_sub(1)?);
    let inside = text.source.get(start..end)?;
    let Some(last) = last else { return Some(inside.to_string()) };
    let value = elements(last).into_iter().next().filter(|value| acts(*value));
    let with = value.map_or(String::new(), |value| format!("{};", text.of(value)));
    let edit = TextEdit { start: last.start_byte() - start, end: last.end_byte() - start, with };
    Some(super::replaced(inside, &[edit]))
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn a_variable_gives_way_to_its_value() {
        let source = "void f(void) {\n  int a = 1, b = g() + 1, c = 2, d = g();\n  int e = -a;\n  c++;\n  \
                      h(a, b, e, d, d);\n}\n";
        assert_eq!(
            texts(source, Pass::Inline),
            [
                source.replace("a = 1, ", "").replace("-a", "-1").replace("(a", "(1"),
                source.replace("b = g() + 1, ", "").replace(" b,", " (g() + 1),"),
                source.replace("  int e = -a;\n", "").replace(" e,", " (-a),"),
            ]
        );
    }

    #[test]
    fn an_expression_stands_for_its_function() {
        let source = "int f(int);\nint f(int a) { return a + a; }\nint x = f(1) * f(b + c);\n\
                      int r(int a) { return r(a); }\n";
        assert_eq!(
            texts(source, Pass::Inline),
            ["int x = (1 + 1) * ((b + c) + (b + c));\nint r(int a) { return r(a); }\n"]
        );
    }

    #[test]
    fn a_body_stands_for_its_call() {
        let source = "static void f(void) {\n  a();\n}\nint g(int p, char *q) {\n  int x = p;\n  b(x);\n  \
                      return c();\n}\nint main(void) {\n  f();\n  if (a) g(1, s);\n  return 0;\n}\n";
        assert_eq!(texts(source, Pass::Inline), [
            source.replace("static void f(void) {\n  a();\n}\n", "").replace("f();", "a();"),
            "static void f(void) {\n  a();\n}\nint main(void) {\n  f();\n  if (a) { int p = 1; char *q = s;\n  \
             int x = p;\n  b(x);\n  c();\n}\n  return 0;\n}\n"
                .into(),
            source.replace("\n  int x = p;", "").replace("b(x)", "b(p)"),
        ]);
    }
}
