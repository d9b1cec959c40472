//! x
#![allow(missing_docs)]
pub mod model;
pub mod sys;
pub mod config;
pub mod syntax;
pub mod coverage;
pub mod corpus;
pub mod toolchain;
pub mod relation;
pub mod compare;
pub mod journal;
pub mod triage;
pub mod campaign;
pub mod report;
pub mod console;
pub mod cli;
