//! gcov's prime paths: which of them a function took. The counts of the arcs of the function, which gcov counts apart from paths,
//! decide many of them, and the order in which a run took the arcs decides the rest. Our counters say whether control left the function.

use super::checked::{CheckedNumber, Right, What};
use crate::coverage::{Coverage, FunctionGraph, FunctionPaths, GcovNotes};
use crate::model::{Line, Metric};
use crate::replay::gcov::{ENTRY, is_complete, is_taken, listed_blocks, prime_paths, solve, taken_paths};
use crate::truth::Truth;

/// Why the right value of a path is not known. An order of the arcs may decide it.
const OPEN: &str = "the arcs do not decide whether the path was taken";

/// The most numbers of paths that are listed as possible.
const MOST_NUMBERS: u64 = 64;

/// One number for each path of each function, 1 if it is covered and 0 if not, and one for each function: how many are.
pub(super) fn paths(report: &Coverage, truth: Option<&Truth>) -> Vec<CheckedNumber> {
    let Ok(notes) = report.notes() else { return Vec::new() };
    // gcov does not list the paths through code that it is asked to leave out, but counts them.
    let is_suppressed = |name: &str, line: Line| {
        graphs(notes, name, line).any(|graph| graph.blocks.iter().any(|block| block.is_suppressed))
    };
    let listed = report.paths.iter().filter(|paths| !is_suppressed(&paths.name, paths.line));
    let mut found: Vec<CheckedNumber> = listed.flat_map(|found| of_function(notes, found, truth)).collect();
    let is_missing = |name: &str, line: Line| {
        let is_it = |paths: &FunctionPaths| (paths.name.as_str(), paths.line) == (name, line);
        !report.paths.iter().any(is_it) && !is_suppressed(name, line)
    };
    for function in report.functions.iter().filter(|function| is_missing(&function.name, function.line)) {
        let all = graphs(notes, &function.name, function.line).next().map_or(0, |graph| graph.paths);
        if all > 0 {
            let what = What::Paths { function: function.name.clone(), all: all as usize };
            let right = Ok((0..=u64::from(all)).collect());
            found.push(CheckedNumber { metric: Metric::Path, line: function.line, what, count: None, right });
        }
    }
    found
}

/// Whether the counts of arcs leave open which paths were taken.
pub fn has_open_paths(report: &Coverage, truth: &Truth) -> bool {
    !report.paths.is_empty() && paths(report, Some(truth)).iter().any(|number| number.right == Err(OPEN))
}

/// The graphs of the functions with a name and the line of their definition.
fn graphs<'a>(notes: &'a GcovNotes, name: &str, line: Line) -> impl Iterator<Item = &'a FunctionGraph> {
    notes.functions.iter().filter(move |graph| graph.name == name && graph.lines.0 == line)
}

/// How often a call of the function with this name in the notes did not come to its end; none if that is unknown. That of a nested
/// function is followed by a number.
fn left_calls(truth: &Truth, name: &str) -> Option<u64> {
    let typed = name.split('.').next()?;
    let same = (0..truth.functions.len()).filter(|index| truth.functions[*index].name == typed);
    same.map(|index| truth.not_left(index)).reduce(|one, other| one + other)
}

/// The numbers of one function. If a call of it did not come to its end, a path may have been interrupted.
fn of_function(notes: &GcovNotes, found: &FunctionPaths, truth: Option<&Truth>) -> Vec<CheckedNumber> {
    let mut same = graphs(notes, &found.name, found.line);
    let (Some(graph), None) = (same.next(), same.next()) else { return Vec::new() };
    let solved = solve(graph);
    let total = What::Paths { function: found.name.clone(), all: found.total };
    let number = |what, count, right| CheckedNumber {
        metric: Metric::Path,
        line: found.line,
        what,
        count: Some(count),
        right,
    };
    let all = prime_paths(&solved).filter(|all| {
        let is_prime = |path: &Vec<usize>| all.iter().any(|prime| listed_blocks(prime) == path);
        all.len() == found.total && found.uncovered.iter().all(is_prime)
    });
    let Some(all) = all else {
        let reason = "the prime paths of the function are not known";
        return vec![number(total, found.covered, Err(reason))];
    };
    // The counts of arcs are derived as if each call returned.
    let left = truth.and_then(|truth| left_calls(truth, &found.name));
    let trace = truth.and_then(|truth| truth.arcs.as_ref()?.get(&graph.name));
    let in_order = trace.zip(left).and_then(|(trace, left)| taken_paths(graph, &solved, trace, left, &all));
    let left = left.unwrap_or(0);
    let (mut least, mut most) = (0, 0);
    let mut numbers: Vec<CheckedNumber> = Vec::new();
    for (index, path) in all.iter().enumerate() {
        let by_counts = is_taken(&solved, path).filter(|taken| left == 0 || !taken);
        let by_order = in_order.as_ref().map(|taken| taken.contains(&index));
        let is_contradicted = by_counts.is_some_and(|taken| by_order == Some(!taken));
        let taken = by_counts.or(by_order).filter(|_| !is_contradicted);
        least += u64::from(taken == Some(true));
        most += u64::from(taken != Some(false));
        let right: Right = taken.map(|taken| vec![u64::from(taken)]).ok_or(OPEN);
        let is_covered = !found.uncovered.iter().any(|uncovered| uncovered == listed_blocks(path));
        let what = What::Path { function: found.name.clone(), lines: lines_of(graph, path) };
        numbers.push(number(what, u64::from(is_covered), right));
    }
    // Without a loop each call takes one path, from the entry to the end, unless control leaves it before.
    let calls = u64::try_from(solved.blocks[ENTRY]).unwrap_or(0);
    if all.iter().all(|path| path[0] == ENTRY) {
        most = most.min(calls).max(least);
        least = least.max(u64::from(left == 0 && calls > 0 && is_complete(&solved))).min(most);
    }
    // The number must be that of the paths that are listed.
    let listed = found.total.saturating_sub(found.uncovered.len()) as u64;
    let right = if found.covered != listed {
        Ok(vec![listed])
    } else if most - least <= MOST_NUMBERS {
        Ok((least..=most).collect())
    } else {
        Err("the arcs do not decide how many paths were taken")
    };
    numbers.push(number(total, found.covered, right));
    numbers
}

/// The lines of the blocks of `path`, each run of equal ones once.
fn lines_of(graph: &FunctionGraph, path: &[usize]) -> Vec<Line> {
    let blocks = path.iter().map(|block| &graph.blocks[*block]);
    let mut lines: Vec<Line> =
        blocks.flat_map(|block| block.locations.iter().flat_map(|at| at.lines.iter().copied())).collect();
    lines.dedup();
    lines
}
