//! The append-only record of a run: `journal.jsonl` and the sources of programs with findings.
//!
//! The first line is the header, every other line one finished job; [`Writer`] documents when a line is safe. Lines that
//! a kill or a power failure left incomplete are dropped on reading. Clusters and reports are derived from the journal
//! and can be deleted. A finding that other commands work on has a folder of its own ([`FindingFolder`]).

mod atomic;
mod bundle;
mod merge;
mod packed;
mod read;
mod record;
mod run_folder;
mod sites;
mod writer;

pub use atomic::write_atomically;
pub use bundle::{Counts, FindingBundle, FindingFolder, Reduction, Replay, Standing, VersionResult};
pub use merge::{MergeResult, merge};
pub use read::{Journal, parse, read};
pub use record::{Checked, Header, IncludedFile, JobRecord, RelationResult, Tally};
pub use run_folder::RunFolder;
pub use sites::Sites;
pub use writer::Writer;
