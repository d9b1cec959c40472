//! Artefacts of recount's own deletions that can be recognised without ground truth.
//!
//! Each rule is a predicate over the two counts, the syntax of the place, the syntax of the culprit and the report on
//! P; never over a name or a file. No rule may hide a wrong count: if both reports have a count and the counts differ,
//! a rule applies only to a line that contains nothing that can run.

use crate::coverage::{Coverage, Region, RegionKind};
use crate::model::{Artefact, Difference, Family, Kind, Line, Place, Shape};
use crate::relation::StatementId;
use crate::syntax::{Function, Program, Site, SiteKind, StatementKind, without_comments};

/// The facts on which a rule may depend.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The parsed P.
    pub program: &'a Program,
    /// P's report.
    pub report: &'a Coverage,
    /// The family of the profiler.
    pub family: Family,
    /// The difference.
    pub difference: &'a Difference,
    /// The smallest deletion that shows it.
    pub culprit: &'a [StatementId],
}

/// The first rule by which our edit explains the difference.
pub fn rule(case: &Case<'_>) -> Option<Artefact> {
    let line = match case.difference.place {
        Place::Line(line) => line,
        Place::File => return None,
        // `__COUNTER__` counts its own uses, so that deleting one changes all that follow.
        Place::Output => return case.program.mentions("__COUNTER__").then_some(Artefact::CounterMacro),
    };
    let site = case.program.site(line);
    Artefact::ALL.into_iter().find(|rule| holds(*rule, case, line, &site))
}

fn holds(rule: Artefact, case: &Case<'_>, line: Line, site: &Site) -> bool {
    let difference = case.difference;
    match rule {
        Artefact::ClosingBrace => site.kind == SiteKind::Brace,
        Artefact::Punctuation => {
            // A comment that begins on an earlier line is not recognised.
            let text = without_comments(case.program.line_text(line));
            let has_only =
                |allowed: &str| !text.trim().is_empty() && text.chars().all(|c| allowed.contains(c));
            match case.family {
                Family::Gcov => difference.kind == Kind::Weak && has_only("{}();,:?&| \t"),
                // An operator belongs to an operand next to it, a bracket or semicolon to the code before it.
                Family::LlvmCov => has_only("{}();, \t"),
            }
        }
        Artefact::UnexpandedNow => site.kind == SiteKind::Directive && case.is_between_zero_and_none(),
        Artefact::SummedDefinition => {
            let covers = |region: &Region| {
                matches!(region.kind, RegionKind::Code | RegionKind::Expansion)
                    && (region.start.0..=region.end.0).contains(&line)
            };
            let is_sum = |count| case.report.summed_regions(covers).contains(&count);
            site.kind == SiteKind::Directive && difference.before.is_some_and(is_sum)
        }
        Artefact::UnreferencedNow => {
            let function = case.function_of(line);
            case.is_between_zero_and_none()
                && function.is_some_and(|function| function.is_static && !case.edits(function))
        }
        Artefact::UnreachableNow => {
            case.is_between_zero_and_none()
                && (case.deletes_a_jump() || difference.before.is_none() && case.deletes_a_call())
        }
        Artefact::LastReturn => {
            case.family == Family::Gcov
                && site.kind == SiteKind::Statement(StatementKind::Return)
                && case.function_of(line).is_some_and(|function| case.deletes_last_return(function))
        }
        Artefact::SystemMacro => {
            case.family == Family::LlvmCov
                && difference.kind == Kind::Weak
                && case.report.segments.iter().any(|segment| segment.line == line && !segment.has_count)
        }
        // It changes the output, not the count of a line.
        Artefact::CounterMacro => false,
    }
}

impl Case<'_> {
    /// Whether a 0 appeared or disappeared, so that only code that did not run is affected.
    fn is_between_zero_and_none(&self) -> bool {
        let movement = self.difference.movement();
        let idle = |shape| matches!(shape, Shape::Zero | Shape::None);
        idle(movement.from) && idle(movement.to)
    }

    fn function_of(&self, line: Line) -> Option<&Function> {
        let within = |function: &&Function| {
            let first = self.program.line_of(function.range.start);
            (first..=self.program.line_of(function.range.end - 1)).contains(&line)
        };
        self.program.functions.iter().find(within)
    }

    /// Whether the culprit is in `function`.
    fn edits(&self, function: &Function) -> bool {
        self.culprit
            .iter()
            .any(|statement| function.range.contains(&self.program.statement(*statement).range.start))
    }

    fn deletes(&self, id: StatementId) -> bool {
        self.culprit.iter().any(|statement| self.program.holds(*statement, id))
    }

    /// Whether the edit deletes a jump, or a macro or a label's address that may lead to one.
    fn deletes_a_jump(&self) -> bool {
        let is_jump = |id| {
            let statement = self.program.statement(id);
            statement.kind.is_jump() || self.program.may_lead_elsewhere(&statement.range)
        };
        self.program.ids().any(|id| self.deletes(id) && is_jump(id))
    }

    /// Whether the edit deletes a call, which may not return.
    fn deletes_a_call(&self) -> bool {
        self.culprit.iter().any(|statement| self.program.statement(*statement).kind == StatementKind::Call)
    }

    /// Whether the edit deletes the last `return` in the text of `function`.
    fn deletes_last_return(&self, function: &Function) -> bool {
        let returns = self.program.ids().filter(|id| {
            let statement = self.program.statement(*id);
            statement.kind == StatementKind::Return && function.range.contains(&statement.range.start)
        });
        returns.last().is_some_and(|last| self.deletes(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{Region, Segment};
    use crate::model::Count;

    /// The rule that explains the change of the count on `line` when the statement that begins on `deleted` is deleted.
    fn ruled(
        family: Family,
        source: &str,
        line: Line,
        counts: (Count, Count),
        deleted: Line,
    ) -> Option<&'static str> {
        let hole = Segment { line: 90, column: 1, count: 0, has_count: false, is_entry: true, is_gap: false };
        let mut report = Coverage::default();
        report.segments.push(hole);
        ruled_by(&report, family, source, line, counts, deleted)
    }

    fn ruled_by(
        report: &Coverage,
        family: Family,
        source: &str,
        line: Line,
        counts: (Count, Count),
        deleted: Line,
    ) -> Option<&'static str> {
        let program = Program::parse(source.into());
        let difference = Difference::of_line(line, counts.0, counts.1)?;
        let culprit = program.starting_on(deleted)[..1].to_vec();
        let case = Case { program: &program, report, family, difference: &difference, culprit: &culprit };
        rule(&case).map(Artefact::name)
    }

    const JUMPS: &str = "int f(int x) {\n  for (;;) {\n    if (x)\n      break;\n    g();\n  }\n  h();\n}\n";

    #[test]
    fn a_line_of_braces_is_explained_and_its_neighbour_is_not() {
        let at = |line| ruled(Family::LlvmCov, JUMPS, line, (Some(1), Some(0)), 4);
        assert_eq!((at(6), at(5)), (Some("closing-brace"), None));
    }

    #[test]
    fn a_line_of_punctuation_may_lose_its_count_under_gcov_but_no_operand() {
        let source = "int f(int x) {\n  if (x == 1\n      ||\n      x == 2)\n    g();\n  h();\n}\n";
        let at = |family, line, after| ruled(family, source, line, (Some(1), after), 5);
        assert_eq!(at(Family::Gcov, 3, None), Some("punctuation"));
        assert_eq!(at(Family::Gcov, 3, Some(2)), None);
        assert_eq!(at(Family::Gcov, 4, None), None);
        assert_eq!(at(Family::LlvmCov, 3, None), None);
        let block = "int f(int x) {\n  for (; x > 0;)\n  { /* of 3 */\n    g();\n  }\n}\n";
        let at = |line| ruled(Family::Gcov, block, line, (None, Some(0)), 2);
        assert_eq!((at(3), at(4)), (Some("punctuation"), None));
    }

    #[test]
    fn what_ends_a_statement_may_show_any_count_under_llvm_cov_but_no_argument() {
        let source = "int f(int x) {\n  END(x\n      );\n  END(\n      x);\n  return x;\n}\n";
        let at = |family, line| ruled(family, source, line, (Some(0), Some(4)), 6);
        assert_eq!(at(Family::LlvmCov, 3), Some("punctuation"));
        assert_eq!((at(Family::LlvmCov, 5), at(Family::Gcov, 3)), (None, None));
        let nothing = "int f(int x) {\n  g(\n    /* of x */\n\n    x);\n  return x;\n}\n";
        let at = |line| ruled(Family::LlvmCov, nothing, line, (Some(0), Some(4)), 6);
        assert_eq!((at(3), at(4)), (None, None));
    }

    #[test]
    fn dead_code_after_a_deleted_jump_is_explained_but_a_lost_count_is_not() {
        let moved = |counts, deleted| ruled(Family::Gcov, JUMPS, 7, counts, deleted);
        assert_eq!(moved((Some(0), None), 4), Some("unreachable-now"));
        assert_eq!(moved((Some(1), None), 4), None);
        assert_eq!(moved((Some(0), None), 5), None);
        // The deleted call may not return, so the code after it may have become reachable.
        assert_eq!(moved((None, Some(0)), 5), Some("unreachable-now"));
    }

    const FUNCTIONS: &str = "static inline int s(int x) {\n  g(x);\n}\nint e(int x) {\n  g(x);\n}\n\
                             #define M(x) \\\n  g(x)\nint main(void) {\n  s(1);\n  return 1;\n  return 0;\n}\n";

    #[test]
    fn a_static_function_may_vanish_but_no_other() {
        let at = |line, counts| ruled(Family::Gcov, FUNCTIONS, line, counts, 10);
        assert_eq!(at(2, (Some(0), None)), Some("unreferenced-now"));
        assert_eq!(at(2, (Some(3), None)), None);
        assert_eq!(at(5, (Some(0), None)), None);
    }

    #[test]
    fn a_macro_definition_may_lose_its_zero_but_not_a_count() {
        let at = |counts| ruled(Family::LlvmCov, FUNCTIONS, 8, counts, 10);
        assert_eq!(at((Some(0), None)), Some("unexpanded-now"));
        assert_eq!(at((Some(2), None)), None);
    }

    #[test]
    fn a_macro_definition_may_show_a_sum_of_equal_regions() {
        let region = |end: u32| Region {
            start: (8, 3),
            end: (8, end),
            count: 1,
            kind: RegionKind::Code,
            expansion: Vec::new(),
            function: "f".into(),
        };
        let at = |regions: &[Region], before| {
            let mut report = Coverage::default();
            report.regions.extend(regions.iter().cloned());
            ruled_by(&report, Family::LlvmCov, FUNCTIONS, 8, (Some(before), Some(1)), 10)
        };
        assert_eq!(at(&[region(7), region(7)], 2), Some("summed-definition"));
        assert_eq!((at(&[region(7), region(7)], 3), at(&[region(7), region(6)], 2)), (None, None));
    }

    #[test]
    fn another_return_is_explained_by_the_last_one_only() {
        let deleted = |line, deleted| ruled(Family::Gcov, FUNCTIONS, line, (Some(0), Some(1)), deleted);
        assert_eq!(deleted(11, 12), Some("last-return"));
        assert_eq!(deleted(12, 11), None);
        assert_eq!(ruled(Family::LlvmCov, FUNCTIONS, 11, (Some(0), Some(1)), 12), None);
    }

    #[test]
    fn a_line_with_a_hole_may_lose_its_count_but_never_change_it() {
        let source = format!("int f(int x) {{\n  g();\n{}  va_end(x);\n}}\n", "\n".repeat(87));
        let at = |counts| ruled(Family::LlvmCov, &source, 90, counts, 2);
        assert_eq!(at((Some(1), None)), Some("system-macro"));
        assert_eq!(at((Some(1), Some(2))), None);
    }
}
