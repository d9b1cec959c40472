//! One run of the function under test, as its probes reported it.

use serde::{Deserialize, Serialize};

use crate::model::{Line, Number};
use crate::syntax::search::Probes;

/// Something that can be run with an input: an instrumented function, or a closure in tests.
pub trait Subject {
    /// Run with the values of the cells, each in the bits of its type.
    fn run(&mut self, input: &[u64]) -> Run<'_>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is", content = "with")]
pub enum RunEnd {
    Returned,
    /// It called `exit`, or a program's `main` returned, with this status.
    Exited(i32),
    /// A signal ended it: a crash, a division by zero, a stack overflow.
    Signalled(i32),
    /// It exceeded the steps or the time of a run.
    Endless,
}

impl RunEnd {
    /// Whether a profiler's counters survive such an end.
    pub fn is_clean(self) -> bool {
        matches!(self, RunEnd::Returned | RunEnd::Exited(_))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub end: RunEnd,
    /// The reports of the probes, in order. The end of a long run is missing.
    pub visits: &'a [Visit],
    /// The outcomes of each condition in the missing part of a long run: bit 0 false, bit 1 true.
    pub later: &'a [u8],
    /// The least and the greatest value of each case of all switches, in order; zeros for a switch that was not reached
    /// yet.
    pub bounds: &'a [(i64, i64)],
    /// The bits of the returned value; 0 if it is not a number.
    pub result: u64,
}

/// The report of a probe, in the layout of the C harness.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// The index of a condition, a decision, a switch or a line of [`Probes`].
    pub probe: u32,
    /// A [`VisitKind`].
    pub kind: u8,
    /// 0 or 1.
    pub outcome: u8,
    /// The types of the operands after promotion, each an operand.
    pub left_type: u8,
    pub right_type: u8,
    pub left: u64,
    pub right: u64,
}

/// The kinds of visit, numbered as in the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitKind {
    /// A condition was evaluated.
    Condition,
    /// A condition of a chain was evaluated before the chain, whether or not its turn comes.
    Shadow,
    /// All shadows of a decision have been reported.
    ShadowsEnd,
    /// An operand of the `|` on the left side of the condition that follows.
    Part,
    /// A switch was evaluated; `left` is its value.
    Switch,
    /// A line was reached.
    Line,
}

/// The code of a pointer, as in [`operand`].
const POINTER: u8 = 7;

impl Visit {
    pub fn kind(&self) -> VisitKind {
        use VisitKind::{Condition, Line, Part, Shadow, ShadowsEnd, Switch};
        [Condition, Shadow, ShadowsEnd, Part, Switch, Line][usize::from(self.kind.min(5))]
    }

    /// Whether it reports the operands of a condition.
    pub fn is_of_condition(&self) -> bool {
        matches!(self.kind(), VisitKind::Condition | VisitKind::Shadow)
    }

    pub fn compares_pointers(&self) -> bool {
        self.left_type.max(self.right_type) == POINTER
    }

    pub fn index(&self) -> usize {
        self.probe as usize
    }

    /// The line of its probe.
    pub fn line(&self, probes: &Probes) -> Option<Line> {
        match self.kind() {
            VisitKind::Condition | VisitKind::Shadow | VisitKind::Part => {
                probes.conditions.get(self.index()).map(|found| found.line)
            }
            VisitKind::ShadowsEnd => None,
            VisitKind::Switch => probes.switches.get(self.index()).map(|found| found.line),
            VisitKind::Line => probes.lines.get(self.index()).copied(),
        }
    }
}

/// The type of an operand after promotion, as the harness numbers it. The order is that of the usual arithmetic conversions;
/// a long double is reported as a double, and a pointer is an unsigned integer.
pub fn operand(code: u8) -> Number {
    match code {
        0 => Number::INT,
        1 => Number::Integer { bits: 32, signed: false },
        2 => Number::Integer { bits: 64, signed: true },
        4 => Number::Float,
        5 | 6 => Number::Double,
        _ => Number::Integer { bits: 64, signed: false },
    }
}
