//! The text as the parser should see it: the same tokens with one space between them.
//!
//! How tree-sitter recovers from text that it does not understand depends on the whitespace around it. In this form it
//! depends on the tokens only, so that a text is understood in the same way before and after it is laid out. Functions
//! without a type get `int`, so that the parser sees their definitions.

use tree_sitter::{Node, Tree};

use crate::syntax::nodes::NodeExt;
use crate::syntax::parse::tree;
use crate::syntax::tokens::{Kind, Token, tokens};

/// A text, its tokens, and its tree.
pub struct Plain<'a> {
    pub source: &'a str,
    /// The tokens, with their places in the source.
    pub tokens: Vec<Token>,
    /// The same tokens, with their places in the text that was parsed.
    pub parsed: Vec<Token>,
    pub tree: Tree,
}

impl<'a> Plain<'a> {
    pub fn of(source: &'a str) -> Plain<'a> {
        let tokens = tokens(source);
        let untyped = untyped(source, &tokens);
        let mut text = String::with_capacity(source.len() + tokens.len());
        let mut parsed: Vec<Token> = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| tokens[at]);
            let ends_line =
                before.is_some_and(|before| matches!(before.kind, Kind::LineComment | Kind::Directive));
            if token.kind == Kind::Other || before.is_some_and(|before| before.kind == Kind::Other) {
                text.push_str(&source[before.map_or(0, |before| before.end)..token.start]);
            } else {
                text.push(if ends_line || token.kind == Kind::Directive { '\n' } else { ' ' });
            }
            if untyped.contains(&at) {
                text.push_str("int ");
            }
            let start = text.len();
            text.push_str(&source[token.range()]);
            parsed.push(Token { kind: token.kind, start, end: text.len() });
        }
        text.push('\n');
        Plain { source, tokens, parsed, tree: tree(&text) }
    }

    /// Every node, each before its children, in source order.
    pub fn nodes(&self) -> Vec<Node<'_>> {
        self.tree.root_node().subtree()
    }

    /// The text of `node` in the source.
    pub fn text(&self, node: Node<'_>) -> &'a str {
        let tokens = tokens_in(&self.parsed, node);
        if tokens.is_empty() {
            ""
        } else {
            &self.source[self.tokens[tokens.start].start..self.tokens[tokens.end - 1].end]
        }
    }
}

/// The tokens that begin in `node`.
pub fn tokens_in(tokens: &[Token], node: Node<'_>) -> std::ops::Range<usize> {
    let before = |offset: usize| tokens.partition_point(|token| token.start < offset);
    before(node.start_byte())..before(node.end_byte())
}

/// The tokens that name functions which are defined without a type.
fn untyped(source: &str, tokens: &[Token]) -> Vec<usize> {
    let code: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].is_comment()).collect();
    let text = |at: usize| code.get(at).map_or("", |&at| &source[tokens[at].start..tokens[at].end]);
    let kind = |at: usize| code.get(at).map(|&at| tokens[at].kind);
    let (mut depth, mut found, mut begins_item) = (0, Vec::new(), true);
    for (at, token) in code.iter().enumerate() {
        depth += i32::from(text(at) == "{") - i32::from(text(at) == "}");
        if depth == 0 && begins_item && kind(at) == Some(Kind::Word) && text(at + 1) == "(" {
            found.extend(is_definition(at + 1, &text, &kind).then_some(*token));
        }
        let qualifies = matches!(text(at), "static" | "extern" | "inline");
        begins_item =
            begins_item && qualifies || matches!(text(at), ";" | "}") || kind(at) == Some(Kind::Directive);
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
    // The declarations of old-style parameters may follow the list.
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
