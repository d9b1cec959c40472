//! Reports: read a journal, and write text, JSON, `JUnit` or HTML, and a folder for each cluster's example. Nothing here
//! runs a profiler.

mod audit;
mod audit_files;
mod changes;
mod claim;
mod counts;
mod details;
mod example;
mod explain;
mod filing;
mod html;
mod inconsistent;
mod json;
mod junit;
mod overview;
mod reproduce;
mod side_by_side;
mod table;
mod tally;
mod unchecked;
mod visible;

pub use crate::model::number_of;
pub use audit::audit_text;
pub use audit_files::{audit_suite, audit_tracefile};
pub use changes::{Changes, RunSet, changes};
pub use counts::{admissible, several, shown};
pub use details::{deciding_text, line_text, not_checked, numbers_text, unknown_text};
pub use example::{Example, example, write, write_examples, written_or_best};
pub use explain::{Explained, explanation};
pub use filing::{Class, Confirmed, Filing, Tracker, filing, is_regression, needs_variant};
pub use html::{Campaign, write_audit_pages, write_pages};
pub use inconsistent::inconsistent;
pub use json::{Document, document};
pub use junit::suites;
pub use overview::{known_table, overview, profiler_table};
pub use side_by_side::{Sheet, sheet};
pub use table::table;
pub use unchecked::Unchecked;
pub use visible::visible;
