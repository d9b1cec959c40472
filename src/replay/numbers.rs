//! The functions, branches and regions of a report next to the counts that they should have: each number that differs is
//! wrong.
//!
//! An expected count is that of the one point of ground truth which a number is about. Where several could be meant, or none
//! is, the number has the reason instead.

mod checked;
mod functions;
mod gcov;
mod llvm_cov;
mod unclamped;

pub use checked::{CheckedNumber, What};

use crate::coverage::Coverage;
use crate::model::Family;
use crate::truth::Truth;

/// Every function, branch and region of `report`, and those that it lacks although they must be there; by line.
pub fn numbers(report: &Coverage, truth: Option<&Truth>, family: Family) -> Vec<CheckedNumber> {
    let mut found = functions::functions(report, truth, family);
    match family {
        Family::Gcov => found.extend(gcov::branches(report, truth)),
        Family::LlvmCov => found.extend(llvm_cov::branches_and_regions(report, truth)),
    }
    found.sort_by_key(|number| (number.metric, number.line));
    found
}
