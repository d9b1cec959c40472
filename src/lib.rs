//! x
#![allow(missing_docs)]
pub mod model;
pub mod sys;
pub mod config;
pub mod syntax;
pub mod coverage;
