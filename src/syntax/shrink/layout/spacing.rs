//! Whether a space stands between two tokens of one line.
//!
//! The tree says what `*`, `(` and `:` are for; where it does not, what stands before them does.

use tree_sitter::Node;

use super::tokens::{Kind, Token, may_touch};

/// What a token is for, as far as spaces depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its text says enough.
    Plain,
    /// An operator before its operand.
    Prefix,
    /// An operator behind its operand.
    Postfix,
    /// What has a space on both sides.
    Binary,
    /// The `*` of a declarator.
    Pointer,
    /// The `)` of a cast.
    Cast,
    /// The `:` behind a label.
    Label,
    /// The `(` of a declarator such as `(*f)`.
    Declarator,
    /// A brace around values.
    Values,
}

/// Which token begins at byte `start`.
pub fn token_at(tokens: &[Token], start: usize) -> Option<usize> {
    tokens.binary_search_by_key(&start, |token| token.start).ok()
}

/// Give each token its role.
pub fn assign(seen: &mut [Seen<'_>], tokens: &[Token], nodes: &[Node<'_>]) {
    for at in 0..seen.len() {
        seen[at].role = guess(seen, at);
    }
    for node in nodes {
        if node.kind() == "number_literal" {
            // The parser takes the sign for a part of the number.
            let sign = token_at(tokens, node.start_byte()).filter(|at| tokens[*at].kind == Kind::Punct);
            if let Some(at) = sign {
                seen[at].role = Role::Prefix;
            }
        }
        let mut cursor = node.walk();
        for (index, child) in node.children(&mut cursor).enumerate() {
            let at = token_at(tokens, child.start_byte()).filter(|_| !child.is_named());
            if let Some(at) = at
                && let Some(role) =
                    of(node.kind(), child.kind(), index, seen.get(at + 1).map_or("", |next| next.text))
            {
                seen[at].role = role;
            }
        }
    }
}

/// The role that `token` has as a child of `node`, and before the token `next`.
fn of(node: &str, token: &str, index: usize, next: &str) -> Option<Role> {
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

/// What a token is for, judged by what stands before it.
fn guess(seen: &[Seen<'_>], at: usize) -> Role {
    if seen[at].kind != Kind::Punct {
        return Role::Plain;
    }
    let is_comment = |seen: &Seen<'_>| matches!(seen.kind, Kind::LineComment | Kind::BlockComment);
    let operand =
        seen[..at].iter().rev().find(|before| !is_comment(before)).is_some_and(|before| match before.kind {
            Kind::Word => !wants_space(before.text) && before.text != "goto",
            Kind::Number | Kind::Literal => true,
            _ => matches!(before.text, ")" | "]" | "}"),
        });
    match seen[at].text {
        "*" if at > 0 && names_type(seen[at - 1].text) => Role::Pointer,
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
fn wants_space(word: &str) -> bool {
    matches!(word, "if" | "while" | "for" | "switch" | "return" | "case" | "else" | "do")
}

/// A token with its text and role.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub text: &'a str,
    pub kind: Kind,
    pub role: Role,
}

/// Whether a space stands between two tokens of one line.
pub fn spaced(left: Seen<'_>, right: Seen<'_>) -> bool {
    wanted(left, right) || left.kind != Kind::BlockComment && !may_touch(left.text, right.text)
}

fn wanted(left: Seen<'_>, right: Seen<'_>) -> bool {
    let touches_right = |text: &str| matches!(text, "(" | "[" | "." | "->");
    if touches_right(left.text) || matches!(right.text, ")" | "]" | "," | ";") {
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
            Kind::Word => wants_space(left.text),
            Kind::Literal => false,
            _ => !matches!(left.text, ")" | "]" | "}"),
        },
        (_, "[") => left.text == "{",
        _ => true,
    }
}
