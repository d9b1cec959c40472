//! Compilers' testsuites and packages, turned into folders of programs for a campaign.
//!
//! An imported program is copied with the headers that it includes by quotes, keeps its relative path, and gets a
//! sidecar. `import.tsv` says for every C file what became of it, because a program that is missing silently would
//! look like one without findings. No testsuite is part of recount; the parsers are tested on text of our own.

pub(crate) mod build;
pub mod calls;
pub(crate) mod clang;
mod directive;
mod fate;
mod folder;
pub(crate) mod gcc;
mod includes;
pub(crate) mod joining;
mod options;
pub(crate) mod package;
pub(crate) mod recorder;
mod selector;
mod target;

pub(crate) use fate::{DOES_NOT_COMPILE, Fate, Fates, Skipped, Taken, skip, tally, text_of};
use fate::{FAILS, OTHER_TARGET, UNKNOWN};
pub(crate) use folder::{Folder, LIST};
pub(crate) use includes::included;
