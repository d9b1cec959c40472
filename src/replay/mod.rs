//! The model of each profiler: its report, computed again from its notes and counters, and the report that it should make.
//!
//! If a replay equals the profiler's own report, it can say what decides a number, and which number would follow from other
//! counts or another rule. If it differs, nothing may be derived from it. The expected report is defined over true counts of
//! source positions, never over the profiler's notes: with correct counters, wrong notes reproduce a wrong report.

mod deciding;
mod details;
mod expected;
pub mod gcov;
mod lacking;
pub mod llvm_cov;
mod numbers;
mod processes;

pub use deciding::Deciding;
pub use details::{covered, details, lines_to_keep, shown_count};
pub use expected::{
    BranchGroup, Expected, Misplaced, Unknown, branch_groups, break_of_chain, expected, expected_counts,
    expected_region, lacks_code, misplaced, needs_count, reached_at, tests_at, tests_constant,
    uncounted_chain_at, uncounted_chains,
};
pub use lacking::may_lack;
pub use numbers::{CheckedNumber, What, has_open_paths, metric_of_decisions, numbers};
pub use processes::{has_inherited, lacks_process};
