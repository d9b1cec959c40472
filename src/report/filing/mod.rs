//! Writes a finding as a bug report to the maintainers: for GCC's Bugzilla, for LLVM's tracker on GitHub, or as
//! Markdown for mails and README files.
//!
//! A [`Filing`] holds the results of the runs that the report describes. The report contains no claim that these runs
//! did not check.

mod body;
mod class;
mod content;
mod layout;
mod mechanism;
mod words;

pub use body::{is_regression, needs_variant};
pub use class::Class;
pub use content::{Confirmed, Filing};
pub use layout::{Tracker, filing};
