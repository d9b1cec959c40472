//! The evaluating process, `recount evaluate`: one per search. It loads the probed function and searches in the same
//! process, so that an evaluation is a call and not a message. It reports progress and leaves the outcome in a file.
//!
//! The function may crash, loop, exit or overflow the stack: the harness ends that run, and the search continues. If the
//! function breaks the process itself, for example by overwriting memory of the C library, the parent starts again with
//! a process for each run ([`Isolation::Fork`]), which is slower and survives everything. Either way, every run starts
//! from the same memory, so that the outcome depends only on the seed.

mod job;
mod library;
mod process;

pub use job::{Built, Isolation, SearchJob, SearchOptions, SearchReport};
pub use process::evaluate;

/// The harness in C, which is linked with the probed source.
pub const HARNESS: &str = include_str!("harness.c");
