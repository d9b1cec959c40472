//! Empties functions: a body becomes `return 0;`. The code that no other function needs can then be deleted before its
//! statements are tried one by one.

use tree_sitter::Node;

use super::text::{EditSet, Text, replace};
use crate::syntax::nodes::NodeExt;

pub(super) fn bodies(text: &Text<'_>) -> Vec<EditSet> {
    let definitions = text.nodes().into_iter().filter(|node| node.kind() == "function_definition");
    definitions.filter_map(|node| emptied(text, node)).collect()
}

fn emptied(text: &Text<'_>, function: Node<'_>) -> Option<EditSet> {
    let (body, of, declarator) =
        (function.field("body")?, function.field("type")?, function.field("declarator")?);
    let is_pointer = declarator.kind() == "pointer_declarator";
    let with = if text.of(of) == "void" && !is_pointer {
        "{\n}".to_string()
    } else if matches!(of.kind(), "struct_specifier" | "union_specifier") && !is_pointer {
        format!("{{\nstatic {} empty;\nreturn empty;\n}}", text.of(of))
    } else {
        "{\nreturn 0;\n}".into()
    };
    let is_main = declarator.declared_name().is_some_and(|name| text.of(name) == "main");
    // The body may contain text that the parser did not understand.
    (!is_main && with.len() < text.of(body).len()).then(|| vec![replace(body, with)])
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, pass::tests::texts};

    #[test]
    fn bodies_become_short() {
        let source = "struct s f(void) { struct s long_name = g(); long_name.a++; return long_name; }\n\
                      static void v(int a) { a++; }\nint *NAME(p)(void) { return q + 1; }\nint r(void) { return 0; }\n\
                      int main(void) { v(1); return 7 * 7 * 7; }\n";
        assert_eq!(
            texts(source, Pass::Bodies),
            [
                source.replace(
                    "{ struct s long_name = g(); long_name.a++; return long_name; }",
                    "{\nstatic struct s empty;\nreturn empty;\n}"
                ),
                source.replace("{ a++; }", "{\n}"),
                source.replace("{ return q + 1; }", "{\nreturn 0;\n}"),
            ]
        );
    }
}
