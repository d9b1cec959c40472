//! `insert`: statements are put where nothing ran (Athena, OOPSLA 2015).
//!
//! What stands where control never comes has no influence, whatever it is: output and all other counts
//! stay, and the new lines have the count 0 or none. Where control never comes is known from truth,
//! not from a report. Before a statement all of whose lines have points that never ran is such a
//! place: whoever came there would go on to run the statement, also where it is a label.
//! That ends where code matters that does not run: what follows an endless loop or a return is no
//! longer reached by any way, so that gcov drops it, which is no wrong count; what is called for the
//! first time has to link, so only functions are called that the program names itself.

use rand::rngs::ChaCha8Rng;

use super::constructs::Holes;
use super::place::{is_bound_to_its_lines, spots};
use super::{Grounds, Mutation, Rewrite};
use crate::model::RelationName;
use crate::syntax::StatementKind;

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Insert;

impl Rewrite for Insert {
    fn name(&self) -> RelationName {
        RelationName::Insert
    }

    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
        let program = grounds.program;
        if grounds.ran.is_none() || is_bound_to_its_lines(program) {
            return Vec::new();
        }
        let scopes = program.scopes();
        let mut mutations = Vec::new();
        for spot in spots(program) {
            let statement = program.statement(spot.id);
            let (first, _) = statement.lines;
            // The first line of a block need not have a point of its own.
            let is_dead = statement.kind != StatementKind::Block
                && grounds.is_idle((first, first))
                && grounds.is_idle(statement.lines);
            if is_dead {
                let (what, lines) = Holes::new(program, &scopes, &spot).draw(rng);
                mutations.push(Mutation {
                    words: format!("insert {what} before line {first}"),
                    edits: spot.before(&lines),
                    ..Mutation::default()
                });
            }
        }
        mutations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Coverage;
    use crate::model::{Execution, Termination};
    use crate::syntax::{Mark, MarkKind, PointKind, Program};
    use crate::truth::{Counted, Truth};
    use rand::SeedableRng;

    /// A truth with one statement on each of these lines.
    fn truth(counts: &[(u32, u64)]) -> Truth {
        let point = |&(line, count): &(u32, u64)| Counted {
            kind: PointKind::Statement(StatementKind::Expression),
            count: Some(count),
            outcomes: None,
            completed: None,
            holds_block: false,
            constant: false,
            function: 0,
            within: None,
            line: Some(line),
            column: None,
            folded: false,
            calls: false,
            is_long: false,
        };
        let mark = |(at, (line, _)): (usize, &(u32, u64))| {
            (*line, vec![Mark { point: at, begins: true, kind: MarkKind::Code }])
        };
        Truth {
            arguments: std::collections::BTreeMap::new(),
            execution: Execution { termination: Termination::Exited(0), stdout: Vec::new() },
            points: counts.iter().map(point).collect(),
            lines: counts.iter().enumerate().map(mark).collect(),
            functions: Vec::new(),
            decisions: Vec::new(),
        }
    }

    #[test]
    fn only_what_never_ran_gets_more() {
        let program = Program::parse(
            "void f(int x) {\n  a();\n  if (x)\n    b();\n  c(1,\n    2);\n  d();\n}\n".into(),
        );
        let counts = [(2, 1), (3, 1), (4, 0), (5, 0), (6, 2), (7, 0)];
        let (report, truth) = (Coverage::default(), truth(&counts));
        let grounds = Grounds { program: &program, profiler: None, ran: Some((&report, &truth)) };
        let made = Insert.mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(1));
        let lines: Vec<&str> =
            made.iter().filter_map(|made| Some(made.words.rsplit_once("before ")?.1)).collect();
        assert_eq!(lines, ["line 4", "line 7"]);
        assert!(
            Insert.mutations(&Grounds { ran: None, ..grounds }, &mut ChaCha8Rng::seed_from_u64(1)).is_empty()
        );
    }
}
