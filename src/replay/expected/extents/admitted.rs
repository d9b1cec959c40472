//! Which extents the regions of llvm-cov may have.

use std::collections::BTreeSet;

use super::super::ends::{Position, TextPlace, one_of};
use super::{Extents, begins};
use crate::coverage::{Region, RegionKind};
use crate::syntax::{PointId, PointKind, PointToken, TokenOrigin};

impl Extents<'_> {
    /// Whether a region may begin or end where `region` does. None where the syntax does not decide.
    pub fn admits(&self, region: &Region) -> Option<bool> {
        let first = self.ends.tokens.partition_point(|(position, _)| *position < region.start);
        if region.kind == RegionKind::Expansion {
            return self.admits_name(region, first);
        }
        if self.truth.directives.contains(&region.start.0) {
            return self.admits_in_text(region);
        }
        if region.kind != RegionKind::Code || self.unplaced.contains(&region.start.0) {
            return None;
        }
        let here = self.ends.tokens[first..].iter().take_while(|(position, _)| *position == region.start);
        // What begins with a macro, and ends after it, continues there, as what begins in its text may. Other code may begin there too.
        let name = self.ends.tokens[..first].last().filter(|_| self.follows_macro(first)).map(|(at, _)| *at);
        if let Some(name) = name {
            let is_there = |(at, token): &&(Position, &PointToken)| *at == name && token.begins;
            let begun = self.ends.tokens[..first].iter().rev().take_while(|(at, _)| *at == name);
            let begun: Vec<&PointToken> = begun.filter(is_there).map(|(_, token)| *token).collect();
            let is_known = |token: &&PointToken| {
                token.origin == TokenOrigin::Expansion && (self.is_part(token) || self.continues(token))
            };
            let names = [name];
            let texts = self.texts.range::<TextPlace<'_>, _>((&names[..], (0, 0))..);
            let texts = texts.take_while(|((of, _), _)| of.first() == Some(&name));
            let others = texts.flat_map(|(_, ends)| &ends.tokens).chain(here);
            // An empty statement is nothing but its `;`.
            let is_empty = |token: &PointToken| self.truth.point(token.point).kind == PointKind::Silent;
            let others = others.filter(|(_, token)| begins(token) || is_empty(token));
            let others = others.map(|(_, token)| token.point);
            let points = begun.iter().map(|token| token.point).chain(others);
            let ends = points.map(|id| self.ends.admit(id, region.end));
            return one_of(ends).filter(|_| begun.iter().all(is_known));
        }
        if !here.clone().all(|(at, token)| self.is_plain(*at, token)) {
            return None;
        }
        let points: BTreeSet<PointId> =
            here.clone().filter(|(_, token)| begins(token)).map(|(_, token)| token.point).collect();
        // `a ?: b` and code that is not evaluated have regions where no point begins. A region ends with its file
        // (`handleFileExit`).
        let is_divided = |id: &PointId| self.truth.functions[self.truth.point(*id).function].is_divided;
        if points.iter().any(|id| is_divided(id) || self.torn.contains(id))
            || self.unplaced.contains(&region.end.0)
        {
            return None;
        }
        let sides = here.flat_map(|(_, token)| self.sides_at(token));
        let of_sides = sides.map(|side| self.ends.admit_byte(side.end, region.end));
        one_of(of_sides.chain(points.into_iter().map(|id| self.ends.admit(id, region.end))))
    }

    /// The same in the text of an expansion, which no region leaves. One that continues after the text ends with it.
    fn admits_in_text(&self, region: &Region) -> Option<bool> {
        let names = &region.expansion[..];
        let before = self.texts.range::<TextPlace<'_>, _>(..=(names, region.start)).next_back();
        let (_, ends) = before.filter(|((of, _), _)| *of == names)?;
        let (_, last) = ends.extent?;
        let is_unplaced = |(line, _): Position| self.unplaced.contains(&line);
        if region.start > last || is_unplaced(region.start) || is_unplaced(region.end) {
            return None;
        }
        if region.end.0 > last.0 {
            return Some(false);
        }
        let is_open = region.end > last && !names.is_empty();
        if is_open || region.kind != RegionKind::Code {
            return None;
        }
        let from = ends.tokens.partition_point(|(position, _)| *position < region.start);
        let here = || ends.tokens[from..].iter().take_while(|(position, _)| *position == region.start);
        // The code around an argument may end inside it.
        let is_around = here().any(|(_, token)| !begins(token)) && here().any(|(_, token)| begins(token));
        if is_around || here().any(|(position, token)| ends.is_macro(*position, token)) {
            return None;
        }
        let points: BTreeSet<PointId> =
            here().filter(|(_, token)| begins(token)).map(|(_, token)| token.point).collect();
        if points.iter().any(|id| self.torn.contains(id)) {
            return None;
        }
        one_of(points.into_iter().map(|id| ends.admit(id, region.end)))
    }

    /// Whether an expansion may have the extent of `region`: a macro's name. `first` is the index of the first token at its start
    /// or after it.
    fn admits_name(&self, region: &Region, first: usize) -> Option<bool> {
        let here = self.ends.tokens[first..].iter().take_while(|(position, _)| *position == region.start);
        let is_name = here.clone().any(|(_, token)| token.origin != TokenOrigin::Code);
        let next = self.ends.tokens[first + here.count()..].first();
        let is_before_next = next.is_none_or(|(next, _)| region.end <= *next);
        // The place of a name after a `\` is that of the `\`.
        let is_defined = self.truth.directives.contains(&region.start.0);
        (is_name && !is_defined).then_some(region.end.0 == region.start.0 && is_before_next)
    }

    /// Whether the name of a macro is before the token with the index `first`. What the text of the macro leaves open continues there
    /// (`popRegions`).
    fn follows_macro(&self, first: usize) -> bool {
        self.ends.tokens[..first].last().is_some_and(|(_, token)| token.origin != TokenOrigin::Code)
    }

    /// Whether two regions with the extent of `region` cannot be: nothing but parts of expressions begins there, outside of macros.
    /// All regions that end in a macro end with its name.
    pub fn is_unique(&self, region: &Region) -> bool {
        let first = self.ends.tokens.partition_point(|(position, _)| *position < region.start);
        let here = self.ends.tokens[first..].iter().take_while(|(position, _)| *position == region.start);
        let is_part = |token: &PointToken| {
            use PointKind::{Arm, Condition, Operand, Step};
            let kind = self.truth.point(token.point).kind;
            token.origin == TokenOrigin::Code
                && (!token.begins
                    || matches!(kind, Arm | Condition | Operand | Step | PointKind::Statement(_)))
        };
        let is_defined = self.truth.directives.contains(&region.start.0);
        let mut here = here.peekable();
        let after = self.ends.tokens.partition_point(|(position, _)| *position < region.end);
        region.kind == RegionKind::Code
            && !self.follows_macro(first)
            && !self.follows_macro(after)
            && region.start < region.end
            && !is_defined
            && !self.unplaced.contains(&region.start.0)
            && self.truth.inclusions.len() <= 1
            && here.peek().is_some()
            && here.all(|(_, token)| is_part(token))
    }
}
