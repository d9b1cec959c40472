//! The model of each profiler: its report, computed again from its notes and counters.
//!
//! If a replay equals the profiler's own report, it can say what decides a number, and which number would follow from other
//! counts or another rule. If it differs, nothing may be derived from it.

pub mod gcov;
