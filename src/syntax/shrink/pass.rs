//! The passes: their names, and the candidates of each.

use super::text::{EditSet, Text, are_disjoint};
use super::{
    blanks, bodies, declarators, directives, expressions, inline, layout, macros, names, old_style,
    parameters, promote, returns, statements, types, unreferenced,
};

use crate::model::named_enum;

named_enum! {
    /// A kind of candidate.
    pub enum Pass {
        /// Delete comments.
        Comments = "comments",
        /// Delete statements.
        Statements = "statements",
        /// Replace a statement by a part of it.
        Unwrap = "unwrap",
        /// Replace an expression by a part of it or by a constant.
        Expressions = "expressions",
        /// Replace constants by small ones.
        Constants = "constants",
        /// Delete blank lines.
        Blanks = "blank lines",
        /// Break a line before a statement. This makes nothing smaller, but may correct a count.
        Breaks = "line breaks",
        /// Rename everything to short names, in the order of appearance.
        Names = "names",
        /// One statement a line, one space between tokens.
        Layout = "layout",
        /// Rewrite old-style definitions as prototypes with types, since later passes cannot read old-style definitions.
        OldStyle = "old style",
        /// Delete items that `main` does not reach, and items without which a program may still compile.
        Unreferenced = "unreferenced",
        /// Inline functions into their calls and variables into their uses.
        Inline = "inline",
        /// Replace macros and type names by their definitions.
        Expand = "expand",
        /// Remove parameters.
        Parameters = "parameters",
        /// Make the only function that `main` calls `main` itself.
        Promote = "promote",
        /// Initialise variables with 0 and delete the statement that sets them.
        Settle = "settle",
        /// Replace whole bodies of functions by `return 0;`.
        Bodies = "bodies",
        /// Make functions return nothing.
        Returns = "returns",
        /// Delete variables, fields, enumerators and initialisers.
        Declarators = "declarators",
        /// Delete qualifiers and replace scalar types by `int`.
        Types = "types",
        /// Replace conditional groups by a branch, and delete parts of macro definitions.
        Directives = "directives",
    }
}

impl Pass {
    /// Whether it changes nothing that runs.
    pub fn keeps_meaning(self) -> bool {
        matches!(self, Pass::Comments | Pass::Blanks | Pass::Breaks | Pass::Names | Pass::Layout)
    }
}

/// The candidates of `pass` over `source`, the most promising first. Candidates that exclude each other have edits
/// that overlap.
pub fn candidate_edits(source: &str, pass: Pass) -> Vec<EditSet> {
    let propose = match pass {
        Pass::Comments => blanks::comments,
        Pass::Statements => statements::statements,
        Pass::Unwrap => statements::unwrap,
        Pass::Expressions => expressions::expressions,
        Pass::Constants => expressions::constants,
        Pass::Blanks => blanks::blanks,
        Pass::Breaks => blanks::breaks,
        Pass::Names => names::names,
        Pass::Layout => layout::layout,
        Pass::OldStyle => old_style::old_style,
        Pass::Unreferenced => unreferenced::unreferenced,
        Pass::Inline => inline::inline,
        Pass::Expand => macros::expand,
        Pass::Parameters => parameters::parameters,
        Pass::Promote => promote::promote,
        Pass::Settle => promote::settle,
        Pass::Bodies => bodies::bodies,
        Pass::Returns => returns::returns,
        Pass::Declarators => declarators::declarators,
        Pass::Types => types::types,
        Pass::Directives => directives::directives,
    };
    let mut found = propose(&Text::parse(source));
    // In a text that does not parse, a declaration may contain statements that the same candidate changes.
    found.retain(|edits| are_disjoint(edits));
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::text::are_disjoint;
    use super::{Pass, candidate_edits};
    use crate::syntax::replaced;

    /// The programs that the candidates of `pass` make of `source`.
    pub fn texts(source: &str, pass: Pass) -> Vec<String> {
        candidate_edits(source, pass).iter().map(|edits| replaced(source, edits)).collect()
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
                for pass in Pass::ALL {
                    for edits in candidate_edits(&text, pass) {
                        assert!(are_disjoint(&edits), "{} {pass:?}: {edits:?}", path.display());
                        let _ = replaced(&text, &edits);
                    }
                }
            }
        }
    }
}
