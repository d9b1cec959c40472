//! The functions, branches, regions, decisions and paths of a report next to the counts that they should have: each number that differs is
//! wrong.
//!
//! An expected count is that of the one point of ground truth which a number is about. Where several could be meant, or none
//! is, the number has the reason instead.

mod checked;
mod decisions;
mod functions;
mod gcov;
mod llvm_cov;
mod missing;
mod orders;
mod paths;
mod unclamped;

pub use checked::{CheckedNumber, What, metric_of_decisions};
pub use paths::has_open_paths;

use crate::coverage::Coverage;
use crate::model::{Family, LARGEST_COUNT};
use crate::truth::Truth;

/// Every function, branch, region, decision and path of `report`, and those that it lacks although they must be there; by line.
pub fn numbers(report: &Coverage, truth: Option<&Truth>, family: Family) -> Vec<CheckedNumber> {
    let inside = truth.and_then(|truth| truth.inside_functions(report, family));
    let report = inside.as_ref().unwrap_or(report);
    let mut found = functions::functions(report, truth, family);
    match family {
        Family::Gcov => {
            found.extend(gcov::branches(report, truth));
            found.extend(paths::paths(report, truth));
        }
        Family::LlvmCov => found.extend(llvm_cov::branches_and_regions(report, truth)),
    }
    found.extend(decisions::decisions(report, truth, family));
    let may_race = truth.is_some_and(|truth| truth.may_race);
    for number in found.iter_mut().filter(|_| !may_race) {
        if number.right.is_err() && number.count > Some(LARGEST_COUNT) {
            number.right = Ok(Vec::new());
        }
    }
    found.sort_by_key(|number| (number.metric, number.line));
    found
}
