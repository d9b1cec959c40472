//! `flow`: compares one report with the control flow of the program (C2V's inspection rules, ICSE 2019; DOG, TSE 2023).
//!
//! There is no variant: counts of the same report are compared. They must agree because control flow relates them, as in
//! `{ a; b; }`, where b runs as often as a completes.
//!
//! Only statements that are alone on one line are compared, since the line's count is then the statement's. Where ground
//! truth is available it decides, and this relation only explains.

use std::ops::Range;

use super::Contradiction;
use crate::coverage::Coverage;
use crate::syntax::{Function, Program, StatementId, StatementKind};

/// The lines whose counts cannot both be right. `before` is the count of the line, `after` the count that follows from
/// another line.
pub fn against_flow(program: &Program, report: &Coverage) -> Vec<Contradiction> {
    let is_unclear =
        |function: &&Function| function.has_errors || program.has_divided_blocks(&function.range);
    let unclear = program.functions.iter().filter(is_unclear).map(|function| function.range.clone());
    let flow = Flow { program, report, unclear: unclear.collect() };
    let mut found = Vec::new();
    for group in &program.groups {
        for pair in group.items.windows(2) {
            found.extend(flow.sequence(pair[0], pair[1]));
        }
    }
    found.extend(program.ids().filter_map(|id| flow.branch(id)));
    found.extend(program.functions.iter().filter_map(|function| flow.calls(function)));
    found
}

struct Flow<'a> {
    program: &'a Program,
    report: &'a Coverage,
    /// The functions that the parser does not understand, or whose blocks are not those of the text: a sequence of statements may
    /// be none there.
    unclear: Vec<Range<usize>>,
}

impl Flow<'_> {
    /// `{ a; b; }`: b runs as often as a completes, and never after a jump.
    fn sequence(&self, first: StatementId, second: StatementId) -> Option<Contradiction> {
        let (a, b) = (self.program.statement(first), self.program.statement(second));
        if !b.labels.is_empty() || b.foreign_case || a.conditional || b.conditional {
            return None;
        }
        let (before, line) = (self.count_of(second)?, b.lines.0);
        if a.kind.is_jump() && !self.program.may_lead_elsewhere(&a.range) {
            return Contradiction::between("after-jump", line, Some(before), Some(0));
        }
        let completes = matches!(a.kind, StatementKind::Expression | StatementKind::Declaration)
            && !self.program.source[a.range.clone()].contains('(')
            && !self.program.may_lead_elsewhere(&a.range);
        let after = self.count_of(first).filter(|_| completes)?;
        Contradiction::between("sequence", line, Some(before), Some(after))
    }

    /// `if (c) a; else b;`: a and b together run as often as c is tested.
    fn branch(&self, id: StatementId) -> Option<Contradiction> {
        let branch = self.program.statement(id);
        let is_plain = !branch.directive && branch.labels.is_empty() && !branch.foreign_case;
        if branch.kind != StatementKind::If || !is_plain {
            return None;
        }
        let arms: Vec<StatementId> = self.children(id).collect();
        let [then, other] = arms[..] else { return None };
        let (then, other) = (self.entered(then)?, self.entered(other)?);
        let is_alone = self.program.starting_on(branch.lines.0) == [id];
        let tested = self.report.line(branch.lines.0).filter(|_| is_alone)?;
        Contradiction::between("branch", branch.lines.0, Some(tested), Some(then.checked_add(other)?))
    }

    /// A static function is entered as often as the statements that call it run.
    fn calls(&self, function: &Function) -> Option<Contradiction> {
        let entered = self.report.functions.iter().find(|found| found.name == function.name)?;
        let call = format!("{}(", function.name);
        let is_call = |id: &StatementId| {
            let statement = self.program.statement(*id);
            statement.kind == StatementKind::Call
                && self.program.source[statement.range.clone()].starts_with(&call)
        };
        let calls: Vec<StatementId> = self.program.ids().filter(is_call).collect();
        // Every mention but the definition has to be one of these calls.
        let words = self.program.source.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mentions = words.filter(|word| *word == function.name).count();
        if !function.is_static || calls.is_empty() || mentions != calls.len() + 1 {
            return None;
        }
        let counts: Option<Vec<u64>> = calls.iter().map(|id| self.count_of(*id)).collect();
        Contradiction::between("calls", entered.line, Some(entered.count), Some(counts?.iter().sum()))
    }

    /// How often an arm is entered: the count of its first statement.
    fn entered(&self, arm: StatementId) -> Option<u64> {
        if self.program.statement(arm).kind != StatementKind::Block {
            return self.count_of(arm);
        }
        self.count_of(self.children(arm).next()?)
    }

    /// The statements directly inside `outer`.
    fn children(&self, outer: StatementId) -> impl Iterator<Item = StatementId> {
        self.program.inside(outer).filter(move |id| self.program.statement(*id).parent == Some(outer))
    }

    /// The count of a simple statement that is alone on one line.
    fn count_of(&self, id: StatementId) -> Option<u64> {
        let statement = self.program.statement(id);
        let (first, last) = statement.lines;
        let is_alone = first == last && self.program.starting_on(first) == [id] && statement.kind.is_simple();
        // A brace or an operand on the line has a count of its own.
        let text = self.program.line_text(first);
        let is_bare = !text.contains(['{', '}', '?', ':']) && !text.contains("&&") && !text.contains("||");
        let is_clear = !self.unclear.iter().any(|function| function.contains(&statement.range.start));
        self.report.line(first).filter(|_| is_alone && is_bare && is_clear && !statement.broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Line, Place};

    const SOURCE: &str = "static void s(int x) {\n  x++;\n  x--;\n}\nint main(void) {\n  int y = 1;\n  if (y)\n    s(1);\n  else\n    \
                          s(2);\n  return 0;\n  y = 2;\n}\n";

    fn found(counts: &[(Line, u64)]) -> Vec<(&'static str, Place)> {
        let program = Program::parse(SOURCE.into());
        let mut report: Coverage = counts.iter().copied().collect();
        report.functions.push(crate::coverage::FunctionCount { name: "s".into(), line: 1, count: 1 });
        against_flow(&program, &report).iter().map(|found| (found.what, found.difference.place)).collect()
    }

    #[test]
    fn a_report_that_agrees_with_control_flow_has_no_contradiction() {
        assert_eq!(found(&[(1, 1), (2, 1), (3, 1), (6, 1), (7, 1), (8, 1), (10, 0), (11, 1), (12, 0)]), []);
    }

    #[test]
    fn blocks_that_a_macro_ends_are_not_compared() {
        let source =
            "#define END }\nint f(int x) {\n  switch (x) {\n  case 1:\n    x = 2;\n  END;\n  return x;\n}\n";
        let report: Coverage = [(3, 6), (5, 1), (6, 6), (7, 1)].into_iter().collect();
        assert_eq!(against_flow(&Program::parse(source.into()), &report), []);
    }

    #[test]
    fn code_after_a_switch_without_braces_is_reached_past_its_only_case() {
        let source = "int f(int x) {\n  switch (x)\n  case 1:\n    return 2;\n  return x;\n}\n";
        let report: Coverage = [(2, 3), (4, 1), (5, 2)].into_iter().collect();
        let program = Program::parse(source.into());
        assert_eq!(against_flow(&program, &report), []);
    }

    #[test]
    fn each_rule_finds_its_contradiction() {
        assert_eq!(found(&[(2, 1), (3, 2)]), [("sequence", Place::Line(3))]);
        assert_eq!(found(&[(7, 1), (8, 1), (10, 0), (11, 1), (12, 1)]), [("after-jump", Place::Line(12))]);
        let both = [("branch", Place::Line(7)), ("calls", Place::Line(1))];
        assert_eq!(found(&[(7, 1), (8, 1), (10, 1)]), both);
    }
}
