//! `layout`: splits a statement over several lines, or joins statements on one line.
//!
//! The variant has the same tokens on other lines. Its behaviour does not change, because lines have no meaning in C,
//! and each line must still have the count of some code on it. Reports on wrong counts of this kind: GCC PR 100938
//! ("Coverage changes when a statement is divided in multiple lines"), and lcov's issue 115, where the first line of a
//! call over three lines has 0 and the last one twice the count.
//!
//! Limits, and how they are respected:
//!
//! - A program may depend on its lines (`__LINE__`, `assert`), and a macro may turn its argument into a string. The
//!   former are left out, the latter are not split ([`Program::breaks`]).
//! - gcov counts the line of a loop's head by the edges that enter it from other lines, so the second line of a split
//!   head has another meaning: no head is split.
//! - gcov gives a line with several statements the number of entries from other lines ([the line rule][rule]). That is
//!   the count of each statement only if all run equally often and none is left or entered on the way. So only simple
//!   consecutive statements are joined, if each line has one admissible count, the same, and all calls returned.
//!
//! A text that is mutated before it is counted gets its ground truth afterwards, so there every legal change is made:
//! heads of `for` are split too, and small blocks are joined on a line.
//!
//! [rule]: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106090

use std::ops::Range;

use super::mutation::{Grounds, Mutation};
use crate::model::{Family, Line, TextEdit};
use crate::replay::expected;
use crate::syntax::{Program, StatementId};

pub(super) fn mutations(grounds: &Grounds<'_>) -> Vec<Mutation> {
    let program = grounds.program;
    if program.knows_lines() {
        return Vec::new();
    }
    let is_free = grounds.ran.is_none();
    let breaks = program.breaks().into_iter().filter(|place| is_free || !place.in_loop_head);
    let mut found: Vec<Mutation> =
        breaks.map(|place| Mutation::of_text(format!("split {}", place.words), vec![place.edit])).collect();
    let joins = program.neighbours().into_iter().filter(|pair| is_free || may_join(grounds, *pair));
    found.extend(joins.map(|pair| join(program, pair)));
    if is_free {
        found.extend(program.ids().filter_map(|id| flattened(program, id)));
    }
    found.sort_by(|a, b| a.edits.cmp(&b.edits));
    found
}

/// The second statement of `pair` on the line of the first.
fn join(program: &Program, pair: (StatementId, StatementId)) -> Mutation {
    let (first, second) = (program.statement(pair.0), program.statement(pair.1));
    let text = |range: &Range<usize>| &program.source[range.clone()];
    let with = format!("{} {}", text(&first.range), text(&second.range));
    let words = format!("join the statements on lines {} and {}", first.lines.0, second.lines.0);
    Mutation::of_text(words, vec![TextEdit::replace(first.range.start..second.range.end, with)])
}

/// A small branch, loop or block on one line.
fn flattened(program: &Program, id: StatementId) -> Option<Mutation> {
    let statement = program.statement(id);
    let with = program.flat(id)?;
    let (first, last) = statement.lines;
    let words = format!("join the {} on lines {first} to {last}", statement.kind.name());
    Some(Mutation::of_text(words, vec![TextEdit::replace(statement.range.clone(), with)]))
}

/// Whether, by ground truth, both ran equally often and were left at their ends.
fn may_join(grounds: &Grounds<'_>, pair: (StatementId, StatementId)) -> bool {
    let counts = [pair.0, pair.1].map(|id| only_count(grounds, grounds.program.statement(id).lines.0));
    counts[0].is_some() && counts[0] == counts[1]
}

/// The count of everything on `line`, if it is one and all calls returned.
fn only_count(grounds: &Grounds<'_>, line: Line) -> Option<u64> {
    let (_, truth) = grounds.ran?;
    let family = grounds.profiler.map_or(Family::Gcov, |info| info.profiler);
    let admissible = expected(truth, family, line).ok()?;
    let only = *admissible.counts.first()?;
    let has_returned = |completed: Option<u64>| completed.is_none_or(|completed| completed == only);
    let is_even = admissible.counts.len() == 1
        && admissible.points.iter().all(|point| has_returned(truth.point(*point).completed));
    is_even.then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_change_is_made_before_a_program_is_counted() {
        let source = "void f(int a) {\n  for (a = 0; a < 2; a++) {\n    g();\n  }\n  a = 1;\n  a = 2;\n}\n";
        let words = |source: &str| {
            let program = Program::parse(source.into());
            let found = mutations(&Grounds::not_run(&program));
            found.into_iter().map(|mutation| mutation.words).collect::<Vec<_>>()
        };
        let found = words(source);
        for wanted in [
            "split the for on line 2 after `;`",
            "join the for on lines 2 to 4",
            "join the block on lines 2 to 4",
            "join the statements on lines 5 and 6",
            "split the expression on line 5 after `=`",
        ] {
            assert!(found.contains(&wanted.to_string()), "{wanted} in {found:#?}");
        }
        assert_eq!(words(&source.replace("g()", "g(__LINE__)")), [""; 0]);
    }
}
