//! The content of a report: a finding with the results of the runs that were made for it.

use super::class::Class;
use crate::journal::FindingBundle;
use crate::model::Cause;
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
    /// The mechanism under the version of the report, if it was derived again.
    pub cause: Option<Cause>,
}

#[derive(Clone, Debug)]
pub enum Part {
    /// A heading, if the layout has any.
    Heading(&'static str),
    /// Sentences.
    Text(String),
    /// Terminal output or a table.
    Block(String),
    /// A collapsed block, after its summary.
    Folded(&'static str, String),
}
