//! The variants of relations that rewrite programs: sets of [`Mutation`]s.
//!
//! A variant is profiled and counted by our own counters like any other program, so ground truth decides about every
//! line of its report, the rewritten ones included. If the count at the same place is right in the original, the
//! rewriting exposed the wrong count, and it is isolated.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::mutation::{Grounds, Mutation};
use super::{declare, expand, guard, insert, layout, level, repeat};
use crate::model::{RelationName, TextEdit};
use crate::syntax::{Program, render};

/// The greatest number of mutations of one [`mutant`].
const MOST_MUTATIONS: usize = 24;

/// Every mutation that `relation` may make, in source order; none for a relation that does not rewrite. `rng` decides
/// between the forms of a mutation; which mutations are made is decided by [`draw`].
pub fn mutations(relation: RelationName, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    match relation {
        RelationName::Insert => insert::mutations(grounds, rng),
        RelationName::Guard => guard::mutations(grounds, rng),
        RelationName::Declare => declare::mutations(grounds, rng),
        RelationName::Expand => expand::mutations(grounds, rng),
        RelationName::Repeat => repeat::mutations(grounds, rng),
        RelationName::Level => level::mutations(grounds),
        RelationName::Layout => layout::mutations(grounds),
        RelationName::Delete
        | RelationName::Truth
        | RelationName::Flow
        | RelationName::Views
        | RelationName::Peer => Vec::new(),
    }
}

/// Distinct variants, each a sorted set of indices into `mutations`: first as many mutations as are compatible, then
/// fewer. A mutation of flags or runs is a variant of its own; these are a third of the variants where there is text to
/// change.
pub fn draw(mutations: &[Mutation], wanted: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let (text, mut alone): (Vec<usize>, Vec<usize>) =
        (0..mutations.len()).partition(|index| mutations[*index].is_of_text());
    alone.shuffle(rng);
    let share = if text.is_empty() { wanted } else { wanted.div_ceil(3) };
    let mut variants: Vec<Vec<usize>> = alone.into_iter().take(share).map(|index| vec![index]).collect();
    let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
    for density in [1.0, 0.3, 0.1, 0.5, 0.2, 0.05].into_iter().cycle().take(4 * wanted) {
        if variants.len() >= wanted || text.is_empty() {
            break;
        }
        let mut order = text.clone();
        order.shuffle(rng);
        let first = order[0];
        let chosen = order.into_iter().filter(|index| *index == first || rng.random_bool(density));
        let variant = compatible(mutations, chosen);
        if seen.insert(variant.clone()) {
            variants.push(variant);
        }
    }
    variants
}

/// `program` with a few mutations that do not depend on what ran; none if it has no such mutations.
pub fn mutant(program: &Program, rng: &mut ChaCha8Rng) -> Option<String> {
    let grounds = Grounds::not_run(program);
    let mut all = layout::mutations(&grounds);
    all.extend(expand::mutations(&grounds, rng));
    all.extend(declare::mutations(&grounds, rng));
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.shuffle(rng);
    order.truncate(rng.random_range(1..=MOST_MUTATIONS));
    let chosen = compatible(&all, order.into_iter());
    let edits: Vec<TextEdit> = chosen.iter().flat_map(|index| all[*index].edits.clone()).collect();
    (!edits.is_empty()).then(|| render(&program.source, &edits))
}

/// Those of `chosen` whose edits do not overlap, where earlier ones have precedence; sorted.
fn compatible(mutations: &[Mutation], chosen: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut taken: Vec<&TextEdit> = Vec::new();
    let mut variant = Vec::new();
    for index in chosen {
        let edits = &mutations[index].edits;
        if !edits.iter().any(|edit| taken.iter().any(|other| edit.overlaps(other))) {
            taken.extend(edits);
            variant.push(index);
        }
    }
    variant.sort_unstable();
    variant
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn overlapping_mutations_are_not_combined_and_flags_are_changed_alone() {
        let text =
            |start, end| Mutation::of_text(String::new(), vec![TextEdit { start, end, with: "x".into() }]);
        let mutations = [text(0, 4), text(2, 6), text(6, 6), text(6, 8), Mutation::of_flag("-g")];
        let variants = draw(&mutations, 5, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(variants[0], [4]);
        assert!(variants.len() > 2, "{variants:?}");
        for variant in &variants {
            assert!(!(variant.contains(&0) && variant.contains(&1)), "{variants:?}");
            assert!(!(variant.contains(&2) && variant.contains(&3)), "{variants:?}");
            assert!(!variant.contains(&4) || variant.len() == 1, "{variants:?}");
        }
    }
}
