//! One run of the function under test, as its probes saw it.

use serde::{Deserialize, Serialize};

/// What can be run with an input: an instrumented function, or in tests a closure.
pub trait Subject {
    /// Run with the values of the cells, each in the bits of its type.
    fn run(&mut self, input: &[u64]) -> Run<'_>;
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is", content = "with")]
pub enum Ended {
    /// The function returned.
    Returned,
    /// It called `exit`, or a program's `main` returned, with this status.
    Exited(i32),
    /// A signal stopped it: a crash, a division by zero, a stack that was too deep.
    Signalled(i32),
    /// It did not end in the steps or the time that a run has.
    Endless,
}

impl Ended {
    /// Whether a profiler's counters survive such an end.
    pub fn is_clean(self) -> bool {
        matches!(self, Ended::Returned | Ended::Exited(_))
    }
}

/// What a run did.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// How it ended.
    pub ended: Ended,
    /// What the probes said, in order; of a long run the beginning.
    pub visits: &'a [Visit],
    /// For what a long run said later, the outcomes that each condition had: bit 0 false, bit 1 true.
    pub later: &'a [u8],
    /// The least and the greatest value of each case, of all switches in their order; zeros where a switch
    /// has not been reached yet.
    pub bounds: &'a [(i64, i64)],
    /// The bits of what it returned; 0 where that is no number.
    pub result: u64,
}

/// What a probe said. The layout is that of the harness in C.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// A condition, a decision, a switch or a line: an index into the problem's.
    pub probe: u32,
    /// [`VisitKind`].
    pub kind: u8,
    /// What came out: 0 or 1.
    pub outcome: u8,
    /// The type of the left operand, after promotion ([`super::Operand`]).
    pub left_type: u8,
    /// The type of the right operand.
    pub right_type: u8,
    /// The left operand.
    pub left: u64,
    /// The right operand.
    pub right: u64,
}

/// What a visit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitKind {
    /// A condition was evaluated.
    Condition,
    /// What a condition of a chain would say, whether or not its turn comes.
    Shadow,
    /// All shadows of a decision have been said.
    Shadowed,
    /// An operand of the `|` on the left of the condition that follows.
    Part,
    /// A switch was evaluated: `left` is its value.
    Switch,
    /// A line was reached.
    Line,
}

impl VisitKind {
    /// The kinds in the harness's numbering.
    const ALL: [VisitKind; 6] = [
        VisitKind::Condition,
        VisitKind::Shadow,
        VisitKind::Shadowed,
        VisitKind::Part,
        VisitKind::Switch,
        VisitKind::Line,
    ];
}

impl Visit {
    /// What it is.
    pub fn kind(&self) -> VisitKind {
        VisitKind::ALL[usize::from(self.kind).min(VisitKind::ALL.len() - 1)]
    }

    /// Whether addresses were compared.
    pub fn is_of_pointers(&self) -> bool {
        self.left_type.max(self.right_type) == super::distance::Operand::Pointer as u8
    }

    /// Its probe, as an index.
    pub fn index(&self) -> usize {
        self.probe as usize
    }
}
