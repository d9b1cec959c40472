//! Delta debugging (Zeller and Hildebrandt, TSE 2002) over the atoms of a variant.
//!
//! Pure and generic: the test is a closure. Nearly always a single atom is to
//! blame, so the likeliest ones are tried alone first.

/// A subset of `atoms` that `test` accepts and of which no single atom can be
/// left out: first each of `likely` alone, then [`ddmin`]. `test(atoms)` is
/// known to hold. Gives up with an error of `test`, never with a wrong set.
pub fn minimise<T: Copy + PartialEq, E>(
    atoms: &[T],
    likely: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if atoms.len() > 1 {
        for atom in likely {
            if test(&[*atom])? {
                return Ok(vec![*atom]);
            }
        }
    }
    ddmin(atoms, test)
}

/// As [`ddmin`], of the first of `atoms` that suffice: one, two, four and so on. For atoms whose order
/// says how likely they are to blame. `test` gets them in ascending order, and holds for all of them.
pub fn nearest_first<T: Copy + Ord, E>(
    atoms: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut size = 1;
    while size < atoms.len() && !test(&ascending(&atoms[..size]))? {
        size *= 2;
    }
    let enough = ascending(&atoms[..size.min(atoms.len())]);
    if enough.len() > FEW { ddmin(&enough, test) } else { one_by_one(enough, test) }
}

/// Of so few atoms most are needed, and halves tell little.
const FEW: usize = 8;

/// Leave out one after the other until none can be.
fn one_by_one<T: Copy, E>(
    mut atoms: Vec<T>,
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    // Atoms in turn that were needed since one was left out.
    let (mut at, mut needed) = (0, 0);
    while needed < atoms.len() && atoms.len() > 1 {
        let atom = atoms.remove(at);
        if test(&atoms)? {
            needed = 0;
        } else {
            atoms.insert(at, atom);
            (at, needed) = (at + 1, needed + 1);
        }
        at %= atoms.len();
    }
    Ok(atoms)
}

fn ascending<T: Copy + Ord>(atoms: &[T]) -> Vec<T> {
    let mut atoms = atoms.to_vec();
    atoms.sort_unstable();
    atoms
}

/// The classic algorithm: try ever smaller chunks, then their complements.
pub fn ddmin<T: Copy + PartialEq, E>(
    atoms: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut current = atoms.to_vec();
    let mut pieces = 2;
    'smaller: while current.len() > 1 {
        pieces = pieces.min(current.len());
        let size = current.len().div_ceil(pieces);
        let chunks: Vec<Vec<T>> = current.chunks(size).map(<[T]>::to_vec).collect();
        for chunk in &chunks {
            if chunk.len() < current.len() && test(chunk)? {
                current.clone_from(chunk);
                pieces = 2;
                continue 'smaller;
            }
        }
        for chunk in &chunks {
            let rest: Vec<T> = current.iter().copied().filter(|atom| !chunk.contains(atom)).collect();
            // With two chunks, each is the other's complement.
            if chunks.len() > 2 && !rest.is_empty() && test(&rest)? {
                current = rest;
                pieces = (pieces - 1).max(2);
                continue 'smaller;
            }
        }
        if pieces >= current.len() {
            break;
        }
        pieces *= 2;
    }
    Ok(current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn holds_all(needed: &[u8]) -> impl FnMut(&[u8]) -> Result<bool, Infallible> + '_ {
        move |set| Ok(needed.iter().all(|atom| set.contains(atom)))
    }

    proptest! {
        #[test]
        fn what_is_needed_is_found_and_nothing_else(
            atoms in proptest::collection::btree_set(0u8..60, 1..40),
            picks in proptest::collection::vec(any::<proptest::sample::Index>(), 1..4),
            likely in proptest::collection::vec(0u8..60, 0..3),
        ) {
            let atoms: Vec<u8> = atoms.into_iter().collect();
            let mut needed: Vec<u8> = picks.iter().map(|pick| *pick.get(&atoms)).collect();
            needed.sort_unstable();
            needed.dedup();
            let found = minimise(&atoms, &likely, holds_all(&needed)).unwrap();
            prop_assert_eq!(found, needed);
        }

        #[test]
        fn the_nearest_that_are_needed_take_few_tests(
            atoms in proptest::sample::subsequence((0u8..200).collect::<Vec<_>>(), 2..200).prop_shuffle(),
            picks in proptest::collection::vec(0usize..4, 1..3),
        ) {
            let mut needed: Vec<u8> = picks.iter().map(|pick| atoms[*pick % atoms.len()]).collect();
            needed.sort_unstable();
            needed.dedup();
            let mut tests = 0;
            let found = nearest_first(&atoms, |set| {
                tests += 1;
                holds_all(&needed)(set)
            });
            prop_assert_eq!(found.unwrap(), needed);
            prop_assert!(tests <= 12, "{} tests", tests);
        }

        #[test]
        fn the_result_is_one_minimal_for_any_test(
            accepted in proptest::collection::vec(any::<bool>(), 256),
        ) {
            // Any test over subsets of eight atoms, not only monotone ones.
            let index = |set: &[u8]| set.iter().fold(0usize, |bits, atom| bits | 1 << atom);
            let all: Vec<u8> = (0..8).collect();
            let test = |set: &[u8]| accepted[index(set)] || set.len() == 8;
            let infallible = |set: &[u8]| Ok::<_, Infallible>(test(set));
            for found in [ddmin(&all, infallible), nearest_first(&all, infallible)].map(Result::unwrap) {
                prop_assert!(test(&found));
                for atom in &found {
                    let rest: Vec<u8> = found.iter().copied().filter(|other| other != atom).collect();
                    prop_assert!(rest.is_empty() || !test(&rest), "{:?} without {}", found, atom);
                }
            }
        }
    }
}
