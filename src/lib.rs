//! recount checks code-coverage profilers against themselves.
//!
//! A *profiler* is a compiler and the coverage tools that belong to it: gcc with
//! gcov, clang with llvm-profdata and llvm-cov. For a C program P, recount asks
//! the profiler how often each line ran, rewrites P in a way that must not change
//! those counts (a *metamorphic relation*), asks again, and explains every
//! difference down to its cause. This page is the design document: it is built
//! with warnings denied, and a test keeps the order of the rooms.
//!
//! # The flow of data
//!
//! ```text
//! Settings + sources ──► Plan: Vec<Job>            pure data; printed by --dry-run, sharded, resumed by id
//!   Job = (program, input, profiler)
//!     profile P          ──► Report { execution, coverage } or an Outcome
//!     relation.propose   ──► variants: sets of atoms over the one parsed P
//!     profile P'         ──► compare ──► Difference { output | strong | weak, place, before, after }
//!     isolate            ──► the smallest set of atoms that still shows it: the culprit
//!     judge              ──► unstable? artefact of the edit? code that ran although its count is 0?
//!     sign               ──► a signature: how the count moved, and the syntax around place and culprit
//!   JobRecord ──► journal (one line a job) and events ──► console
//! journal ──► clusters (equal signatures) ──► report, examples
//! ```
//!
//! Two ideas carry the design. *A finding is a cause, not a difference*: one quirk
//! of a profiler shows in hundreds of programs, and everything after the comparison
//! exists to turn many differences into few causes. *Nothing is believed at once*:
//! before a finding is left open, P and P' are built and run again, P is laid out
//! differently in memory, and a trap is put where the report says that nothing ran.
//!
//! # The rooms
//!
//! A module may name only modules above it in this table (`tests/house.rs`).
//!
//! | room | what it knows |
//! | --- | --- |
//! | [`model`] | the vocabulary: counts, differences, outcomes, findings, verdicts |
//! | [`sys`] | the operating system: commands under limits, the supervisor, scratch folders, interrupts. The only place that spawns |
//! | [`config`] | TOML and flags → one validated [`config::Settings`] |
//! | [`syntax`] | C: parse, statements, what may be removed, edits. The only user of tree-sitter |
//! | [`coverage`] | the coverage model, and the readers of gcov's and llvm-cov's formats |
//! | [`corpus`] | programs, their flags and inputs |
//! | [`toolchain`] | a probed profiler: compile, run, extract. One file a family behind [`toolchain::Profiler`] |
//! | [`relation`] | one file a relation: its variants, and why they must not change a count |
//! | [`mod@compare`] | two reports → differences, one exhaustive function |
//! | [`journal`] | the append-only record and its blobs |
//! | [`triage`] | isolate, confirm, judge, sign, cluster |
//! | [`campaign`] | plan, workers, events, resume, shards |
//! | [`report`] | journals → text, JSON, examples |
//! | [`console`] | the only room that draws on the terminal |
//! | [`cli`] | flags, dispatch, exit codes |
//!
//! # What is promised
//!
//! The same seed, sources and tools give the same findings but unstable ones, for any number of
//! workers and shards and after any kill and `--resume`: a job's random numbers come from the seed
//! and the job's id alone, everything that explains a finding happens inside its job, and what is
//! derived from a journal is derived from its records sorted by job.

pub mod model;
pub mod sys;
pub mod config;
pub mod syntax;
pub mod coverage;
pub mod corpus;
pub mod toolchain;
pub mod truth;
pub mod relation;
pub mod compare;
pub mod journal;
pub mod triage;
pub mod campaign;
pub mod report;
pub mod console;
pub mod cli;
