//! The orders in which a report may list the conditions of a decision: clang numbers those in macros apart.

use std::collections::BTreeSet;

use crate::coverage::Conditions;
use crate::replay::expected::ExpectedDecision;
use crate::truth::Vector;

/// The orders of conditions that the vectors of `shown`, which is the decision `expected`, admit. If the decision is the `only`
/// one that it can be, and no order admits them, the first of those with the fewest vectors that are wrong or lacking.
pub(super) fn ordered(
    shown: &Conditions,
    expected: &ExpectedDecision,
    is_whole: bool,
    is_only: bool,
) -> Vec<Vec<usize>> {
    let conditions = shown.shown.len();
    if !expected.is_unordered {
        return vec![(0..conditions).collect()];
    }
    let (Some(listed), Some(occurred)) = (&shown.vectors, &expected.vectors) else { return Vec::new() };
    if !is_whole || conditions > MOST_ORDERED || listed.iter().any(|(vector, _)| vector.len() != conditions) {
        return Vec::new();
    }
    let listed: BTreeSet<&Vector> = listed.iter().map(|(vector, _)| vector).collect();
    let differing = |order: &Vec<usize>| {
        let occurred = in_order(occurred, order);
        let occurred: BTreeSet<&Vector> = occurred.iter().map(|(vector, _)| vector).collect();
        listed.symmetric_difference(&occurred).count()
    };
    let all = orders(conditions);
    let admitted: Vec<_> = all.iter().filter(|order| differing(order) == 0).cloned().collect();
    if admitted.is_empty() && is_only {
        return all.into_iter().min_by_key(differing).into_iter().collect();
    }
    admitted
}

/// The most conditions of a decision of which every order is tried.
const MOST_ORDERED: usize = 6;

/// The orders of a number of conditions.
fn orders(conditions: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..conditions {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let left = (0..conditions).filter(|next| !order.contains(next)).collect::<Vec<_>>();
            left.into_iter().map(move |next| [&order[..], &[next]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The vectors with the conditions in another order.
pub(super) fn in_order(vectors: &[(Vector, bool)], order: &[usize]) -> Vec<(Vector, bool)> {
    let ordered =
        |(vector, outcome): &(Vector, bool)| (order.iter().map(|index| vector[*index]).collect(), *outcome);
    vectors.iter().map(ordered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_macros_have_the_orders_that_the_vectors_admit() {
        let (t, f, n) = (Some(true), Some(false), None);
        let orders = |listed: &[(Vector, bool)], occurred: &[(Vector, bool)], is_only| {
            let conditions = listed[0].0.len();
            let (line, column, shown) = (1, Some(1), vec![false; conditions]);
            let expected = ExpectedDecision {
                line,
                function: 0,
                flags: vec![shown.clone()],
                vectors: Some(occurred.to_vec()),
                unknown: None,
                is_unordered: true,
                is_needed: true,
                is_unsupported: false,
            };
            let shown = Conditions { line, column, shown, covered: 0, vectors: Some(listed.to_vec()) };
            ordered(&shown, &expected, true, is_only)
        };
        let listed = [(vec![f, n, n], false), (vec![t, f, t], true)];
        // `c && (a || b)`, where the report has `c` first.
        assert_eq!(orders(&listed, &[(vec![f, n, n], false), (vec![t, f, t], true)], false), [[0, 1, 2]]);
        assert_eq!(orders(&listed, &[(vec![n, n, f], false), (vec![t, f, t], true)], false), [[2, 1, 0]]);
        // Both orders admit them.
        assert_eq!(orders(&[(vec![t, t], true)], &[(vec![t, t], true)], false), [[0, 1], [1, 0]]);
        // A vector that did not occur, and one that is lacking.
        assert!(orders(&[(vec![t, t], true)], &[(vec![t, f], false)], false).is_empty());
        assert_eq!(orders(&listed[..1], &[(vec![n, n, f], false), (vec![t, f, t], true)], true), [[2, 0, 1]]);
        assert_eq!(in_order(&[(vec![t, f, n], true)], &[2, 0, 1]), [(vec![n, t, f], true)]);
    }
}
