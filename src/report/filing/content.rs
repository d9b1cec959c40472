//! The content of a report: a finding with the results of the runs that were made for it.

use super::class::Class;
use crate::journal::FindingBundle;
use crate::toolchain::Annotated;

/// The content of a report.
#[derive(Clone, Debug)]
pub struct Filing<'a> {
    pub bundle: &'a FindingBundle,
    /// The programs, with the reports that the profiler now prints for them.
    pub program: Annotated,
    pub variant: Option<Annotated>,
    pub contrast: Option<Annotated>,
    pub confirmed: Confirmed,
    /// The class of findings that should not be reported, if the finding belongs to one.
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

/// Whether the report needs the variant: not if the line of the finding itself has count 0 although its code runs.
pub fn needs_variant(bundle: &FindingBundle) -> bool {
    bundle.variant.is_some() && !bundle.finding.is_unseen()
}
