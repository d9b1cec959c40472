//! gcov's prime paths: which of them a function took. The counts of the arcs of the function, which gcov counts apart from paths,
//! decide many of them, and the order in which a run took the arcs decides the rest. Our counters say whether control left the function.

use super::checked::{CheckedNumber, Right, What};
use crate::coverage::{Coverage, FunctionGraph, FunctionPaths, GcovNotes};
use crate::model::{Line, Metric};
use crate::replay::gcov::{ENTRY, is_complete, is_taken, listed_blocks, prime_paths, solve, taken_paths};
use crate::truth::{ArcTrace, Truth};

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
    // The counts of arcs are derived as if each call returned.
    let is_left = |name: &str| {
        let functions = truth.map_or(&[][..], |truth| &truth.functions);
        let mut same = (0..functions.len()).filter(|index| functions[*index].name == name);
        !same.any(|index| truth.is_some_and(|truth| truth.not_left(index) > 0))
    };
    let arcs = truth.and_then(|truth| truth.arcs.as_deref());
    let mut found: Vec<CheckedNumber> =
        listed.flat_map(|found| of_function(notes, found, is_left(&found.name), arcs)).collect();
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

/// The graphs of the functions with a name and the line of their definition.
fn graphs<'a>(notes: &'a GcovNotes, name: &str, line: Line) -> impl Iterator<Item = &'a FunctionGraph> {
    notes.functions.iter().filter(move |graph| graph.name == name && graph.lines.0 == line)
}

/// The numbers of one function. If control did not leave it each time, a path may have been interrupted.
fn of_function(
    notes: &GcovNotes,
    found: &FunctionPaths,
    is_left: bool,
    arcs: Option<&ArcTrace>,
) -> Vec<CheckedNumber> {
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
    let trace = arcs.and_then(|arcs| arcs.get(&graph.name)).filter(|_| is_complete(&solved));
    let in_order = trace.and_then(|trace| taken_paths(graph, trace, &all));
    let (mut least, mut most) = (0, 0);
    let mut numbers: Vec<CheckedNumber> = Vec::new();
    for (index, path) in all.iter().enumerate() {
        let in_order = in_order.as_ref().map(|taken| taken.contains(&index));
        let taken = is_taken(&solved, path).or(in_order).filter(|taken| is_left || !taken);
        least += u64::from(taken == Some(true));
        most += u64::from(taken != Some(false));
        let right: Right = taken
            .map(|taken| vec![u64::from(taken)])
            .ok_or("the counts of the arcs do not decide whether the path was taken");
        let is_covered = !found.uncovered.iter().any(|uncovered| uncovered == listed_blocks(path));
        let what = What::Path { function: found.name.clone(), lines: lines_of(graph, path) };
        numbers.push(number(what, u64::from(is_covered), right));
    }
    // Without a loop each call takes one path, from the entry to the end, unless control leaves it before.
    let calls = u64::try_from(solved.blocks[ENTRY]).unwrap_or(0);
    if all.iter().all(|path| path[0] == ENTRY) {
        most = most.min(calls).max(least);
        least = least.max(u64::from(is_left && calls > 0 && is_complete(&solved))).min(most);
    }
    // The number must be that of the paths that are listed.
    let listed = found.total.saturating_sub(found.uncovered.len()) as u64;
    let right = if found.covered != listed {
        Ok(vec![listed])
    } else if most - least <= MOST_NUMBERS {
        Ok((least..=most).collect())
    } else {
        Err("the counts of the arcs do not decide how many paths were taken")
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
