//! Removes parameters from a function, and the arguments from its calls.

use tree_sitter::Node;

use super::lists::{delete_elements, truncate};
use super::outline::{
    Function, Outline, is_declared_name, may_change, parameters as parameters_of, parenthesized,
};
use super::text::{EditSet, Text, replace, without_overlap};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;

/// A function whose uses are all known.
struct KnownFunction<'o, 't> {
    outline: &'o Outline<'t>,
    function: &'o Function<'t>,
    parameters: Vec<Node<'t>>,
    /// The parameters of each prototype that lists them.
    prototypes: Vec<Vec<Node<'t>>>,
    /// The arguments of each call.
    calls: Vec<Vec<Node<'t>>>,
}

/// For each function: without all unused parameters, then without each parameter that is unused or constant.
pub(super) fn parameters(text: &Text<'_>) -> Vec<EditSet> {
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for known in outline.functions.iter().filter_map(|function| KnownFunction::of(&outline, function)) {
        let is_main = known.function.name == "main";
        let mentions: Vec<Option<Vec<Node<'_>>>> =
            known.parameters.iter().map(|parameter| known.mentions(*parameter)).collect();
        let is_unused = |index: &usize| mentions[*index].as_ref().is_some_and(Vec::is_empty);
        let unused: Vec<usize> = (0..mentions.len()).filter(is_unused).collect();
        if unused.len() > 1 || is_main && !unused.is_empty() {
            found.extend(known.without(&unused, Vec::new()));
        }
        found.extend(known.without_ellipsis());
        for (index, mentions) in mentions.iter().enumerate().filter(|_| !is_main) {
            found.extend(match mentions {
                Some(mentions) if mentions.is_empty() => known.without(&[index], Vec::new()),
                Some(mentions) => known.with_constant(index, mentions),
                None => None,
            });
        }
    }
    found
}

impl<'o, 't> KnownFunction<'o, 't> {
    fn of(outline: &'o Outline<'t>, function: &'o Function<'t>) -> Option<KnownFunction<'o, 't>> {
        let (prototypes, calls) = outline.uses(function)?;
        let lists = |nodes: Vec<Node<'t>>, field: &str| -> Option<Vec<Vec<Node<'t>>>> {
            nodes.into_iter().map(|node| Some(parameters_of(outline.text, node.field(field)?))).collect()
        };
        let parameters = parameters_of(outline.text, function.parameters);
        let mut prototypes = lists(prototypes, "parameters")?;
        prototypes.retain(|list| !list.is_empty());
        let is_consistent = prototypes.iter().all(|list| list.len() == parameters.len());
        let calls = lists(calls, "arguments")?;
        is_consistent.then_some(KnownFunction { outline, function, parameters, prototypes, calls })
    }

    /// The uses of `parameter` in the function; none if they are not all known.
    fn mentions(&self, parameter: Node<'t>) -> Option<Vec<Node<'t>>> {
        (parameter.kind() == "parameter_declaration").then_some(())?;
        let text = self.outline.text;
        let Some(name) = parameter.field("declarator").and_then(NodeExt::declared_name) else {
            return Some(Vec::new());
        };
        let mut mentions = self.outline.named(text.of(name), self.function.node);
        mentions.retain(|mention| *mention != name);
        (!self.outline.unparsed.contains(text.of(name))).then_some(mentions)
    }

    /// The parameter lists of the definition and of the prototypes.
    fn declared_lists(&self) -> impl Iterator<Item = &Vec<Node<'t>>> {
        std::iter::once(&self.parameters).chain(&self.prototypes)
    }

    /// Removes the parameters at `indices`, and makes the edits `more`.
    fn without(&self, indices: &[usize], more: Vec<TextEdit>) -> Option<EditSet> {
        let named = self.parameters.iter().filter(|one| one.kind() != "variadic_parameter").count();
        // Before C23, `...` needs a parameter before it.
        if named < self.parameters.len() && named == indices.len() {
            return None;
        }
        let mut edits = more;
        edits.extend(self.declared_lists().flat_map(|list| delete_elements(list, indices, "void")));
        edits.extend(self.calls.iter().flat_map(|list| delete_elements(list, indices, "")));
        without_overlap(edits)
    }

    /// Removes `...` and the arguments for it, if the body does not read them.
    fn without_ellipsis(&self) -> Option<EditSet> {
        let (last, named) = self.parameters.split_last()?;
        let body = self.outline.text.of(self.function.body);
        let is_unused = last.kind() == "variadic_parameter" && !body.contains("va_") && !named.is_empty();
        is_unused.then_some(())?;
        let lists = self.declared_lists().chain(&self.calls).filter(|list| list.len() > named.len());
        without_overlap(lists.map(|list| truncate(list, named.len())).collect())
    }

    /// Replaces a parameter by the constant that all calls pass.
    fn with_constant(&self, index: usize, mentions: &[Node<'t>]) -> Option<EditSet> {
        let text = self.outline.text;
        let mut arguments = self.calls.iter().map(|list| list.get(index).copied());
        let constant = arguments.next()??;
        let value = text.of(constant);
        let is_same = |other: Option<Node<'_>>| other.is_some_and(|other| text.of(other) == value);
        if !is_constant(constant) || !arguments.all(is_same) {
            return None;
        }
        if !mentions.iter().any(|mention| may_change(*mention) || is_declared_name(*mention)) {
            let with = parenthesized(value);
            return self.without(&[index], mentions.iter().map(|mention| replace(*mention, &with)).collect());
        }
        let declaration = self.parameters[index];
        let is_array = declaration.field("declarator")?.kind().contains("array");
        (!is_array).then_some(())?;
        let variable = format!("{{ {} = {value};", text.of(declaration));
        self.without(&[index], vec![replace(self.function.body.child(0)?, variable)])
    }
}

fn is_constant(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "string_literal" | "null" | "true" | "false" => true,
        "unary_expression" | "parenthesized_expression" => node.elements().into_iter().all(is_constant),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn unused_parameters_are_removed_with_their_arguments() {
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
    fn an_ellipsis_is_removed_if_the_body_does_not_read_its_arguments() {
        let source = "void f(int a, ...) { }\nvoid g(void) { f(1, 2, 3); }\n";
        let expected = source.replace("a, ...", "a").replace("1, 2, 3", "1");
        assert_eq!(texts(source, Pass::Parameters), [expected]);
        let asked = source.replace("{ }", "{ va_start(a); }");
        assert_eq!(texts(&asked, Pass::Parameters), [""; 0]);
    }
}
