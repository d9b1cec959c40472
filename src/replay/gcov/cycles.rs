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
