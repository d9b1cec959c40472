//! What is known of each target: the inputs that came nearest, and what was spent on it.

use super::super::super::distance::Distance;
use super::super::super::session::Session;
use super::seeds::Palette;

/// What an input that ends badly adds to a distance: it cannot be kept, but may lead to one that can.
const BAD_END: u128 = 1 << 100;

/// How far an input is from a target, in three ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// In values between what is compared.
    Steps,
    /// In bits, or in the difference of values.
    Other,
    /// By how little it did, since the way through a loop is long; then in steps.
    Visits,
}

/// More than any run says.
const MOST_VISITS: u128 = 1 << 20;

/// What one visit outweighs: more than any distance.
const VISIT: u128 = 1 << 70;

/// What is known of one target.
#[derive(Clone, Debug, Default)]
struct Pursuit {
    /// The nearest inputs, by each [`Measure`].
    nearest: [Option<(u128, Vec<u64>)>; 3],
    spent: u64,
    /// Evaluations since an input came nearer.
    since: u64,
    turns: u32,
    nearer: bool,
}

/// A search, and what it knows of its targets.
pub struct Hunt<'s, 'a> {
    /// The search.
    pub session: &'s mut Session<'a>,
    /// The values to draw from.
    pub palette: Palette,
    pursuits: Vec<Pursuit>,
}

impl<'s, 'a> Hunt<'s, 'a> {
    /// Nothing is known yet.
    pub fn new(session: &'s mut Session<'a>) -> Hunt<'s, 'a> {
        let targets = session.goal.targets().len();
        let palette = Palette::new(session.problem);
        Hunt { session, palette, pursuits: vec![Pursuit::default(); targets] }
    }

    /// Evaluate `input` and remember it where it came nearer than any before.
    pub fn evaluate(&mut self, input: &[u64]) {
        self.session.evaluate(input);
        self.note(input);
    }

    /// Remember `input`, which was evaluated last.
    pub fn note(&mut self, input: &[u64]) {
        for &target in self.session.measures.near() {
            if !self.session.is_open(target) {
                continue;
            }
            let Some(distance) = self.session.measures.of(target) else { continue };
            let pursuit = &mut self.pursuits[target];
            for (measure, nearest) in self.session.all(distance).into_iter().zip(&mut pursuit.nearest) {
                match nearest {
                    Some((known, kept)) if measure < *known => {
                        *known = measure;
                        kept.copy_from_slice(input);
                        pursuit.nearer = true;
                    }
                    Some(_) => {}
                    None => {
                        *nearest = Some((measure, input.to_vec()));
                        pursuit.nearer = true;
                    }
                }
            }
        }
    }

    /// The open target, come near to by some run, on which least was spent.
    pub fn next(&self) -> Option<usize> {
        let is_due =
            |target: &usize| self.session.is_open(*target) && self.pursuits[*target].nearest[0].is_some();
        (0..self.pursuits.len()).filter(is_due).min_by_key(|target| self.pursuits[*target].spent)
    }

    /// Begin another turn at `target`; its number, from 0.
    pub fn take_up(&mut self, target: usize) -> u32 {
        let pursuit = &mut self.pursuits[target];
        pursuit.turns += 1;
        pursuit.nearer = false;
        pursuit.turns - 1
    }

    /// The input that came nearest to `target` by `measure`.
    pub fn nearest(&self, target: usize, measure: Measure) -> Option<Vec<u64>> {
        self.pursuits[target].nearest[measure as usize].as_ref().map(|(_, input)| input.clone())
    }

    /// Whether the nearest input misses `target` by one step.
    pub fn is_one_away(&self, target: usize) -> bool {
        self.pursuits[target].nearest[0].as_ref().is_some_and(|(distance, _)| *distance == 1)
    }

    /// A turn at `target` that began after `begun` evaluations is over; without a nearer input in `patience`
    /// evaluations it was the last.
    pub fn put_down(&mut self, target: usize, begun: u64, patience: u64) {
        let spent = (self.session.spent() - begun).max(1);
        let pursuit = &mut self.pursuits[target];
        pursuit.spent += spent;
        pursuit.since = if pursuit.nearer { 0 } else { pursuit.since + spent };
        if pursuit.since >= patience {
            self.session.give_up(target);
        }
    }
}

impl Session<'_> {
    /// All measures of `distance` in the run that was last, in the order of [`Measure`].
    pub(super) fn all(&self, distance: Distance) -> [u128; 3] {
        let blame = if self.ended.is_clean() { 0 } else { BAD_END };
        let left = MOST_VISITS - (self.visits as u128).min(MOST_VISITS);
        let visits = if distance.is_zero() { 0 } else { left * VISIT + distance.steps };
        [distance.steps, distance.other, visits].map(|measure| measure + blame)
    }
}
