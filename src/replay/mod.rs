//! Models of the profilers: each computes a report again from the profiler's own data. Where the report differs, the
//! program that printed it is at fault; with true counts in place of the profiler's, the same rules give the expected
//! report.

pub mod llvm_cov;
