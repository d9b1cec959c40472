//! The framework of `FloPSy`'s two methods: solvers that work on one target at a time.
//!
//! Lakhotia, Tillmann, Harman and de Halleux, "`FloPSy` – search-based floating point constraint solving for symbolic
//! execution" (2010). There, Pex hands a solver the constraints of one path. Here a target takes their place, with the
//! distance of table 1, and a solver starts at the nearest input that any run had, just as Pex has the input whose path it
//! changes. The very first input is zeros, because Pex starts with the default values of the types. Each turn has the
//! paper's budget.

use super::super::session::Session;
use super::random;

/// Evaluations in one turn (section 4.3).
const BUDGET: u64 = 100_000;

/// Let `solve` work on the open targets that some run came near, in turn, until the search is over. While there are none,
/// evaluate random inputs.
pub fn search(session: &mut Session<'_>, solve: fn(&mut Objective<'_, '_>)) {
    let targets = session.goal.targets().len();
    let nearest = vec![None; targets];
    let mut objective = Objective { session, target: targets - 1, left: BUDGET, nearest };
    objective.fitness(&vec![0; objective.session.problem.cells.len()]);
    while !objective.session.is_over() {
        let turns = (objective.target + 1..=objective.target + targets).map(|turn| turn % targets);
        let due: Vec<usize> = turns
            .filter(|target| objective.session.is_open(*target) && objective.nearest[*target].is_some())
            .collect();
        // Targets that only guide the search are for when no requested one is near.
        let requested = due.iter().find(|target| objective.session.goal.targets()[**target].is_requested);
        objective.left = BUDGET;
        if let Some(target) = requested.or(due.first()) {
            objective.target = *target;
            solve(&mut objective);
        } else {
            let input = objective.random_input();
            objective.fitness(&input);
        }
    }
}

/// The current target, as a function to minimise.
pub struct Objective<'s, 'a> {
    pub session: &'s mut Session<'a>,
    target: usize,
    /// Evaluations left in this turn.
    left: u64,
    /// The nearest input to each target, with its distance.
    nearest: Vec<Option<(f64, Vec<u64>)>>,
}

impl Objective<'_, '_> {
    /// The distance of `input` from the target; the largest double if its run did not come near or was faulty.
    pub fn fitness(&mut self, input: &[u64]) -> f64 {
        self.left = self.left.saturating_sub(1);
        self.session.evaluate(input);
        if !self.session.end.is_clean() {
            return f64::MAX;
        }
        for (target, distance) in self.session.measures.near() {
            let known = &mut self.nearest[target];
            if self.session.is_open(target) && known.as_ref().is_none_or(|known| distance.value < known.0) {
                *known = Some((distance.value, input.to_vec()));
            }
        }
        self.session.measures.of(self.target).map_or(f64::MAX, |distance| distance.value)
    }

    /// Whether the target is met, or its turn or the search is over.
    pub fn is_over(&self) -> bool {
        self.left == 0 || !self.session.is_open(self.target) || self.session.is_over()
    }

    /// The nearest input to the target so far.
    pub fn nearest(&self) -> Option<Vec<u64>> {
        self.nearest[self.target].as_ref().map(|(_, input)| input.clone())
    }

    pub fn random_input(&mut self) -> Vec<u64> {
        random::input(self.session, random::start)
    }
}
