//! The tokens that begin a line, and the indentation of the line.

use tree_sitter::Node;

use super::plain::tokens_in;
use super::spacing::{Role, Spaced, needs_space};
use crate::syntax::nodes::NodeExt;
use crate::syntax::tokens::{Kind, Token};

/// A structure whose line would reach this column gets one line for each field.
const WIDTH: usize = 80;

/// The lines of the laid out text.
pub struct Lines<'a> {
    /// The level of the line that begins with a token.
    pub breaks: Vec<Option<usize>>,
    /// Whether the whitespace before a token stays.
    pub kept: Vec<bool>,
    /// The first tokens of top-level items.
    pub items: Vec<usize>,
    pub seen: Vec<Spaced<'a>>,
    tokens: &'a [Token],
    /// Whether a token was hidden from the parser.
    masked: Vec<bool>,
}

type Stack<'t> = Vec<(Node<'t>, usize)>;

impl<'a> Lines<'a> {
    pub fn of(root: Node<'_>, nodes: &[Node<'_>], tokens: &'a [Token], seen: Vec<Spaced<'a>>) -> Lines<'a> {
        let mut masked = vec![true; tokens.len()];
        for leaf in nodes.iter().filter(|node| node.child_count() == 0) {
            masked[tokens_in(tokens, *leaf)].fill(false);
        }
        let mut lines = Lines {
            breaks: vec![None; tokens.len()],
            kept: (0..tokens.len())
                .map(|at| tokens[at.saturating_sub(1)..=at].iter().any(|token| token.kind == Kind::Other))
                .collect(),
            items: Vec::new(),
            seen,
            tokens,
            masked,
        };
        let mut stack = vec![(root, 0)];
        while let Some((node, level)) = stack.pop() {
            let before = stack.len();
            lines.visit(node, level, &mut stack);
            stack[before..].reverse();
        }
        lines
    }

    /// Lays out the inside of `node`, whose own line is at `level`.
    fn visit<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        match node.kind() {
            "translation_unit" => self.items(node, stack),
            "function_definition" => self.function(node, level, stack),
            "compound_statement" | "declaration_list" => self.block(node, level, stack),
            "if_statement" | "else_clause" | "while_statement" | "for_statement" | "switch_statement"
            | "do_statement" => self.control(node, level, stack),
            "case_statement" => self.case(node, level, stack),
            "labeled_statement" => {
                self.begin(node, level.saturating_sub(1));
                for child in node.all_children().into_iter().skip(2) {
                    self.labelled(child, level, stack);
                }
            }
            "attributed_statement" | "linkage_specification" => {
                stack.extend(node.all_children().into_iter().map(|child| (child, level)));
            }
            kind if is_conditional(kind) => {
                for child in node.all_children() {
                    self.statement(child, level, stack);
                }
            }
            _ => self.simple(node, level),
        }
    }

    /// Puts `node` on a line of its own.
    fn statement<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        if node.is_error() {
            self.keep(node, true);
        } else if is_conditional(node.kind()) {
            stack.push((node, level));
        } else if node.is_named() && node.kind() != "comment" && !node.kind().starts_with("preproc_") {
            self.begin(node, level);
            stack.push((node, level));
        }
    }

    /// The statement after a label. An empty one needs no line of its own.
    fn labelled<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        if node.kind() == "expression_statement" && node.named_child_count() == 0 {
            stack.push((node, level));
        } else {
            self.statement(node, level, stack);
        }
    }

    fn block<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        let mut empty = true;
        for child in node.all_children() {
            match child.kind() {
                "{" => {}
                "}" if empty => {}
                "}" => self.begin(child, level),
                _ => {
                    empty = false;
                    self.statement(child, level + 1, stack);
                }
            }
        }
    }

    /// A statement with arms or a body.
    fn control<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        let mut after_block = false;
        for (index, child) in node.all_children().into_iter().enumerate() {
            let field = u32::try_from(index).ok().and_then(|index| node.field_name_for_child(index));
            let is_body = matches!(field, Some("consequence" | "body"))
                || node.kind() == "else_clause" && child.is_named() && child.kind() != "comment";
            match child.kind() {
                // After a block, the line of its brace continues.
                "else_clause" | "while" if index > 0 => {
                    if !after_block {
                        self.begin(child, level);
                    }
                    if child.is_named() {
                        stack.push((child, level));
                    }
                }
                "if_statement" if node.kind() == "else_clause" => stack.push((child, level)),
                "compound_statement" if is_body => {
                    after_block = true;
                    stack.push((child, level));
                }
                _ if is_body => self.statement(child, level + 1, stack),
                "comment" => {}
                _ => self.simple(child, level),
            }
        }
    }

    fn case<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        self.begin(node, level.saturating_sub(1));
        let mut is_after_colon = false;
        for child in node.all_children() {
            if is_after_colon {
                self.labelled(child, level, stack);
            } else {
                self.simple(child, level);
            }
            is_after_colon |= child.kind() == ":";
        }
    }

    fn function<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        let mut old_style = false;
        for child in node.all_children() {
            match child.kind() {
                "compound_statement" => {
                    if old_style {
                        self.begin(child, level);
                    }
                    stack.push((child, level));
                }
                "declaration" => {
                    old_style = true;
                    self.statement(child, level + 1, stack);
                }
                _ => self.simple(child, level),
            }
        }
    }

    /// The items of the file. The parser may see an old-style definition as several nodes.
    fn items<'t>(&mut self, root: Node<'t>, stack: &mut Stack<'t>) {
        let mut nodes = root.all_children();
        nodes.retain(|node| node.kind() != "comment");
        let headers: Vec<Option<usize>> = (0..nodes.len()).map(|at| header(&nodes, at)).collect();
        for (at, node) in nodes.iter().enumerate() {
            let within = (at..nodes.len()).find(|&body| headers[body].is_some_and(|first| first <= at));
            let Some((body, first)) = within.and_then(|body| Some((body, headers[body]?))) else {
                self.statement(*node, 0, stack);
                self.items.extend(self.first(*node));
                continue;
            };
            if at == body {
                stack.push((*node, 0));
            } else if at == first {
                self.begin(*node, 0);
                self.items.extend(self.first(*node));
                self.old_style(*node, nodes[body]);
            } else if node.kind() == "declaration" {
                self.statement(*node, 1, stack);
            }
        }
    }

    /// The header of a definition that the parser did not recognise: its parameters are declared on lines of their own,
    /// and then the brace has a line of its own too.
    fn old_style(&mut self, first: Node<'_>, body: Node<'_>) {
        let (mut depth, mut closed) = (0, false);
        for at in tokens_in(self.tokens, first).start..tokens_in(self.tokens, body).start {
            if !self.tokens[at].is_code() {
                continue;
            }
            if closed {
                self.breaks[at] = Some(1);
                if let Some(brace) = self.first(body) {
                    self.breaks[brace] = Some(0);
                }
                return;
            }
            match self.seen[at].text {
                "(" => depth += 1,
                ")" => {
                    depth -= 1;
                    closed = depth == 0;
                }
                "*" => self.seen[at].role = Role::Pointer,
                _ => {}
            }
        }
    }

    /// Puts `node` on one line, unless it is a structure with many fields or was not understood.
    fn simple(&mut self, node: Node<'_>, level: usize) {
        // Missing tokens are errors too, but harmless.
        if node.has_error() && node.subtree().iter().any(Node::is_error) {
            self.keep(node, false);
            return;
        }
        let mut stack = vec![(node, level)];
        while let Some((node, level)) = stack.pop() {
            match node.kind() {
                "field_declaration_list" if !self.fits(node, level) => {
                    self.fields(node, level);
                    stack.extend(node.all_children().into_iter().map(|child| (child, level + 1)));
                }
                "compound_statement" | "field_declaration_list" => {}
                _ => stack.extend(node.all_children().into_iter().map(|child| (child, level))),
            }
        }
    }

    /// One line for each field.
    fn fields(&mut self, list: Node<'_>, level: usize) {
        let mut stack: Vec<Node<'_>> = list.all_children();
        stack.reverse();
        while let Some(child) = stack.pop() {
            match child.kind() {
                "}" => self.begin(child, level),
                "{" | "comment" => {}
                kind if is_conditional(kind) => stack.extend(child.all_children().into_iter().rev()),
                kind if child.is_named() && !kind.starts_with("preproc_") => self.begin(child, level + 1),
                _ => {}
            }
        }
    }

    /// Whether the line with the fields `list` is short enough.
    fn fits(&self, list: Node<'_>, level: usize) -> bool {
        let Some(open) = self.first(list) else { return true };
        let start = (0..=open).rev().find(|&at| self.breaks[at].is_some()).unwrap_or(0);
        let (mut width, mut depth) = (4 * level, 0);
        for at in start..self.tokens.len() {
            let seen = self.seen[at];
            if matches!(seen.kind, Kind::LineComment | Kind::Directive) {
                return depth == 0 && at > open;
            }
            width += seen.text.len() + usize::from(at > start && needs_space(self.seen[at - 1], seen));
            depth += i32::from(seen.text == "{" && at >= open) - i32::from(seen.text == "}" && at > open);
            if depth == 0 && at > open && matches!(seen.text, ";" | "=") {
                break;
            }
        }
        width < WIDTH
    }

    /// `node` begins a line at `level`.
    fn begin(&mut self, node: Node<'_>, level: usize) {
        if let Some(at) = self.first(node) {
            self.breaks[at] = Some(level);
        }
    }

    /// The first token of `node`, or the masked tokens before it.
    fn first(&self, node: Node<'_>) -> Option<usize> {
        let mut at = tokens_in(self.tokens, node).next()?;
        let hides = |at: usize| self.masked[at] && matches!(self.seen[at].text, "__extension__" | "(");
        while at > 0 && hides(at - 1) {
            at -= 1;
        }
        Some(at)
    }

    /// Keeps the whitespace in `node`, and `around` it if it is no complete statement.
    fn keep(&mut self, node: Node<'_>, around: bool) {
        let tokens = tokens_in(self.tokens, node);
        let from = tokens.start + usize::from(!around);
        let to = (tokens.end + usize::from(around)).min(self.kept.len());
        if from < to {
            self.kept[from..to].fill(true);
        }
    }
}

/// Whether a node is a directive with the text that depends on it.
fn is_conditional(kind: &str) -> bool {
    matches!(kind, "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" | "preproc_elifdef")
}

/// The first node of the header of the old-style definition whose body is `nodes[body]`.
fn header(nodes: &[Node<'_>], body: usize) -> Option<usize> {
    if nodes[body].kind() != "compound_statement" {
        return None;
    }
    let starts =
        |node: &Node<'_>| matches!(node.kind(), "expression_statement" | "ERROR" | "call_expression");
    for at in (0..body).rev() {
        let node = nodes[at];
        if starts(&node) {
            // `static int` before an old-style header is an error of its own.
            return Some(at - usize::from(at > 0 && nodes[at - 1].is_error()));
        }
        if node.kind() != "declaration" {
            return None;
        }
        // `f(p) register p;`: the first declaration of a parameter became a part of the header.
        if node.field("declarator").is_some_and(is_function) {
            return Some(at);
        }
    }
    None
}

/// Whether a declarator declares a function, which may return a pointer.
fn is_function(declarator: Node<'_>) -> bool {
    let inner = declarator.declarators().find(|node| node.kind() != "pointer_declarator");
    let name =
        inner.filter(|node| node.kind() == "function_declarator").and_then(|node| node.field("declarator"));
    name.is_some_and(|name| name.kind() == "identifier")
}
