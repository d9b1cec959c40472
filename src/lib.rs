//! recount finds wrong counts in gcov and llvm-cov.
//!
//! A *profiler* is a compiler and its coverage tools: gcc with gcov, clang with llvm-profdata and llvm-cov. For a C
//! program P, recount runs the profiler to get the count of each line, rewrites P into a variant P' in a way that must
//! not change those counts (a *metamorphic relation*), runs the profiler again, and explains every difference. This
//! page is the design document. It is built with warnings denied, and a test checks the order of the modules.
//!
//! # The flow of data
//!
//! ```text
//! Settings + sources ──► Plan: Vec<Job>            pure data; printed by --dry-run, sharded, resumed by id
//!   Job = (program, input, profiler)
//!     prepare            ──► the parsed program P
//!     profile            ──► Report { execution, coverage } or an Outcome
//!     ground truth       ──► the values of our own counters, shared by a family; or the reason why there are none
//!     relations
//!       delete             ──► variants: sets of statements of P
//!         profile P'       ──► compare ──► Difference { output | strong | weak, place, before, after }
//!         isolate          ──► the smallest set of statements that still shows it: the culprit
//!       layout, guard, …   ──► mutations of P
//!         isolate          ──► the smallest set of mutations that exposes a wrong count which is right in P
//!       a count that is wrong only in a variant ──► the variant is a program of its own, with its own ground truth
//!       truth, flow, views ──► Contradiction: the report against our counters, itself, its other outputs
//!       peer               ──► the report against that of the other family, which is only evidence
//!       judge              ──► Evidence ──► unstable, artefact, convention, wrong or unexplained
//!       confirm            ──► a wrong count repeats, and the program has no undefined behaviour
//!       diagnose           ──► a wrong number: the faulty element of the profiler's data and its mechanism
//!       sign               ──► a signature: the mechanism, or else how the count changed and the syntax around it
//!     merge              ──► one finding for each faulty element, with all relations that found it
//!     record             ──► JobRecord ──► journal (one line a job) and events ──► console
//! journal ──► clusters (equal signatures) ──► report, pages, a folder for each cluster's example
//!   folder ──► reduce: the smallest program with the same finding ──► the contrast, other versions
//!          ──► clusters with the same canonical form are merged ──► a bug report
//! ```
//!
//! Three ideas carry the design. *A finding is a cause, not a difference*: one defect of a profiler shows up in hundreds
//! of programs, and everything after the comparison exists to turn many differences into few causes. *Ground truth
//! decides*: counters that [`syntax::instrument`] adds to the preprocessed source count how often each part of each line
//! ran, and functions, branches and regions too. *Every finding is confirmed*: before a finding is left open, P and P'
//! are built and run again, P is given a different memory layout, sanitizers look for undefined behaviour, and ground truth
//! is rebuilt with the compiler under test. For a deletion, a trap is placed where the report claims that nothing ran. The
//! setting `triage.isolate` switches this off.
//!
//! # Modules
//!
//! A module may name only modules above it in this table (`tests/house.rs`).
//!
//! | module | contents |
//! | --- | --- |
//! | [`model`] | the vocabulary: counts, differences, outcomes, findings, verdicts |
//! | [`sys`] | the operating system: commands under limits, the supervisor, scratch folders, interrupts. The only module that starts processes |
//! | [`config`] | TOML and flags → one validated [`config::Settings`] |
//! | [`syntax`] | C: parsing, statements and whether they can be removed, edits, instrumentation. The only user of tree-sitter |
//! | [`generate`] | random C programs whose counts an interpreter knows |
//! | [`coverage`] | the coverage model, and the readers of gcov's and llvm-cov's formats |
//! | [`corpus`] | programs, their flags and inputs |
//! | [`toolchain`] | a probed profiler: compile, run, extract. One file per family, which implements [`toolchain::Profiler`] |
//! | [`truth`] | ground truth: the points of each line, how often they ran, and the counts that a report may have |
//! | [`replay`] | the model of each profiler: its notes and counters → its report, and the count that each line should have |
//! | [`relation`] | one file per relation: its variants, and why they must not change a count |
//! | [`mod@compare`] | two reports → differences, one exhaustive function |
//! | [`mod@diagnose`] | wrong numbers → the faulty element of the profiler's data and its mechanism. One file per profiler |
//! | [`journal`] | the append-only record and its blobs |
//! | [`triage`] | isolates, confirms and judges findings, gives them signatures, clusters them; facts about a program, each determined once |
//! | [`reduce`] | makes a program smaller that still shows its finding; the nearest program with correct counts; other versions |
//! | [`campaign`] | plan, workers, events, resume, shards |
//! | [`audit`] | a package built and tested in place: which numbers of its coverage report are wrong |
//! | [`report`] | journals → text, JSON, `JUnit`, pages, examples, bug reports for the maintainers |
//! | [`inputs`] | the input search: from a C file to inputs and their coverage; goals, branch distance, search methods, the process that runs the function |
//! | [`console`] | the only module that draws on the terminal |
//! | [`cli`] | flags, dispatch, exit codes |
//!
//! # Guarantees
//!
//! The same seed, sources and tools give the same findings, except unstable ones, for any number of workers and shards
//! and after any kill and `--resume`. A job's random numbers depend only on the seed and the job's id, everything that
//! explains a finding happens inside its job, and everything derived from a journal is derived from its records sorted
//! by job.

pub mod model;
pub mod sys;
pub mod config;
pub mod syntax;
pub mod generate;
pub mod coverage;
pub mod corpus;
pub mod toolchain;
pub mod truth;
pub mod replay;
pub mod relation;
pub mod compare;
pub mod diagnose;
pub mod journal;
pub mod triage;
pub mod reduce;
pub mod campaign;
pub mod audit;
pub mod report;
pub mod inputs;
pub mod console;
pub mod cli;
