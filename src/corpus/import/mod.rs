//! Turns compilers' testsuites and packages into folders of programs for a campaign.
//!
//! An imported program is copied with the headers that it includes by quotes, keeps its relative path, and gets a
//! sidecar. `import.tsv` lists every C file and whether it was taken, because a program that is silently missing would
//! look like a program without findings. No testsuite is part of recount; the parsers are tested on text of our own.

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
pub(crate) mod self_contained;
mod target;

pub(crate) use fate::{DOES_NOT_COMPILE, Fate, Fates, Skipped, Taken, skip, tally, text_of};
use fate::{FAILS, OTHER_TARGET, UNKNOWN};
pub(crate) use folder::{Folder, LIST};
pub(crate) use includes::included;
