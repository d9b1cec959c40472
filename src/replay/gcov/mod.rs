//! gcov: counters of edges → counts of blocks → lines, functions, branches and blocks.

mod cycles;
mod differences;
mod elements;
mod graph;
mod lines;
mod prime_paths;
mod report;
mod rule;
mod text;
mod totals;
mod walks;

pub use cycles::Cycle;
pub use differences::{Difference, Part, differences};
pub use elements::{LineCopy, LineElements, ListedBlock};
pub use graph::{ENTRY, EXIT, Solved, SolvedEdge, solve};
pub use lines::{BlockRef, LineBlocks};
pub use prime_paths::{is_complete, is_taken, listed_blocks, prime_paths};
pub use report::{Branch, Function, GcovReplay, GivesUp, replay};
pub use rule::Decided;
pub use text::TextBlock;
pub use walks::taken_paths;
