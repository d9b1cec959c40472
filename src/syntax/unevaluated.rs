//! Code that must stay constant, or that never runs: counters and probes in it would not compile, or change its value.

use tree_sitter::Node;

use super::nodes::NodeExt;
use super::words::identifiers;

/// Built-ins whose value a side effect in the argument would change.
const BUILTINS: [&str; 13] = [
    "__builtin_assume",
    "__builtin_classify_type",
    "__builtin_constant_p",
    "__builtin_dynamic_object_size",
    "__builtin_object_size",
    "__builtin_choose_expr",
    "__builtin_types_compatible_p",
    "__builtin_offsetof",
    "__typeof__",
    "typeof",
    "__typeof",
    "__alignof__",
    "_Alignof",
];

/// Operators whose operand is not evaluated, or not always.
const OPERATORS: [&str; 3] = ["sizeof", "__alignof", "_Generic"];

/// Whether the code `text` has an operator or a built-in whose operand is not evaluated.
pub fn has_unevaluated(text: &str) -> bool {
    let is_one = |word: &str| OPERATORS.contains(&word) || BUILTINS.contains(&word);
    identifiers(text).any(|place| is_one(&text[place]))
}

/// Whether `node` must be a constant expression, or is never evaluated; `text` is the text that was parsed.
pub(super) fn is_unevaluated(node: Node<'_>, text: &str) -> bool {
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
        | "alignas_qualifier"
        | "bitfield_clause"
        | "subscript_designator"
        | "subscript_range_designator"
        | "static_assert_declaration"
        | "macro_type_specifier" => true,
        "call_expression" => {
            node.field("function").is_some_and(|function| BUILTINS.contains(&&text[function.byte_range()]))
        }
        _ => false,
    }
}
