//! What the passes ask about a text: its identifiers, its functions and their calls, and how a
//! node or an element of a list is taken out.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::{EditSet, Text};
use crate::model::TextEdit;

/// A function that the text defines with parameters in its parentheses.
pub(super) struct Function<'t> {
    pub(super) node: Node<'t>,
    pub(super) name: &'t str,
    pub(super) parameters: Node<'t>,
    pub(super) body: Node<'t>,
}

/// The identifiers of a text, and its functions.
pub(super) struct Outline<'t> {
    pub(super) text: &'t Text<'t>,
    pub(super) nodes: Vec<Node<'t>>,
    identifiers: BTreeMap<&'t str, Vec<Node<'t>>>,
    /// Words where the tree says nothing: bodies of macros, errors, what was masked.
    pub(super) hidden: HashSet<&'t str>,
    pub(super) functions: Vec<Function<'t>>,
}

impl<'t> Outline<'t> {
    pub(super) fn of(text: &'t Text<'t>) -> Outline<'t> {
        let nodes = text.nodes();
        let mut outline = Outline {
            text,
            identifiers: BTreeMap::new(),
            hidden: HashSet::new(),
            functions: nodes.iter().filter_map(|node| function(text, *node)).collect(),
            nodes: Vec::new(),
        };
        for node in &nodes {
            let said = text.of(*node);
            let plain = !said.contains(|c: char| !is_word(c));
            if node.is_error() || node.kind() == "preproc_arg" || node.kind() == "identifier" && !plain {
                outline.hidden.extend(words(said).map(|word| &said[word]));
            } else if node.kind() == "identifier" {
                outline.identifiers.entry(said).or_default().push(*node);
            }
        }
        outline.nodes = nodes;
        outline
    }

    /// Every identifier `name` in `scope`.
    pub(super) fn named(&self, name: &str, scope: Range<usize>) -> Vec<Node<'t>> {
        let all = self.identifiers.get(name).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|node| holds(&scope, &node.byte_range())).collect()
    }

    /// The whole text.
    pub(super) fn everything(&self) -> Range<usize> {
        0..self.text.source.len()
    }

    /// The function around `node`, or the whole text.
    pub(super) fn scope(&self, node: Node<'_>) -> Range<usize> {
        let around = self.functions.iter().map(|function| function.node.byte_range());
        around.into_iter().find(|range| holds(range, &node.byte_range())).unwrap_or(self.everything())
    }

    /// The prototypes and the calls of `function`, if its name stands nowhere else.
    pub(super) fn uses(&self, function: &Function<'t>) -> Option<(Vec<Node<'t>>, Vec<Node<'t>>)> {
        let (mut prototypes, mut calls) = (Vec::new(), Vec::new());
        if self.hidden.contains(function.name) {
            return None;
        }
        for node in self.named(function.name, self.everything()) {
            let parent = node.parent()?;
            match parent.kind() {
                "call_expression" if parent.child_by_field_name("function") == Some(node) => {
                    calls.push(parent);
                }
                "function_declarator" if holds(&function.node.byte_range(), &node.byte_range()) => {
                    (function.parameters.parent() == Some(parent)).then_some(())?;
                }
                "function_declarator" => prototypes.push(parent),
                _ => return None,
            }
        }
        Some((prototypes, calls))
    }

    /// The edits that take out the definition of `function` and its prototypes.
    pub(super) fn undefined(&self, function: &Function<'t>, prototypes: &[Node<'t>]) -> Option<EditSet> {
        let mut edits = vec![gone(self.text, function.node.byte_range())];
        for prototype in prototypes {
            let declaration = declaration_of(*prototype)?;
            (declarators(declaration).len() == 1 && declaration.kind() == "declaration").then_some(())?;
            edits.push(gone(self.text, declaration.byte_range()));
        }
        Some(edits)
    }
}

fn function<'t>(text: &'t Text<'t>, node: Node<'t>) -> Option<Function<'t>> {
    if node.kind() != "function_definition" || node.has_error() {
        return None;
    }
    let mut declarator = node.child_by_field_name("declarator")?;
    while declarator.kind() != "function_declarator" {
        declarator = declarator.child_by_field_name("declarator")?;
    }
    let name = declarator.child_by_field_name("declarator").filter(|name| name.kind() == "identifier")?;
    let parameters = declarator.child_by_field_name("parameters")?;
    let old_style = elements(parameters).iter().any(|element| element.kind() == "identifier");
    let body = node.child_by_field_name("body")?;
    (!old_style).then_some(Function { node, name: text.of(name), parameters, body })
}

/// The named children of `list` that are no comments.
pub(super) fn elements(list: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The parameters of a list: none in `(void)`.
pub(super) fn parameters<'t>(text: &Text<'_>, list: Node<'t>) -> Vec<Node<'t>> {
    let found = elements(list);
    if found.len() == 1 && text.of(found[0]) == "void" { Vec::new() } else { found }
}

/// The declarators of a declaration, with their initialisers.
pub(in crate::syntax) fn declarators(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    declaration.children_by_field_name("declarator", &mut cursor).collect()
}

/// The declaration that `node`, a declarator, belongs to.
pub(super) fn declaration_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    while at.kind().ends_with("declarator") {
        at = at.parent()?;
    }
    Some(at)
}

/// The name that a declarator declares.
pub(in crate::syntax) fn name_of(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut at = declarator;
    while !at.kind().ends_with("identifier") {
        let inner = at.child_by_field_name("declarator");
        at = inner.or_else(|| {
            elements(at)
                .into_iter()
                .find(|child| child.kind().ends_with("declarator") || child.kind().ends_with("identifier"))
        })?;
    }
    Some(at)
}

/// Takes `range` out, with its line where nothing else stands on it.
pub(super) fn gone(text: &Text<'_>, range: Range<usize>) -> TextEdit {
    let (before, after) = (&text.source[..range.start], &text.source[range.end..]);
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let space = after.len() - after.trim_start_matches([' ', '\t']).len();
    let opens = before[..before.len() - indent].is_empty() || before[..before.len() - indent].ends_with('\n');
    let rest = &after[space..];
    let whole = opens && (rest.is_empty() || rest.starts_with('\n'));
    let ends_itself = text.source[range.clone()].ends_with('\n');
    let (start, end) = match (whole, ends_itself) {
        (_, true) => (if opens { range.start - indent } else { range.start }, range.end),
        (true, false) => (range.start - indent, range.end + space + usize::from(!rest.is_empty())),
        (false, false) => (range.start, range.end + space),
    };
    TextEdit { start, end, with: String::new() }
}

/// Takes one of several elements out with a comma. Edits of neighbours of the last overlap, so
/// that never all go together.
pub(super) fn without(list: &[Node<'_>], index: usize) -> TextEdit {
    let (start, end) = match (list.get(index + 1), index.checked_sub(1)) {
        (Some(next), _) => (list[index].start_byte(), next.start_byte()),
        (None, Some(previous)) => (list[previous].end_byte(), list[index].end_byte()),
        (None, None) => (list[index].start_byte(), list[index].end_byte()),
    };
    TextEdit { start, end, with: String::new() }
}

/// Takes a declarator out, or its whole declaration where it is the only one.
pub(super) fn undeclared(text: &Text<'_>, declaration: Node<'_>, index: usize) -> TextEdit {
    let all = declarators(declaration);
    if all.len() == 1 { gone(text, declaration.byte_range()) } else { without(&all, index) }
}

/// `edits` without those inside a deletion; none if others overlap.
pub(super) fn apart(mut edits: Vec<TextEdit>) -> Option<EditSet> {
    edits.sort_unstable_by_key(|edit| (edit.start, std::cmp::Reverse(edit.end)));
    let mut kept: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match kept.last() {
            Some(last) if edit.start < last.end && edit.end <= last.end && last.with.is_empty() => {}
            Some(last) if edit.start < last.end => return None,
            _ => kept.push(edit),
        }
    }
    (!kept.is_empty()).then_some(kept)
}

/// `said` such that it may stand anywhere in an expression.
pub(super) fn enclosed(said: &str) -> String {
    static PLAIN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^([\w.]+|"[^"\\]*"|'[^']*'|\([^()]*\))$"#).expect("a constant"));
    if PLAIN.is_match(said) { said.into() } else { format!("({said})") }
}

/// Whether something below `node` acts: calls, assigns, counts, or runs statements.
pub(super) fn acts(node: Node<'_>) -> bool {
    let acting = ["call_expression", "assignment_expression", "update_expression", "compound_statement"];
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if acting.contains(&node.kind()) || node.kind().starts_with("gnu_asm") {
            return true;
        }
        let mut cursor = node.walk();
        stack.extend(node.children(&mut cursor));
    }
    false
}

/// Whether the value of the variable at `node` may change there.
pub(super) fn changes(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        let field = |name: &str| parent.child_by_field_name(name) == Some(at);
        match parent.kind() {
            "assignment_expression" => return field("left"),
            "update_expression" => return true,
            "pointer_expression" => return parent.child(0).is_some_and(|sign| sign.kind() == "&"),
            "parenthesized_expression" | "field_expression" => {}
            "subscript_expression" if field("argument") => {}
            kind => return kind.starts_with("gnu_asm"),
        }
        at = parent;
    }
    false
}

/// Whether `outer` holds `inner`.
pub(super) fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Where the words of `said` stand.
pub(in crate::syntax) fn words(said: &str) -> impl Iterator<Item = Range<usize>> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*").expect("a constant"));
    WORD.find_iter(said).map(|found| found.range())
}
