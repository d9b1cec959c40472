//! A closure as the function under test, for the tests of all methods.

use super::super::goal::Branches;
use super::super::problem::Problem;
use super::super::run::{Run, RunEnd, Subject, Visit};
use super::super::session::{Effort, Outcome, Session};
use crate::model::Number;
use crate::syntax::BooleanExpr;
use crate::syntax::search::{Cell, Comparison, Condition, Decision, Probes};

/// The conditions of a closure, and their reports.
pub struct Trace {
    comparisons: Vec<Comparison>,
    visits: Vec<Visit>,
}

impl Trace {
    /// Condition `at` compares `left` with `right`.
    pub fn condition(&mut self, at: usize, left: f64, right: f64) -> bool {
        let outcome = match self.comparisons[at] {
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
            Comparison::Equal => left - right == 0.0,
            Comparison::Unequal => left - right != 0.0,
        };
        self.visits.push(Visit {
            probe: u32::try_from(at).unwrap(),
            outcome: outcome.into(),
            left_type: 5,
            right_type: 5,
            left: left.to_bits(),
            right: right.to_bits(),
            ..Visit::default()
        });
        outcome
    }
}

struct Closure<F> {
    numbers: Vec<Number>,
    trace: Trace,
    body: F,
}

impl<F: FnMut(&[f64], &mut Trace)> Subject for Closure<F> {
    fn run(&mut self, input: &[u64]) -> Run<'_> {
        let values: Vec<f64> =
            self.numbers.iter().zip(input).map(|(number, bits)| number.value(*bits)).collect();
        self.trace.visits.clear();
        (self.body)(&values, &mut self.trace);
        Run { end: RunEnd::Returned, visits: &self.trace.visits, later: &[], bounds: &[], result: 0 }
    }
}

/// The outcome of `search` on `body` in `budget` evaluations. `body` takes `numbers` and has a condition for each of
/// `comparisons`.
pub fn searched(
    search: impl FnOnce(&mut Session<'_>),
    numbers: &[Number],
    comparisons: &[Comparison],
    budget: u64,
    body: impl FnMut(&[f64], &mut Trace),
) -> Outcome {
    let condition = |(at, comparison): (usize, &Comparison)| Condition {
        comparison: *comparison,
        line: 1,
        text: format!("condition {at}"),
        decision: at,
    };
    let decision = |at| Decision { tree: BooleanExpr::Condition(at), is_returned: false };
    let probes = Probes {
        conditions: comparisons.iter().enumerate().map(condition).collect(),
        decisions: (0..comparisons.len()).map(decision).collect(),
        ..Probes::default()
    };
    let goal = Box::new(Branches::new(&probes));
    let cells = numbers.iter().map(|number| Cell { number: *number, label: "x".into() }).collect();
    let problem = Problem { cells, probes, returns: None, texts: Vec::new(), constants: Vec::new() };
    let trace = Trace { comparisons: comparisons.to_vec(), visits: Vec::new() };
    let mut subject = Closure { numbers: numbers.to_vec(), trace, body };
    let mut on_progress = |_, _, _| true;
    let effort = Effort { budget, patience: 100_000 };
    let mut session = Session::new(&problem, goal, &mut subject, (1, effort), &mut on_progress);
    search(&mut session);
    session.finish()
}

#[test]
fn a_function_without_parameters_is_evaluated_once() {
    for method in [super::Method::Random, super::Method::Avm, super::Method::Coverme] {
        let found = searched(
            |session| super::search(method, session),
            &[],
            &[Comparison::Less],
            1000,
            |_, trace| {
                trace.condition(0, 1.0, 2.0);
            },
        );
        assert_eq!(found.evaluations, 1);
    }
}
