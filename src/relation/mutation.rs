//! A mutation, which is one change of a program that must keep its counts right, and the facts on which it is based.

use std::collections::BTreeSet;

use crate::coverage::Coverage;
use crate::model::{Family, Line, ProfilerInfo, TextEdit};
use crate::replay::expected;
use crate::syntax::Program;
use crate::truth::Truth;

/// The smallest change that a relation makes. Its meaning does not depend on the other mutations of a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutation {
    /// An imperative phrase, as in `split the expression on line 4`.
    pub words: String,
    /// Edits of the text; they may add lines, and remove none.
    pub edits: Vec<TextEdit>,
    /// Additional compiler flags.
    pub flags: Vec<String>,
    /// The number of runs that share one profile, if it is not that of the original.
    pub runs: Option<u32>,
}

impl Mutation {
    pub(super) fn of_text(words: String, edits: Vec<TextEdit>) -> Mutation {
        Mutation { words, edits, ..Mutation::default() }
    }

    pub(super) fn of_flag(flag: &str) -> Mutation {
        let words = format!("compile it with {flag}");
        Mutation { words, flags: vec![flag.into()], ..Mutation::default() }
    }

    /// Whether it changes the text and nothing else.
    pub(super) fn is_of_text(&self) -> bool {
        self.flags.is_empty() && self.runs.is_none()
    }
}

/// The facts that a relation may use.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// The parsed original.
    pub program: &'a Program,
    /// The profiler under test; none if the text is mutated before any profiler sees it.
    pub profiler: Option<&'a ProfilerInfo>,
    /// The report on the original, and its ground truth; none if it has not run yet.
    pub ran: Option<(&'a Coverage, &'a Truth)>,
}

impl<'a> Grounds<'a> {
    /// Of a program that has not run yet.
    pub(super) fn not_run(program: &'a Program) -> Grounds<'a> {
        Grounds { program, profiler: None, ran: None }
    }

    /// Whether `lines` have code that ground truth counts, and none of it ran.
    pub(super) fn never_ran(&self, lines: (Line, Line)) -> bool {
        let Some((_, truth)) = self.ran else { return false };
        let counts: Vec<BTreeSet<u64>> = (lines.0..=lines.1)
            .filter_map(|line| Some(expected(truth, Family::Gcov, line).ok()?.counts))
            .collect();
        !counts.is_empty() && counts.iter().flatten().all(|count| *count == 0)
    }
}
