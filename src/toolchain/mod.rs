//! A profiler that was found on this machine: compile a program, run it, extract its report.
//!
//! Each family is one file and implements one trait, so that a campaign does not depend on the family, and tests can
//! use a fake profiler.

mod annotate;
mod archive;
mod attempt;
mod behaviour;
mod compilers;
mod complaint;
mod flags;
mod fork_runner;
mod gcov;
mod llvm_cov;
mod messages;
mod perturbation;
mod printed;
mod profiler;
mod recipe;
mod request;
mod select;
mod steps;
mod tool_runners;
mod traced;
mod unsupported;
mod without_coverage;
mod worker;

pub(crate) use annotate::REPORTED_SOURCE;
pub use archive::{Archive, Snapshots};
pub use attempt::StepResult;
pub(crate) use compilers::compilers_folder;
pub use complaint::Complaint;
pub(crate) use flags::{
    CONDITION_FLAGS, compile_flags, counts_conditions, counts_paths, has_threads, is_of_other_metric,
    makes_hidden_tests, may_race, starts_threads,
};
pub use flags::{condition_flags, first_with_conditions};
pub use printed::{Printed, Recorded};
pub use profiler::{Annotated, Probed, Profiler};
pub use request::{Confidence, Detail, Perturbation, Profile, Report, Request};
pub use select::select;
pub(crate) use select::{installed, usual};
pub(crate) use tool_runners::ToolRunners;
pub use traced::run_assembly;
pub(crate) use unsupported::{Asked, unsupported};
pub use without_coverage::{
    Assembly, UbChecks, assemble, assemble_texts, compile_text_with_places, compile_with_places,
    run_rewritten,
};
pub(crate) use without_coverage::{Level, detect_undefined, detector_count, is_undefined};

pub use crate::model::SOURCE;
pub use worker::Worker;
