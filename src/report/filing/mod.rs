//! A finding as a report to the profiler's makers: GCC's Bugzilla, LLVM's tracker on GitHub, or a
//! neutral page for mails and README files.
//!
//! What was run to make it stands in a [`Filing`]; here it is only told. Nothing is claimed but what
//! the filing says was done.

mod body;
mod class;
mod layout;
mod words;

pub use class::Class;

use crate::journal::FindingBundle;
use crate::model::Family;
use crate::toolchain::Annotated;

/// Where a report goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    /// GCC's Bugzilla: plain text under a few fields.
    Bugzilla,
    /// LLVM's issues: GitHub's Markdown under a title and labels.
    GitHub,
    /// Markdown for anybody.
    Markdown,
}

/// All that a report is made from.
#[derive(Clone, Debug)]
pub struct Filing<'a> {
    /// The finding.
    pub bundle: &'a FindingBundle,
    /// Its program under its profiler, today.
    pub program: Annotated,
    /// P', where the finding is about what moved.
    pub variant: Option<Annotated>,
    /// The contrast, where there is one.
    pub contrast: Option<Annotated>,
    /// What was confirmed for the report.
    pub confirmed: Confirmed,
    /// The class that it repeats; then nobody but who insists wants the report.
    pub class: Option<Class>,
}

/// What was done again before anything is said to others.
#[derive(Clone, Debug, Default)]
pub struct Confirmed {
    /// Whether counters in the source, built by the accused compiler, said what is right.
    pub counted: bool,
    /// Who looked for undefined behaviour and had nothing to say.
    pub watchers: Vec<&'static str>,
}

impl Tracker {
    /// Why makers of `family` do not read this tracker, if they do not.
    pub fn refusal(self, family: Family) -> Option<&'static str> {
        match (self, family) {
            (Tracker::Bugzilla, Family::LlvmCov) => {
                Some("llvm-cov's makers take reports on GitHub; say `--format github` or `--format markdown`")
            }
            (Tracker::GitHub, Family::Gcov) => {
                Some("gcov's makers take reports in Bugzilla; say `--format bugzilla` or `--format markdown`")
            }
            _ => None,
        }
    }
}

/// The report.
pub fn filing(filing: &Filing<'_>, tracker: Tracker) -> String {
    match tracker {
        Tracker::Bugzilla => layout::bugzilla(filing),
        Tracker::GitHub => layout::github(filing),
        Tracker::Markdown => layout::markdown(filing),
    }
}

/// Whether the report needs P' beside P: the finding is about what moved, or what P' does, and not about
/// code that runs although its own line shows 0.
pub fn needs_variant(bundle: &FindingBundle) -> bool {
    bundle.variant.is_some() && !bundle.finding.is_unseen()
}
