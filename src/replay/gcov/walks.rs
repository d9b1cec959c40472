//! The paths that the calls of a function took, from the order of the arcs that they took.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::graph::{ENTRY, EXIT, Solved, SolvedEdge};
use crate::coverage::FunctionGraph;
use crate::truth::TakenArc;

/// The indices of those of `paths` that were taken, given the arcs with counters that the function took, in their order. None if
/// these are not those that its counters count, or if calls were `left` before their end, except the only call of a function.
///
/// All other arcs are on a spanning tree with the arc from the exit to the entry (`find_spanning_tree` in profile.cc), so one way at
/// most leads from an arc of the trace to the next one. From the end of a call to the next one with the same frame it
/// leads through the exit and the entry.
pub fn taken_paths(
    graph: &FunctionGraph,
    solved: &Solved,
    trace: &[TakenArc],
    left: u64,
    paths: &[Vec<usize>],
) -> Option<BTreeSet<usize>> {
    let counted: Vec<(usize, usize, i64)> =
        graph.edges.iter().filter_map(|edge| Some((edge.from, edge.to, edge.counter?))).collect();
    let mut taken = vec![0; counted.len()];
    for arc in trace {
        *taken.get_mut(arc.counter)? += 1;
    }
    if !taken.iter().zip(&counted).all(|(taken, (.., count))| taken == count) {
        return None;
    }
    let end = last_block(solved, left)?;
    let mut tree = Tree { next: vec![Vec::new(); graph.blocks.len()], ways: HashMap::new() };
    for edge in graph.edges.iter().filter(|edge| edge.counter.is_none() && !edge.is_fake) {
        tree.next[edge.from].push(edge.to);
    }
    tree.next[EXIT].push(ENTRY);
    let mut found = Found::new(graph.blocks.len(), paths);
    let mut by_frame: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for arc in trace {
        by_frame.entry(arc.frame).or_default().push(arc.counter);
    }
    for counters in by_frame.values() {
        let (mut at, mut walk) = (ENTRY, vec![ENTRY]);
        for (from, to, _) in counters.iter().map(|counter| counted[*counter]) {
            found.follow(&mut walk, tree.way(at, from)?);
            found.follow(&mut walk, &[to]);
            at = to;
        }
        found.follow(&mut walk, tree.way(at, end)?);
    }
    Some(found.taken)
}

/// The block with which the calls of a function end: the exit, or the block with the call that did not return if it was called
/// once. None if that is not known.
fn last_block(solved: &Solved, left: u64) -> Option<usize> {
    let is_left_by = |edge: &&SolvedEdge| edge.is_fake && edge.count != 0;
    let mut by = solved.edges.iter().filter(is_left_by);
    match (by.next(), by.next()) {
        _ if !solved.is_determined => None,
        (None, _) => (left == 0).then_some(EXIT),
        (Some(edge), None) => {
            let is_only = edge.count == 1 && left == 1 && solved.blocks[ENTRY] == 1;
            (is_only && edge.from != ENTRY).then_some(edge.from)
        }
        _ => None,
    }
}

/// The arcs without counters.
struct Tree {
    /// The blocks after each block.
    next: Vec<Vec<usize>>,
    ways: HashMap<(usize, usize), Option<Vec<usize>>>,
}

impl Tree {
    /// The blocks after `from` on the way to `to`.
    fn way(&mut self, from: usize, to: usize) -> Option<&[usize]> {
        let next = &self.next;
        let way = self.ways.entry((from, to)).or_insert_with(|| {
            let (mut came, mut stack) = (HashMap::from([(from, from)]), vec![from]);
            while let Some(block) = stack.pop().filter(|block| *block != to) {
                for after in &next[block] {
                    if !came.contains_key(after) {
                        came.insert(*after, block);
                        stack.push(*after);
                    }
                }
            }
            let mut way = vec![to];
            while came.get(&way[way.len() - 1])? != &way[way.len() - 1] {
                way.push(came[&way[way.len() - 1]]);
            }
            // The first block is where the way begins.
            way.pop();
            way.reverse();
            Some(way)
        });
        way.as_deref()
    }
}

/// Which paths occur in a walk.
struct Found<'a> {
    paths: &'a [Vec<usize>],
    /// The paths that end with each block.
    by_end: Vec<Vec<usize>>,
    longest: usize,
    taken: BTreeSet<usize>,
}

impl<'a> Found<'a> {
    fn new(blocks: usize, paths: &'a [Vec<usize>]) -> Found<'a> {
        let mut by_end = vec![Vec::new(); blocks];
        for (index, path) in paths.iter().enumerate() {
            by_end[path[path.len() - 1]].push(index);
        }
        let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
        Found { paths, by_end, longest, taken: BTreeSet::new() }
    }

    /// The walk continues with these blocks.
    fn follow(&mut self, walk: &mut Vec<usize>, blocks: &[usize]) {
        for block in blocks {
            // Only its end matters.
            if walk.len() > 4 * self.longest {
                walk.drain(..walk.len() - self.longest);
            }
            walk.push(*block);
            let (paths, taken) = (self.paths, &mut self.taken);
            self.by_end[*block].retain(|index| {
                let is_taken = walk.ends_with(&paths[*index]);
                if is_taken {
                    taken.insert(*index);
                }
                !is_taken
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prime_paths::prime_paths;
    use super::*;
    use crate::coverage::{BlockNotes, Edge};
    use crate::replay::gcov::solve;

    /// `if (a) b; if (c) d;`: block 3 is b and block 5 is d. Counters 0 and 1 are those of the arcs to b and to d.
    fn graph(counts: [i64; 3]) -> FunctionGraph {
        let [calls, first, second] = counts;
        let arcs = [
            (0, 2, None),
            (2, 3, Some(first)),
            (2, 4, Some(calls - first)),
            (3, 4, None),
            (4, 5, Some(second)),
            (4, 6, None),
            (5, 6, None),
            (6, 1, None),
        ];
        let edge = |(from, to, counter)| Edge { from, to, is_fake: false, is_fallthrough: false, counter };
        FunctionGraph {
            blocks: vec![BlockNotes::default(); 7],
            edges: arcs.into_iter().map(edge).collect(),
            ..FunctionGraph::default()
        }
    }

    fn taken(counts: [i64; 3], trace: &[(usize, u64)], left: u64) -> Option<Vec<Vec<usize>>> {
        let graph = graph(counts);
        let solved = solve(&graph);
        let paths = prime_paths(&solved).unwrap();
        let trace: Vec<TakenArc> =
            trace.iter().map(|(counter, frame)| TakenArc { counter: *counter, frame: *frame }).collect();
        let found = taken_paths(&graph, &solved, &trace, left, &paths)?;
        Some(found.into_iter().map(|index| paths[index].clone()).collect())
    }

    #[test]
    fn the_paths_of_calls_one_after_the_other() {
        let expected: [&[usize]; 2] = [&[0, 2, 3, 4, 6], &[0, 2, 4, 5, 6]];
        assert_eq!(taken([2, 1, 1], &[(0, 7), (1, 7), (2, 7)], 0).unwrap(), expected);
        let expected: [&[usize]; 2] = [&[0, 2, 3, 4, 5, 6], &[0, 2, 4, 6]];
        assert_eq!(taken([2, 1, 1], &[(0, 7), (2, 7), (1, 7)], 0).unwrap(), expected);
    }

    // The second call begins and ends within the first one, which has another frame.
    #[test]
    fn the_paths_of_calls_within_each_other() {
        let expected: [&[usize]; 2] = [&[0, 2, 3, 4, 5, 6], &[0, 2, 4, 6]];
        assert_eq!(taken([2, 1, 1], &[(0, 9), (1, 7), (2, 9)], 0).unwrap(), expected);
    }

    #[test]
    fn arcs_that_are_not_those_of_the_counters_decide_nothing() {
        assert_eq!(taken([2, 1, 1], &[(0, 7), (1, 7)], 0), None);
        assert_eq!(taken([2, 1, 1], &[(0, 7), (1, 7), (3, 7)], 0), None);
        assert_eq!(taken([2, 1, 1], &[(0, 7), (1, 7), (2, 7)], 1), None);
    }
}
