//! A finding as a report to the maintainers: for GCC's Bugzilla, for LLVM's tracker on GitHub, or as Markdown for mails and
//! README files.
//!
//! A [`Filing`] holds the results of the runs that the report describes. The report claims nothing that was not run.

mod body;
mod class;
mod layout;
mod words;

pub use class::Class;

use crate::journal::FindingBundle;
use crate::model::Family;
use crate::toolchain::Annotated;

/// The destination of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    /// GCC's Bugzilla: plain text after a few fields.
    Bugzilla,
    /// LLVM's issues on GitHub: Markdown after a title and labels.
    GitHub,
    Markdown,
}

/// The content of a report.
#[derive(Clone, Debug)]
pub struct Filing<'a> {
    pub bundle: &'a FindingBundle,
    /// The programs, with the reports that the profiler gives them now.
    pub program: Annotated,
    pub variant: Option<Annotated>,
    pub contrast: Option<Annotated>,
    pub confirmed: Confirmed,
    /// Why the report is unnecessary, if it is.
    pub class: Option<Class>,
}

/// The checks that were repeated for the report.
#[derive(Clone, Debug, Default)]
pub struct Confirmed {
    /// Whether ground truth was rebuilt with the compiler under test.
    pub counted: bool,
    /// The tools that looked for undefined behaviour and found none.
    pub watchers: Vec<&'static str>,
}

impl Tracker {
    /// Why a report on `family` does not belong in this tracker.
    pub fn refusal(self, family: Family) -> Option<&'static str> {
        match (self, family) {
            (Tracker::Bugzilla, Family::LlvmCov) => {
                Some("llvm-cov's bugs are reported on GitHub; use `--format github` or `--format markdown`")
            }
            (Tracker::GitHub, Family::Gcov) => {
                Some("gcov's bugs are reported in Bugzilla; use `--format bugzilla` or `--format markdown`")
            }
            _ => None,
        }
    }
}

pub fn filing(filing: &Filing<'_>, tracker: Tracker) -> String {
    match tracker {
        Tracker::Bugzilla => layout::bugzilla(filing),
        Tracker::GitHub => layout::github(filing),
        Tracker::Markdown => layout::markdown(filing),
    }
}

/// Whether the report needs the variant: not if the line of the finding itself has count 0 although its code runs.
pub fn needs_variant(bundle: &FindingBundle) -> bool {
    bundle.variant.is_some() && !bundle.finding.is_unseen()
}
