//! `delete`: removes unexecuted statements (Orion, PLDI 2014; Cod, ASE 2019).
//!
//! The variant lacks some statements that, by the report, did not run. Output and the counts of all other lines must not
//! change, because code that does not run has no effect. If the report is wrong about what ran, either the output or a
//! count changes; the program must be deterministic.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::config::{Choice, DeleteSettings, Filler};
use crate::coverage::Coverage;
use crate::model::TextEdit;
use crate::syntax::{Program, Slot, StatementId, StatementKind};

/// The number of draws without a new variant after which no further variants are drawn.
const FUTILE_DRAWS: usize = 64;

/// Statements that a variant deletes, sorted.
pub type StatementSet = Vec<StatementId>;

/// The variants of one program, given one report.
#[derive(Clone, Debug, Default)]
pub struct DeletionVariants {
    /// Distinct; the first deletes most.
    pub variants: Vec<StatementSet>,
    /// Simple statements that, by the report, did not run.
    pub unexecuted: StatementSet,
}

#[derive(Clone, Debug)]
pub struct Delete {
    settings: DeleteSettings,
}

impl Delete {
    pub fn new(settings: DeleteSettings) -> Delete {
        Delete { settings }
    }

    pub fn variants(&self, program: &Program, report: &Coverage, rng: &mut ChaCha8Rng) -> DeletionVariants {
        let mut unexecuted: StatementSet =
            program.ids().filter(|id| self.is_unexecuted(program, report, *id)).collect();
        let candidates: StatementSet =
            unexecuted.iter().copied().filter(|id| self.is_deletable(program, *id)).collect();
        unexecuted.retain(|id| program.statement(*id).kind.is_simple());
        DeletionVariants { variants: draw(program, &candidates, self.settings.variants, rng), unexecuted }
    }

    /// Whether the statement did not run, by the report, and may be deleted.
    pub fn admits(&self, program: &Program, report: &Coverage, id: StatementId) -> bool {
        self.is_unexecuted(program, report, id) && self.is_deletable(program, id)
    }

    /// The edits that delete `statements`.
    pub fn edits(&self, program: &Program, statements: &[StatementId]) -> Vec<TextEdit> {
        let outermost: HashSet<StatementId> = program.outermost(statements).into_iter().collect();
        replaced(program, statements, |id| self.replacement(program, id, &outermost))
    }

    /// Edits with which the program dies by SIGILL or SIGTRAP if one of `statements` runs.
    pub fn traps(&self, program: &Program, statements: &[StatementId]) -> Vec<TextEdit> {
        replaced(program, statements, |_| "__builtin_trap();")
    }

    /// The outermost statements inside `id` that may be deleted.
    pub fn parts(&self, program: &Program, id: StatementId) -> StatementSet {
        let deletable: StatementSet =
            program.inside(id).filter(|inner| self.is_deletable(program, *inner)).collect();
        program.outermost(&deletable)
    }

    /// The deletion of `statements` in words.
    pub fn describe(&self, program: &Program, statements: &[StatementId]) -> String {
        let words = program.outermost(statements).into_iter().map(|id| {
            let statement = program.statement(id);
            format!("delete the {} on line {}", statement.kind.name(), statement.lines.0)
        });
        words.collect::<Vec<_>>().join(", ")
    }

    fn is_unexecuted(&self, program: &Program, report: &Coverage, id: StatementId) -> bool {
        let (first, last) = program.statement(id).lines;
        let counts = || (first..=last).map(|line| report.line(line));
        let has_zero = counts().any(|count| count == Some(0));
        match self.settings.choice {
            Choice::Careful => has_zero && counts().all(|count| count.unwrap_or(0) == 0),
            Choice::Published => has_zero && report.line(first) == Some(0),
        }
    }

    fn is_deletable(&self, program: &Program, id: StatementId) -> bool {
        match self.settings.choice {
            Choice::Careful => program.is_removable(id),
            Choice::Published => {
                let statement = program.statement(id);
                statement.slot != Slot::Fixed
                    && !statement.broken
                    && !matches!(statement.kind, StatementKind::Case | StatementKind::Empty)
            }
        }
    }

    /// The text that replaces a deleted statement. gcc folds a condition, a `case` or a label with nothing after it, so
    /// that its line loses the count: an artefact of the edit. An opaque statement therefore replaces whatever would
    /// leave an arm or a label empty.
    fn replacement(
        &self,
        program: &Program,
        id: StatementId,
        deleted: &HashSet<StatementId>,
    ) -> &'static str {
        let is_opaque = self.settings.filler == Filler::Opaque;
        match program.statement(id).slot {
            Slot::Body | Slot::AfterLabel if !is_opaque => ";",
            Slot::Body | Slot::AfterLabel => "__asm__(\"\");",
            _ if is_opaque && is_first_of_emptied_run(program, id, deleted) => "__asm__(\"\");",
            Slot::Unsure => ";",
            Slot::Item | Slot::Fixed => "",
        }
    }
}

/// An edit for each of the outermost of `statements`.
fn replaced(
    program: &Program,
    statements: &[StatementId],
    text: impl Fn(StatementId) -> &'static str,
) -> Vec<TextEdit> {
    let edit = |id| TextEdit::replace(program.statement(id).range.clone(), text(id));
    program.outermost(statements).into_iter().map(edit).collect()
}

/// Whether `id` is the first deleted statement of a run that becomes empty. A run is the part of a sequence between two
/// labels: control enters each run separately.
fn is_first_of_emptied_run(program: &Program, id: StatementId, deleted: &HashSet<StatementId>) -> bool {
    let Some(group) = program.statement(id).group else { return false };
    let items = &program.groups[group].items;
    let starts_run = |item: &StatementId| {
        matches!(program.statement(*item).kind, StatementKind::Labeled | StatementKind::Case)
    };
    let at = items.iter().position(|item| *item == id).unwrap_or(0);
    let start = items[..=at].iter().rposition(starts_run).unwrap_or(0);
    let end = items[at + 1..].iter().position(starts_run).map_or(items.len(), |next| at + 1 + next);
    let run = &items[start..end];
    run.iter().find(|item| deleted.contains(item)) == Some(&id)
        && run.iter().all(|item| deleted.contains(item) || may_have_no_code(program, *item))
}

/// Whether a statement may compile to nothing, so that it does not keep an arm from being empty.
fn may_have_no_code(program: &Program, id: StatementId) -> bool {
    let statement = program.statement(id);
    let is_value = statement.slot == Slot::Fixed && statement.kind == StatementKind::Expression;
    let is_silent = matches!(statement.kind, StatementKind::Declaration | StatementKind::Empty);
    is_silent || is_value || statement.conditional
}

/// All candidates together, then random subsets of a random density, all distinct.
fn draw(
    program: &Program,
    candidates: &[StatementId],
    wanted: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<StatementSet> {
    let mut variants: Vec<StatementSet> = Vec::new();
    let mut seen: HashSet<StatementSet> = HashSet::new();
    let mut futile = 0;
    let mut subset = candidates.to_vec();
    while futile < FUTILE_DRAWS && variants.len() < wanted.max(1) && !candidates.is_empty() {
        let outermost = program.outermost(&subset);
        if !outermost.is_empty() && seen.insert(outermost.clone()) {
            variants.push(outermost);
        } else {
            futile += 1;
        }
        let density = [0.15, 0.35, 0.6, 0.85][rng.random_range(0..4)];
        subset = candidates.iter().copied().filter(|_| rng.random_bool(density)).collect();
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
        let found = relation.variants(&program, &report, &mut ChaCha8Rng::seed_from_u64(1));
        render(&program.source, &relation.edits(&program, &found.variants[0]))
    }

    #[test]
    fn a_statement_that_shares_a_line_with_code_that_ran_is_kept() {
        let source = "int f(int x) {\nif (x) a();\nb();\nc(1,\n  2); d();\ne();\n}\n";
        let variant = first_variant(source, &[(2, 1), (3, 0), (4, 0), (5, 2), (6, 1)]);
        assert_eq!(variant, "int f(int x) {\nif (x) a();\n    \nc(1,\n  2); d();\ne();\n}\n");
    }

    #[test]
    fn an_emptied_arm_gets_a_statement_that_no_compiler_folds() {
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
        let found = relation.variants(&program, &report, &mut ChaCha8Rng::seed_from_u64(1));
        let text = |statements: &StatementSet| render(source, &relation.edits(&program, statements));
        let texts: HashSet<String> = found.variants.iter().map(text).collect();
        assert!(texts.len() >= 5, "{texts:?}");
        assert_eq!(found.unexecuted.len(), 5);
    }
}
