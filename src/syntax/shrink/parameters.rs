//! Parameters: a function takes one less, and its calls give one less.

use tree_sitter::Node;

use super::outline::{
    Function, Outline, apart, changes, elements, enclosed, holds, name_of, parameters, without,
};
use super::{EditSet, Text, put};
use crate::model::TextEdit;

/// A function with its prototypes and calls, where nothing else names it.
struct Uses<'o, 't> {
    outline: &'o Outline<'t>,
    function: &'o Function<'t>,
    prototypes: Vec<Vec<Node<'t>>>,
    calls: Vec<Vec<Node<'t>>>,
}

/// For each function: all parameters that its body does not use, then each that it can lose.
pub(super) fn fewer_parameters(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for function in &outline.functions {
        let Some(uses) = uses(&outline, function) else { continue };
        let own = parameters(text, function.parameters);
        let named = own.iter().map(|parameter| uses.mentions(*parameter));
        let named: Vec<Option<Vec<Node<'_>>>> = named.collect();
        let idle = |index: &usize| named[*index].as_ref().is_some_and(Vec::is_empty);
        let unused: Vec<usize> = (0..own.len()).filter(idle).collect();
        if unused.len() > 1 || function.name == "main" && !unused.is_empty() {
            found.extend(uses.without(&own, &unused, Vec::new()));
        }
        found.extend(uses.fixed(&own));
        for index in (0..own.len()).filter(|_| function.name != "main") {
            match &named[index] {
                Some(mentions) if mentions.is_empty() => {
                    found.extend(uses.without(&own, &[index], Vec::new()));
                }
                Some(mentions) => found.extend(uses.constant(&own, index, mentions)),
                None => {}
            }
        }
    }
    found
}

fn uses<'o, 't>(outline: &'o Outline<'t>, function: &'o Function<'t>) -> Option<Uses<'o, 't>> {
    let (prototypes, calls) = outline.uses(function)?;
    let lists = |nodes: Vec<Node<'t>>, field: &str| -> Option<Vec<Vec<Node<'t>>>> {
        let lists = nodes.into_iter().map(|node| node.child_by_field_name(field));
        lists
            .map(|list| list.map(|list| (list, parameters(outline.text, list))))
            .map(|found| Some(found?.1))
            .collect()
    };
    let known = Uses {
        outline,
        function,
        prototypes: lists(prototypes, "parameters")?,
        calls: lists(calls, "arguments")?,
    };
    let count = parameters(outline.text, function.parameters).len();
    let fits = known.prototypes.iter().all(|list| list.is_empty() || list.len() == count);
    (fits && !function.node.has_error()).then_some(known)
}

impl<'t> Uses<'_, 't> {
    /// Where the body names `parameter`; none if that cannot be told.
    fn mentions(&self, parameter: Node<'t>) -> Option<Vec<Node<'t>>> {
        (parameter.kind() == "parameter_declaration").then_some(())?;
        let text = self.outline.text;
        let Some(name) = parameter.child_by_field_name("declarator").and_then(name_of) else {
            return Some(Vec::new());
        };
        let mut mentions = self.outline.named(text.of(name), self.function.node.byte_range());
        mentions.retain(|mention| *mention != name);
        (!self.outline.hidden.contains(text.of(name))).then_some(mentions)
    }

    /// The edits that take parameters out, with `more`.
    fn without(&self, own: &[Node<'t>], gone: &[usize], more: Vec<TextEdit>) -> Option<EditSet> {
        let named = own.iter().filter(|one| one.kind() != "variadic_parameter").count();
        // Before C23 something has to stand in front of `...`.
        if named < own.len() && named == gone.len() {
            return None;
        }
        let mut edits = more;
        edits.extend(shorter(own, gone, "void"));
        for list in self.prototypes.iter().filter(|list| !list.is_empty()) {
            edits.extend(shorter(list, gone, "void"));
        }
        for list in &self.calls {
            edits.extend(shorter(list, gone, ""));
        }
        apart(edits)
    }

    /// Without `...`, and without what calls give for it, where the body does not ask for it.
    fn fixed(&self, own: &[Node<'t>]) -> Option<EditSet> {
        let (rest, named) = own.split_last()?;
        let body = self.outline.text.of(self.function.body);
        let is_idle = rest.kind() == "variadic_parameter" && !body.contains("va_") && !named.is_empty();
        is_idle.then_some(())?;
        let lists = self.prototypes.iter().filter(|list| !list.is_empty()).chain(&self.calls);
        let all = lists.map(Vec::as_slice).chain([own]);
        let from = |list: &[Node<'t>]| (named.len()..list.len()).collect::<Vec<usize>>();
        apart(all.flat_map(|list| shorter(list, &from(list), "")).collect())
    }

    /// The parameter is what all calls give, a constant.
    fn constant(&self, own: &[Node<'t>], index: usize, mentions: &[Node<'t>]) -> Option<EditSet> {
        let text = self.outline.text;
        let mut given = self.calls.iter().map(|list| list.get(index).copied());
        let value = given.next()??;
        if !is_constant(value)
            || given.any(|other| other.is_none_or(|other| text.of(other) != text.of(value)))
        {
            return None;
        }
        let value = text.of(value);
        let mut more: Vec<TextEdit> =
            mentions.iter().map(|mention| put(*mention, &enclosed(value))).collect();
        if mentions.iter().any(|mention| changes(*mention) || declares(*mention)) {
            let declaration = text.of(own[index]);
            let array = own[index].child_by_field_name("declarator")?.kind().contains("array");
            (!array).then_some(())?;
            more = vec![put(self.function.body.child(0)?, &format!("{{ {declaration} = {value};"))];
        }
        self.without(own, &[index], more)
    }
}

/// Whether `node` is a name in a declarator and not a value.
fn declares(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        let own = parent.child_by_field_name("declarator") == Some(node);
        own || parent.kind() == "declaration" || parent.kind() == "pointer_declarator"
    })
}

fn is_constant(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "string_literal" | "null" | "true" | "false" => true,
        "unary_expression" | "parenthesized_expression" => elements(node).into_iter().all(is_constant),
        _ => false,
    }
}

/// `list` without the elements `gone`, and `empty` where none is left.
fn shorter(list: &[Node<'_>], gone: &[usize], empty: &str) -> Vec<TextEdit> {
    let gone: Vec<usize> = gone.iter().copied().filter(|index| *index < list.len()).collect();
    if gone.len() == list.len() {
        let (Some(first), Some(last)) = (list.first(), list.last()) else { return Vec::new() };
        return vec![TextEdit { start: first.start_byte(), end: last.end_byte(), with: empty.into() }];
    }
    // What goes at the end goes with the comma in front of it.
    let tail = (0..list.len()).rev().take_while(|index| gone.contains(index)).last();
    let before = gone.iter().filter(|index| tail.is_none_or(|tail| **index < tail));
    let mut edits: Vec<TextEdit> = before.map(|index| without(list, *index)).collect();
    if let Some(tail) = tail {
        let (start, end) = (list[tail - 1].end_byte(), list[list.len() - 1].end_byte());
        edits.push(TextEdit { start, end, with: String::new() });
    }
    debug_assert!(
        edits.windows(2).all(|pair| !holds(&(pair[0].start..pair[0].end), &(pair[1].start..pair[1].end)))
    );
    edits
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, tests::texts};

    #[test]
    fn unused_parameters_go_with_their_arguments() {
        let source = "int f(int a, int, char *c);\nint f(int a, int b, char *c) { return b; }\n\
                      int main(int argc, char **argv) { return f(f(1, 2, 0), g(), \"x\"); }\n";
        assert_eq!(
            texts(source, Pass::Parameters),
            [
                "int f(int);\nint f(int b) { return b; }\n\
             int main(int argc, char **argv) { return f(g()); }\n",
                "int f(int, char *c);\nint f(int b, char *c) { return b; }\n\
             int main(int argc, char **argv) { return f(g(), \"x\"); }\n",
                "int f(int a, int);\nint f(int a, int b) { return b; }\n\
             int main(int argc, char **argv) { return f(f(1, 2), g()); }\n",
                &source.replace("int argc, char **argv", "void"),
            ]
        );
    }

    #[test]
    fn a_constant_argument_moves_into_the_function() {
        let source = "static int f(int a) { return a + a; }\nvoid g(int a, int *p) { a++; p = &a; }\nint x = f(-1);\nvoid h(void) { g(2, q); }\n";
        assert_eq!(
            texts(source, Pass::Parameters),
            [
                source
                    .replace("f(int a) { return a + a", "f(void) { return (-1) + (-1)")
                    .replace("f(-1)", "f()"),
                source.replace("g(int a, int *p) {", "g(int *p) { int a = 2;").replace("g(2, q)", "g(q)"),
            ]
        );
    }

    #[test]
    fn a_function_whose_address_is_taken_keeps_its_parameters() {
        assert_eq!(
            texts("void f(int a) { }\nvoid *p = f;\nvoid g(void) { f(1); }\n", Pass::Parameters),
            [""; 0]
        );
    }

    #[test]
    fn what_follows_the_last_parameter_goes_where_nobody_asks_for_it() {
        let source = "void f(int a, ...) { }\nvoid g(void) { f(1, 2, 3); }\n";
        let expected = source.replace("a, ...", "a").replace("1, 2, 3", "1");
        assert_eq!(texts(source, Pass::Parameters), [expected]);
        let asked = source.replace("{ }", "{ va_start(a); }");
        assert_eq!(texts(&asked, Pass::Parameters), [""; 0]);
    }
}
