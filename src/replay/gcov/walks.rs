//! The paths that the calls of a function took, from the order of the arcs that they took.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::graph::{ENTRY, EXIT};
use crate::coverage::FunctionGraph;
use crate::truth::TakenArc;

/// The indices of those of `paths` that were taken, given the arcs with counters that the function took. None if these are not
/// those that its counters count, or if a call was left.
///
/// All other arcs are on a spanning tree with the arc from the exit to the entry (`find_spanning_tree` in profile.cc), so one way at
/// most leads from an arc of the trace to the next one. From the end of a call to the next one with the same frame it
/// leads through the exit and the entry.
pub fn taken_paths(
    graph: &FunctionGraph,
    trace: &[TakenArc],
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
            for block in tree.way(at, from)? {
                found.pass(&mut walk, *block);
            }
            found.pass(&mut walk, to);
            at = to;
        }
        for block in tree.way(at, EXIT)? {
            found.pass(&mut walk, *block);
        }
    }
    Some(found.taken)
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

    /// The walk comes to `block`.
    fn pass(&mut self, walk: &mut Vec<usize>, block: usize) {
        // Only its end matters.
        if walk.len() > 4 * self.longest {
            walk.drain(..walk.len() - self.longest);
        }
        walk.push(block);
        let (paths, taken) = (self.paths, &mut self.taken);
        self.by_end[block].retain(|index| {
            let is_taken = walk.ends_with(&paths[*index]);
            if is_taken {
                taken.insert(*index);
            }
            !is_taken
        });
    }
}
