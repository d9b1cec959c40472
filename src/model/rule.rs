//! The rules that decide a verdict, and the kinds of wrong counts.
//!
//! The sentence for each rule is in `triage::rule`;
//! the conditions are in `artefact`, `convention` and `peer` of `triage`.

use serde::{Deserialize, Serialize};

use super::Count;
use super::named::named_enum;

named_enum! {
    /// The classification of a finding. The order is the order of precedence.
    pub enum Verdict {
        /// The result varies between runs, or the program's behaviour is undefined or depends on memory layout.
        Unstable = "unstable",
        /// A side effect of recount's own edit.
        Artefact = "artefact",
        /// Documented or intended behaviour of the profiler.
        Convention = "convention",
        /// A report has a wrong count.
        Wrong = "wrong",
        /// No rule applies, and there is no ground truth.
        Unexplained = "unexplained",
    }
}

impl Verdict {
    /// Whether it needs attention (exit code 1 if it is not known yet).
    pub fn is_open(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Unexplained)
    }

    /// The verdict that `rule` gives.
    pub fn by(rule: Option<Rule>) -> Verdict {
        match rule {
            Some(Rule::Unstable(_)) => Verdict::Unstable,
            Some(Rule::Artefact(_)) => Verdict::Artefact,
            Some(Rule::Convention(_)) => Verdict::Convention,
            Some(Rule::Wrong(_)) => Verdict::Wrong,
            None => Verdict::Unexplained,
        }
    }
}

/// The rule that decided a verdict. It is serialised under its name alone; no two rules share a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Rule {
    Unstable(Instability),
    Artefact(Artefact),
    Convention(Convention),
    Wrong(WrongKind),
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Rule::Unstable(rule) => rule.name(),
            Rule::Artefact(rule) => rule.name(),
            Rule::Convention(rule) => rule.name(),
            Rule::Wrong(kind) => kind.name(),
        }
    }
}

named_enum! {
    /// The reason why the program, or the report on it, is not reliable.
    pub enum Instability {
        DoesNotRepeat = "does-not-repeat",
        LayoutDependent = "layout-dependent",
        UndefinedBehaviour = "undefined-behaviour",
        UnspecifiedBehaviour = "unspecified-behaviour",
        SeveralProcesses = "several-processes",
    }
}

named_enum! {
    /// A side effect of recount's own edit. If several apply, the first one is named.
    pub enum Artefact {
        ClosingBrace = "closing-brace",
        Punctuation = "punctuation",
        UnexpandedNow = "unexpanded-now",
        SummedDefinition = "summed-definition",
        UnreferencedNow = "unreferenced-now",
        UnreachableNow = "unreachable-now",
        LastReturn = "last-return",
        SystemMacro = "system-macro",
        CounterMacro = "counter-macro",
    }
}

named_enum! {
    /// Documented or intended behaviour of one profiler, or of two profilers that differ.
    pub enum Convention {
        /// The profiler writes the counts of a process in an exit handler, which did not run in one of them.
        LostProcess = "lost-process",
        /// A forked process writes the counts of its parent too.
        InheritedCounts = "inherited-counts",
        /// Threads race on counters that are not updated atomically.
        LostUpdate = "lost-update",
        StackedLabels = "stacked-labels",
        EndlessLoop = "endless-loop",
        AfterTrap = "after-trap",
        AfterNoReturn = "after-no-return",
        SummedRegions = "summed-regions",
        NoCount = "no-count",
        NoPoint = "no-point",
        PeerMacro = "peer-macro",
        PeerDoWhile = "peer-do-while",
        PeerElseIf = "peer-else-if",
        PeerCase = "peer-case",
        PeerContinuation = "peer-continuation",
        BothAdmissible = "both-admissible",
        PeerIsWrong = "peer-is-wrong",
        PeerOnly = "peer-only",
    }
}

named_enum! {
    /// How a count contradicts ground truth (C2V, ICSE 2019).
    pub enum WrongKind {
        /// Code that ran has the count 0.
        Missing = "missing",
        /// Code that never ran has a positive count.
        Spurious = "spurious",
        /// The count is wrong in any other way.
        Frequency = "frequency",
        /// Code has no count.
        Uncounted = "uncounted",
        /// There is no code, and it has a count.
        NoCode = "no-code",
    }
}

/// No program counts further than this. A larger count is wrong, even if the right one is not known: a difference of counters
/// that fell below zero. Threads may lose counts.
pub const LARGEST_COUNT: u64 = 1 << 62;

impl WrongKind {
    /// How `count` contradicts the admissible ones, if it does. None are admissible where there should be no count.
    pub fn of(count: Count, admissible: &[u64]) -> Option<WrongKind> {
        match count {
            None if admissible.is_empty() => None,
            None => Some(WrongKind::Uncounted),
            Some(count) if admissible.is_empty() && count > LARGEST_COUNT => Some(WrongKind::Frequency),
            Some(_) if admissible.is_empty() => Some(WrongKind::NoCode),
            Some(count) if admissible.contains(&count) => None,
            Some(0) => Some(WrongKind::Missing),
            Some(_) if admissible.iter().all(|real| *real == 0) => Some(WrongKind::Spurious),
            Some(_) => Some(WrongKind::Frequency),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_counts_are_of_five_kinds() {
        assert_eq!(WrongKind::of(Some(3), &[0]), Some(WrongKind::Spurious));
        assert_eq!(WrongKind::of(Some(0), &[1, 4]), Some(WrongKind::Missing));
        assert_eq!(WrongKind::of(Some(2), &[1]), Some(WrongKind::Frequency));
        assert_eq!(WrongKind::of(Some(2), &[0, 1]), Some(WrongKind::Frequency));
        assert_eq!(WrongKind::of(Some(1), &[0, 1]), None);
        assert_eq!(WrongKind::of(None, &[1]), Some(WrongKind::Uncounted));
        assert_eq!(WrongKind::of(Some(0), &[]), Some(WrongKind::NoCode));
        assert_eq!(WrongKind::of(None, &[]), None);
    }

    fn rules() -> impl Iterator<Item = Rule> {
        let unstable = Instability::ALL.into_iter().map(Rule::Unstable);
        let artefact = Artefact::ALL.into_iter().map(Rule::Artefact);
        let convention = Convention::ALL.into_iter().map(Rule::Convention);
        unstable.chain(artefact).chain(convention).chain(WrongKind::ALL.into_iter().map(Rule::Wrong))
    }

    #[test]
    fn each_rule_is_serialised_under_its_name_and_read_back() {
        for rule in rules() {
            let json = serde_json::to_string(&rule).expect("JSON");
            assert_eq!(json, format!("{:?}", rule.name()));
            assert_eq!(serde_json::from_str::<Rule>(&json).expect("a rule"), rule);
        }
        assert!(serde_json::from_str::<Rule>("\"no such rule\"").is_err());
    }
}
