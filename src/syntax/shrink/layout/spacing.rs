//! Whether two tokens of one line have a space between them.
//!
//! The role of `*`, `(` and `:` comes from the tree, or else from the tokens before them.

use tree_sitter::Node;

use super::plain::Plain;
use crate::syntax::nodes::NodeExt;
use crate::syntax::tokens::{Kind, may_touch};

/// The role of a token, as far as spaces depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The text of the token decides.
    Plain,
    /// An operator before its operand.
    Prefix,
    /// An operator after its operand.
    Postfix,
    /// A token with a space on both sides.
    Binary,
    /// The `*` of a declarator.
    Pointer,
    /// The `)` of a cast.
    Cast,
    /// The `:` after a label.
    Label,
    /// The `(` of a declarator such as `(*f)`.
    Declarator,
    /// A brace around values.
    Values,
}

/// The tokens of `plain` with their roles.
pub fn with_roles<'a>(plain: &Plain<'a>, nodes: &[Node<'_>]) -> Vec<Spaced<'a>> {
    let token_at =
        |node: Node<'_>| plain.parsed.binary_search_by_key(&node.start_byte(), |token| token.start).ok();
    let mut seen: Vec<Spaced<'a>> = Vec::with_capacity(plain.tokens.len());
    for token in &plain.tokens {
        let mut token = Spaced { text: &plain.source[token.range()], kind: token.kind, role: Role::Plain };
        token.role = guess(&seen, token);
        seen.push(token);
    }
    for node in nodes {
        // The parser takes the sign for a part of a number.
        let is_number = node.kind() == "number_literal";
        if let Some(at) = token_at(*node).filter(|at| is_number && seen[*at].kind == Kind::Punct) {
            seen[at].role = Role::Prefix;
        }
        for (index, child) in
            node.all_children().into_iter().enumerate().filter(|(_, child)| !child.is_named())
        {
            let Some(at) = token_at(child) else { continue };
            let next = seen.get(at + 1).map_or("", |next| next.text);
            if let Some(role) = role(node.kind(), child.kind(), index, next) {
                seen[at].role = role;
            }
        }
    }
    seen
}

/// The role that `token` has as a child of `node`, and before the token `next`.
fn role(node: &str, token: &str, index: usize, next: &str) -> Option<Role> {
    Some(match (node, token) {
        ("unary_expression" | "pointer_expression" | "update_expression", _) if index == 0 => Role::Prefix,
        ("update_expression", _) => Role::Postfix,
        ("cast_expression" | "compound_literal_expression", ")") => Role::Cast,
        ("binary_expression" | "assignment_expression" | "conditional_expression", _)
        | ("bitfield_clause", ":") => Role::Binary,
        ("pointer_declarator" | "abstract_pointer_declarator", "*") => Role::Pointer,
        ("labeled_statement" | "case_statement" | "generic_expression" | "initializer_pair", ":") => {
            Role::Label
        }
        ("parenthesized_declarator" | "abstract_parenthesized_declarator", "(") if next == "*" => {
            Role::Declarator
        }
        ("initializer_list", "{" | "}") => Role::Values,
        (kind, ":") if kind.starts_with("gnu_asm") => Role::Binary,
        _ => return None,
    })
}

/// The role of `token` judged by the tokens `before` it.
fn guess(before: &[Spaced<'_>], token: Spaced<'_>) -> Role {
    if token.kind != Kind::Punct {
        return Role::Plain;
    }
    let is_comment = |seen: &Spaced<'_>| matches!(seen.kind, Kind::LineComment | Kind::BlockComment);
    let operand =
        before.iter().rev().find(|before| !is_comment(before)).is_some_and(|before| match before.kind {
            Kind::Word => !is_before_parenthesis(before.text) && before.text != "goto",
            Kind::Number | Kind::Literal => true,
            _ => matches!(before.text, ")" | "]" | "}"),
        });
    match token.text {
        "*" if before.last().is_some_and(|last| names_type(last.text)) => Role::Pointer,
        "!" | "~" => Role::Prefix,
        "++" | "--" if operand => Role::Postfix,
        "+" | "-" | "*" | "&" | "&&" | "++" | "--" if !operand => Role::Prefix,
        ":" => Role::Label,
        "(" | ")" | "[" | "]" | "{" | "}" | "." | "->" | "," | ";" | "..." => Role::Plain,
        _ => Role::Binary,
    }
}

fn names_type(word: &str) -> bool {
    matches!(word, "char" | "short" | "int" | "long" | "float" | "double" | "void" | "unsigned" | "signed")
}

/// Keywords with a space before their parenthesis.
fn is_before_parenthesis(word: &str) -> bool {
    matches!(word, "if" | "while" | "for" | "switch" | "return" | "case" | "else" | "do")
}

#[derive(Clone, Copy)]
pub struct Spaced<'a> {
    pub text: &'a str,
    pub kind: Kind,
    pub role: Role,
}

/// Whether two tokens of one line have a space between them.
pub fn needs_space(left: Spaced<'_>, right: Spaced<'_>) -> bool {
    is_customary(left, right) || left.kind != Kind::BlockComment && !may_touch(left.text, right.text)
}

fn is_customary(left: Spaced<'_>, right: Spaced<'_>) -> bool {
    if matches!(left.text, "(" | "[" | "." | "->") || matches!(right.text, ")" | "]" | "," | ";") {
        return false;
    }
    if matches!(left.text, "," | ";") || left.kind == Kind::BlockComment || right.kind == Kind::BlockComment {
        return true;
    }
    if left.text == "?" && right.text == ":" {
        return false;
    }
    match (left.role, right.role) {
        (Role::Prefix | Role::Pointer | Role::Cast, _) => return false,
        (Role::Values, _) if left.text == "{" => return false,
        (_, Role::Values) if right.text == "}" => return false,
        (Role::Binary | Role::Label, _) | (_, Role::Binary) => return true,
        (_, Role::Label | Role::Postfix) => return false,
        _ => {}
    }
    if matches!(right.role, Role::Prefix | Role::Pointer | Role::Declarator) {
        return true;
    }
    match (left.text, right.text) {
        ("{", "}") | (_, "." | "->") => false,
        (_, "(") => match left.kind {
            Kind::Word => is_before_parenthesis(left.text),
            Kind::Literal => false,
            _ => !matches!(left.text, ")" | "]" | "}"),
        },
        (_, "[") => left.text == "{",
        _ => true,
    }
}
