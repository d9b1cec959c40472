//! The counts of all edges and blocks of a function, from its counters (`solve_flow_graph` in gcov.c).
//!
//! What enters a block leaves it. So a block is known once all edges on one of its sides are, and the only unknown edge on a
//! side of a known block is the rest. The entry and the exit have one side only.

use crate::coverage::FunctionGraph;

/// The blocks with which every function begins and ends.
pub const ENTRY: usize = 0;
pub const EXIT: usize = 1;

/// An edge with its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedEdge {
    pub from: usize,
    pub to: usize,
    /// As in [`crate::coverage::Edge::is_fake`].
    pub is_fake: bool,
    pub is_fallthrough: bool,
    /// Whether it has a counter of its own. Otherwise its count follows from others.
    pub has_counter: bool,
    /// Signed as in gcov (`gcov_type`): counters of runs that race can imply a negative one.
    pub count: i64,
}

/// A function with all counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The count of each block; zero if the counters do not determine it, as in gcov.
    pub blocks: Vec<i64>,
    /// By the block that they leave, and within a block by the block that they enter.
    pub edges: Vec<SolvedEdge>,
    /// Indices in `edges` of those that leave each block, in gcov's order.
    pub successors: Vec<Vec<usize>>,
    /// Indices in `edges` of those that enter each block.
    pub predecessors: Vec<Vec<usize>>,
    /// Whether the counters determine every block.
    pub is_determined: bool,
}

impl Solved {
    /// The edges that leave `block`.
    pub fn leaving(&self, block: usize) -> impl Iterator<Item = &SolvedEdge> {
        self.successors[block].iter().map(|edge| &self.edges[*edge])
    }

    /// The edges that enter `block`.
    pub fn entering(&self, block: usize) -> impl Iterator<Item = &SolvedEdge> {
        self.predecessors[block].iter().map(|edge| &self.edges[*edge])
    }

    /// Whether the edge is the only one out of its block that is not fake (`is_unconditional`).
    pub fn is_unconditional(&self, edge: &SolvedEdge) -> bool {
        !edge.is_fake && self.leaving(edge.from).filter(|other| !other.is_fake).count() == 1
    }

    /// Whether `block` only continues after a call that may not return (`is_call_return`). gcov's text does not list it.
    pub fn is_call_return(&self, block: usize) -> bool {
        let [edge] = self.predecessors[block][..] else { return false };
        let edge = &self.edges[edge];
        let is_call = edge.from != ENTRY && self.leaving(edge.from).any(|other| other.is_fake);
        is_call && edge.is_fallthrough && self.is_unconditional(edge)
    }
}

/// All counts of `function`.
pub fn solve(function: &FunctionGraph) -> Solved {
    let size = function.blocks.len();
    let mut edges: Vec<SolvedEdge> = function.edges.iter().map(SolvedEdge::from).collect();
    edges.sort_by_key(|edge| (edge.from, edge.to));
    let (mut successors, mut predecessors) = (vec![Vec::new(); size], vec![Vec::new(); size]);
    for (index, edge) in edges.iter().enumerate() {
        successors[edge.from].push(index);
        predecessors[edge.to].push(index);
    }
    let solved = Solved { blocks: vec![0; size], edges, successors, predecessors, is_determined: true };
    Solver::new(solved).run()
}

impl From<&crate::coverage::Edge> for SolvedEdge {
    fn from(edge: &crate::coverage::Edge) -> SolvedEdge {
        SolvedEdge {
            from: edge.from,
            to: edge.to,
            is_fake: edge.is_fake,
            is_fallthrough: edge.is_fallthrough,
            has_counter: edge.counter.is_some(),
            count: edge.counter.unwrap_or(0),
        }
    }
}

/// The state of the propagation.
struct Solver {
    solved: Solved,
    is_known: Vec<bool>,
    edge_is_known: Vec<bool>,
    /// The number of unknown edges out of and into each block; none for the side that the entry and the exit lack.
    unknown_out: Vec<Option<usize>>,
    unknown_in: Vec<Option<usize>>,
    /// Blocks that may have become known, or have a side with one unknown edge.
    pending: Vec<usize>,
}

impl Solver {
    fn new(solved: Solved) -> Solver {
        let edge_is_known: Vec<bool> = solved.edges.iter().map(|edge| edge.has_counter).collect();
        let size = solved.blocks.len();
        let unknown = |sides: &[Vec<usize>]| -> Vec<Option<usize>> {
            sides.iter().map(|side| Some(side.iter().filter(|edge| !edge_is_known[**edge]).count())).collect()
        };
        let (mut unknown_out, mut unknown_in) = (unknown(&solved.successors), unknown(&solved.predecessors));
        // A graph whose entry is entered is damaged; gcov prints a message and continues.
        if size >= 2 && solved.predecessors[ENTRY].is_empty() {
            unknown_in[ENTRY] = None;
            if solved.successors[EXIT].is_empty() {
                unknown_out[EXIT] = None;
            }
        }
        let pending = (0..size).collect();
        Solver { is_known: vec![false; size], edge_is_known, unknown_out, unknown_in, pending, solved }
    }

    fn run(mut self) -> Solved {
        while let Some(block) = self.pending.pop() {
            if !self.is_known[block] {
                if self.unknown_out[block] == Some(0) {
                    self.solved.blocks[block] = self.sum(&self.solved.successors[block]);
                } else if self.unknown_in[block] == Some(0) {
                    self.solved.blocks[block] = self.sum(&self.solved.predecessors[block]);
                } else {
                    continue;
                }
                self.is_known[block] = true;
            }
            if self.unknown_out[block] == Some(1) {
                self.derive(block, true);
            }
            if self.unknown_in[block] == Some(1) {
                self.derive(block, false);
            }
        }
        self.solved.is_determined = self.is_known.iter().all(|known| *known);
        self.solved
    }

    fn sum(&self, edges: &[usize]) -> i64 {
        edges.iter().fold(0, |sum, edge| sum.wrapping_add(self.solved.edges[*edge].count))
    }

    /// Derive the only unknown edge out of `block`, or into it.
    fn derive(&mut self, block: usize, is_out: bool) {
        let side = if is_out { &self.solved.successors[block] } else { &self.solved.predecessors[block] };
        let Some(edge) = side.iter().copied().find(|edge| !self.edge_is_known[*edge]) else { return };
        // An unknown edge still has the count 0.
        let rest = self.solved.blocks[block].wrapping_sub(self.sum(side));
        self.edge_is_known[edge] = true;
        self.solved.edges[edge].count = rest;
        let SolvedEdge { from, to, .. } = self.solved.edges[edge];
        for unknown in [&mut self.unknown_out[from], &mut self.unknown_in[to]].into_iter().flatten() {
            *unknown -= 1;
        }
        self.pending.extend([from, to]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{BlockNotes, Edge};

    /// A function whose edges are (from, to, counter).
    pub fn function(blocks: usize, edges: &[(usize, usize, Option<i64>)]) -> FunctionGraph {
        let edge = |&(from, to, counter)| Edge { from, to, is_fake: false, is_fallthrough: false, counter };
        FunctionGraph {
            blocks: vec![BlockNotes::default(); blocks],
            edges: edges.iter().map(edge).collect(),
            ..FunctionGraph::default()
        }
    }

    #[test]
    fn edges_on_the_tree_are_the_rest() {
        // A loop: 2 is its test, 3 its body. The body ran 5 times in one call.
        let edges = [(0, 2, None), (2, 3, Some(5)), (2, 4, None), (3, 2, None), (4, 1, Some(1))];
        let solved = solve(&function(5, &edges));
        assert!(solved.is_determined);
        assert_eq!(solved.blocks, [1, 1, 6, 5, 1]);
        let counts: Vec<i64> = solved.edges.iter().map(|edge| edge.count).collect();
        assert_eq!(counts, [1, 5, 1, 5, 1]);
    }

    #[test]
    fn counters_that_do_not_determine_a_block_leave_zero() {
        let solved = solve(&function(4, &[(0, 2, None), (2, 3, None), (3, 2, None), (2, 1, None)]));
        assert!(!solved.is_determined);
        assert_eq!(solved.blocks, [0; 4]);
    }
}
