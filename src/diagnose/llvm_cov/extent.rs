//! Extents: a region has the right count where it begins, but it contains code with another count.

use std::collections::BTreeSet;

use super::construct::counts;
use super::departure::{Departure, Kind};
use super::departures::is_computed;
use super::facts::{Facts, Position};
use crate::coverage::RegionKind;
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer};
use crate::replay::llvm_cov::CountedRegion;
use crate::syntax::{
    PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin, starts_with_word,
};

impl Facts<'_> {
    /// Why `region`, whose count is right where it begins, contains `token` at `position`, which has another count.
    pub(super) fn wrong_extent(
        &self,
        region: &CountedRegion,
        position: Position,
        token: &PointToken,
    ) -> Cause {
        let (at, first) = self.first_misplaced(region, position).unwrap_or((position, token));
        let reached = self.reached(first).unwrap_or_default();
        let evidence = format!(
            "The region from {}:{} to {}:{} has the count {}, but the code at {}:{} in it was reached {}.",
            region.start.0,
            region.start.1,
            region.end.0,
            region.end.1,
            region.count,
            at.0,
            at.1,
            times(counts(&reached))
        );
        if let Some(found) = self.gap_from_macro_name(region, position, token, &evidence) {
            return found;
        }
        // An operator among the arguments of a macro would have the count of the macro if the region of that did not end before.
        let of_macro = self.outside_of_macro(position, token, &evidence).filter(|found| {
            let is_of_macro =
                |(_, first)| self.reached(first).is_some_and(|counts| counts.contains(&region.count));
            found.is_understood() && !self.macro_of(position, token).is_some_and(is_of_macro)
        });
        if let Some(found) = of_macro.or_else(|| self.outside_of_point(position, token, &evidence)) {
            return found;
        }
        if let Some(found) = self.outside_of_macro(position, token, &evidence) {
            return found;
        }
        if let Some(found) = self.nested_macro_in_loop(position, token, &evidence) {
            return found;
        }
        if let Some(found) = self.late_start(at, &reached) {
            return found;
        }
        let is_higher = reached.iter().all(|count| *count > region.count);
        // Control may have left at any time since the region began.
        let after = self.offset(region.start).unwrap_or(0);
        let until = |offset| self.departure_between(after, offset, is_higher);
        if let Some(found) = until(first.offset) {
            let other = until(token.offset).filter(|_| self.is_assumed_to_return(found));
            let found = other.filter(|other| !self.is_assumed_to_return(other)).unwrap_or(found);
            return self.departed(found, Some(at), &evidence);
        }
        if let Some(found) = self.after_jump(first, &evidence) {
            return found;
        }
        // Nothing between them calls or jumps: a signal, or assembly, or what clang takes for code.
        let before = self.before(first.offset).map(|(_, before)| self.truth.root(before.point));
        if let Some(statement) = before.filter(|id| is_higher && self.holds_unevaluated(*id, at)) {
            let element = self.element(self.kind_name(statement), statement);
            return Cause::new(Layer::Mapping, "unevaluated-code", element, evidence);
        }
        let mechanism = match before.filter(|_| !is_higher) {
            Some(before) => format!("mapping/extent/after-{}", self.kind_name(before)),
            None => self.composed("mapping/extent", first),
        };
        Cause::new(Layer::Mapping, &mechanism, self.element_at("code", at), evidence)
    }

    /// The first token of `region` from which on up to `position` all code of it, outside of the regions in it, has another
    /// count.
    fn first_misplaced(&self, region: &CountedRegion, position: Position) -> Option<(Position, &PointToken)> {
        let until = (position.0, position.1 + 1);
        let typed = self.typed(region.start, until).iter();
        let is_defined = |line| self.truth.directives.contains(&line);
        let is_inside = |(at, token): &&(Position, &PointToken)| {
            // The `;` of a body without braces is outside of its region.
            let is_end = self.is_end_of_statement(token) && *at != position;
            let around = self.region_at(*at).map(|index| &self.replay.combined[index]);
            !is_end
                && around.is_some_and(|around| (around.start, around.end) == (region.start, region.end))
                && (!is_defined(at.0) || is_defined(region.start.0))
        };
        let all: Vec<&(Position, &PointToken)> = typed.filter(is_inside).collect();
        let is_right =
            |token: &PointToken| self.reached(token).is_none_or(|reached| reached.contains(&region.count));
        let mut found: Option<(Position, &PointToken)> = None;
        for here in all.chunk_by(|left, right| left.0 == right.0).rev() {
            // Several tokens may be at one position, as the first ones of nested expansions are.
            let known = here.iter().any(|(_, token)| self.reached(token).is_some());
            if known && here.iter().any(|(_, token)| is_right(token)) {
                break;
            }
            // A part of an expression departs and comes back.
            let is_part = |token: &PointToken| self.truth.point(token.point).within.is_some();
            let (at, token) = *here[0];
            if found.is_none() || known && !is_part(token) {
                found = Some((at, token));
            }
        }
        found
    }

    /// Whether `token` is the `;` of a statement.
    pub(super) fn is_end_of_statement(&self, token: &PointToken) -> bool {
        let kind = self.truth.point(token.point).kind;
        token.kind == TokenKind::Punctuation
            && !token.begins
            && matches!(kind, PointKind::Statement(_) | PointKind::Silent)
    }

    /// An operator or a keyword that takes the count of the part after it, whose region begins only after it; or a step.
    fn outside_of_point(&self, at: Position, token: &PointToken, evidence: &str) -> Option<Cause> {
        let is_mark = token.kind == TokenKind::Punctuation && self.precedes_its_point(token);
        let is_else = self.truth.directives.contains(&at.0) && starts_with_word(self.text_from(at), "else");
        let mechanism = match self.outside(token.point, is_mark) {
            // The gap before the arm covers the keyword, but there is none in the text of a macro.
            None if is_else => "no-gap-before-region",
            mechanism => mechanism?,
        };
        let kind = self.truth.point(token.point).kind;
        let element = self.element_at(super::construct::name(kind), at);
        Some(Cause::new(Layer::Mapping, mechanism, element, evidence.into()))
    }

    /// The mechanism by which the text before the point `id` (`is_mark`), or its beginning, is outside of its region.
    pub(super) fn outside(&self, id: PointId, is_mark: bool) -> Option<&'static str> {
        let point = self.truth.point(id);
        let is_of = |kind: StatementKind| {
            point.within.is_some_and(|outer| self.truth.point(outer).kind == PointKind::Statement(kind))
        };
        match point.kind {
            PointKind::Arm if is_mark => Some("operator-outside-arm"),
            // Since version 22 of clang there is a gap before the operand (LLVM PR 149085), which covers the operator, but none in the
            // text of a macro.
            PointKind::Operand if is_mark && self.data.version < 22 => Some("operand-without-gap"),
            PointKind::Operand if is_mark => Some("no-gap-before-region"),
            PointKind::Condition if is_mark && is_of(StatementKind::Do) => Some("do-while-keyword"),
            PointKind::Step => Some("step-outside-region"),
            _ => None,
        }
    }

    /// Whether `token` is an operator or a keyword before the code of its point.
    pub(super) fn precedes_its_point(&self, token: &PointToken) -> bool {
        self.span_of_code(token.point).is_some_and(|first| token.offset < first)
    }

    /// The offset of the first token of the point `id` that is not before it.
    fn span_of_code(&self, id: PointId) -> Option<usize> {
        let is_first = |token: &PointToken| token.point == id && token.begins;
        self.ordered.iter().find(|(_, token)| is_first(token)).map(|(_, token)| token.offset)
    }

    /// The argument of a macro whose expansion region ends at the name of the macro.
    fn outside_of_macro(&self, at: Position, token: &PointToken, evidence: &str) -> Option<Cause> {
        let (name, first) = self.macro_of(at, token)?;
        // The region around the macro ends at its name. Usually the whole macro has the count of the argument, at one of its uses.
        let reached = self.reached(first)?;
        let is_same = self.reached(token)?.is_superset(&reached);
        let around = &self.replay.combined[self.region_at(name)?];
        // Of a system macro only empty regions at its name are left, one for each part of it.
        let empty = self.empty_region(name);
        let has_empty =
            empty.is_some_and(|empty| self.parts(empty).any(|part| reached.contains(&part.count)));
        // The count of the expansion may be wrong for a reason of its own.
        let mut wrong = self.parts(around).filter_map(|part| self.wrong_start(part));
        let own = wrong.find(|cause| cause.mechanism == "expansion-count");
        if name.0 == at.0 && own.is_some() {
            return own;
        }
        let ends_before = around.end <= at && (reached.contains(&around.count) || own.is_some());
        let ends_at_name = is_same && around.end == self.end_of_name(name);
        let mechanism = if is_same && has_empty || ends_before || ends_at_name {
            "region-ends-at-macro-name".into()
        } else if is_same {
            return None;
        } else {
            "mapping/extent/macro-argument".to_string()
        };
        let element = self.element_at("macro", name);
        Some(Cause::new(Layer::Mapping, &mechanism, element, evidence.into()))
    }

    /// The fault that the gap before a right operand begins after the name of the macro that ends the left one: the arguments of the
    /// macro are in it.
    fn gap_from_macro_name(
        &self,
        gap: &CountedRegion,
        at: Position,
        token: &PointToken,
        evidence: &str,
    ) -> Option<Cause> {
        let (name, _) = self.macro_of(at, token).filter(|_| gap.kind == RegionKind::Gap)?;
        let (line, end) = self.end_of_name(name);
        // `findGapAreaBetween` skips one character, for a `)`.
        let is_after_name = gap.start == (line, end) || gap.start == (line, end + 1);
        let is_operand = |id: PointId| self.truth.point(id).kind == PointKind::Operand;
        let is_before_operand = self.point_at(gap.end).is_some_and(is_operand);
        let element = self.element_at("gap", gap.start);
        (is_after_name && is_before_operand)
            .then(|| Cause::new(Layer::Mapping, "gap-from-macro-name", element, evidence.into()))
    }

    /// Where the name that begins at `start` ends.
    fn end_of_name(&self, start: Position) -> Position {
        let text = self.text_from(start);
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        (start.0, start.1 + u32::try_from(length).unwrap_or(u32::MAX))
    }

    /// The test of a loop that begins in a macro whose text begins with another macro, and that has no expansion.
    pub(super) fn nested_macro_in_loop(
        &self,
        at: Position,
        token: &PointToken,
        evidence: &str,
    ) -> Option<Cause> {
        let point = self.truth.point(token.point);
        let is_of_loop = point.within.is_some_and(|id| self.truth.point(id).kind.is_loop());
        // The name of each macro, and where the token was typed.
        let places = self.tokens.iter().filter(|(_, other)| other.offset == token.offset);
        let places: BTreeSet<Position> = places.map(|(place, _)| *place).collect();
        let mut here = self.replay.regions.iter().filter(|region| region.start == at);
        let has_expansion = here.clone().any(|region| region.kind == RegionKind::Expansion);
        // The places in the definition of a macro in another file are not known, but one of the system has an empty region.
        let is_nested = places.len() > 2 || places.len() == 1 && here.all(|region| region.end != at);
        let is_one = point.kind == PointKind::Condition
            && is_of_loop
            && token.origin == TokenOrigin::Expansion
            && is_nested
            && !has_expansion;
        let element = self.element_at("macro", at);
        is_one.then(|| Cause::new(Layer::Mapping, "nested-macro-in-loop", element, evidence.into()))
    }

    /// The last departure that begins between two bytes of the preprocessed text. One that adds executions explains counts that are
    /// higher than those of the region, the others those that are lower.
    pub(super) fn departure_between(
        &self,
        after: usize,
        before: usize,
        is_higher: bool,
    ) -> Option<&Departure> {
        let is_between = |found: &&Departure| {
            let has_sign = if is_higher { found.adds() } else { found.removes() };
            after <= found.span.first && found.span.first < before && has_sign
        };
        let rank = |found: &&Departure| (found.kind != Kind::NoReturn, found.span.first);
        self.departures.iter().filter(is_between).max_by_key(rank)
    }

    /// The jump right before `token`, or at the end of a block before it, after which no region begins although every jump
    /// that clang visits ends one.
    pub(super) fn after_jump(&self, token: &PointToken, evidence: &str) -> Option<Cause> {
        let (_, before) = self.before(token.offset)?;
        let is_brace = before.kind == TokenKind::ClosingBrace;
        let inner = |id: &PointId| self.truth.point(*id).last.filter(|_| is_brace);
        let jump = std::iter::successors(Some(before.point), inner).last()?;
        match self.truth.point(jump).kind {
            PointKind::Statement(StatementKind::Goto) if is_computed(self, jump) => {
                let element = self.element("computed goto", jump);
                Some(Cause::new(Layer::Mapping, "no-region-after-goto", element, evidence.into()))
            }
            PointKind::Statement(kind) if kind.is_jump() => {
                let mechanism = format!("mapping/extent/after-{}", kind.name());
                Some(Cause::new(Layer::Mapping, &mechanism, self.element(kind.name(), jump), evidence.into()))
            }
            _ => None,
        }
    }
}
