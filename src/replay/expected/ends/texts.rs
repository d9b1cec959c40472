//! Where regions end in the texts of macros.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Ends, Last, Placed, Position, closing, last_tokens};
use crate::syntax::{PointId, PointToken, TokenKind};

/// The names of an expansion, and where its text begins. Without names, that is a macro that makes functions.
pub(in crate::replay::expected) type TextPlace<'a> = (&'a [Position], Position);

impl<'a> Ends<'a> {
    /// The ends in the texts of all expansions of the program. A text that contains functions as a whole is in one with the
    /// other expansions of its macro.
    pub fn of_texts(&self) -> BTreeMap<TextPlace<'a>, Ends<'a>> {
        let mut tokens: BTreeMap<TextPlace<'_>, (Position, Placed<'_>)> = BTreeMap::new();
        for (position, token) in &self.tokens {
            let text = token.origin.body().and_then(|level| self.truth.expansions.get(&level));
            if let Some((text, (first, last))) = text.and_then(|text| Some((text, text.extent?))) {
                let of_text = tokens.entry((&text.names, first)).or_insert((last, Vec::new()));
                of_text.1.push((*position, *token));
            }
        }
        // The order of all tokens is not needed in a program without macros.
        if tokens.is_empty() {
            return BTreeMap::new();
        }
        let last_bytes = last_tokens(self.truth, |_| true);
        let of_text = |((names, first), (end, tokens)): (TextPlace<'a>, (Position, Placed<'a>))| {
            let placed: BTreeMap<usize, Position> =
                tokens.iter().map(|(position, token)| (token.offset, *position)).collect();
            let last = tokens.iter().flat_map(|(_, token)| self.truth.part_of(token.point)).map(|id| {
                let place = last_bytes.get(&id).and_then(|(offset, _)| placed.get(offset));
                (id, place.map_or(Last::Unknown, |place| Last::At(*place)))
            });
            let (last, closing) = (last.collect(), closing(tokens.iter()));
            let (truth, version, sequence) = (self.truth, self.version, Rc::clone(&self.sequence));
            let mut starts: BTreeMap<PointId, usize> = BTreeMap::new();
            for (_, token) in tokens.iter().filter(|(_, token)| token.begins) {
                let start = starts.entry(token.point).or_insert(token.offset);
                *start = token.offset.min(*start);
            }
            // The parentheses of a call in the point are after its beginning.
            let is_before =
                |token: &PointToken| starts.get(&token.point).is_none_or(|start| token.offset <= *start);
            let is_operator = |token: &PointToken| {
                token.kind == TokenKind::Punctuation && !token.begins && is_before(token)
            };
            let operators = tokens.iter().filter(|(_, token)| is_operator(token));
            let operators = operators.map(|(_, token)| token.point).collect();
            (
                (names, first),
                Ends {
                    truth,
                    version,
                    sequence,
                    names,
                    extent: Some((first, end)),
                    tokens,
                    by_byte: Vec::new(),
                    closing,
                    last,
                    operators,
                },
            )
        };
        tokens.into_iter().map(of_text).collect()
    }

    /// Whether an operator of a chain in `id` is not in the text: an argument of the macro.
    pub(super) fn lacks_operator(&self, id: PointId) -> bool {
        let mut chained = self.parts(id).filter(|part| self.truth.point(*part).left.is_some());
        self.extent.is_some() && chained.any(|part| !self.operators.contains(&part))
    }
}
