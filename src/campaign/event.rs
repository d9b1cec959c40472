//! The events of a campaign, for the console, tests and other listeners.

use crate::journal::JobRecord;
use crate::sys::CpuTime;

#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The plan has `jobs` jobs; an earlier part of the run has finished those of `done`.
    Planned { jobs: usize, done: &'a [JobRecord] },
    /// A job has ended, and its record is in the journal.
    JobFinished { record: &'a JobRecord },
    /// The fast and the plain implementation disagreed about a profile; the reason is a sentence.
    ToolsDisagree { reason: &'a str },
    /// A disk is full. Nothing is lost, and the campaign waits for free space; the reason is a sentence.
    Paused { reason: &'a str },
    /// There is free space again.
    Resumed,
    /// The last event.
    Ended { summary: &'a Summary },
}

/// Figures of a run, or of the part of it since it was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Finished jobs.
    pub jobs: usize,
    /// Jobs left undone because of an interrupt, a time limit or a limit on new clusters.
    pub left: usize,
    /// Jobs that ended by an error of recount itself.
    pub failed: usize,
    pub wall_seconds: f64,
    /// CPU time: `own` is that of recount and its supervisors, `children` that of compilers, tools and programs.
    pub cpu: CpuTime,
    /// Cores that the workers could use.
    pub cores: usize,
    /// Profiles of programs and their variants, and those made to explain differences.
    pub profiles: usize,
    /// Calls of compilers and tools that fork servers answered.
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

    /// The CPU time of all processes over wall time times cores.
    pub fn utilisation(&self) -> f64 {
        (self.cpu.own + self.cpu.children) / (self.wall_seconds * self.cores as f64).max(1e-9)
    }
}

/// Receives events, from several threads.
pub trait EventListener: Sync {
    fn on_event(&self, event: &Event<'_>);
}

impl EventListener for () {
    fn on_event(&self, _: &Event<'_>) {}
}
