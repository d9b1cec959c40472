//! Artefacts of our own deletions that need no truth to be told apart.
//!
//! Each rule is a predicate over the two counts, the syntax of the place, the
//! syntax of the culprit and P's report; never over a name or a file. A rule
//! that could hide a wrong count must not be here: counts that differ in both
//! reports are only explained where the line has nothing that can run.

use crate::coverage::Coverage;
use crate::model::{Difference, Family, Kind, Line, Place, Shape};
use crate::relation::Atom;
use crate::syntax::{Function, Program, Site, SiteKind, StatementKind};

/// What a rule sees.
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
    pub culprit: &'a [Atom],
}

/// A rule: its name, what it says, and when it holds.
struct Rule {
    name: &'static str,
    sentence: &'static str,
    holds: fn(&Case<'_>, Line, &Site) -> bool,
}

/// The rules, in the order in which they are asked.
const RULES: [Rule; 6] = [
    Rule {
        name: "closing-brace",
        sentence: "a line of braces, on which nothing can run, changes its count when a jump before it is deleted",
        holds: |_, _, site| site.kind == SiteKind::Brace,
    },
    Rule {
        name: "unexpanded-now",
        sentence: "a macro's definition loses its count when the last use of the macro is deleted",
        holds: |case, _, site| site.kind == SiteKind::Directive && case.is_between_zero_and_none(),
    },
    Rule {
        name: "unreferenced-now",
        sentence: "a static function that nobody calls any more is left out, or mapped as one region",
        holds: |case, line, _| {
            let function = case.function_of(line);
            case.is_between_zero_and_none()
                && function.is_some_and(|function| function.is_static && !case.edits(function))
        },
    },
    Rule {
        name: "unreachable-now",
        sentence: "dead code that no jump leads to any more, or that a deleted jump kept apart, loses or gains a 0",
        holds: |case, _, _| {
            case.is_between_zero_and_none()
                && (case.deletes_a_jump() || case.difference.before.is_none() && case.deletes_a_call())
        },
    },
    Rule {
        name: "last-return",
        sentence: "another `return` takes the count of the function's end when the `return` at its end is deleted",
        holds: |case, line, site| {
            case.family == Family::Gcov
                && site.kind == SiteKind::Statement(StatementKind::Return)
                && case.function_of(line).is_some_and(|function| case.deletes_last_return(function))
        },
    },
    Rule {
        name: "system-macro",
        sentence: "a line that begins with a macro of a system header has a count only where a region begins on it",
        holds: |case, line, _| {
            case.family == Family::LlvmCov
                && case.difference.kind == Kind::Weak
                && case.report.segments.iter().any(|segment| segment.line == line && !segment.has_count)
        },
    },
];

/// The first rule that explains the difference by our edit.
pub fn rule(case: &Case<'_>) -> Option<&'static str> {
    let line = match case.difference.place {
        Place::Line(line) => line,
        // `__COUNTER__` counts its own uses, so that deleting one changes all that follow.
        Place::Output => return case.program.mentions("__COUNTER__").then_some("counter-macro"),
    };
    let site = case.program.site(line);
    RULES.iter().find(|rule| (rule.holds)(case, line, &site)).map(|rule| rule.name)
}

/// What a rule says, in plain words.
pub fn sentence(name: &str) -> Option<&'static str> {
    if name == "counter-macro" {
        return Some("the program counts its own text by __COUNTER__, which every deletion changes");
    }
    RULES.iter().find(|rule| rule.name == name).map(|rule| rule.sentence)
}

impl Case<'_> {
    /// Dead code gained or lost its 0; nothing that ran is concerned.
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
        self.culprit.iter().any(|atom| function.range.contains(&self.program.statement(*atom).range.start))
    }

    /// Whether a jump is deleted, or a macro or label's address that may be one.
    fn deletes_a_jump(&self) -> bool {
        let held = |id| self.culprit.iter().any(|atom| self.program.holds(*atom, id));
        let is_jump = |id| {
            let statement = self.program.statement(id);
            statement.kind.is_jump() || self.program.may_lead_elsewhere(&statement.range)
        };
        self.program.ids().any(|id| held(id) && is_jump(id))
    }

    /// Whether a call is deleted, which may be one that does not return.
    fn deletes_a_call(&self) -> bool {
        self.culprit.iter().any(|atom| self.program.statement(*atom).kind == StatementKind::Call)
    }

    /// Whether the last return in the text of `function` is deleted.
    fn deletes_last_return(&self, function: &Function) -> bool {
        let returns = self.program.ids().filter(|id| {
            let statement = self.program.statement(*id);
            statement.kind == StatementKind::Return && function.range.contains(&statement.range.start)
        });
        returns.last().is_some_and(|last| self.culprit.iter().any(|atom| self.program.holds(*atom, last)))
    }
}
