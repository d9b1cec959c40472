//! What the relations that rewrite a program have in common.
//!
//! Each makes programs of P that do what P does: by text, by flags, by the way of running. The
//! program that it makes is profiled and counted by our own counters like any other, so whatever its
//! report gets wrong is told by truth, on the lines that were rewritten too. Where P itself is
//! counted right at the same place, the rewriting has brought it to light, and is isolated.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::coverage::Coverage;
use crate::model::{Family, Line, ProfilerInfo, RelationName, TextEdit};
use crate::syntax::{Program, render};
use crate::truth::Truth;

/// The smallest rewriting that a relation knows. What it means does not depend on what else is rewritten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutation {
    /// What it does, in words that follow "made to": `split the expression on line 4`.
    pub words: String,
    /// Edits of the text; they may add lines, and remove none.
    pub edits: Vec<TextEdit>,
    /// Flags of the compiler.
    pub flags: Vec<String>,
    /// How often the program is run into one profile; 0 means as often as before.
    pub runs: u32,
}

/// What a relation may go by.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// The parsed P.
    pub program: &'a Program,
    /// Who counts it.
    pub profiler: Option<&'a ProfilerInfo>,
    /// Its report, and what really ran; none where sources are mutated before anybody runs them.
    pub ran: Option<(&'a Coverage, &'a Truth)>,
}

impl Grounds<'_> {
    /// Whether truth says that nothing of what stands on `lines` ran, and something could have.
    pub fn is_idle(&self, lines: (Line, Line)) -> bool {
        let Some((_, truth)) = self.ran else { return false };
        let counts: Vec<BTreeSet<u64>> =
            (lines.0..=lines.1).filter_map(|line| Some(truth.line(line, Family::Gcov)?.counts)).collect();
        !counts.is_empty() && counts.iter().flatten().all(|count| *count == 0)
    }
}

/// A relation that rewrites. Its file says why its programs do what P does, and where that ends.
pub trait Rewrite: Send + Sync {
    /// Its name.
    fn name(&self) -> RelationName;

    /// Everything that it may do to a program, in source order. The generator is for choices within a
    /// mutation; which of them are made is not the relation's to say.
    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation>;
}

/// Distinct variants, each a sorted set of indices into `mutations`: as many as can go together, then
/// fewer. What changes flags or runs goes alone, and is a third of them where there is text to change.
pub fn draw(mutations: &[Mutation], wanted: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let is_text = |at: &usize| mutations[*at].flags.is_empty() && mutations[*at].runs == 0;
    let (text, mut alone): (Vec<usize>, Vec<usize>) = (0..mutations.len()).partition(is_text);
    alone.shuffle(rng);
    let share = if text.is_empty() { wanted } else { wanted.div_ceil(3) };
    let mut variants: Vec<Vec<usize>> = alone.into_iter().take(share).map(|at| vec![at]).collect();
    let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
    for density in [1.0, 0.3, 0.1, 0.5, 0.2, 0.05].into_iter().cycle().take(4 * wanted) {
        if variants.len() >= wanted || text.is_empty() {
            break;
        }
        let mut order = text.clone();
        order.shuffle(rng);
        let first = order[0];
        let chosen = order.into_iter().filter(|at| *at == first || rng.random_bool(density));
        let variant = together(mutations, chosen);
        if seen.insert(variant.clone()) {
            variants.push(variant);
        }
    }
    variants
}

/// A text of `program` with a few mutations that need no knowledge of what ran, by
/// `relations`; none where there are none.
pub fn mutant(program: &Program, relations: &[&dyn Rewrite], rng: &mut ChaCha8Rng) -> Option<String> {
    let grounds = Grounds { program, profiler: None, ran: None };
    let mut mutations: Vec<Mutation> = Vec::new();
    for relation in relations {
        mutations.extend(relation.mutations(&grounds, rng));
    }
    let mut order: Vec<usize> = (0..mutations.len()).collect();
    order.shuffle(rng);
    order.truncate(rng.random_range(1..=MOST_MUTATIONS));
    let chosen = together(&mutations, order.into_iter());
    let edits: Vec<TextEdit> = chosen.iter().flat_map(|at| mutations[*at].edits.clone()).collect();
    (!edits.is_empty()).then(|| render(&program.source, &edits))
}

/// Mutations of one mutant.
const MOST_MUTATIONS: usize = 24;

/// Those of `chosen` that do not get in each other's way, the first ones first; sorted.
fn together(mutations: &[Mutation], chosen: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut taken: Vec<&TextEdit> = Vec::new();
    let mut variant = Vec::new();
    for at in chosen {
        let edits = &mutations[at].edits;
        let is_free = |edit: &TextEdit| taken.iter().all(|other| !meet(edit, other));
        if edits.iter().all(is_free) {
            taken.extend(edits);
            variant.push(at);
        }
    }
    variant.sort_unstable();
    variant
}

/// Whether two edits cannot both be made, or not in an order that matters.
fn meet(a: &TextEdit, b: &TextEdit) -> bool {
    a.start == b.start || a.start < b.end && b.start < a.end
}

/// Where the lines of P are in what was made of it.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    /// For each edit that adds lines: the first line behind it, and how many.
    added: Vec<(Line, Line)>,
    touched: BTreeSet<Line>,
}

impl LineMap {
    /// The map of `edits` over `program`.
    pub fn new(program: &Program, edits: &[TextEdit]) -> LineMap {
        let added = edits.iter().filter_map(|edit| {
            let lines = edit.added_lines();
            let line = program.line_of(edit.start);
            let begins = program.line_start(line) == Some(edit.start);
            (lines > 0).then_some((line + Line::from(!begins), lines))
        });
        LineMap { added: added.collect(), touched: super::touched(program, edits) }
    }

    /// The line that `line` of P is now; none where it was touched.
    pub fn to(&self, line: Line) -> Option<Line> {
        let before = self.added.iter().filter(|(first, _)| *first <= line);
        (!self.touched.contains(&line)).then(|| line + before.map(|(_, lines)| lines).sum::<Line>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn edit(start: usize, end: usize, with: &str) -> TextEdit {
        TextEdit { start, end, with: with.into() }
    }

    #[test]
    fn lines_behind_what_is_added_move() {
        let program = Program::parse("a;\nb;\nc;\n".into());
        let map = LineMap::new(&program, &[edit(3, 4, "x\ny\n")]);
        assert_eq!([1, 2, 3].map(|line| map.to(line)), [Some(1), None, Some(5)]);
        let map = LineMap::new(&program, &[edit(4, 4, "\n")]);
        assert_eq!([1, 2, 3].map(|line| map.to(line)), [Some(1), None, Some(4)]);
    }

    #[test]
    fn what_meets_does_not_go_together_and_flags_go_alone() {
        let text = |start, end| Mutation { edits: vec![edit(start, end, "x")], ..Mutation::default() };
        let flag = Mutation { flags: vec!["-g".into()], ..Mutation::default() };
        let mutations = [text(0, 4), text(2, 6), text(6, 6), text(6, 8), flag];
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
