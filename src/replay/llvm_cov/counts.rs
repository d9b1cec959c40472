//! The values of counter expressions (`CounterMappingContext::evaluate` in CoverageMapping.cpp).
//!
//! LLVM calculates with signed numbers of 64 bits and stores the result as an unsigned one. A difference below zero is
//! therefore shown as a number near 2^64, or in JSON as 2^63 - 1.

use crate::coverage::{Counter, FunctionMapping};

/// Values of the counters and expressions of one function.
pub struct Values<'a> {
    /// None if the profile does not have the function: then all counters are 0.
    counters: Option<&'a [u64]>,
    /// None for an expression that refers to a counter or an expression that does not exist.
    expressions: Vec<Option<u64>>,
}

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    /// Its operands are being evaluated.
    Open,
    Known(Option<u64>),
}

impl<'a> Values<'a> {
    /// Evaluate all expressions of `function`.
    pub fn new(function: &FunctionMapping, counters: Option<&'a [u64]>) -> Values<'a> {
        let mut states = vec![State::Unknown; function.expressions.len()];
        let mut values = Values { counters, expressions: Vec::new() };
        // Long sums nest deeply, so operands wait on a stack of our own.
        let mut stack: Vec<usize> = Vec::new();
        for root in 0..states.len() {
            stack.push(root);
            while let Some(&top) = stack.last() {
                if matches!(states[top], State::Known(_)) {
                    stack.pop();
                    continue;
                }
                let expression = function.expressions[top];
                let operands = [expression.left, expression.right];
                let waits_for = |operand: &Counter| match *operand {
                    Counter::Expression(index) => {
                        let index = index as usize;
                        (states.get(index) == Some(&State::Unknown)).then_some(index)
                    }
                    Counter::Zero | Counter::Counter(_) => None,
                };
                if let Some(index) = operands.iter().find_map(waits_for).filter(|index| *index != top) {
                    states[top] = State::Open;
                    stack.push(index);
                    continue;
                }
                let value = |operand| match operand {
                    Counter::Expression(index) => match states.get(index as usize) {
                        Some(State::Known(value)) => *value,
                        // One that contains itself has no value.
                        _ => None,
                    },
                    other => values.of(other),
                };
                let [left, right] = operands.map(value);
                let combine = if expression.is_difference { u64::wrapping_sub } else { u64::wrapping_add };
                states[top] = State::Known(left.zip(right).map(|(left, right)| combine(left, right)));
                stack.pop();
            }
        }
        let known = |state| if let State::Known(value) = state { value } else { None };
        values.expressions = states.into_iter().map(known).collect();
        values
    }

    /// The count that `counter` gives. None if it does not exist; llvm-cov then leaves out the function.
    pub fn of(&self, counter: Counter) -> Option<u64> {
        match counter {
            Counter::Zero => Some(0),
            Counter::Counter(index) => {
                self.counters.map_or(Some(0), |counters| counters.get(index as usize).copied())
            }
            Counter::Expression(index) => self.expressions.get(index as usize).copied().flatten(),
        }
    }
}

/// The negative number that was stored as `count`, if the expression that gave it fell below zero.
pub fn below_zero(count: u64) -> Option<i64> {
    Some(count.cast_signed()).filter(|count| *count < 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Expression;

    fn values(expressions: &[(bool, Counter, Counter)], counters: Option<&[u64]>) -> Vec<Option<u64>> {
        let of = |&(is_difference, left, right): &_| Expression { is_difference, left, right };
        let function = FunctionMapping {
            name: "f".into(),
            name_hash: 0,
            hash: 1,
            files: Vec::new(),
            regions: Vec::new(),
            expressions: expressions.iter().map(of).collect(),
        };
        Values::new(&function, counters).expressions
    }

    const C0: Counter = Counter::Counter(0);
    const C1: Counter = Counter::Counter(1);
    const E0: Counter = Counter::Expression(0);
    const E1: Counter = Counter::Expression(1);

    #[test]
    fn operands_may_follow_and_differences_may_fall_below_zero() {
        let found = values(&[(true, E1, C1), (false, C0, C0), (true, C0, C1)], Some(&[3, 5]));
        assert_eq!(found, [Some(1), Some(6), Some(u64::MAX - 1)]);
        assert_eq!(below_zero(u64::MAX - 1), Some(-2));
        assert_eq!(below_zero(6), None);
        assert_eq!(values(&[(false, C0, C1)], None), [Some(0)], "a function that the profile does not have");
    }

    #[test]
    fn what_does_not_exist_has_no_value() {
        let sum = |left, right| (false, left, right);
        assert_eq!(values(&[sum(C0, C1)], Some(&[3])), [None]);
        assert_eq!(values(&[sum(E0, C0), sum(E0, C0)], Some(&[3])), [None, None], "it contains itself");
        assert_eq!(values(&[sum(E1, C0), sum(C0, E0)], Some(&[3])), [None, None], "they contain each other");
        assert_eq!(values(&[sum(E1, C0)], Some(&[3])), [None]);
    }

    #[test]
    fn a_long_sum_needs_no_deep_stack() {
        let mut sums = vec![(false, C0, C0)];
        sums.extend((0..200_000).map(|index| (false, Counter::Expression(index), C0)));
        sums.reverse();
        let last = u32::try_from(sums.len() - 1).unwrap();
        for (index, sum) in (0..).zip(&mut sums) {
            if index < last {
                sum.1 = Counter::Expression(index + 1);
            }
        }
        assert_eq!(values(&sums, Some(&[1]))[0], Some(200_002));
    }
}
