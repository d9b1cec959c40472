//! The prime paths of a function, and what the counts of its arcs say about them.
//!
//! A prime path is a simple path (no block occurs twice, but the first one may be the last one too) that is no part of another
//! simple path (Ammann and Offutt, "Introduction to Software Testing", 2008, section 7.2; `-fpath-coverage` in GCC's manual).
//! gcc leaves out the exit and the arcs of calls that do not return. The entry is a block like any other, but gcov does not list
//! it: a path from the entry into a loop is one of its own, although a path from within the loop contains its other blocks.
//!
//! The counts of arcs limit how often a path was taken: never, if it contains an arc that never was; and at least as often as
//! its first arc minus all that left it later (the definite flow of Ball, Mataga and Sagiv, "Edge Profiling versus Path
//! Profiling: The Showdown", POPL 1998). Of a function that was entered once they also say what it did first and last.

use std::collections::BTreeSet;

use super::graph::{ENTRY, EXIT, Solved, SolvedEdge};

/// The steps that the search for paths may take, and the paths that it may find.
const MOST_STEPS: usize = 200_000;
const MOST_PATHS: usize = 2000;

/// The prime paths of the graph, each as its blocks, sorted. None if there are too many.
pub fn prime_paths(solved: &Solved) -> Option<Vec<Vec<usize>>> {
    let mut search = Search { solved, steps: 0, path: Vec::new(), found: Vec::new() };
    for block in std::iter::once(ENTRY).chain(EXIT + 1..solved.blocks.len()) {
        search.path.push(block);
        search.extend()?;
        search.path.pop();
    }
    search.found.retain(|path| *path != [ENTRY]);
    search.found.sort_unstable();
    Some(search.found)
}

/// The blocks of `path` that gcov lists.
pub fn listed_blocks(path: &[usize]) -> &[usize] {
    path.strip_prefix(&[ENTRY]).unwrap_or(path)
}

struct Search<'a> {
    solved: &'a Solved,
    steps: usize,
    /// The path from the first block on, without a block that occurs twice.
    path: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Follow all arcs from the end of the path. None if that takes too long.
    fn extend(&mut self) -> Option<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() > MOST_PATHS {
            return None;
        }
        let (first, last) = (*self.path.first()?, *self.path.last()?);
        let mut is_maximal = true;
        for next in after(self.solved, last) {
            if next == first {
                is_maximal = false;
                self.found.push([&self.path[..], &[first]].concat());
            } else if !self.path.contains(&next) {
                is_maximal = false;
                self.path.push(next);
                self.extend()?;
                self.path.pop();
            }
        }
        // A path that can begin earlier is a part of one that does.
        let mut earlier = before(self.solved, first);
        if is_maximal && earlier.all(|block| block != last && self.path.contains(&block)) {
            self.found.push(self.path.clone());
        }
        Some(())
    }
}

fn after(solved: &Solved, block: usize) -> Vec<usize> {
    let real = solved.leaving(block).filter(|edge| !edge.is_fake && edge.to != EXIT);
    let mut found: Vec<usize> = real.map(|edge| edge.to).collect();
    found.dedup();
    found
}

fn before(solved: &Solved, block: usize) -> impl Iterator<Item = usize> {
    solved.entering(block).filter(|edge| !edge.is_fake).map(|edge| edge.from)
}

/// Whether the counts of arcs are known and each call returned once, so that every path that began was taken to its end.
pub fn is_complete(solved: &Solved) -> bool {
    solved.is_determined && !solved.edges.iter().any(|edge| edge.is_fake && edge.count != 0)
}

/// Whether the path was taken, as far as the counts of arcs decide that. They decide nothing if a call did not return, or
/// returned twice: a path that ends there is not complete.
pub fn is_taken(solved: &Solved, path: &[usize]) -> Option<bool> {
    if !is_complete(solved) {
        return None;
    }
    let backwards: Vec<usize> = path.iter().rev().copied().collect();
    Walk { solved, is_forward: true }
        .decides(path)
        .or_else(|| Walk { solved, is_forward: false }.decides(&backwards))
}

/// The arcs in the direction of a path, or against it: what is true of the beginning of a path is true of its end, backwards.
struct Walk<'a> {
    solved: &'a Solved,
    is_forward: bool,
}

impl Walk<'_> {
    /// The blocks after `block`, with the counts of the arcs.
    fn after(&self, block: usize) -> Vec<(usize, i64)> {
        let real = |edge: &&SolvedEdge| !edge.is_fake;
        if self.is_forward {
            self.solved.leaving(block).filter(real).map(|edge| (edge.to, edge.count)).collect()
        } else {
            self.solved.entering(block).filter(real).map(|edge| (edge.from, edge.count)).collect()
        }
    }

    /// Whether arcs that were taken lead from `from` to `to`.
    fn leads(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
        while let Some(block) = stack.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                stack.extend(
                    self.after(block).into_iter().filter(|(_, count)| *count > 0).map(|(next, _)| next),
                );
            }
        }
        false
    }

    /// Whether the walk begins where the function does, or ends, and that was once.
    fn is_whole(&self, first: usize) -> bool {
        let ends = || self.solved.leaving(first).filter(|edge| !edge.is_fake).all(|edge| edge.to == EXIT);
        self.solved.blocks[ENTRY] == 1 && if self.is_forward { first == ENTRY } else { ends() }
    }

    /// Whether the path was taken: never if it contains an arc that never was, and at least as often as its first arc minus all that
    /// left it. A function that was entered once comes to each block of a path from its entry for the first time, and does not
    /// leave a block to which it comes again by an arc that does not lead back.
    fn decides(&self, path: &[usize]) -> Option<bool> {
        let [first, rest @ ..] = path else { return None };
        let is_whole = self.is_whole(*first);
        let (mut sure, mut at) = (self.solved.blocks[*first], *first);
        for next in rest {
            let after = self.after(at);
            let sum = |is_it: &dyn Fn(usize) -> bool| -> i64 {
                after.iter().filter(|(to, _)| is_it(*to)).map(|(_, count)| count).sum()
            };
            let taken = sum(&|to| to == *next);
            let comes_again = is_whole && self.solved.blocks[at] > 1;
            let is_last = |to: usize| comes_again && !self.leads(to, at);
            if taken == 0 || is_last(*next) {
                return Some(false);
            }
            sure -= self.solved.blocks[at] - taken - sum(&is_last);
            at = *next;
        }
        match sure {
            _ if rest.is_empty() => Some(sure > 0),
            1.. => Some(true),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{BlockNotes, Edge, FunctionGraph};
    use crate::replay::gcov::solve;

    /// `if (a) b; while (c) d;`, entered once with `a`, and `d` ran twice.
    fn graph() -> Solved {
        let edges = [
            (0, 2, Some(1)),
            (2, 3, Some(1)),
            (2, 4, None),
            (3, 4, None),
            (4, 6, None),
            (5, 6, Some(2)),
            (6, 5, None),
            (6, 7, None),
            (7, 1, None),
        ];
        let edge = |(from, to, counter)| Edge { from, to, is_fake: false, is_fallthrough: false, counter };
        solve(&FunctionGraph {
            blocks: vec![BlockNotes::default(); 8],
            edges: edges.into_iter().map(edge).collect(),
            ..FunctionGraph::default()
        })
    }

    #[test]
    fn the_prime_paths_of_a_branch_and_a_loop() {
        let expected: [&[usize]; 7] = [
            &[0, 2, 3, 4, 6, 5],
            &[0, 2, 3, 4, 6, 7],
            &[0, 2, 4, 6, 5],
            &[0, 2, 4, 6, 7],
            &[5, 6, 5],
            &[5, 6, 7],
            &[6, 5, 6],
        ];
        assert_eq!(prime_paths(&graph()).unwrap(), expected);
    }

    // do { if (a) return; } while (b);
    #[test]
    fn a_path_from_the_entry_into_a_loop_is_one_of_its_own() {
        let arcs = [(0, 2), (2, 3), (2, 4), (3, 6), (4, 2), (4, 5), (5, 6), (6, 1)];
        let edge = |(from, to)| Edge { from, to, is_fake: false, is_fallthrough: false, counter: None };
        let graph = FunctionGraph {
            blocks: vec![BlockNotes::default(); 7],
            edges: arcs.into_iter().map(edge).collect(),
            ..FunctionGraph::default()
        };
        let expected: [&[usize]; 5] =
            [&[0, 2, 3, 6], &[0, 2, 4, 5, 6], &[2, 4, 2], &[4, 2, 3, 6], &[4, 2, 4]];
        let found = prime_paths(&solve(&graph)).unwrap();
        assert_eq!(found, expected);
        assert_eq!(listed_blocks(&found[0]), [2, 3, 6]);
    }

    // The loop began once and ended once, with two rounds between them, so the path from its start to its end was not taken.
    #[test]
    fn counts_of_arcs_decide_some_paths() {
        let taken = |path: &[usize]| is_taken(&graph(), path);
        assert_eq!(taken(&[0, 2, 3, 4, 6, 7]), Some(false));
        assert_eq!(taken(&[0, 2, 3, 4, 6, 5]), Some(true));
        assert_eq!(taken(&[5, 6, 7]), Some(true));
        assert_eq!(taken(&[2, 4, 6, 7]), Some(false));
        assert_eq!(taken(&[2, 3, 4]), Some(true));
        assert_eq!(taken(&[2, 3, 4, 6, 7]), Some(false));
        assert_eq!(taken(&[6, 5, 6]), Some(true));
        assert_eq!(taken(&[5, 6, 5]), Some(true));
    }
}
