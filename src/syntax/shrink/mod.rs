//! Ways of making a program smaller: candidate edits over one parsed text, pass by pass.
//!
//! Nothing here knows what the program is reduced for. A pass proposes; whoever reduces tries, and
//! keeps what it likes. Unlike those of relations these edits move lines, and a candidate need not
//! compile: the compiler says so, and is cheap. What is proposed here should be worth asking about.

mod blanks;
mod declarators;
mod directives;
mod expressions;
mod inline;
mod layout;
mod macros;
mod names;
mod old_style;
pub(super) mod outline;
mod parameters;
mod promote;
mod returns;
mod statements;
mod types;
mod unreferenced;

use tree_sitter::{Node, Tree};

use super::tree;
use crate::model::TextEdit;

/// One way of making a program smaller: edits that go together, apart from each other.
pub type EditSet = Vec<TextEdit>;

/// A kind of candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Comments go.
    Comments,
    /// Statements go.
    Statements,
    /// What a statement holds takes its place.
    Unwrap,
    /// A part of an expression takes its place, or a constant does.
    Expressions,
    /// Constants become small ones.
    Constants,
    /// Blank lines go.
    Blanks,
    /// A line is broken before a statement. It makes nothing smaller, but may make it right.
    Breaks,
    /// All names become short ones, in the order of their appearance.
    Names,
    /// One statement a line, one space between tokens.
    Layout,
    /// Old-style definitions become prototypes with types; what follows cannot read the old ones.
    OldStyle,
    /// What `main` does not reach goes, and what a program may do without.
    Unreferenced,
    /// Functions go into their calls, variables into their uses.
    Inline,
    /// Macros and names of types give way to what they stand for.
    Expand,
    /// Functions have fewer parameters.
    Parameters,
    /// What `main` does nothing but call becomes `main`.
    Promote,
    /// Variables are 0 from the start, and what sets them goes.
    Settle,
    /// Functions return nothing.
    Returns,
    /// Variables, fields, enumerators and initialisers go.
    Declarators,
    /// Qualifiers go, and scalars become `int`.
    Types,
    /// Conditional groups give way to a branch, definitions of macros lose their parts.
    Directives,
}

impl Pass {
    /// All of them.
    pub const ALL: [Pass; 20] = [
        Pass::Comments,
        Pass::Statements,
        Pass::Unwrap,
        Pass::Expressions,
        Pass::Constants,
        Pass::Blanks,
        Pass::Breaks,
        Pass::Names,
        Pass::Layout,
        Pass::OldStyle,
        Pass::Unreferenced,
        Pass::Inline,
        Pass::Expand,
        Pass::Parameters,
        Pass::Promote,
        Pass::Settle,
        Pass::Returns,
        Pass::Declarators,
        Pass::Types,
        Pass::Directives,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Comments => "comments",
            Pass::Statements => "statements",
            Pass::Unwrap => "unwrap",
            Pass::Expressions => "expressions",
            Pass::Constants => "constants",
            Pass::Blanks => "blank lines",
            Pass::Breaks => "line breaks",
            Pass::Names => "names",
            Pass::Layout => "layout",
            Pass::OldStyle => "old style",
            Pass::Unreferenced => "unreferenced",
            Pass::Inline => "inline",
            Pass::Expand => "expand",
            Pass::Parameters => "parameters",
            Pass::Promote => "promote",
            Pass::Settle => "settle",
            Pass::Returns => "returns",
            Pass::Declarators => "declarators",
            Pass::Types => "types",
            Pass::Directives => "directives",
        }
    }

    /// Whether it changes nothing that runs.
    pub fn keeps_meaning(self) -> bool {
        matches!(self, Pass::Comments | Pass::Blanks | Pass::Breaks | Pass::Names | Pass::Layout)
    }
}

/// The candidates of `pass` over `source`, the most promising first. Candidates may exclude each
/// other: then their edits overlap.
pub fn candidate_edits(source: &str, pass: Pass) -> Vec<EditSet> {
    let text = Text::parse(source);
    let mut found = match pass {
        Pass::Comments => blanks::comments(&text),
        Pass::Statements => statements::statements(&text),
        Pass::Unwrap => statements::unwrap(&text),
        Pass::Expressions => expressions::expressions(&text),
        Pass::Constants => expressions::constants(&text),
        Pass::Blanks => blanks::blanks(&text),
        Pass::Breaks => blanks::breaks(&text),
        Pass::Names => names::names(&text),
        Pass::Layout => layout::layout(&text),
        Pass::OldStyle => old_style::old_style(&text),
        Pass::Unreferenced => unreferenced::unreferenced(&text),
        Pass::Inline => inline::inlined(&text),
        Pass::Expand => macros::expansions(&text),
        Pass::Parameters => parameters::fewer_parameters(&text),
        Pass::Promote => promote::promoted(&text),
        Pass::Settle => promote::settled(&text),
        Pass::Returns => returns::returns(&text),
        Pass::Declarators => declarators::fewer_declarators(&text),
        Pass::Types => types::types(&text),
        Pass::Directives => directives::directives(&text),
    };
    // In a text that does not parse, a declaration may hold the statements that a pass changes beside it.
    found.retain(|shrink| are_apart(shrink));
    found
}

/// Whether no two of `edits` overlap.
fn are_apart(edits: &[TextEdit]) -> bool {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// `source` with `edits` made, which must not overlap. Lines move.
pub fn replaced(source: &str, edits: &[TextEdit]) -> String {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_unstable();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for edit in sorted {
        out.push_str(&source[at..edit.start]);
        out.push_str(&edit.with);
        at = edit.end;
    }
    out.push_str(&source[at..]);
    out
}

/// A source with its tree.
struct Text<'a> {
    source: &'a str,
    tree: Tree,
}

impl<'a> Text<'a> {
    fn parse(source: &'a str) -> Text<'a> {
        Text { source, tree: tree(source) }
    }

    /// Every node, each before its children, in source order.
    fn nodes(&self) -> Vec<Node<'_>> {
        nodes(&self.tree)
    }

    /// What stands at `node`.
    fn of(&self, node: Node<'_>) -> &'a str {
        &self.source[node.byte_range()]
    }
}

/// Every node of `tree`, each before its children, in source order.
pub(super) fn nodes(tree: &Tree) -> Vec<Node<'_>> {
    below(tree.root_node())
}

/// `root` and all nodes below it, in source order.
pub(super) fn below(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        found.push(node);
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        stack.extend(children.into_iter().rev());
    }
    found
}

/// `with` in the place of `node`.
fn put(node: Node<'_>, with: &str) -> TextEdit {
    TextEdit { start: node.start_byte(), end: node.end_byte(), with: with.into() }
}

/// Nothing in the place of `node`.
fn cut(node: Node<'_>) -> TextEdit {
    put(node, "")
}

#[cfg(test)]
mod tests {
    use super::{Pass, are_apart, candidate_edits, replaced};

    /// What the candidates of `pass` make of `source`.
    pub(super) fn texts(source: &str, pass: Pass) -> Vec<String> {
        candidate_edits(source, pass).iter().map(|shrink| replaced(source, shrink)).collect()
    }

    /// Texts that fuzzing found, and programs that nobody broke.
    #[test]
    fn no_candidate_overlaps_itself_whatever_the_text() {
        for folder in ["tests/data/crashes", "tests/world"] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_none_or(|extension| extension != "c") {
                    continue;
                }
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                for pass in Pass::ALL {
                    for shrink in candidate_edits(&text, pass) {
                        assert!(are_apart(&shrink), "{} {pass:?}: {shrink:?}", path.display());
                        let _ = replaced(&text, &shrink);
                    }
                }
            }
        }
    }
}
