//! Delta debugging (Zeller and Hildebrandt, TSE 2002) over the elements of a variant.
//!
//! Pure and generic: the test is a closure. The cause is nearly always a single element, so the likeliest ones are
//! tried alone first.

/// A subset of `elements` that `test` accepts, and from which no single element can be removed. Each of `likely` is
/// tried alone first, then [`ddmin`] runs. The caller knows that `test` accepts all `elements`.
///
/// # Errors
/// An error of `test`, never a wrong set.
pub fn minimise<T: Copy + PartialEq, E>(
    elements: &[T],
    likely: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if elements.len() > 1 {
        for element in likely {
            if test(&[*element])? {
                return Ok(vec![*element]);
            }
        }
    }
    ddmin(elements, test)
}

/// Like [`ddmin`], for elements that are sorted by how likely they are the cause. The first one, two, four and so on
/// are tried until they suffice; only those are minimised. `test` gets elements in ascending order, and accepts all of
/// them.
pub fn nearest_first<T: Copy + Ord, E>(
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut size = 1;
    while size < elements.len() && !test(&ascending(&elements[..size]))? {
        size *= 2;
    }
    let enough = ascending(&elements[..size.min(elements.len())]);
    if enough.len() > FEW { ddmin(&enough, test) } else { one_by_one(enough, test) }
}

/// With so few elements most are needed, so tests of halves give little information.
const FEW: usize = 8;

/// Remove one element after the other until none can be removed.
fn one_by_one<T: Copy, E>(
    mut elements: Vec<T>,
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    // The number of needed elements since the last removal.
    let (mut at, mut needed) = (0, 0);
    while needed < elements.len() && elements.len() > 1 {
        let element = elements.remove(at);
        if test(&elements)? {
            needed = 0;
        } else {
            elements.insert(at, element);
            (at, needed) = (at + 1, needed + 1);
        }
        at %= elements.len();
    }
    Ok(elements)
}

fn ascending<T: Copy + Ord>(elements: &[T]) -> Vec<T> {
    let mut elements = elements.to_vec();
    elements.sort_unstable();
    elements
}

/// The classic algorithm: try ever smaller chunks, then their complements.
pub fn ddmin<T: Copy + PartialEq, E>(
    elements: &[T],
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut current = elements.to_vec();
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
            let rest: Vec<T> = current.iter().copied().filter(|element| !chunk.contains(element)).collect();
            // Of two chunks, each is the complement of the other, which was just tried.
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
        move |set| Ok(needed.iter().all(|element| set.contains(element)))
    }

    proptest! {
        #[test]
        fn what_is_needed_is_found_and_nothing_else(
            elements in proptest::collection::btree_set(0u8..60, 1..40),
            picks in proptest::collection::vec(any::<proptest::sample::Index>(), 1..4),
            likely in proptest::collection::vec(0u8..60, 0..3),
        ) {
            let elements: Vec<u8> = elements.into_iter().collect();
            let mut needed: Vec<u8> = picks.iter().map(|pick| *pick.get(&elements)).collect();
            needed.sort_unstable();
            needed.dedup();
            let found = minimise(&elements, &likely, holds_all(&needed)).unwrap();
            prop_assert_eq!(found, needed);
        }

        #[test]
        fn the_nearest_that_are_needed_take_few_tests(
            elements in proptest::sample::subsequence((0u8..200).collect::<Vec<_>>(), 2..200).prop_shuffle(),
            picks in proptest::collection::vec(0usize..4, 1..3),
        ) {
            let mut needed: Vec<u8> = picks.iter().map(|pick| elements[*pick % elements.len()]).collect();
            needed.sort_unstable();
            needed.dedup();
            let mut tests = 0;
            let found = nearest_first(&elements, |set| {
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
            // Any test over subsets of eight elements, not only monotone ones.
            let index = |set: &[u8]| set.iter().fold(0usize, |bits, element| bits | 1 << element);
            let all: Vec<u8> = (0..8).collect();
            let test = |set: &[u8]| accepted[index(set)] || set.len() == 8;
            let infallible = |set: &[u8]| Ok::<_, Infallible>(test(set));
            for found in [ddmin(&all, infallible), nearest_first(&all, infallible)].map(Result::unwrap) {
                prop_assert!(test(&found));
                for element in &found {
                    let rest: Vec<u8> = found.iter().copied().filter(|other| other != element).collect();
                    prop_assert!(rest.is_empty() || !test(&rest), "{:?} without {}", found, element);
                }
            }
        }
    }
}
