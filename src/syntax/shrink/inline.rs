//! Inlines variables and functions: their values and bodies replace their uses.

use tree_sitter::Node;

use super::lists::delete_declarator;
use super::macros::substituted;
use super::outline::{
    Function, Outline, has_side_effect, is_declared_name, may_change, parameters, parenthesized,
};
use super::returns;
use super::text::{EditSet, Text, contains, replace, without_overlap};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;
use crate::syntax::replaced;
use crate::syntax::words::identifiers;

/// The longest expression that is copied to several places.
const LONGEST_COPY: usize = 40;

/// The most calls into which one function's expression is copied.
const MOST_CALLS: usize = 8;

/// One candidate for each function that can be inlined, then for each variable.
pub(super) fn inline(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let functions = outline.functions.iter().filter(|function| function.name != "main");
    let mut found: Vec<EditSet> = functions
        .filter_map(|function| as_expression(&outline, function).or_else(|| as_block(&outline, function)))
        .collect();
    for node in outline.of_kind("declaration") {
        let all = node.fields("declarator").into_iter().enumerate();
        found.extend(all.filter_map(|declarator| variable(&outline, node, declarator)));
    }
    found
}

/// Inlines a variable that keeps its initial value.
fn variable(
    outline: &Outline<'_>,
    declaration: Node<'_>,
    (index, declarator): (usize, Node<'_>),
) -> Option<EditSet> {
    let text = outline.text;
    let (declared, value) = (name_or_pointer(declarator.field("declarator")?)?, declarator.field("value")?);
    let scope = outline.scope(declaration);
    let name = text.of(declared);
    let mut uses = outline.named(name, scope);
    uses.retain(|used| *used != declared);
    let is_copied = uses.len() > 1;
    let is_local = scope != outline.root() || outline.all_named(name).len() == uses.len() + 1;
    if !is_local
        || uses.is_empty()
        || is_copied && (has_side_effect(value) || text.of(value).len() > LONGEST_COPY)
        || value.kind() == "initializer_list"
        || outline.unparsed.contains(name)
        || uses.iter().any(|used| may_change(*used) || is_declared_name(*used))
    {
        return None;
    }
    let with = parenthesized(text.of(value));
    let edits = uses.into_iter().map(|used| replace(used, &with));
    without_overlap(edits.chain([delete_declarator(text, declaration, index)]).collect())
}

/// The name that `declarator` declares with no more than pointers around it.
fn name_or_pointer(declarator: Node<'_>) -> Option<Node<'_>> {
    let inner = declarator.declarators().find(|node| node.kind() != "pointer_declarator");
    inner.filter(|node| node.kind() == "identifier")
}

/// The names of the parameters, if each has one.
fn parameter_names<'t>(outline: &Outline<'t>, function: &Function<'t>) -> Option<Vec<&'t str>> {
    let named = parameters(outline.text, function.parameters).into_iter().map(|parameter| {
        let declarator =
            parameter.field("declarator").filter(|_| parameter.kind() == "parameter_declaration")?;
        Some(outline.text.of(name_or_pointer(declarator)?))
    });
    named.collect()
}

/// The arguments of `call`, if there are `number` of them.
fn arguments(call: Node<'_>, number: usize) -> Option<Vec<Node<'_>>> {
    call.field("arguments").map(NodeExt::elements).filter(|arguments| arguments.len() == number)
}

/// Replaces the calls of a function whose body is `return e;` by `e`.
fn as_expression(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let [only] = function.body.elements()[..] else { return None };
    let value = *only.elements().first().filter(|_| only.kind() == "return_statement")?;
    let (prototypes, calls) = outline.uses(function)?;
    let names = parameter_names(outline, function)?;
    let said = text.of(value);
    let is_recursive = calls.iter().any(|call| contains(function.node, *call));
    let mut mentions = names.iter().flat_map(|name| outline.named(name, value));
    if is_recursive
        || calls.is_empty()
        || calls.len() > 1 && (said.len() > LONGEST_COPY || calls.len() > MOST_CALLS)
        || mentions.any(may_change)
    {
        return None;
    }
    let mut edits = outline.delete_function(function, &prototypes)?;
    for call in calls {
        let arguments = arguments(call, names.len())?;
        let is_evaluated_once = |(name, argument): (&&str, &Node<'_>)| {
            outline.named(name, value).len() == 1 || !has_side_effect(*argument)
        };
        names.iter().zip(&arguments).all(is_evaluated_once).then_some(())?;
        let arguments: Vec<String> =
            arguments.into_iter().map(|argument| parenthesized(text.of(argument))).collect();
        edits.push(replace(call, parenthesized(&substituted(said, &names, &arguments))));
    }
    without_overlap(edits)
}

/// Replaces the only call of a function, which is a statement, by the function's body.
fn as_block(outline: &Outline<'_>, function: &Function<'_>) -> Option<EditSet> {
    let text = outline.text;
    let (prototypes, calls) = outline.uses(function)?;
    let [call] = calls[..] else { return None };
    let statement = call.parent_of_kind("expression_statement")?;
    let names = parameter_names(outline, function)?;
    let arguments = arguments(call, names.len())?;
    let returned = returns::returns_in(function);
    let items = function.body.elements();
    if contains(function.node, call) || returned.iter().any(|found| Some(found) != items.last()) {
        return None;
    }
    let locals = items.iter().filter(|item| matches!(item.kind(), "declaration" | "type_definition"));
    let declarators = locals.flat_map(|item| item.fields("declarator"));
    let declared = declarators.filter_map(NodeExt::declared_name).map(|name| text.of(name));
    let declared: Vec<&str> = declared.chain(names).collect();
    let captures = |argument: &Node<'_>| {
        let said = text.of(*argument);
        identifiers(said).any(|word| declared.contains(&&said[word]))
    };
    (!arguments.iter().any(captures)).then_some(())?;
    let body = body(text, function, returned.first().copied())?;
    let with = if declared.is_empty() && statement.parent_of_kind("compound_statement").is_some() {
        body.trim().to_string()
    } else {
        let parameters = parameters(text, function.parameters).into_iter().zip(&arguments);
        let variables: String = parameters
            .map(|(parameter, argument)| format!(" {} = {};", text.of(parameter), text.of(*argument)))
            .collect();
        format!("{{{variables}{body}}}")
    };
    let edits = outline.delete_function(function, &prototypes)?;
    without_overlap(edits.into_iter().chain([replace(statement, with)]).collect())
}

/// The text between the braces of `function`, without the `return` at its end.
fn body(text: &Text<'_>, function: &Function<'_>, last: Option<Node<'_>>) -> Option<String> {
    let (start, end) = (function.body.start_byte() + 1, function.body.end_byte().checked_sub(1)?);
    let inside = text.source.get(start..end)?;
    let Some(last) = last else { return Some(inside.to_string()) };
    let value = last.elements().into_iter().next().filter(|value| has_side_effect(*value));
    let with = value.map_or(String::new(), |value| format!("{};", text.of(value)));
    Some(replaced(inside, &[TextEdit::replace(last.start_byte() - start..last.end_byte() - start, with)]))
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn a_variable_is_replaced_by_its_value() {
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
    fn a_call_is_replaced_by_the_returned_expression() {
        let source = "int f(int);\nint f(int a) { return a + a; }\nint x = f(1) * f(b + c);\n\
                      int r(int a) { return r(a); }\n";
        assert_eq!(
            texts(source, Pass::Inline),
            ["int x = (1 + 1) * ((b + c) + (b + c));\nint r(int a) { return r(a); }\n"]
        );
    }

    #[test]
    fn a_call_is_replaced_by_the_body() {
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
