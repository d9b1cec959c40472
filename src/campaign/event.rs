//! What happens in a campaign, for whoever wants to show it.

use crate::journal::JobRecord;
use crate::sys::CpuTime;

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The plan is made; `done` of its jobs are in the journal already.
    Planned {
        /// Jobs in the plan.
        jobs: usize,
        /// Records of an earlier part of the run.
        done: &'a [JobRecord],
    },
    /// A job has ended and is in the journal.
    Finished {
        /// Its record.
        record: &'a JobRecord,
    },
    /// Two ways of running the tools gave different profiles; the faster one is not used any more.
    ToolsDisagree {
        /// A sentence.
        reason: &'a str,
    },
    /// A disk is full: nothing is lost, and nothing goes on until there is room.
    Paused {
        /// A sentence.
        reason: &'a str,
    },
    /// There is room again.
    GoesOn,
    /// Nothing more will come.
    Ended {
        /// The figures of this part of the run.
        summary: &'a Summary,
    },
}

/// Figures of a run, or of the part of it since it was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Jobs done.
    pub jobs: usize,
    /// Jobs left undone, because of an interrupt or the end of the time.
    pub left: usize,
    /// Jobs that ended by a failure of ours.
    pub failed: usize,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// CPU time: `own` is the driver's and its supervisors', `children` that of
    /// compilers, tools and programs.
    pub cpu: CpuTime,
    /// Cores that the workers could use.
    pub cores: usize,
    /// Profiles made: of programs, their variants, and what explaining took.
    pub profiles: usize,
    /// Calls of compilers and tools that fork servers have answered.
    pub served: usize,
    /// Variants that the relations proposed.
    pub variants: usize,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

impl Summary {
    /// The driver's own CPU time over its children's.
    pub fn overhead(&self) -> f64 {
        self.cpu.own / self.cpu.children.max(1e-9)
    }

    /// The CPU time of all over wall time times cores.
    pub fn utilisation(&self) -> f64 {
        (self.cpu.own + self.cpu.children) / (self.wall_seconds * self.cores as f64).max(1e-9)
    }
}

/// A reader of events. Called from several threads.
pub trait EventListener: Sync {
    /// Something happened.
    fn see(&self, event: &Event<'_>);
}

impl EventListener for () {
    fn see(&self, _: &Event<'_>) {}
}
