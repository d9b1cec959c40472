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
