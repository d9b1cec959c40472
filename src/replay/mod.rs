//! The model of each profiler: how it turns counters into a report, and so what its report should say.

mod expected;
mod processes;

pub use expected::{BranchGroup, Expected, Unknown, branch_groups, expected, expected_counts, needs_count};
pub use processes::{has_inherited, lacks_process};
