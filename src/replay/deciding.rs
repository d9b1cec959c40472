//! The elements that decide the count of a line, each next to the true count of the code that it is about.
//!
//! They are taken from the replay, so there are none if it does not reproduce the count of the line.

mod gcov;
mod llvm_cov;
mod unexplained;

use crate::coverage::Coverage;
use crate::model::{DecidingElement, Family, Line};
use crate::truth::Truth;

/// More elements than a person reads.
const MOST: usize = 60;

/// A report that was computed again, to say what decides its counts.
pub struct Deciding<'a>(Result<Replay<'a>, String>);

enum Replay<'a> {
    Gcov(gcov::Blocks<'a>),
    LlvmCov(llvm_cov::Regions<'a>),
}

impl<'a> Deciding<'a> {
    /// `file` is the name of the file by which the profiler knows it.
    pub fn new(
        report: &'a Coverage,
        truth: Option<&'a Truth>,
        family: Family,
        file: &'a str,
    ) -> Deciding<'a> {
        Deciding(match family {
            Family::Gcov => gcov::Blocks::new(report, truth, file).map(Replay::Gcov),
            Family::LlvmCov => llvm_cov::Regions::new(report, truth).map(Replay::LlvmCov),
        })
    }

    /// What decides the count of `line`.
    ///
    /// # Errors
    /// A sentence that says why that is not known.
    pub fn of(&self, line: Line) -> Result<Vec<DecidingElement>, String> {
        let mut found = match self.0.as_ref()? {
            Replay::Gcov(blocks) => blocks.deciding(line)?,
            Replay::LlvmCov(regions) => regions.deciding(line)?,
        };
        if found.len() > MOST {
            let element = format!("and {} more", found.len() - MOST);
            found.truncate(MOST);
            found.push(DecidingElement { element, ..DecidingElement::default() });
        }
        Ok(found)
    }
}
