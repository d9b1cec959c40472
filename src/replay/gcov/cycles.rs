//! Cycles among the blocks of one line (`get_cycles_count` and `circuit` in gcov.c).
//!
//! gcov follows Hawick and James, "Enumerating Circuits and Loops in Graphs with Self-Arcs and Multiple-Arcs" (2008), and
//! subtracts each cycle's smallest count from the counts of its edges. Which cycles it finds depends on the order of blocks
//! and edges, so the order is kept here. The search has a stack of its own, because programs decide how deep it is.

use std::collections::{BTreeMap, HashSet};

use super::graph::Solved;
use super::lines::BlockRef;

/// A cycle whose blocks belong to one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// In the order of the edges, from the block with the lowest number.
    pub blocks: Vec<BlockRef>,
    /// How often it is taken to be run: what was left of the count of its rarest edge.
    pub count: i64,
}

/// The reason why a search ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It needs too many steps; gcov's own takes exponential time too.
    TooLong,
    /// gcov's own search ends with a failed assertion.
    Assertion,
}

/// The steps that a search may still take.
pub struct Steps(pub u64);

/// An edge between blocks of the line, with what the cycles so far left of its count.
struct Local {
    to: usize,
    rest: i64,
}

/// The blocks of a line; an index is the position among the distinct blocks in their order.
pub struct Search {
    blocks: Vec<BlockRef>,
    edges: Vec<Vec<Local>>,
}

/// A block on the path, and the next of its edges.
struct Visit {
    block: usize,
    next: usize,
    has_found: bool,
}

impl Search {
    /// A search among `owned`, whose graphs are `solved`.
    pub fn new(owned: &[BlockRef], solved: &BTreeMap<usize, Solved>) -> Search {
        let mut blocks = owned.to_vec();
        blocks.sort_unstable();
        blocks.dedup();
        let edges = blocks.iter().map(|block| {
            let leaving = solved[&block.function].leaving(block.block);
            let local = leaving.filter_map(|edge| {
                let to = blocks.binary_search(&BlockRef { block: edge.to, ..*block }).ok()?;
                Some(Local { to, rest: edge.count })
            });
            local.collect()
        });
        Search { edges: edges.collect(), blocks }
    }

    /// Whether the line has the block.
    pub fn contains(&self, block: BlockRef) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// The cycles in the order in which gcov finds them, from each block of `owned`.
    pub fn run(mut self, owned: &[BlockRef], steps: &mut Steps) -> Result<Vec<Cycle>, Unfinished> {
        let mut cycles = Vec::new();
        for start in owned {
            if let Ok(start) = self.blocks.binary_search(start) {
                self.from(start, &mut cycles, steps)?;
            }
        }
        Ok(cycles)
    }

    /// The cycles whose lowest block is `start`.
    fn from(&mut self, start: usize, cycles: &mut Vec<Cycle>, steps: &mut Steps) -> Result<(), Unfinished> {
        let mut blocked = Blocked::default();
        blocked.add(start);
        let mut visits = vec![Visit { block: start, next: 0, has_found: false }];
        // The edge into each visit after the first, as a block and an index.
        let mut path: Vec<(usize, usize)> = Vec::new();
        // The length of the path up to and with its first edge of which nothing is left.
        let mut used_up = usize::MAX;
        while let Some(visit) = visits.last_mut() {
            let Visit { block, next, .. } = *visit;
            if let Some(Local { to, rest }) = self.edges[block].get(next) {
                visit.next += 1;
                steps.0 = steps.0.checked_sub(1).ok_or(Unfinished::TooLong)?;
                if *to < start || *rest <= 0 {
                    continue;
                }
                if *to == start {
                    visit.has_found = true;
                    path.push((block, next));
                    cycles.push(self.subtract(&path)?);
                    path.pop();
                    let is_used = |(from, edge): &(usize, usize)| self.edges[*from][*edge].rest <= 0;
                    used_up = path.iter().position(is_used).map_or(usize::MAX, |index| index + 1);
                } else if used_up > path.len() && !blocked.contains(*to) {
                    blocked.add(*to);
                    path.push((block, next));
                    visits.push(Visit { block: *to, next: 0, has_found: false });
                }
                continue;
            }
            let has_found = visit.has_found;
            if has_found {
                blocked.release(block);
            } else {
                for edge in &self.edges[block] {
                    if edge.to >= start && edge.rest > 0 && !blocked.hold(edge.to, block) {
                        return Err(Unfinished::Assertion);
                    }
                }
            }
            visits.pop();
            path.pop();
            if used_up > path.len() {
                used_up = usize::MAX;
            }
            if let Some(parent) = visits.last_mut() {
                parent.has_found |= has_found;
            }
        }
        Ok(())
    }

    /// `handle_cycle`.
    fn subtract(&mut self, path: &[(usize, usize)]) -> Result<Cycle, Unfinished> {
        let count = path.iter().map(|(from, edge)| self.edges[*from][*edge].rest).min().unwrap_or(0);
        if count <= 0 {
            return Err(Unfinished::Assertion);
        }
        for (from, edge) in path {
            self.edges[*from][*edge].rest -= count;
        }
        Ok(Cycle { blocks: path.iter().map(|(from, _)| self.blocks[*from]).collect(), count })
    }
}

/// The blocks that a search does not enter, and for each of them those that are released with it.
#[derive(Default)]
struct Blocked {
    held: BTreeMap<usize, (Vec<usize>, HashSet<usize>)>,
}

impl Blocked {
    fn add(&mut self, block: usize) {
        self.held.insert(block, Default::default());
    }

    fn contains(&self, block: usize) -> bool {
        self.held.contains_key(&block)
    }

    /// Release `block` together with `with`; false if `with` is not blocked.
    fn hold(&mut self, with: usize, block: usize) -> bool {
        let Some((order, known)) = self.held.get_mut(&with) else { return false };
        if known.insert(block) {
            order.push(block);
        }
        true
    }

    /// `unblock`.
    fn release(&mut self, block: usize) {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if let Some((order, _)) = self.held.remove(&block) {
                pending.extend(order);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{BlockNotes, Edge, FunctionGraph};
    use crate::replay::gcov::solve;

    /// The cycles among all blocks but the entry and the exit of a function with these edges and counters.
    fn cycles(blocks: usize, edges: &[(usize, usize, i64)], steps: u64) -> Result<Vec<Cycle>, Unfinished> {
        let edge = |&(from, to, count)| {
            let counter = Some(count);
            Edge { from, to, is_fake: false, is_fallthrough: false, counter }
        };
        let function = FunctionGraph {
            blocks: vec![BlockNotes::default(); blocks],
            edges: edges.iter().map(edge).collect(),
            ..FunctionGraph::default()
        };
        let solved = BTreeMap::from([(0, solve(&function))]);
        let owned: Vec<BlockRef> = (2..blocks).map(|block| BlockRef { function: 0, block }).collect();
        Search::new(&owned, &solved).run(&owned, &mut Steps(steps))
    }

    /// A loop of block 2 within a loop of 2 and 3: entered once, the inner one takes 7 steps, the outer one 2.
    const NESTED: [(usize, usize, i64); 5] = [(0, 2, 1), (2, 2, 7), (2, 3, 3), (3, 2, 2), (3, 1, 1)];

    #[test]
    fn each_cycle_takes_what_its_rarest_edge_has_left() {
        let found = cycles(4, &NESTED, 100).unwrap();
        let found: Vec<(Vec<usize>, i64)> = found
            .into_iter()
            .map(|cycle| (cycle.blocks.iter().map(|place| place.block).collect(), cycle.count))
            .collect();
        assert_eq!(found, [(vec![2], 7), (vec![2, 3], 2)]);
    }

    #[test]
    fn a_cycle_that_never_ran_is_none() {
        assert_eq!(cycles(4, &[(0, 2, 1), (2, 3, 1), (3, 2, 0), (3, 1, 1)], 100), Ok(vec![]));
    }

    #[test]
    fn a_search_ends_at_its_limit() {
        assert_eq!(cycles(4, &NESTED, 3), Err(Unfinished::TooLong));
    }

    #[test]
    fn a_long_line_does_not_exhaust_the_stack() {
        let last = 100_000;
        let steps = (2..last).map(|block| (block, block + 1, 1));
        let edges: Vec<_> = [(0, 2, 1)].into_iter().chain(steps).chain([(last, 2, 1)]).collect();
        let found = cycles(last + 1, &edges, 1_000_000).unwrap();
        assert_eq!((found.len(), found[0].count, found[0].blocks.len()), (1, 1, last - 1));
    }
}
