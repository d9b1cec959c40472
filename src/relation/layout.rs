//! `layout`: a statement is split over lines, statements are joined on one.
//!
//! C does not know lines, so what runs stays as it is, and each line still has to have the count of
//! something that stands on it. Reports on how profilers fail at that: GCC PR 100938 ("Coverage
//! changes when a statement is divided in multiple lines"), and lcov's issue 115, where the first
//! line of a call over three lines has 0 and the last one twice the count.
//!
//! Where that ends, and how such places are kept out:
//!
//! - A program may know its lines (`__LINE__`, `assert`), and a macro may make a string of what it
//!   is given. The former are left alone, the latter are not broken ([`Program::breaks`]).
//! - gcov counts the line of a loop's head by the ways that lead to it from other lines, so a head
//!   over two lines counts the second by another rule: no break in a head, bodies left out.
//! - gcov gives a line with several statements the ways into it ([the line rule][rule]). That is the
//!   count of each only if all run equally often and none of them is left or entered on the way: only
//!   simple statements are joined that follow each other, whose lines have one admissible count,
//!   the same, and whose calls all came back. A line that ran less often than something on it is no
//!   such line.
//!
//! Sources that are mutated before anybody counts them have their truth made afterwards, so all that
//! is legal is done: heads of `for` are split too, and small blocks are laid out on a line.
//!
//! [rule]: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106090

use rand::rngs::ChaCha8Rng;

use super::{Grounds, Mutation, Rewrite};
use crate::model::{Family, Line, RelationName, TextEdit};
use crate::syntax::{Program, StatementId};

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Layout;

impl Rewrite for Layout {
    fn name(&self) -> RelationName {
        RelationName::Layout
    }

    fn mutations(&self, grounds: &Grounds<'_>, _: &mut ChaCha8Rng) -> Vec<Mutation> {
        let program = grounds.program;
        if program.knows_lines() {
            return Vec::new();
        }
        let is_free = grounds.ran.is_none();
        let mut found: Vec<Mutation> = program
            .breaks()
            .into_iter()
            .filter(|place| is_free || !place.in_loop_head)
            .map(|place| mutation(format!("split {}", place.words), place.edit))
            .collect();
        let joins = program.neighbours().into_iter().filter(|pair| is_free || may_join(grounds, *pair));
        found.extend(joins.map(|pair| join(program, pair)));
        if is_free {
            found.extend(program.ids().filter_map(|id| flattened(program, id)));
        }
        found.sort_by(|a, b| a.edits.cmp(&b.edits));
        found
    }
}

fn mutation(words: String, edit: TextEdit) -> Mutation {
    Mutation { words, edits: vec![edit], ..Mutation::default() }
}

/// The second of `pair` on the line of the first.
fn join(program: &Program, pair: (StatementId, StatementId)) -> Mutation {
    let (first, second) = (program.statement(pair.0), program.statement(pair.1));
    let text = |range: &std::ops::Range<usize>| &program.source[range.clone()];
    let with = format!("{} {}", text(&first.range), text(&second.range));
    let words = format!("join the statements on lines {} and {}", first.lines.0, second.lines.0);
    mutation(words, TextEdit { start: first.range.start, end: second.range.end, with })
}

/// A small branch, loop or block on one line.
fn flattened(program: &Program, id: StatementId) -> Option<Mutation> {
    let statement = program.statement(id);
    let with = program.flat(id)?;
    let (first, last) = statement.lines;
    let words = format!("join the {} on lines {first} to {last}", statement.kind.name());
    Some(mutation(words, TextEdit { start: statement.range.start, end: statement.range.end, with }))
}

/// Whether truth says that both ran equally often, and were left at their end.
fn may_join(grounds: &Grounds<'_>, pair: (StatementId, StatementId)) -> bool {
    let counts = [pair.0, pair.1].map(|id| only_count(grounds, grounds.program.statement(id).lines.0));
    counts[0].is_some() && counts[0] == counts[1]
}

/// The count of everything on `line`, calls that came back included.
fn only_count(grounds: &Grounds<'_>, line: Line) -> Option<u64> {
    let (_, truth) = grounds.ran?;
    let family = grounds.profiler.map_or(Family::Gcov, |info| info.profiler);
    let admissible = truth.line(line, family)?;
    let only = *admissible.counts.first()?;
    let came_back = |completed: Option<u64>| completed.is_none_or(|completed| completed == only);
    let is_even = admissible.counts.len() == 1
        && admissible.points.iter().all(|point| came_back(truth.point(*point).completed));
    is_even.then_some(only)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sources_that_nobody_counted_get_everything_that_is_legal() {
        let source = "void f(int a) {\n  for (a = 0; a < 2; a++) {\n    g();\n  }\n  a = 1;\n  a = 2;\n}\n";
        let words = |source: &str| {
            let program = Program::parse(source.into());
            let grounds = Grounds { program: &program, profiler: None, ran: None };
            let found = Layout.mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(1));
            found.into_iter().map(|mutation| mutation.words).collect::<Vec<_>>()
        };
        let found = words(source);
        for wanted in [
            "split the for on line 2 behind `;`",
            "join the for on lines 2 to 4",
            "join the block on lines 2 to 4",
            "join the statements on lines 5 and 6",
            "split the expression on line 5 behind `=`",
        ] {
            assert!(found.contains(&wanted.to_string()), "{wanted} in {found:#?}");
        }
        assert_eq!(words(&source.replace("g()", "g(__LINE__)")), [""; 0]);
    }
}
