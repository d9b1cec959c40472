//! `delete`: unexecuted statements are removed (Orion, PLDI 2014; Cod, ASE 2019).
//!
//! What did not run had no influence, so output and the counts of all that is
//! kept must stay. That holds for a deterministic program whose report is right
//! about what did not run; where it is not, either the output changes or a count.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{Atom, Atoms, Proposal, Relation};
use crate::config::{Choice, DeleteSettings, Filler};
use crate::coverage::Coverage;
use crate::model::{RelationName, TextEdit};
use crate::syntax::{Program, Slot, StatementId, StatementKind};

/// Draws that may yield nothing new before a program counts as exhausted.
const FUTILE_DRAWS: usize = 64;

/// The relation with its settings.
#[derive(Clone, Debug)]
pub struct Delete {
    settings: DeleteSettings,
}

impl Delete {
    /// The relation with these settings.
    pub fn new(settings: DeleteSettings) -> Delete {
        Delete { settings }
    }

    /// Whether the report says that the statement did not run.
    fn is_unexecuted(&self, program: &Program, report: &Coverage, id: StatementId) -> bool {
        let (first, last) = program.statement(id).lines;
        let counts = || (first..=last).map(|line| report.line(line));
        let zero = counts().any(|count| count == Some(0));
        match self.settings.choice {
            Choice::Careful => zero && counts().all(|count| count.unwrap_or(0) == 0),
            Choice::Published => zero && report.line(first) == Some(0),
        }
    }

    fn may_go(&self, program: &Program, id: StatementId) -> bool {
        match self.settings.choice {
            Choice::Careful => program.removable(id).is_ok(),
            Choice::Published => {
                let statement = program.statement(id);
                statement.slot != Slot::Fixed
                    && !statement.broken
                    && !matches!(statement.kind, StatementKind::Case | StatementKind::Empty)
            }
        }
    }

    /// What stands in for a deleted statement. gcc folds a condition, a `case` or a label
    /// with nothing behind it, and its line loses the count: an artefact of the edit. So an
    /// opaque statement takes the place of what would leave an arm or a label empty.
    fn stand_in(&self, program: &Program, id: StatementId, gone: &HashSet<StatementId>) -> &'static str {
        let opaque = match self.settings.filler {
            Filler::Opaque => "__asm__(\"\");",
            Filler::Empty => ";",
        };
        match program.statement(id).slot {
            Slot::Arm | Slot::Body | Slot::AfterLabel => opaque,
            _ if self.settings.filler == Filler::Opaque && leads_empty_run(program, id, gone) => opaque,
            Slot::Unsure => ";",
            Slot::Item | Slot::Fixed => "",
        }
    }
}

/// Whether `id` is the first to go of a run that becomes empty. A run is what stands in a
/// sequence between labels: control enters each run from elsewhere.
fn leads_empty_run(program: &Program, id: StatementId, gone: &HashSet<StatementId>) -> bool {
    let Some(group) = program.statement(id).group else { return false };
    let items = &program.groups[group].items;
    let starts_run = |item: &StatementId| {
        matches!(program.statement(*item).kind, StatementKind::Labeled | StatementKind::Case)
    };
    let at = items.iter().position(|item| *item == id).unwrap_or(0);
    let start = items[..=at].iter().rposition(starts_run).unwrap_or(0);
    let end = items[at + 1..].iter().position(starts_run).map_or(items.len(), |next| at + 1 + next);
    let run = &items[start..end];
    run.iter().find(|item| gone.contains(item)) == Some(&id)
        && run.iter().all(|item| gone.contains(item) || yields_no_code(program, *item))
}

/// Whether a statement may compile to nothing, so that it keeps no arm alive.
fn yields_no_code(program: &Program, id: StatementId) -> bool {
    let statement = program.statement(id);
    let is_value = statement.slot == Slot::Fixed && statement.kind == StatementKind::Expression;
    let is_silent = matches!(statement.kind, StatementKind::Declaration | StatementKind::Empty);
    is_silent || is_value || statement.conditional
}

impl Relation for Delete {
    fn name(&self) -> RelationName {
        RelationName::Delete
    }

    fn propose(&self, program: &Program, report: &Coverage, rng: &mut ChaCha8Rng) -> Proposal {
        let unexecuted: Vec<StatementId> =
            program.ids().filter(|id| self.is_unexecuted(program, report, *id)).collect();
        let candidates: Vec<StatementId> =
            unexecuted.iter().copied().filter(|id| self.may_go(program, *id)).collect();
        let simple = unexecuted.into_iter().filter(|id| program.statement(*id).kind.is_simple()).collect();
        Proposal { variants: draw(program, &candidates, self.settings.variants, rng), unexecuted: simple }
    }

    fn admits(&self, program: &Program, report: &Coverage, atom: Atom) -> bool {
        self.is_unexecuted(program, report, atom) && self.may_go(program, atom)
    }

    fn render(&self, program: &Program, atoms: &[Atom]) -> Vec<TextEdit> {
        let outermost = program.outermost(atoms);
        let gone: HashSet<StatementId> = outermost.iter().copied().collect();
        let edit = |id: &StatementId| {
            let range = &program.statement(*id).range;
            let with = self.stand_in(program, *id, &gone).to_string();
            TextEdit { start: range.start, end: range.end, with }
        };
        outermost.iter().map(edit).collect()
    }

    fn refine(&self, program: &Program, atom: Atom) -> Atoms {
        let inside = program.ids().skip_while(|id| *id <= atom).take_while(|id| program.holds(atom, *id));
        let removable: Atoms = inside.filter(|id| self.may_go(program, *id)).collect();
        program.outermost(&removable)
    }

    fn trap(&self, program: &Program, atoms: &[Atom]) -> Vec<TextEdit> {
        let edit = |id: &StatementId| {
            let range = &program.statement(*id).range;
            TextEdit { start: range.start, end: range.end, with: "__builtin_trap();".into() }
        };
        program.outermost(atoms).iter().map(edit).collect()
    }

    fn describe(&self, program: &Program, atoms: &[Atom]) -> String {
        let lines: Vec<String> = program
            .outermost(atoms)
            .iter()
            .map(|id| {
                let statement = program.statement(*id);
                format!("delete the {} on line {}", statement.kind.name(), statement.lines.0)
            })
            .collect();
        lines.join(", ")
    }
}

/// All candidates at once, then random subsets of a random density, all distinct.
fn draw(program: &Program, candidates: &[StatementId], wanted: usize, rng: &mut ChaCha8Rng) -> Vec<Atoms> {
    let mut variants: Vec<Atoms> = Vec::new();
    let mut seen: HashSet<Atoms> = HashSet::new();
    let mut keep = |atoms: &[StatementId], variants: &mut Vec<Atoms>| {
        let atoms = program.outermost(atoms);
        let new = !atoms.is_empty() && seen.insert(atoms.clone());
        if new {
            variants.push(atoms);
        }
        new
    };
    keep(candidates, &mut variants);
    let mut futile = 0;
    while !candidates.is_empty() && variants.len() < wanted && futile < FUTILE_DRAWS {
        let density = [0.15, 0.35, 0.6, 0.85][rng.random_range(0..4)];
        let subset: Atoms = candidates.iter().copied().filter(|_| rng.random_bool(density)).collect();
        if !keep(&subset, &mut variants) {
            futile += 1;
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::syntax::render;
    use rand::SeedableRng;

    fn first_variant(source: &str, counts: &[(u32, u64)]) -> String {
        let program = Program::parse(source.into());
        let relation = Delete::new(Settings::quick().delete);
        let report: Coverage = counts.iter().copied().collect();
        let proposal = relation.propose(&program, &report, &mut ChaCha8Rng::seed_from_u64(1));
        render(&program.source, &relation.render(&program, &proposal.variants[0]))
    }

    #[test]
    fn only_what_shares_no_line_with_code_that_ran_goes() {
        let source = "int f(int x) {\nif (x) a();\nb();\nc(1,\n  2); d();\ne();\n}\n";
        let variant = first_variant(source, &[(2, 1), (3, 0), (4, 0), (5, 2), (6, 1)]);
        assert_eq!(variant, "int f(int x) {\nif (x) a();\n    \nc(1,\n  2); d();\ne();\n}\n");
    }

    #[test]
    fn an_emptied_arm_gets_what_no_compiler_folds() {
        let source = "int f(int x) {\nif (x)\na();\nelse {\nb();\nc();\n}\nd();\n}\n";
        let variant = first_variant(source, &[(2, 1), (3, 0), (4, 1), (5, 0), (6, 0), (8, 1)]);
        let filled = "__asm__(\"\");";
        assert_eq!(
            variant,
            format!("int f(int x) {{\nif (x)\n{filled}\nelse {{\n{filled}\n    \n}}\nd();\n}}\n")
        );
    }

    #[test]
    fn five_statements_give_five_distinct_variants() {
        let source = "int f(int x) {\nif (x) {\na();\nb();\nc();\nd();\ne(); }\n}\n";
        let program = Program::parse(source.into());
        let relation = Delete::new(Settings::quick().delete);
        let report: Coverage = [(2, 1), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)].into_iter().collect();
        let proposal = relation.propose(&program, &report, &mut ChaCha8Rng::seed_from_u64(1));
        let texts: HashSet<String> = proposal
            .variants
            .iter()
            .map(|atoms| render(&program.source, &relation.render(&program, atoms)))
            .collect();
        assert!(texts.len() >= 5, "{texts:?}");
        assert_eq!(proposal.unexecuted.len(), 5);
    }
}
