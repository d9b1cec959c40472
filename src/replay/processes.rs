//! The counts of a line in a profile that lacks some of the processes, or counts some twice.

use std::collections::BTreeSet;

use super::expected;
use crate::model::{Family, Line};
use crate::truth::Truth;

/// Whether a profile without some of the processes may give `line` this `count`. gcov writes the counts of a process
/// when it forks, executes another program or exits, and adds them up; it derives some counts of a process that ended
/// inside a function from others. llvm-cov adds up what the processes that exit have at that time; where a program resets its
/// counters, code that runs afterwards has the counter of a region that began before.
pub fn lacks_process(truth: &Truth, family: Family, line: Line, count: u64) -> bool {
    let counts = |truth| counts(truth, family, line);
    let is_whole = family == Family::LlvmCov && truth.processes.iter().all(|process| process.has_exited);
    let Some(partial) = truth.partial.as_ref().filter(|_| !is_whole) else { return false };
    let least = match family {
        Family::Gcov => counts(&partial.exited).first().copied(),
        Family::LlvmCov => partial.each.iter().filter_map(|one| counts(one).first().copied()).min(),
    };
    let most = counts(truth).last().copied();
    let ends_here = || {
        let points = expected(truth, family, line).map(|found| found.points).unwrap_or_default();
        points.iter().any(|id| truth.left_functions.contains(&truth.point(*id).function))
    };
    let is_less = most.is_some_and(|most| count <= most);
    match family {
        Family::Gcov => is_less && least.is_none_or(|least| least <= count) || ends_here(),
        Family::LlvmCov => is_less && (least.is_none_or(|least| least <= count) || ends_here()),
    }
}

/// Whether `line` may have this `count` if processes count what they inherited too.
pub fn has_inherited(truth: &Truth, family: Family, line: Line, count: u64) -> bool {
    let own = counts(truth, family, line).first().copied();
    let all = truth.partial.as_ref().map(|partial| &partial.with_inherited);
    all.is_some_and(|all| own < Some(count) && Some(count) <= counts(all, family, line).last().copied())
}

fn counts(truth: &Truth, family: Family, line: Line) -> BTreeSet<u64> {
    expected(truth, family, line).map(|found| found.counts).unwrap_or_default()
}
