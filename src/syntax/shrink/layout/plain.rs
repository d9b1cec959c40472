//! The text as the parser is to see it here: the same tokens, one space between them.
//!
//! How tree-sitter gets over what it does not understand depends on the whitespace around it.
//! Seen like this it depends on the tokens alone, so a laid out text is seen as it was before.
//! Functions without a type get their `int`, and then are definitions like others.

use tree_sitter::{Node, Tree};

use super::super::super::tree;
use super::tokens::{Kind, Token, tokens};

/// A text, its tokens, and what the parser makes of them.
pub struct Plain {
    /// The tokens, where they stand in the source.
    pub tokens: Vec<Token>,
    /// The same tokens, where they stand in what was parsed.
    pub parsed: Vec<Token>,
    pub tree: Tree,
}

impl Plain {
    pub fn of(source: &str) -> Plain {
        let tokens = tokens(source);
        let untyped = untyped(source, &tokens);
        let mut text = String::with_capacity(source.len() + tokens.len());
        let mut parsed: Vec<Token> = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| tokens[at]);
            let start = before.map_or(0, |before| before.end);
            let ends_line =
                before.is_some_and(|before| matches!(before.kind, Kind::LineComment | Kind::Directive));
            if token.kind == Kind::Other || before.is_some_and(|before| before.kind == Kind::Other) {
                text.push_str(&source[start..token.start]);
            } else {
                text.push(if ends_line || token.kind == Kind::Directive { '\n' } else { ' ' });
            }
            if untyped.contains(&at) {
                text.push_str("int ");
            }
            let start = text.len();
            text.push_str(&source[token.start..token.end]);
            parsed.push(Token { kind: token.kind, start, end: text.len() });
        }
        text.push('\n');
        let tree = tree(&text);
        Plain { tokens, parsed, tree }
    }

    /// Every node, each before its children, in source order.
    pub fn nodes(&self) -> Vec<Node<'_>> {
        super::super::nodes(&self.tree)
    }
}

/// Where the names of functions stand that are defined without a type.
fn untyped(source: &str, tokens: &[Token]) -> Vec<usize> {
    let code: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].is_comment()).collect();
    let text = |at: usize| code.get(at).map_or("", |&at| &source[tokens[at].start..tokens[at].end]);
    let kind = |at: usize| code.get(at).map(|&at| tokens[at].kind);
    let (mut depth, mut found, mut fresh) = (0, Vec::new(), true);
    for (at, token) in code.iter().enumerate() {
        depth += i32::from(text(at) == "{") - i32::from(text(at) == "}");
        if depth == 0 && fresh && kind(at) == Some(Kind::Word) && text(at + 1) == "(" {
            found.extend(is_definition(at + 1, &text, &kind).then_some(*token));
        }
        let qualifies = matches!(text(at), "static" | "extern" | "inline");
        fresh = fresh && qualifies || matches!(text(at), ";" | "}") || kind(at) == Some(Kind::Directive);
    }
    found
}

/// Whether parameters that begin at `open` are a definition's.
fn is_definition<'a>(
    open: usize,
    text: &impl Fn(usize) -> &'a str,
    kind: &impl Fn(usize) -> Option<Kind>,
) -> bool {
    let (mut depth, mut at) = (0, open);
    loop {
        depth += i32::from(text(at) == "(") - i32::from(text(at) == ")");
        match kind(at) {
            None | Some(Kind::Directive) => return false,
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    // Perhaps parameters are declared behind the list, and all there is declares some.
    while text(at) != "{" {
        let declares = matches!(kind(at), Some(Kind::Word | Kind::Number));
        if !declares && !matches!(text(at), "*" | "," | ";" | "[" | "]" | "(" | ")") {
            return false;
        }
        if matches!(text(at), "(") && text(at + 1) != "*" && text(at + 1) != ")" {
            return false;
        }
        at += 1;
        if text(at) == "{" && text(at - 1) != ";" {
            return false;
        }
    }
    true
}
