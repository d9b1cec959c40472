//! What has to stay a constant, and what a compiler works out for itself.

use std::collections::HashSet;

use tree_sitter::Node;

use super::Weaver;

impl Weaver<'_> {
    /// Whether a compiler works out an operand for itself: it names nothing but constants.
    pub(super) fn is_folded(&self, node: Node<'_>) -> bool {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "sizeof_expression" | "alignof_expression" | "offsetof_expression" | "type_descriptor" => {}
                "identifier" if !self.names.constants.contains(self.text(node)) => return false,
                "call_expression" if self.is_constant(node) => {}
                "call_expression" | "string_literal" | "compound_statement" | "assignment_expression" => {
                    return false;
                }
                _ => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor));
                }
            }
        }
        true
    }

    /// What has to stay a constant, or is never evaluated.
    pub(super) fn is_constant(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "generic_expression"
            | "gnu_asm_expression"
            | "type_descriptor"
            | "struct_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "attribute_specifier"
            | "bitfield_clause"
            | "subscript_designator"
            | "subscript_range_designator"
            | "static_assert_declaration"
            | "macro_type_specifier" => true,
            "call_expression" => {
                let name = node.child_by_field_name("function").map(|function| self.text(function));
                matches!(
                    name,
                    Some(
                        // With side effects in its argument each of these means something else.
                        "__builtin_assume"
                            | "__builtin_constant_p"
                            | "__builtin_dynamic_object_size"
                            | "__builtin_object_size"
                            | "__builtin_choose_expr"
                            | "__builtin_types_compatible_p"
                            | "__builtin_offsetof"
                            | "__typeof__"
                            | "typeof"
                            | "__typeof"
                            | "__alignof__"
                            | "_Alignof"
                    )
                )
            }
            _ => false,
        }
    }
}

/// Whether a declaration stands for no code that runs where it stands.
pub(super) fn needs_no_code(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    matches!(first, Some("static" | "extern" | "typedef" | "__label__" | "_Static_assert" | "static_assert"))
        || text.split_once('=').map_or(text, |(head, _)| head).split_whitespace().any(|word| word == "static")
}

pub(super) fn has_initialiser(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| child.kind() == "init_declarator")
}

/// A number, perhaps in parentheses or with a sign: compilers fold what it decides.
pub(super) fn is_number(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "true" | "false" => true,
        "parenthesized_expression" | "unary_expression" => node.named_child(0).is_some_and(is_number),
        _ => false,
    }
}

/// Whether a constant test is plainly true: a decimal number that is not 0. What else may be 0 is many things, as `!1`.
pub(super) fn is_plainly_true(text: &str) -> bool {
    let number = text.trim_matches(|c: char| matches!(c, '(' | ')' | ';') || c.is_whitespace());
    let number = number.trim_end_matches(['u', 'U', 'l', 'L']);
    number.starts_with(|c: char| matches!(c, '1'..='9')) && number.chars().all(|c| c.is_ascii_digit())
}

/// Names that change what a piece of text means.
pub(super) struct Names<'a> {
    /// The constants of every `enum`.
    pub(super) constants: HashSet<&'a str>,
    /// The labels of every function.
    pub(super) labels: HashSet<&'a str>,
    /// Functions with a body and nothing else that is said of them: what calls one is code.
    functions: HashSet<&'a str>,
    /// Functions of which more is said, by an attribute or `inline`: a call may vanish.
    special: HashSet<&'a str>,
}

/// Functions that end a program; no compiler knows better.
const ENDS: [&str; 2] = ["abort", "exit"];

impl<'a> Names<'a> {
    pub(super) fn of(root: Node<'_>, text: &'a str) -> Names<'a> {
        let mut names = Names {
            constants: HashSet::new(),
            labels: HashSet::new(),
            functions: HashSet::new(),
            special: HashSet::new(),
        };
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            names.declared(node, text);
            let set = match node.kind() {
                "enumerator" => Some((&mut names.constants, "name")),
                "labeled_statement" => Some((&mut names.labels, "label")),
                _ => None,
            };
            if let Some((set, field)) = set
                && let Some(name) = node.child_by_field_name(field)
            {
                set.insert(&text[name.byte_range()]);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
        names
    }

    /// What a declaration or a definition says of functions.
    fn declared(&mut self, node: Node<'_>, text: &'a str) {
        let end = match node.kind() {
            "function_definition" => {
                node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte())
            }
            "declaration" => node.end_byte(),
            _ => return,
        };
        let said = &text[node.start_byte()..end];
        let is_special = said.contains("attribute") || said.contains("inline");
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(name) = function_name(declarator) else { continue };
            let name = &text[name.byte_range()];
            if is_special {
                self.special.insert(name);
            } else if node.kind() == "function_definition" {
                self.functions.insert(name);
            }
        }
    }

    /// Whether the value of `node` comes from a call that no compiler leaves out: of a function that has its body here,
    /// or one that ends the program.
    pub(super) fn is_sure_call(&self, node: Node<'_>, text: &str) -> bool {
        let inner = match node.kind() {
            "expression_statement" | "return_statement" | "parenthesized_expression" => node.named_child(0),
            "assignment_expression" => node.child_by_field_name("right"),
            "cast_expression" => node.child_by_field_name("value"),
            "call_expression" => {
                let callee = node.child_by_field_name("function").map(|callee| &text[callee.byte_range()]);
                return callee.is_some_and(|name| {
                    ENDS.contains(&name) || self.functions.contains(name) && !self.special.contains(name)
                });
            }
            _ => None,
        };
        inner.is_some_and(|inner| self.is_sure_call(inner, text))
    }
}

/// The name in the declarator of a function.
fn function_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let inner = declarator.child_by_field_name("declarator")?;
    match declarator.kind() {
        "function_declarator" if inner.kind() == "identifier" => Some(inner),
        _ => function_name(inner),
    }
}

/// The `&&` or `||` that `node` is, parentheses apart.
pub(super) fn logical(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" {
        let mut cursor = node.walk();
        node = node.named_children(&mut cursor).find(|child| !child.is_extra())?;
    }
    let operator = node.child_by_field_name("operator")?;
    (node.kind() == "binary_expression" && matches!(operator.kind(), "&&" | "||")).then_some(node)
}
