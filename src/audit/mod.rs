//! The audit of a package: which numbers of its coverage report are wrong.
//!
//! The package is built and tested by its own commands in two copies of its tree (`session`): with coverage, and with
//! counters of our own. Compilers are replaced by scripts that call us (`compile`). Every unit of the package, one
//! compilation of one C file, has a report by the profiler and ground truth by our counters, and both are of all processes of
//! the same tests (`processes`). `judge` compares them as `recount check` does for a single program.

mod agreement;
mod audited;
mod build;
mod call;
mod checked;
mod compile;
mod judge;
mod link;
mod merged;
mod processes;
mod result;
mod reported;
mod session;
mod single_file;
mod test_run;
mod tree;
mod unit;

pub use audited::{Package, Progress, audit, work_folder};
pub use build::{BadPackage, Commands};
pub use compile::compile_in;
pub use judge::TESTS;
pub use result::{Audit, FileAudit, LineAudit, Merged, State, Tally};
pub use single_file::{SingleFile, single_files};
