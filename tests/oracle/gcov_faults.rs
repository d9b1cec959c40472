//! Faults in the graphs and counters from which gcov makes its report.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use recount::coverage::{BranchCount, Coverage, FunctionCount, FunctionGraph, GcovNotes, Location};
use recount::model::Line;
use recount::replay::gcov::replay;

use super::fault::{ALTERATIONS, Fault, Layer};
use super::gcno::BlockLines;
use super::real_tool::Altered;

/// The report that gcov makes of `notes`, as our reader has it: counts below zero have wrapped. The conditions, which gcov
/// counts elsewhere, are those of `report`. None if gcov rejects the notes.
pub fn replayed(notes: &GcovNotes, report: &Coverage) -> Option<Coverage> {
    let replay = replay(notes, "p.c").ok()?;
    let mut found: Coverage =
        replay.lines.iter().map(|(line, count)| (*line, count.cast_unsigned())).collect();
    let functions = replay.functions.iter().map(|function| FunctionCount {
        name: function.name.clone(),
        line: function.line,
        count: function.count.cast_unsigned(),
    });
    found.functions = functions.collect();
    let branches = replay
        .branches
        .iter()
        .map(|branch| BranchCount { line: branch.line, taken: branch.taken.map(i64::cast_unsigned) });
    found.branches = branches.collect();
    found.decisions.clone_from(&report.decisions);
    found.paths.clone_from(&report.paths);
    Some(found)
}

/// A change of a function with the lines of the report; false if it is impossible there.
type Change = fn(&mut FunctionGraph, &mut ChaCha8Rng) -> bool;

const CHANGES: [(Layer, &str, Change); 5] = [
    (Layer::Mapping, "line later", |graph, random| {
        change_line(graph, random, |lines, index| lines[index] += 1)
    }),
    (Layer::Mapping, "line lost", |graph, random| {
        change_line(graph, random, |lines, index| {
            lines.remove(index);
        })
    }),
    (Layer::Mapping, "line gained", gain_line),
    (Layer::Mapping, "lines swapped", swap_lines),
    (Layer::Removed, "lines of a block", |graph, random| {
        let Some(block) = listed(graph).choose(random).copied() else { return false };
        graph.blocks[block].locations.clear();
        true
    }),
];

/// `most` faults of each kind.
pub fn in_graphs(notes: &GcovNotes, report: &Coverage, most: usize, random: &mut ChaCha8Rng) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut add = |layer, kind, notes: &GcovNotes, altered: Option<Altered>| {
        if let Some(report) = replayed(notes, report) {
            faults.push(Fault { layer, kind, report, altered });
        }
    };
    let counted: Vec<(usize, usize, i64)> = (0..notes.functions.len())
        .flat_map(|function| {
            let edges = notes.functions[function].edges.iter().enumerate();
            edges.filter_map(move |(edge, found)| Some((function, edge, found.counter?)))
        })
        .collect();
    for (kind, alter) in ALTERATIONS {
        for (function, edge, count) in counted.sample(random, most) {
            let neighbours = counted.iter().filter(|other| other.0 == *function && other.2 != *count);
            let neighbour = neighbours.map(|other| other.2).next().unwrap_or(*count);
            let mut notes = notes.clone();
            let altered = alter(count.cast_unsigned(), neighbour.cast_unsigned()).cast_signed();
            let graph = &mut notes.functions[*function];
            graph.edges[*edge].counter = Some(altered);
            let index = graph.edges[..*edge].iter().filter(|edge| edge.counter.is_some()).count();
            let altered = Altered::Arc { function: graph.ident, index, value: altered };
            add(Layer::Counter, kind, &notes, Some(altered));
        }
    }
    for (layer, kind, change) in CHANGES {
        for _ in 0..most {
            let mut notes = notes.clone();
            let function = random.random_range(0..notes.functions.len());
            let original = notes.functions[function].clone();
            if change(&mut notes.functions[function], random) {
                let blocks = notes.functions[function].blocks.iter().enumerate();
                let changed = blocks.filter(|(block, found)| original.blocks[*block] != **found);
                let altered = changed.map(|(block, found)| {
                    let named =
                        |location: &Location| (notes.files[location.file].clone(), location.lines.clone());
                    BlockLines { function, block, locations: found.locations.iter().map(named).collect() }
                });
                add(layer, kind, &notes, Some(Altered::Lines(altered.collect())));
            }
        }
    }
    faults
}

/// The blocks with lines.
fn listed(graph: &FunctionGraph) -> Vec<usize> {
    let has_lines =
        |block: &usize| graph.blocks[*block].locations.iter().any(|found| !found.lines.is_empty());
    (0..graph.blocks.len()).filter(has_lines).collect()
}

fn change_line(
    graph: &mut FunctionGraph,
    random: &mut ChaCha8Rng,
    change: impl Fn(&mut Vec<Line>, usize),
) -> bool {
    let Some(block) = listed(graph).choose(random).copied() else { return false };
    let locations = &mut graph.blocks[block].locations;
    locations.retain(|location| !location.lines.is_empty());
    let location = random.random_range(0..locations.len());
    let index = random.random_range(0..locations[location].lines.len());
    change(&mut locations[location].lines, index);
    locations.retain(|location| !location.lines.is_empty());
    true
}

/// A block lists a line of another one too.
fn gain_line(graph: &mut FunctionGraph, random: &mut ChaCha8Rng) -> bool {
    let blocks = listed(graph);
    let (Some(block), Some(other)) = (blocks.choose(random), blocks.choose(random)) else { return false };
    let line =
        graph.blocks[*other].locations.iter().rev().find_map(|location| location.lines.last().copied());
    let last = graph.blocks[*block].locations.last_mut();
    let (Some(line), Some(last)) = (line, last) else { return false };
    last.lines.push(line);
    block != other
}

fn swap_lines(graph: &mut FunctionGraph, random: &mut ChaCha8Rng) -> bool {
    let blocks = listed(graph);
    let (Some(block), Some(other)) = (blocks.choose(random), blocks.choose(random)) else { return false };
    graph.blocks.swap(*block, *other);
    block != other
}
