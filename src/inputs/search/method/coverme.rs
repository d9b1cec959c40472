//! `CoverMe` as published: basin hopping with Powell's method on one representing function, whose zeros
//! saturate another branch.
//!
//! Fu and Su, "Achieving high coverage for floating-point code via unconstrained programming" (2017): algorithm 1,
//! definition 3.2, section 5.3 for infeasible branches, section 6.1 for the parameters; basin hopping
//! (algorithm 1, lines 24 to 34) with `SciPy`'s defaults. Where the paper leaves a point open, or we differ from it:
//!
//! - Descendants need a flow graph. Ours is built from the runs: which condition came next after each branch. A path that
//!   no run took is missing, so a branch can count as saturated until a run takes it.
//! - Only minima count, including the local ones of every hop, and not the inputs evaluated on the way to them. The mean
//!   on Fdlibm would be 73 % with the zeros alone, and 93 % with every evaluation; this way it is 90 to 91 %. The paper
//!   has 90.84, and the authors' tool, run again, 88 to 89.
//! - A run that gives 0 ends its start at once, because nothing is smaller. So does the end of the search.
//! - Starting points: 0 first, as in the authors' tool, then floats as the library Hypothesis draws them, which the paper
//!   names: one in five is special (zeros, limits of ranges, infinities, NaN), the others are from [`random::start`]. Like
//!   the tool, all arguments start with the same float. The tool also hops by up to 300 where `SciPy` has 0.5, accepts
//!   every hop, and deems a branch infeasible at every tenth hop; the paper mentions none of that.
//! - Integers are searched as doubles and rounded.
//! - A faulty run is no minimum. A start whose every value is infinite deems nothing infeasible.
//!
//! As published, a feasible branch is easily lost: a minimum that is not 0 can be a start at 1e41, where no step changes
//! anything, or an equality of doubles that the tolerances miss narrowly; and one such minimum is enough.

mod powell;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::super::goal::Goal;
use super::super::run::{Run, VisitKind};
use super::super::session::Session;
use super::random;
use crate::model::Number;
use powell::{Minimum, Objective, minimise};

/// Starting points.
const STARTS: usize = 500;
/// Hops from each starting point.
const HOPS: usize = 5;
/// The longest displacement of a hop in each direction.
const STRIDE: f64 = 0.5;

/// Zero, limits of ranges, and other floats at which behaviour changes.
const SPECIAL: [f64; 14] = [
    0.0,
    0.5,
    1.0 / 3.0,
    1.5,
    1e-5,
    1e7,
    f64::EPSILON,
    5e-324,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    9_007_199_254_740_992.0,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

fn start_value(rng: &mut ChaCha8Rng) -> f64 {
    if !rng.random_bool(0.2) {
        return f64::from_bits(random::start(rng, Number::Double));
    }
    let value = SPECIAL[rng.random_range(0..SPECIAL.len())];
    if rng.random_bool(0.5) { value } else { -value }
}

/// Search until every branch is saturated or deemed infeasible, or the starting points are used up.
pub fn search(session: &mut Session<'_>) {
    let mut rng = ChaCha8Rng::seed_from_u64(session.rng.random());
    let mut saturation = Saturation::new(session);
    let numbers: Vec<Number> = session.problem.numbers().collect();
    let bits = |point: &[f64]| -> Vec<u64> {
        numbers.iter().zip(point).map(|(number, value)| number.nearest(*value)).collect()
    };
    for start in 0..STARTS {
        let closed = saturation.closed();
        if session.is_over() || closed.iter().all(|closed| *closed) {
            return;
        }
        let first = if start == 0 { 0.0 } else { start_value(&mut session.rng) };
        let start: Vec<f64> = numbers.iter().map(|number| number.value(number.nearest(first))).collect();
        let mut lowest = Lowest { value: f64::INFINITY, last: None };
        let mut represent = |point: &[f64]| {
            if session.is_over() {
                return None;
            }
            let input = bits(point);
            session.records_targets = false;
            let seen =
                session.evaluate_with(&input, |run, goal| represented(run, goal, &closed, &mut saturation));
            session.records_targets = true;
            if seen.value == 0.0 {
                session.evaluate(&input);
            }
            if seen.value < lowest.value {
                lowest = seen;
            }
            (seen.value != 0.0).then_some(seen.value)
        };
        let mut minima = Vec::new();
        hop(&start, HOPS, &mut rng, &mut represent, &mut minima);
        if lowest.value == 0.0 {
            // The last run is the one that gave 0.
            for target in session.measures.met() {
                saturation.covered[target] = true;
            }
        } else if let Some(last) = lowest.last.filter(|_| !session.is_over()) {
            saturation.miss(last);
        }
        // Only minima are kept (algorithm 1, line 11).
        for point in minima {
            if !session.is_over() {
                session.evaluate(&bits(&point.at));
            }
        }
    }
}

/// The lowest value of the representing function from one start, and the last branch on the path of that run.
#[derive(Clone, Copy, Debug)]
struct Lowest {
    value: f64,
    last: Option<usize>,
}

/// The representing function of `run` (algorithm 1, steps 1 and 2), and its last branch.
fn represented(run: &Run<'_>, goal: &dyn Goal, closed: &[bool], saturation: &mut Saturation) -> Lowest {
    let mut last = None;
    for visit in run.visits.iter().filter(|visit| visit.kind() == VisitKind::Condition) {
        saturation.add_edge(last, visit.index());
        last = Some(2 * visit.index() + usize::from(visit.outcome != 0));
    }
    // A faulty run has no r to return.
    let value = if run.end.is_clean() { goal.represent(run.visits, closed) } else { f64::INFINITY };
    Lowest { value, last }
}

/// The branches that minima covered, and the branches that are closed because of that.
#[derive(Debug)]
struct Saturation {
    /// The number of targets that are branches: two for each condition, before all others; 0 in goals without branches.
    branches: usize,
    /// The conditions that came next after each branch in some run.
    next: Vec<Vec<usize>>,
    covered: Vec<bool>,
    /// A branch is deemed infeasible after one minimum that is not 0 and ends with the other branch.
    infeasible: Vec<bool>,
}

impl Saturation {
    fn new(session: &Session<'_>) -> Saturation {
        let targets = session.goal.targets().len();
        Saturation {
            branches: session.goal.branches(),
            next: vec![Vec::new(); 2 * session.problem.probes.conditions.len()],
            covered: vec![false; targets],
            infeasible: vec![false; targets],
        }
    }

    /// `condition` came next after `branch`.
    fn add_edge(&mut self, branch: Option<usize>, condition: usize) {
        if let Some(branch) = branch.filter(|branch| !self.next[*branch].contains(&condition)) {
            self.next[branch].push(condition);
        }
    }

    /// A minimum that is not 0 ends with `branch`, so the other branch of the condition was missed.
    fn miss(&mut self, branch: usize) {
        if branch < self.branches {
            self.infeasible[branch ^ 1] = true;
        }
    }

    /// The targets that are saturated or deemed infeasible. A branch is saturated when it and all its descendants are covered
    /// or infeasible.
    fn closed(&self) -> Vec<bool> {
        let targets = 0..self.covered.len();
        let mut open: Vec<bool> = targets.map(|at| !self.covered[at] && !self.infeasible[at]).collect();
        loop {
            let leads_on = |branch: &usize| {
                let mut next = self.next[*branch].iter();
                !self.infeasible[*branch] && next.any(|then| open[2 * then] || open[2 * then + 1])
            };
            let more: Vec<usize> =
                (0..self.branches).filter(|branch| !open[*branch]).filter(leads_on).collect();
            if more.is_empty() {
                return open.into_iter().map(|open| !open).collect();
            }
            for branch in more {
                open[branch] = true;
            }
        }
    }
}

/// `SciPy`'s basin hopping: `hops` times a random displacement, a local minimisation, and the Metropolis criterion at
/// temperature 1. Adds the minima to `minima`; stops if the function asks to. `SciPy` adapts the displacement at every
/// fiftieth hop, which the five hops of a start never reach.
fn hop(
    start: &[f64],
    hops: usize,
    rng: &mut ChaCha8Rng,
    function: &mut Objective<'_>,
    minima: &mut Vec<Minimum>,
) -> Option<()> {
    let mut here = minimise(start, function)?;
    minima.push(here.clone());
    for _ in 0..hops {
        let moved: Vec<f64> = here.at.iter().map(|x| x + rng.random_range(-STRIDE..=STRIDE)).collect();
        let new = minimise(&moved, function)?;
        minima.push(new.clone());
        // The difference of two infinite values is NaN; it is no worse.
        if new.value <= here.value || rng.random::<f64>() < (here.value - new.value).exp() {
            here = new;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Trace, searched};
    use super::*;
    use crate::syntax::search::Comparison::{AtMost, Equal, Less};

    /// The paper's figure 3, where the second condition compares the square with `last`.
    fn figure(last: f64) -> impl FnMut(&[f64], &mut Trace) {
        move |x, trace| {
            let x = if trace.condition(0, x[0], 1.0) { x[0] + 1.0 } else { x[0] };
            trace.condition(1, x * x, last);
        }
    }

    #[test]
    fn the_papers_example_is_covered() {
        // For a double, Powell's method ends 1e-10 from 4, and then the branch is deemed infeasible.
        let found = searched(search, &[Number::INT], &[AtMost, Equal], 100_000, figure(4.0));
        assert!(found.unmet.is_empty(), "{found:?}");
    }

    #[test]
    fn an_infeasible_branch_is_closed() {
        let found = searched(search, &[Number::Double], &[AtMost, Equal], 1_000_000, figure(-1.0));
        // It deems y = -1 infeasible and ends long before its 500 starts of some hundred evaluations each.
        assert_eq!(found.unmet.keys().copied().collect::<Vec<_>>(), [3]);
        assert!(found.evaluations < 60_000, "{}", found.evaluations);
    }

    #[test]
    fn the_starts_are_used_up_where_nothing_can_be_deemed() {
        // The second condition is reached only by an infeasible branch, so no run reports it.
        let found = searched(search, &[Number::Double], &[Less, Less], 10_000_000, |x, trace| {
            if trace.condition(0, x[0] * x[0], 0.0) {
                trace.condition(1, x[0], 0.0);
            }
        });
        assert_eq!(found.unmet.len(), 3);
        assert!((10_000..200_000).contains(&found.evaluations), "{}", found.evaluations);
    }

    #[test]
    fn circles_and_integers_are_met() {
        let found = searched(search, &[Number::Double, Number::INT], &[Less, Equal], 200_000, |x, trace| {
            if trace.condition(0, (x[0] - 7.5) * (x[0] - 7.5) + x[1] * x[1], 1.0) {
                trace.condition(1, x[1], 0.0);
            }
        });
        assert!(!found.unmet.contains_key(&1), "{found:?}");
    }

    #[test]
    fn a_branch_is_saturated_with_all_its_descendants() {
        let mut saturation = Saturation {
            branches: 6,
            next: vec![vec![1], vec![1], vec![], vec![2], vec![], vec![]],
            covered: vec![true, false, true, true, true, false],
            infeasible: vec![false; 6],
        };
        assert_eq!(saturation.closed(), [false, false, true, false, true, false]);
        saturation.miss(4);
        assert_eq!(saturation.closed(), [true, false, true, true, true, true]);
    }

    #[test]
    fn hops_leave_a_basin() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let wavy = |x: &[f64]| (14.5 * x[0] - 0.3).cos() + (x[0] + 0.2) * x[0];
        let mut minima = Vec::new();
        hop(&[1.0], 100, &mut rng, &mut |x| Some(wavy(x)), &mut minima).unwrap();
        let found = minima.into_iter().min_by(|one, other| one.value.total_cmp(&other.value)).unwrap();
        assert!((found.at[0] + 0.195).abs() < 1e-3, "{found:?}");
    }
}
