//! Names that are integers wherever they are declared: a comparison of one with a number can be true and false, so no
//! compiler folds it.
//!
//! gcc folds a comparison that the range of its type decides (`fold_binary_loc` in fold-const.cc), such as that of a `_Bool`
//! or a bit-field with 2, and that of the address of an array or a function with 0.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::super::nodes::NodeExt;

/// Types in which every number up to [`MOST`] has smaller and larger neighbours, but for 0.
const TYPES: [&str; 9] = [
    "int",
    "long",
    "long long",
    "long int",
    "long long int",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned long long",
];

/// Functions of the C library that return an integer and that gcc evaluates for some arguments, even if the program has a
/// body for them (`fold_const_call` in fold-const-call.cc, `fold_builtin_n` in builtins.cc).
const EVALUATED: [&str; 28] = [
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "ffs",
    "ffsl",
    "ffsll",
    "isascii",
    "isdigit",
    "toascii",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "bcmp",
    "strlen",
    "strspn",
    "strcspn",
    "finite",
    "isinf",
    "isnan",
    "isnormal",
    "isfinite",
    "signbit",
    "ilogb",
    "lround",
    "lrint",
];

/// The largest number that a comparison may be with.
const MOST: u64 = 1 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Variable,
    Function,
}

/// Types whose values may be NaN.
const FLOATING: [&str; 3] = ["float", "double", "long double"];

#[derive(Default)]
pub(super) struct Integers<'a> {
    shapes: HashMap<&'a str, Shape>,
    /// Variables that are floating-point numbers wherever they are declared.
    floating: HashSet<&'a str>,
    /// The functions with a body that no compiler evaluates.
    opaque: HashSet<&'a str>,
}

impl<'a> Integers<'a> {
    pub fn of(root: Node<'_>, text: &'a str) -> Integers<'a> {
        let mut shapes = HashMap::new();
        let (mut others, mut opaque) = (HashSet::new(), HashSet::new());
        let (mut floating, mut not_floating) = (HashSet::new(), HashSet::new());
        for node in root.subtree() {
            let is_declaration = matches!(
                node.kind(),
                "declaration" | "parameter_declaration" | "function_definition" | "type_definition"
            );
            let declarators = if is_declaration { node.fields("declarator") } else { Vec::new() };
            for declarator in declarators {
                let Some(name) = declarator.declared_name().map(|name| name.text(text)) else { continue };
                if node.kind() == "function_definition" && !EVALUATED.contains(&name) {
                    opaque.insert(name);
                }
                let is_floating =
                    has_type(node, text, &FLOATING) && shape(declarator) == Some(Shape::Variable);
                if is_floating { &mut floating } else { &mut not_floating }.insert(name);
                let shape = shape(declarator).filter(|_| has_type(node, text, &TYPES));
                match shape {
                    Some(shape) if *shapes.entry(name).or_insert(shape) == shape => {}
                    _ => _ = others.insert(name),
                }
            }
            // An enumerator hides a variable.
            if let ("enumerator", Some(name)) = (node.kind(), node.field("name")) {
                others.insert(name.text(text));
            }
        }
        shapes.retain(|name, _| !others.contains(name));
        floating.retain(|name| !not_floating.contains(name));
        Integers { shapes, floating, opaque }
    }

    /// The declarations of old-style parameters are not in the tree, so no name is certain.
    pub fn forget(&mut self) {
        self.shapes.clear();
        self.floating.clear();
    }

    /// Whether `node` is a variable that may be NaN, and differs from itself then.
    pub fn may_be_nan(&self, node: Node<'_>, text: &str) -> bool {
        self.floating.contains(node.text(text))
    }

    /// Whether the condition `node` compares an integer with a number, or with 0 by its value, and may have both outcomes.
    pub fn has_both_outcomes(&self, node: Node<'_>, text: &str) -> bool {
        match node.kind() {
            "parenthesized_expression" => {
                node.named_child(0).is_some_and(|inner| self.has_both_outcomes(inner, text))
            }
            "unary_expression" => {
                node.field("operator").is_some_and(|operator| operator.kind() == "!")
                    && node.field("argument").is_some_and(|inner| self.has_both_outcomes(inner, text))
            }
            "binary_expression" => {
                let least = match node.field("operator").map(|operator| operator.kind()) {
                    Some("==" | "!=") => 0,
                    Some("<" | ">" | "<=" | ">=") => 1,
                    _ => return false,
                };
                let number = node.field("right").filter(|right| right.kind() == "number_literal");
                let number = number.and_then(|number| number.text(text).parse::<u64>().ok());
                number.is_some_and(|number| (least..=MOST).contains(&number))
                    && node.field("left").is_some_and(|left| self.is_integer(left, text))
            }
            _ => self.is_integer(node, text),
        }
    }

    /// Whether the value of `node` is an integer of any value.
    fn is_integer(&self, node: Node<'_>, text: &str) -> bool {
        let has_shape = |node: Node<'_>, shape| self.shapes.get(node.text(text)) == Some(&shape);
        match node.kind() {
            "identifier" => has_shape(node, Shape::Variable),
            "call_expression" => node.field("function").is_some_and(|callee| {
                let is_opaque = self.opaque.contains(callee.text(text));
                callee.kind() == "identifier" && has_shape(callee, Shape::Function) && is_opaque
            }),
            _ => false,
        }
    }
}

/// Whether the type of the declaration `node` is one of `types`, and what it declares is no constant.
fn has_type(node: Node<'_>, text: &str, types: &[&str]) -> bool {
    let is_constant = |child: &Node<'_>| child.text(text).contains("const");
    let qualifiers = node.elements().into_iter().filter(|child| child.kind() == "type_qualifier");
    let words = node.field("type").map(|of| of.text(text).split_whitespace().collect::<Vec<_>>().join(" "));
    words.is_some_and(|words| types.contains(&&*words))
        && !qualifiers.into_iter().any(|one| is_constant(&one))
}

/// The shape of what `declarator` declares: a variable, or a function that returns the type itself.
fn shape(declarator: Node<'_>) -> Option<Shape> {
    match declarator.kind() {
        "identifier" => Some(Shape::Variable),
        "init_declarator" => shape(declarator.field("declarator")?),
        "function_declarator" => {
            (declarator.field("declarator")?.kind() == "identifier").then_some(Shape::Function)
        }
        _ => None,
    }
}
