//! Reduction: from a finding to the smallest program that shows it.
//!
//! [`FindingTest`] is the interestingness test: it looks for the finding in a candidate. The engine makes the program
//! smaller with the passes of [`SCHEDULE`]. This module depends neither on the folders of journals nor on terminals.

mod bisect;
mod candidate;
mod contrast;
mod engine;
mod external;
mod finding_test;
mod included;
mod reduction;
mod schedule;
mod sound;
mod versions;

pub use candidate::{Candidate, edited, lines_of_code};
pub use engine::{Engine, InterestingnessTest, Progress};
pub use external::{ExternalReducer, ask};
pub use finding_test::FindingTest;
pub use included::with_included_text;
pub use reduction::{NotReduced, ReduceBy, before_reduction, canonical, reduce};
pub use schedule::SCHEDULE;
pub use versions::{bisect, versions};
