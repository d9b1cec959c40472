//! The passes: their names, and the candidates of each.

use super::text::{EditSet, Text, are_disjoint};
use super::{
    blanks, declarators, directives, expressions, inline, layout, macros, names, old_style, parameters,
    promote, returns, statements, types, unreferenced,
};

/// A kind of candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Delete comments.
    Comments,
    /// Delete statements.
    Statements,
    /// Replace a statement by a part of it.
    Unwrap,
    /// Replace an expression by a part of it or by a constant.
    Expressions,
    /// Replace constants by small ones.
    Constants,
    /// Delete blank lines.
    Blanks,
    /// Break a line before a statement. This makes nothing smaller, but may correct a count.
    Breaks,
    /// Rename everything to short names, in the order of appearance.
    Names,
    /// One statement a line, one space between tokens.
    Layout,
    /// Rewrite old-style definitions as prototypes with types, since later passes cannot read old-style definitions.
    OldStyle,
    /// Delete items that `main` does not reach, and items that a program may do without.
    Unreferenced,
    /// Inline functions into their calls and variables into their uses.
    Inline,
    /// Replace macros and type names by their definitions.
    Expand,
    /// Remove parameters.
    Parameters,
    /// Make the only function that `main` calls `main` itself.
    Promote,
    /// Initialise variables with 0 and delete the statement that sets them.
    Settle,
    /// Make functions return nothing.
    Returns,
    /// Delete variables, fields, enumerators and initialisers.
    Declarators,
    /// Delete qualifiers and replace scalar types by `int`.
    Types,
    /// Replace conditional groups by a branch, and delete parts of macro definitions.
    Directives,
}

type Propose = fn(&Text<'_>) -> Vec<EditSet>;

/// Every pass with its name and its candidates, in the order of the enum.
const PASSES: [(Pass, &str, Propose); 20] = [
    (Pass::Comments, "comments", blanks::comments),
    (Pass::Statements, "statements", statements::statements),
    (Pass::Unwrap, "unwrap", statements::unwrap),
    (Pass::Expressions, "expressions", expressions::expressions),
    (Pass::Constants, "constants", expressions::constants),
    (Pass::Blanks, "blank lines", blanks::blanks),
    (Pass::Breaks, "line breaks", blanks::breaks),
    (Pass::Names, "names", names::names),
    (Pass::Layout, "layout", layout::layout),
    (Pass::OldStyle, "old style", old_style::old_style),
    (Pass::Unreferenced, "unreferenced", unreferenced::unreferenced),
    (Pass::Inline, "inline", inline::inline),
    (Pass::Expand, "expand", macros::expand),
    (Pass::Parameters, "parameters", parameters::parameters),
    (Pass::Promote, "promote", promote::promote),
    (Pass::Settle, "settle", promote::settle),
    (Pass::Returns, "returns", returns::returns),
    (Pass::Declarators, "declarators", declarators::declarators),
    (Pass::Types, "types", types::types),
    (Pass::Directives, "directives", directives::directives),
];

impl Pass {
    pub fn all() -> impl Iterator<Item = Pass> {
        PASSES.iter().map(|(pass, ..)| *pass)
    }

    pub fn name(self) -> &'static str {
        PASSES[self as usize].1
    }

    /// Whether it changes nothing that runs.
    pub fn keeps_meaning(self) -> bool {
        matches!(self, Pass::Comments | Pass::Blanks | Pass::Breaks | Pass::Names | Pass::Layout)
    }
}

/// The candidates of `pass` over `source`, the most promising first. Candidates that exclude each other have edits
/// that overlap.
pub fn candidate_edits(source: &str, pass: Pass) -> Vec<EditSet> {
    let (_, _, propose) = PASSES[pass as usize];
    let mut found = propose(&Text::parse(source));
    // In a text that does not parse, a declaration may contain statements that the same candidate changes.
    found.retain(|edits| are_disjoint(edits));
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::text::are_disjoint;
    use super::{PASSES, Pass, candidate_edits};
    use crate::syntax::replaced;

    /// The programs that the candidates of `pass` make of `source`.
    pub fn texts(source: &str, pass: Pass) -> Vec<String> {
        candidate_edits(source, pass).iter().map(|edits| replaced(source, edits)).collect()
    }

    #[test]
    fn the_table_has_the_order_of_the_enum() {
        assert!(PASSES.iter().enumerate().all(|(index, (pass, ..))| *pass as usize == index));
    }

    /// For texts that fuzzing found and for ordinary programs.
    #[test]
    fn no_candidate_has_edits_that_overlap() {
        for folder in ["tests/data/crashes", "tests/world"] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_none_or(|extension| extension != "c") {
                    continue;
                }
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                for pass in Pass::all() {
                    for edits in candidate_edits(&text, pass) {
                        assert!(are_disjoint(&edits), "{} {pass:?}: {edits:?}", path.display());
                        let _ = replaced(&text, &edits);
                    }
                }
            }
        }
    }
}
