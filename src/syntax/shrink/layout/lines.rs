//! Which tokens begin a line, and how deep it is indented.

use tree_sitter::Node;

use super::spacing::{Role, Seen, spaced};
use super::tokens::{Kind, Token};

/// A line with a structure's fields ends before this column.
const WIDTH: usize = 80;

/// The lines of the laid out text.
pub struct Lines<'a> {
    /// The level of the line that begins with a token.
    pub breaks: Vec<Option<usize>>,
    /// Whether the whitespace before a token stays.
    pub kept: Vec<bool>,
    /// The first tokens of top-level items.
    pub items: Vec<usize>,
    pub seen: Vec<Seen<'a>>,
    tokens: &'a [Token],
    /// Tokens that the parser did not get to see.
    masked: Vec<bool>,
}

type Stack<'t> = Vec<(Node<'t>, usize)>;

impl<'a> Lines<'a> {
    pub fn of(root: Node<'_>, nodes: &[Node<'_>], tokens: &'a [Token], seen: Vec<Seen<'a>>) -> Lines<'a> {
        let mut masked = vec![true; tokens.len()];
        for leaf in nodes.iter().filter(|node| node.child_count() == 0) {
            within(tokens, leaf.start_byte(), leaf.end_byte()).for_each(|at| masked[at] = false);
        }
        let mut lines = Lines {
            breaks: vec![None; tokens.len()],
            kept: tokens.iter().map(|token| token.kind == Kind::Other).collect(),
            items: Vec::new(),
            seen,
            tokens,
            masked,
        };
        for at in 1..tokens.len() {
            lines.kept[at] |= tokens[at - 1].kind == Kind::Other;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, level)) = stack.pop() {
            let before = stack.len();
            lines.visit(node, level, &mut stack);
            stack[before..].reverse();
        }
        lines
    }

    /// Lay out what is inside `node`, whose own line is at `level`.
    fn visit<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        match node.kind() {
            "translation_unit" => self.top(node, stack),
            "function_definition" => self.function(node, level, stack),
            "compound_statement" | "declaration_list" => self.block(node, level, stack),
            "if_statement" | "else_clause" | "while_statement" | "for_statement" | "switch_statement"
            | "do_statement" => self.control(node, level, stack),
            "case_statement" => self.case(node, level, stack),
            "labeled_statement" => {
                self.begin(node, level.saturating_sub(1));
                for child in children(node).into_iter().skip(2) {
                    self.labelled(child, level, stack);
                }
            }
            "attributed_statement" | "linkage_specification" => {
                stack.extend(children(node).into_iter().map(|child| (child, level)));
            }
            kind if is_conditional(kind) => {
                for child in children(node) {
                    self.statement(child, level, stack);
                }
            }
            _ => self.simple(node, level),
        }
    }

    /// `node` on a line of its own.
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

    /// What stands behind a label. Nothing at all needs no line of its own.
    fn labelled<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        if node.kind() == "expression_statement" && node.named_child_count() == 0 {
            stack.push((node, level));
        } else {
            self.statement(node, level, stack);
        }
    }

    fn block<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        let mut empty = true;
        for child in children(node) {
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
        for (index, child) in children(node).into_iter().enumerate() {
            let field = u32::try_from(index).ok().and_then(|index| node.field_name_for_child(index));
            let is_body = matches!(field, Some("consequence" | "body"))
                || node.kind() == "else_clause" && child.is_named() && child.kind() != "comment";
            match child.kind() {
                // What stands behind a block goes on in the line of its brace.
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
        let mut behind = false;
        for child in children(node) {
            if behind {
                self.labelled(child, level, stack);
            } else {
                self.simple(child, level);
            }
            behind |= child.kind() == ":";
        }
    }

    fn function<'t>(&mut self, node: Node<'t>, level: usize, stack: &mut Stack<'t>) {
        let mut old_style = false;
        for child in children(node) {
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

    /// The items of the file. An old-style definition may be several nodes.
    fn top<'t>(&mut self, root: Node<'t>, stack: &mut Stack<'t>) {
        let nodes: Vec<Node<'t>> =
            children(root).into_iter().filter(|node| node.kind() != "comment").collect();
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

    /// The header of a definition that the parser did not see as one: parameters are declared on
    /// lines of their own, and then the brace has one too.
    fn old_style(&mut self, first: Node<'_>, body: Node<'_>) {
        let (mut depth, mut closed) = (0, false);
        for at in within(self.tokens, first.start_byte(), body.start_byte()) {
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

    /// What stays on one line: structures with many fields and what was not understood apart.
    fn simple(&mut self, node: Node<'_>, level: usize) {
        if node.has_error() && holds_error(node) {
            self.keep(node, false);
            return;
        }
        let mut stack = vec![(node, level)];
        while let Some((node, level)) = stack.pop() {
            match node.kind() {
                "field_declaration_list" if !self.fits(node, level) => {
                    self.fields(node, level);
                    stack.extend(children(node).into_iter().map(|child| (child, level + 1)));
                }
                "compound_statement" | "field_declaration_list" => {}
                _ => stack.extend(children(node).into_iter().map(|child| (child, level))),
            }
        }
    }

    /// A field a line.
    fn fields(&mut self, list: Node<'_>, level: usize) {
        let mut stack: Vec<Node<'_>> = children(list);
        stack.reverse();
        while let Some(child) = stack.pop() {
            match child.kind() {
                "}" => self.begin(child, level),
                "{" | "comment" => {}
                kind if is_conditional(kind) => stack.extend(children(child).into_iter().rev()),
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
            width += seen.text.len() + usize::from(at > start && spaced(self.seen[at - 1], seen));
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

    /// The first token of `node`, with what was masked before it.
    fn first(&self, node: Node<'_>) -> Option<usize> {
        let mut at = within(self.tokens, node.start_byte(), node.end_byte()).next()?;
        let hides = |at: usize| self.masked[at] && matches!(self.seen[at].text, "__extension__" | "(");
        while at > 0 && hides(at - 1) {
            at -= 1;
        }
        Some(at)
    }

    /// The whitespace in `node` stays, and that `around` it if it is no statement by itself.
    fn keep(&mut self, node: Node<'_>, around: bool) {
        let tokens = within(self.tokens, node.start_byte(), node.end_byte());
        let from = tokens.start + usize::from(!around);
        let to = (tokens.end + usize::from(around)).min(self.kept.len());
        (from..to).for_each(|at| self.kept[at] = true);
    }
}

/// The tokens that begin in `start..end`.
fn within(tokens: &[Token], start: usize, end: usize) -> std::ops::Range<usize> {
    let behind = |offset: usize| tokens.partition_point(|token| token.start < offset);
    behind(start)..behind(end)
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// A directive with what depends on it.
fn is_conditional(kind: &str) -> bool {
    matches!(kind, "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" | "preproc_elifdef")
}

fn holds_error(node: Node<'_>) -> bool {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if node.is_error() {
            return true;
        }
        stack.extend(children(node).into_iter().filter(Node::has_error));
        // A missing token is no text to be afraid of.
    }
    false
}

/// Where the header of the old-style definition begins whose body is `nodes[body]`.
fn header(nodes: &[Node<'_>], body: usize) -> Option<usize> {
    if nodes[body].kind() != "compound_statement" {
        return None;
    }
    let starts =
        |node: &Node<'_>| matches!(node.kind(), "expression_statement" | "ERROR" | "call_expression");
    for at in (0..body).rev() {
        let node = nodes[at];
        if starts(&node) {
            // `static int` before an old-style header comes out as an error of its own.
            return Some(at - usize::from(at > 0 && nodes[at - 1].is_error()));
        }
        if node.kind() != "declaration" {
            return None;
        }
        let mut cursor = node.walk();
        // `f(p) register p;`: the first parameter's declaration went into the header's.
        if node.children_by_field_name("declarator", &mut cursor).any(|found| found.kind() != "identifier")
            && nodes[at].child_by_field_name("declarator").is_some_and(is_function)
        {
            return Some(at);
        }
    }
    None
}

/// Whether a declarator is that of a function, or of a pointer that one returns.
fn is_function(mut declarator: Node<'_>) -> bool {
    while declarator.kind() == "pointer_declarator" {
        let Some(inner) = declarator.child_by_field_name("declarator") else { return false };
        declarator = inner;
    }
    declarator.kind() == "function_declarator"
        && declarator.child_by_field_name("declarator").is_some_and(|name| name.kind() == "identifier")
}
