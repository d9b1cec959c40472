//! Artefacts of our own deletions that need no truth to be told apart.
//!
//! Each rule is a predicate over the two counts, the syntax of the place and the
//! syntax of the culprit; never over a name or a file. Each has a test where it
//! fires and one where a difference beside it does not.

use crate::model::{Difference, Family, Place, Shape};
use crate::relation::Atom;
use crate::syntax::{Program, SiteKind, StatementKind};

/// What a rule sees.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The parsed P.
    pub program: &'a Program,
    /// The family of the profiler.
    pub family: Family,
    /// The difference.
    pub difference: &'a Difference,
    /// The smallest deletion that shows it.
    pub culprit: &'a [Atom],
}

/// The first rule that explains the difference by our edit.
pub fn rule(case: &Case<'_>) -> Option<&'static str> {
    let Place::Line(line) = case.difference.place else { return None };
    let site = case.program.site(line);
    let movement = case.difference.movement();
    let vanished = movement.to == Shape::None;
    if site.kind == SiteKind::Brace {
        // The brace of a function or block shows where control falls out of it, which
        // the deletion of a return or jump changes; nothing on the line can run.
        return Some("closing-brace");
    }
    if movement.from == Shape::Zero && vanished {
        if deletes(case, StatementKind::is_jump) {
            return Some("unreachable-now");
        }
        let function = case.program.statement(case.culprit[0]).range.start;
        let _ = function;
    }
    None
}

fn deletes(case: &Case<'_>, is: impl Fn(StatementKind) -> bool) -> bool {
    let held = |id: crate::syntax::StatementId| case.culprit.iter().any(|atom| case.program.holds(*atom, id));
    case.program.ids().filter(|id| held(*id)).any(|id| is(case.program.statement(id).kind))
}
