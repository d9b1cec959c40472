//! `FloPSy`'s alternating variable method: one variable at a time, a step down and a step up, and doubled steps
//! for as long as they help.
//!
//! Lakhotia, Tillmann, Harman and de Halleux, "`FloPSy` – search-based floating point constraint solving for
//! symbolic execution" (2010), sections 2.3 and 3.2. There Pex hands a solver the constraints of one path; here
//! a target takes their place, at the distance of table 1, and the climb begins at the nearest input that
//! came by, as Pex has the one whose path it turns. The first input of all is zeros: Pex begins with the default
//! values of the types. The targets take turns of the paper's budget.
//!
//! Left open by the paper and chosen here: a global restart sets the precision back to 0, a local one keeps it; a
//! step that rounds to no change costs no evaluation; precision ends at 7 and 15 digits also where a smaller step
//! would still have an effect, as it would without end at 0.

use rand::RngExt;

use super::super::session::Session;
use super::random;
use crate::model::Number;

/// Evaluations for one target before the next has its turn (section 4.3).
const BUDGET: u64 = 100_000;

/// What a step of an integer is converted to.
const LONG: Number = Number::Integer { bits: 64, signed: true };

/// Search until nothing is left to do.
pub fn search(session: &mut Session<'_>) {
    in_turn(session, climb);
}

/// Let `solver` work on each open target that some run came near, the paper's budget long, in turn until the
/// search is over; where there is none, try random inputs.
pub fn in_turn(session: &mut Session<'_>, solver: fn(&mut Aim<'_, '_>)) {
    let targets = session.goal.targets().len();
    if session.problem.cells.is_empty() {
        session.evaluate(&[]);
        return;
    }
    let mut nearest = vec![None; targets];
    let mut last = targets - 1;
    let zeros = vec![0; session.problem.cells.len()];
    Aim { left: BUDGET, target: last, session: &mut *session, nearest: &mut nearest }.fitness(&zeros);
    while !session.is_over() {
        let turns = (last + 1..=last + targets).map(|turn| turn % targets);
        let due: Vec<usize> =
            turns.filter(|target| session.is_open(*target) && nearest[*target].is_some()).collect();
        // What only shows the way is for when nothing that is wanted is near.
        let wanted = due.iter().find(|target| session.goal.targets()[**target].wanted);
        let next = wanted.or(due.first()).copied();
        let mut aim =
            Aim { left: BUDGET, target: next.unwrap_or(last), session: &mut *session, nearest: &mut nearest };
        if next.is_some() {
            last = aim.target;
            solver(&mut aim);
        } else {
            let input = aim.drawn();
            aim.fitness(&input);
        }
    }
}

/// An input that came near a target.
#[derive(Clone, Debug)]
struct Near {
    input: Vec<u64>,
    fitness: f64,
}

/// One target, as a solver sees it.
pub struct Aim<'s, 'a> {
    /// The search in progress.
    pub session: &'s mut Session<'a>,
    target: usize,
    left: u64,
    nearest: &'s mut [Option<Near>],
}

impl Aim<'_, '_> {
    /// How far `input` is from the target: the largest double where its run did not come near, or ended badly.
    pub fn fitness(&mut self, input: &[u64]) -> f64 {
        self.left = self.left.saturating_sub(1);
        self.session.evaluate(input);
        if !self.session.ended.is_clean() {
            return f64::MAX;
        }
        for &target in self.session.measures.near() {
            let Some(distance) = self.session.measures.of(target) else { continue };
            let known = &mut self.nearest[target];
            if self.session.is_open(target)
                && known.as_ref().is_none_or(|known| distance.value < known.fitness)
            {
                *known = Some(Near { input: input.to_vec(), fitness: distance.value });
            }
        }
        self.session.measures.of(self.target).map_or(f64::MAX, |distance| distance.value)
    }

    /// Whether the target is met, or its turn or the search is over.
    pub fn is_over(&self) -> bool {
        self.left == 0 || !self.session.is_open(self.target) || self.session.is_over()
    }

    /// The input that came nearest to the target so far.
    pub fn nearest(&self) -> Option<Vec<u64>> {
        self.nearest[self.target].as_ref().map(|near| near.input.clone())
    }

    /// A random input.
    pub fn drawn(&mut self) -> Vec<u64> {
        random::drawn(self.session, random::start)
    }

    /// The type of each variable.
    pub fn numbers(&self) -> Vec<Number> {
        self.session.problem.cells.iter().map(|cell| cell.number).collect()
    }
}

/// `bits` plus `delta`, which is worked out as a double and then converted to the type (section 3.2).
pub fn moved(number: Number, bits: u64, delta: f64) -> u64 {
    if number.is_float() {
        number.nearest(number.value(bits) + delta)
    } else {
        number.at(number.ordinal(bits) + LONG.ordinal(LONG.nearest(delta)))
    }
}

/// Digits behind the point beyond which a step has no more effect.
fn digits(number: Number) -> i32 {
    match number {
        Number::Integer { .. } => 0,
        Number::Float => 7,
        Number::Double | Number::LongDouble => 15,
    }
}

/// The least step that still has an effect.
pub fn finest(number: Number) -> f64 {
    10_f64.powi(-digits(number))
}

/// The best input of a climb.
struct Climb {
    numbers: Vec<Number>,
    precision: Vec<i32>,
    input: Vec<u64>,
    fitness: f64,
}

/// The alternating variable method on one target, with restarts that are local and global by turns.
fn climb(aim: &mut Aim<'_, '_>) {
    let numbers = aim.numbers();
    let input = aim.nearest().unwrap_or_else(|| aim.drawn());
    let fitness = aim.fitness(&input);
    let mut climb = Climb { precision: vec![0; numbers.len()], numbers, input, fitness };
    let mut is_local = true;
    loop {
        climb.climb_out(aim);
        if aim.is_over() {
            return;
        }
        if is_local {
            climb.stir(aim);
        } else {
            climb.precision.fill(0);
            climb.input = aim.drawn();
        }
        is_local = !is_local;
        climb.fitness = aim.fitness(&climb.input);
    }
}

impl Climb {
    /// Climb until no move helps at any precision.
    fn climb_out(&mut self, aim: &mut Aim<'_, '_>) {
        loop {
            let mut variable = 0;
            while variable < self.input.len() && !aim.is_over() {
                // After a success all begins again at the first variable.
                variable = if self.explore(aim, variable) { 0 } else { variable + 1 };
            }
            if aim.is_over() || !self.refine() {
                return;
            }
        }
    }

    /// An exploratory move of `variable`, down and then up, and the pattern moves behind it.
    fn explore(&mut self, aim: &mut Aim<'_, '_>, variable: usize) -> bool {
        for direction in [-1.0, 1.0] {
            let mut iteration = 0;
            while !aim.is_over() && self.step(aim, variable, direction, iteration) {
                iteration += 1;
            }
            if iteration > 0 {
                return true;
            }
        }
        false
    }

    /// Move by 2^iteration · direction · 10^−precision if that is better.
    fn step(&mut self, aim: &mut Aim<'_, '_>, variable: usize, direction: f64, iteration: i32) -> bool {
        let before = self.input[variable];
        let delta = 2_f64.powi(iteration) * direction * 10_f64.powi(-self.precision[variable]);
        self.input[variable] = moved(self.numbers[variable], before, delta);
        if self.input[variable] != before {
            let fitness = aim.fitness(&self.input);
            if fitness < self.fitness {
                self.fitness = fitness;
                return true;
            }
        }
        self.input[variable] = before;
        false
    }

    /// One more digit of precision for each variable that can have it; false if none can.
    fn refine(&mut self) -> bool {
        let mut is_finer = false;
        for (precision, number) in self.precision.iter_mut().zip(&self.numbers) {
            if *precision < digits(*number) {
                *precision += 1;
                is_finer = true;
            }
        }
        is_finer
    }

    /// A local restart: a random part of the least step is added to each variable.
    fn stir(&mut self, aim: &mut Aim<'_, '_>) {
        for ((bits, number), precision) in self.input.iter_mut().zip(&self.numbers).zip(&self.precision) {
            let share: f64 = aim.session.rng.random();
            *bits = moved(*number, *bits, 10_f64.powi(-precision) * share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::trial::searched;
    use super::*;
    use crate::syntax::search::Comparison::{Equal, Greater, Less};

    #[test]
    fn equations_in_every_type_are_solved() {
        for number in [Number::Float, Number::Double] {
            let found = searched(search, &[number], &[Equal], 20_000, |x, trace| {
                trace.says(0, x[0] - 12.5, 0.0);
            });
            assert!(found.unmet.is_empty(), "{number:?} {:?}", found.unmet);
        }
        let found = searched(search, &[Number::INT, LONG], &[Equal], 20_000, |x, trace| {
            trace.says(0, x[0] * 3.0 + x[1], 1_234_567.0);
        });
        assert!(found.unmet.is_empty(), "{:?}", found.unmet);
    }

    #[test]
    fn what_lies_behind_is_reached_in_turn() {
        let nested = |x: &[f64], trace: &mut super::super::random::trial::Trace| {
            if trace.says(0, x[0], 41.5)
                && trace.says(1, x[1] * x[1] + x[0], 42.0)
                && trace.says(2, (x[0] - x[1]).abs(), 1e6)
            {
                trace.says(3, x[1], 5.0);
            }
        };
        let found = searched(search, &[Number::Double; 2], &[Equal, Less, Less, Greater], 400_000, nested);
        // x1 > 5 and x1² < 0.5 cannot be.
        assert_eq!(found.unmet.keys().copied().collect::<Vec<_>>(), [4, 7]);
        // One turn ends and the next begins.
        assert_eq!(found.evaluations, 400_000);
    }

    #[test]
    fn moves_are_made_in_the_type() {
        assert_eq!(moved(Number::INT, 5, -7.0), (-2_i64).cast_unsigned());
        assert_eq!(moved(LONG, 1 << 60, 1.0), (1 << 60) + 1);
        assert_eq!(moved(LONG, 0, f64::INFINITY), i64::MAX.cast_unsigned());
        assert_eq!(moved(Number::Double, 1.0_f64.to_bits(), 0.25), 1.25_f64.to_bits());
    }
}
