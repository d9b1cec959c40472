//! `insert`: inserts statements where nothing ran (Athena, OOPSLA 2015).
//!
//! The variant has additional statements in regions that never run. Output and all other counts must not change, and
//! the new lines must have the count 0 or none, because unreached code has no effect.
//!
//! Ground truth says where nothing runs, not the report: before a statement whose lines have points that never ran, even
//! if it has a label, since control that got there would continue with the statement. The relation ends where code that
//! does not run matters: gcov drops code after an inserted endless loop or return, because it became unreachable (not a
//! wrong count), and a newly called function must link, so only functions that the program names already are called.

use rand::rngs::ChaCha8Rng;

use super::constructs::Constructs;
use super::insertion::{InsertionPoint, depends_on_lines, insertion_points};
use super::mutation::{Grounds, Mutation};
use crate::syntax::StatementKind;

pub(super) fn mutations(grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let program = grounds.program;
    if grounds.ran.is_none() || depends_on_lines(program) {
        return Vec::new();
    }
    let scopes = program.scopes();
    let mutation = |point: InsertionPoint| {
        let statement = program.statement(point.id);
        let (first, _) = statement.lines;
        // The first line of a block need not have a point of its own.
        let is_dead = statement.kind != StatementKind::Block
            && grounds.never_ran((first, first))
            && grounds.never_ran(statement.lines);
        is_dead.then(|| {
            let (name, text) = Constructs::before(program, &scopes, &point).draw(rng);
            Mutation::of_text(format!("insert {name} before line {first}"), point.before(&text))
        })
    };
    insertion_points(program).into_iter().filter_map(mutation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Coverage;
    use crate::model::{Execution, Termination};
    use crate::syntax::{Point, PointKind, PointToken, Program, TokenKind, TokenOrigin, ValueStart};
    use crate::truth::{CountedPoint, Truth};
    use rand::SeedableRng;

    /// Ground truth with one statement on each of these lines.
    fn truth(counts: &[(u32, u64)]) -> Truth {
        let kind = PointKind::Statement(StatementKind::Expression);
        let point = |&(line, count): &(u32, u64)| {
            CountedPoint::new(Point { kind, line: Some(line), ..Point::default() }, Some(count))
        };
        let token = |(at, (line, _)): (usize, &(u32, u64))| {
            (
                *line,
                vec![PointToken {
                    point: at,
                    begins: true,
                    value: ValueStart::No,
                    is_made: false,
                    kind: TokenKind::Code,
                    column: None,
                    offset: 0,
                    origin: TokenOrigin::Code,
                }],
            )
        };
        Truth {
            inner_points: std::collections::BTreeMap::new(),
            expansions: std::collections::BTreeMap::new(),
            points_of_bodies: std::collections::BTreeMap::new(),
            expansion_names: std::collections::BTreeSet::new(),
            makers: std::collections::BTreeSet::new(),
            inner_names: std::collections::BTreeSet::new(),
            partial_definitions: std::collections::BTreeSet::new(),
            evaluated_lines: std::collections::BTreeSet::new(),
            inclusions_of: std::collections::BTreeMap::new(),
            directives: std::collections::BTreeSet::new(),
            blank_lines: std::collections::BTreeSet::new(),
            compiler_names: std::collections::BTreeSet::new(),
            is_expanded_elsewhere: false,
            elsewhere: Vec::new(),
            is_included: false,
            typed: std::collections::BTreeMap::new(),
            execution: Execution { termination: Termination::Exited(0), stdout: Vec::new(), may_vary: false },
            points: counts.iter().map(point).collect(),
            lines: counts.iter().enumerate().map(token).collect(),
            functions: Vec::new(),
            inclusions: std::collections::BTreeSet::new(),
            decisions: Vec::new(),
            has_vectors: false,
            processes: Vec::new(),
            generated: None,
            arcs: None,
            may_race: false,
            partial: None,
            left_functions: std::collections::BTreeSet::new(),
        }
    }

    #[test]
    fn statements_are_inserted_only_before_statements_that_never_ran() {
        let program = Program::parse(
            "void f(int x) {\n  a();\n  if (x)\n    b();\n  c(1,\n    2);\n  d();\n}\n".into(),
        );
        let counts = [(2, 1), (3, 1), (4, 0), (5, 0), (6, 2), (7, 0)];
        let (report, truth) = (Coverage::default(), truth(&counts));
        let grounds = Grounds { program: &program, profiler: None, ran: Some((&report, &truth)) };
        let found = mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(1));
        let lines: Vec<&str> =
            found.iter().filter_map(|mutation| Some(mutation.words.rsplit_once("before ")?.1)).collect();
        assert_eq!(lines, ["line 4", "line 7"]);
        assert!(mutations(&Grounds::not_run(&program), &mut ChaCha8Rng::seed_from_u64(1)).is_empty());
    }
}
