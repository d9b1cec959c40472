//! Which blocks control can reach from others. Fake edges are no control flow of the function.

use std::collections::BTreeSet;

use crate::replay::gcov::{ENTRY, Solved, SolvedEdge};

/// Whether control can get from `from` to `to` without `avoided`. A block reaches itself.
pub(super) fn reaches(solved: &Solved, from: usize, to: usize, avoided: Option<usize>) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if Some(block) == avoided || !seen.insert(block) {
            continue;
        }
        if block == to {
            return true;
        }
        stack.extend(solved.leaving(block).filter(|edge| !edge.is_fake).map(|edge| edge.to));
    }
    false
}

/// Whether control passes `first` before it gets to `block`.
fn dominates(solved: &Solved, first: usize, block: usize) -> bool {
    reaches(solved, ENTRY, block, None) && !reaches(solved, ENTRY, block, Some(first))
}

/// Whether `edge` leads back to code that began at one of the blocks `owned`: control passed one of them before it, and the
/// edge closes no loop.
pub(super) fn returns(solved: &Solved, edge: &SolvedEdge, owned: &BTreeSet<usize>) -> bool {
    let has_begun = |first: &usize| *first != edge.to && dominates(solved, *first, edge.from);
    edge.from != ENTRY && !is_back(solved, edge) && owned.iter().any(has_begun)
}

/// Whether control may come to `edge` from the block `first`, so that it leads back to code that perhaps began there.
pub(super) fn may_return(solved: &Solved, edge: &SolvedEdge, first: usize) -> bool {
    edge.from != ENTRY
        && first != edge.to
        && !is_back(solved, edge)
        && reaches(solved, first, edge.from, Some(edge.to))
}

/// Whether `edge` closes a loop: control passes its end before its beginning.
pub(super) fn is_back(solved: &Solved, edge: &SolvedEdge) -> bool {
    edge.from == edge.to || dominates(solved, edge.to, edge.from)
}
