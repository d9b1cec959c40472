//! Expressions that must remain constants, and those that compilers fold.

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::unevaluated::is_unevaluated;
use super::instrumenter::Instrumenter;

impl Instrumenter<'_> {
    /// Whether a compiler folds an operand: it names nothing but constants.
    pub(super) fn is_folded(&self, node: Node<'_>) -> bool {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "sizeof_expression" if self.may_have_computed_size(node) => return false,
                "sizeof_expression" | "alignof_expression" | "offsetof_expression" | "type_descriptor" => {}
                "identifier" if !self.names.constants.contains(node.text(self.masked)) => return false,
                "call_expression" if self.is_constant(node) => {}
                // A character of a literal.
                "subscript_expression" if is_of_literal(node) => stack.extend(node.field("index")),
                "call_expression"
                | "string_literal"
                | "compound_literal_expression"
                | "compound_statement"
                | "assignment_expression" => return false,
                _ => stack.extend(node.elements()),
            }
        }
        true
    }

    /// The same for an operand or a condition, whose value is tested: a string is always true.
    pub(super) fn is_folded_test(&self, node: Node<'_>) -> bool {
        let mut inner = node.without_parentheses();
        while inner.kind() == "unary_expression" && inner.text(self.masked).starts_with('!') {
            let Some(argument) = inner.field("argument") else { break };
            inner = argument.without_parentheses();
        }
        matches!(inner.kind(), "string_literal" | "concatenated_string") || self.is_folded(node)
    }

    /// Whether the value of `node` is that of a constant, after other code. gcc tests what is 0 by an assignment
    /// (`c_common_truthvalue_conversion`).
    pub(super) fn is_settled(&self, node: Node<'_>) -> bool {
        let value = node.without_parentheses();
        let is_assignment = value.kind() == "assignment_expression"
            && value.field("operator").is_some_and(|sign| sign.text(self.masked) == "=");
        match value.field("right").map(Node::without_parentheses) {
            Some(last) if value.kind() == "comma_expression" => {
                self.is_folded_test(last) || self.is_settled(last)
            }
            Some(last) if is_assignment => {
                let is_zero = !last.text(self.masked).contains(|digit| matches!(digit, '1'..='9'));
                last.kind() == "number_literal" && !is_zero
            }
            _ => false,
        }
    }

    /// Whether `node` asks for the size of an array that may have been computed, so that it may have to be loaded.
    fn may_have_computed_size(&self, node: Node<'_>) -> bool {
        node.subtree().into_iter().any(|node| match node.kind() {
            "abstract_array_declarator" => self.names.may_be_computed(node, self.masked),
            "identifier" | "type_identifier" => self.names.may_be_sized(node.text(self.masked)),
            _ => false,
        })
    }

    /// Whether clang may evaluate the condition `node` (`ConstantFoldsToSimpleInteger` in CodeGenFunction.cpp): it names nothing
    /// but constants, `const` variables, addresses and functions of a library.
    pub(super) fn is_evaluable(&self, node: Node<'_>) -> bool {
        // Each with whether what it points to may be read.
        let mut stack = vec![(node, false)];
        while let Some((node, is_read)) = stack.pop() {
            let mut inner: Vec<Node<'_>> = Vec::new();
            let mut reads = is_read;
            match node.kind() {
                // The association that is chosen may be a constant.
                "sizeof_expression"
                | "alignof_expression"
                | "offsetof_expression"
                | "type_descriptor"
                | "generic_expression" => {}
                // Addresses are compared with each other and with 0 without code.
                "pointer_expression" if node.text(self.masked).starts_with('&') && !is_read => {}
                "call_expression" if is_unevaluated(node, self.masked) => {}
                // The left operand may decide, and the arm that is chosen may be a constant.
                "binary_expression" if logical(node).is_some() => inner.extend(node.field("left")),
                "conditional_expression" => inner.extend(node.field("condition")),
                "identifier" if !self.names.is_fixed(node.text(self.masked)) => return false,
                "call_expression" => {
                    let is_own = |callee: Node<'_>| {
                        callee.kind() != "identifier" || self.names.is_own(callee.text(self.masked))
                    };
                    if node.field("function").is_none_or(is_own) {
                        return false;
                    }
                    reads = true;
                    inner.extend(node.field("arguments"));
                }
                "compound_statement" | "assignment_expression" | "update_expression" => return false,
                kind => {
                    reads |= kind == "pointer_expression" && !node.text(self.masked).starts_with('&');
                    inner = node.elements();
                }
            }
            stack.extend(inner.into_iter().map(|node| (node, reads)));
        }
        true
    }

    /// Whether an operator in `node` has the same operand on both sides, or `node` is in the condition of a `?:` with equal arms.
    pub(super) fn is_pointless(&self, node: Node<'_>) -> bool {
        let is_text = |left: Node<'_>, right: Node<'_>| left.text(self.masked) == right.text(self.masked);
        let mut inner = node;
        while let Some(outer) = inner.parent().filter(|outer| outer.kind().ends_with("_expression")) {
            let arms = outer.field("consequence").zip(outer.field("alternative"));
            let is_condition = outer.field("condition").is_some_and(|condition| condition.id() == inner.id());
            if is_condition && arms.is_some_and(|(yes, no)| is_text(yes, no)) {
                return true;
            }
            inner = outer;
        }
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            // `x * x` has no constant value, nor has `x == x` of a NaN.
            let may_be_nan = || {
                let left = node.field("left");
                left.is_some_and(|left| self.names.integers.may_be_nan(left, self.masked))
            };
            let may_fold = node.field("operator").is_none_or(|sign| match sign.text(self.masked) {
                "*" | "+" => false,
                "==" | "!=" | "<=" | ">=" => !may_be_nan(),
                _ => true,
            });
            let sides = node.field("left").zip(node.field("right")).filter(|_| may_fold);
            if sides.is_some_and(|(left, right)| is_text(left, right)) {
                return true;
            }
            // What a statement expression folds is not the value of the condition.
            stack.extend(node.elements().into_iter().filter(|node| node.kind() != "compound_statement"));
        }
        false
    }

    /// Whether `node` must be a constant expression, or is never evaluated.
    pub(super) fn is_constant(&self, node: Node<'_>) -> bool {
        is_unevaluated(node, self.masked)
    }
}

/// Whether the array of a subscript is a string.
fn is_of_literal(subscript: Node<'_>) -> bool {
    let array = subscript.field("argument");
    array.is_some_and(|array| matches!(array.kind(), "string_literal" | "concatenated_string"))
}

/// Whether the size of an array in a declaration may be computed, which gcc does at its place: it has more than a number.
pub(super) fn may_have_computed_size(text: &str) -> bool {
    let mut sizes = text.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    sizes.any(|size| size.contains(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether no code runs for a declaration at its place.
pub(super) fn needs_no_code(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    matches!(first, Some("static" | "extern" | "__label__" | "_Static_assert" | "static_assert"))
        || first == Some("typedef") && !may_have_computed_size(text)
        || text.split_once('=').map_or(text, |(head, _)| head).split_whitespace().any(|word| word == "static")
}

pub(super) fn has_initialiser(node: Node<'_>) -> bool {
    node.elements().iter().any(|child| child.kind() == "init_declarator")
}

/// Whether `node` is the size of an expression that is no array, so that it is never evaluated (C11, 6.5.3.4).
pub(super) fn is_size_of_value(node: Node<'_>) -> bool {
    let operand = node.field("value").filter(|_| node.kind() == "sizeof_expression");
    operand.map(Node::without_parentheses).is_some_and(|operand| {
        matches!(
            operand.kind(),
            "conditional_expression" | "binary_expression" | "call_expression" | "number_literal"
        )
    })
}

/// A number, perhaps in parentheses or with a sign: compilers fold a branch on it.
pub(super) fn is_number(node: Node<'_>) -> bool {
    match node.kind() {
        "number_literal" | "char_literal" | "true" | "false" => true,
        "parenthesized_expression" | "unary_expression" => node.named_child(0).is_some_and(is_number),
        _ => false,
    }
}

/// Whether the constant `node` is not 0, if that is plain: an integer, `true` or `false`, perhaps in parentheses or with `!` or a
/// sign.
pub(super) fn plain_value(node: Node<'_>, text: &str) -> Option<bool> {
    let inner = || node.named_child(0).and_then(|inner| plain_value(inner, text));
    match node.kind() {
        "true" => Some(true),
        "false" => Some(false),
        "number_literal" => is_nonzero(node.text(text)),
        "parenthesized_expression" => inner(),
        "unary_expression" => match node.field("operator")?.kind() {
            "!" => inner().map(|value| !value),
            "-" | "+" => inner(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the integer `literal` is not 0; none if it is no integer.
fn is_nonzero(literal: &str) -> Option<bool> {
    let digits = literal.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (&digits[2..], 16),
        _ => (digits, 10),
    };
    let is_integer = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    is_integer.then(|| digits.chars().any(|digit| digit != '0'))
}

/// `node` without parentheses, if it is an `&&` or `||`.
pub(super) fn logical(node: Node<'_>) -> Option<Node<'_>> {
    let node = node.without_parentheses();
    let operator = node.field("operator")?;
    (node.kind() == "binary_expression" && matches!(operator.kind(), "&&" | "||")).then_some(node)
}

/// Whether `node` is a chain of `&&` or `||`, or the opposite of one: its operands are tested in its place
/// (`CodeGenFunction::stripCond` of clang).
pub(super) fn is_chain(node: Node<'_>) -> bool {
    let mut inner = node;
    while logical(inner).is_none() {
        let Some(next) = inverted(inner) else { return false };
        inner = next;
    }
    true
}

/// If `node` is a chain as the operand of `__builtin_expect` or its like, or the opposite of one: the chain, and whether `node`
/// is the opposite.
pub(super) fn expected_chain<'t>(node: Node<'t>, text: &str) -> Option<(Node<'t>, bool)> {
    let inner = not_inverted(node);
    let callee = inner.field("function").map_or("", |callee| callee.text(text));
    let operand = inner.field("arguments")?.named_child(0)?;
    (callee.starts_with(EXPECT) && is_chain(operand)).then(|| (operand, is_opposite(node)))
}

/// Whether the operands of a chain in `node` may be tested in its place.
pub(super) fn may_be_chain(node: Node<'_>, text: &str) -> bool {
    let inner = not_inverted(node);
    let chooses = match inner.kind() {
        "generic_expression" => true,
        _ => inner.field("function").is_some_and(|callee| callee.text(text) == "__builtin_choose_expr"),
    };
    expected_chain(node, text).is_some() || chooses && has_chain(inner)
}

/// A chain in `__builtin_expect` as an operand of a chain, which is a part of the chain: its operands are operands of that.
pub(super) fn expected_part<'t>(node: Node<'t>, text: &str) -> Option<(Node<'t>, bool)> {
    let call = not_inverted(node);
    // clang has conditions of their own for its like, and gcc does not; those are not followed.
    let is_it = call.field("function").is_some_and(|callee| callee.text(text) == EXPECT);
    let expected = call.field("arguments")?.named_child(1)?;
    expected_chain(node, text).filter(|_| is_it && !has_chain(expected))
}

fn has_chain(node: Node<'_>) -> bool {
    node.subtree().into_iter().any(|part| logical(part).is_some())
}

/// `node` without the `!` and parentheses around it.
pub(super) fn not_inverted(node: Node<'_>) -> Node<'_> {
    std::iter::successors(Some(node), |node| inverted(*node)).last().unwrap_or(node)
}

const EXPECT: &str = "__builtin_expect";

/// The operand of `!`, or the expression in parentheses.
pub(super) fn inverted(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "parenthesized_expression" => node.named_child(0),
        "unary_expression" if is_not(node) => node.field("argument"),
        _ => None,
    }
}

/// Whether `node` is the opposite of what is below its `!` and parentheses.
pub(super) fn is_opposite(node: Node<'_>) -> bool {
    let outer = std::iter::successors(Some(node), |node| inverted(*node));
    outer.filter(|node| is_not(*node)).count() % 2 == 1
}

/// Whether `node` is `!a`.
pub(super) fn is_not(node: Node<'_>) -> bool {
    node.field("operator").is_some_and(|operator| operator.kind() == "!")
}
