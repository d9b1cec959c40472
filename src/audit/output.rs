//! What the tests print in the two builds. Order and paths of the copies may differ, and so may what differs between the two runs
//! of one build, such as times and addresses.

use anyhow::Result;

use super::session::Phase;
use super::test_run::TestRun;

/// A sentence about a line that the tests print in every run of one build and in no run of the other. None if the tests compile
/// something, since compilers print something else in the two builds.
pub fn differing_output(coverage: &[TestRun], counters: &[TestRun]) -> Result<Option<String>> {
    let mut sides = Vec::new();
    for runs in [coverage, counters] {
        let mut printed = Vec::new();
        for run in runs {
            let phase = Phase::Test(run.number).to_string();
            if !run.session.units_of(&phase)?.is_empty() || !run.session.links_of(&phase)?.is_empty() {
                return Ok(None);
            }
            printed.push(lines(run, &phase)?);
        }
        if printed.windows(2).any(|two| two[0] != two[1]) {
            return Ok(None);
        }
        sides.extend(printed.into_iter().next());
    }
    let [with_coverage, with_counters] = &sides[..] else { return Ok(None) };
    let only = |one: &[String], other: &[String]| one.iter().find(|line| !other.contains(line)).cloned();
    let found = only(with_coverage, with_counters)
        .map(|line| (line, "coverage"))
        .or_else(|| only(with_counters, with_coverage).map(|line| (line, "counters")));
    Ok(found.map(|(line, build)| format!("the tests print this only in the build with {build}: {line}")))
}

/// What the run printed, line by line and sorted, without the paths of its copy.
fn lines(run: &TestRun, phase: &str) -> Result<Vec<String>> {
    let text = fs_err::read(run.session.data.join("logs").join(format!("{phase}.log")))?;
    let text = String::from_utf8_lossy(&text).replace(run.session.tree.as_str(), "");
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.sort_unstable();
    Ok(lines)
}
