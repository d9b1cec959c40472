//! Regions: whether the count of a region is wrong where it begins, or its extent.

use std::collections::{BTreeMap, BTreeSet};

use super::construct::{counts, name};
use super::counter::Counted;
use super::departure::Kind;
use super::facts::{Facts, Position};
use crate::coverage::{Counter, FunctionMapping, MappingRegion, RegionKind};
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer};
use crate::replay::llvm_cov::CountedRegion;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenOrigin};

impl Facts<'_> {
    /// Why the combined region with this index gives `token` at `position` a wrong count.
    pub(super) fn wrong_at(&self, combined: usize, position: Position, token: &PointToken) -> Cause {
        let right = self.reached(token).unwrap_or_default();
        let region = &self.replay.regions[self.replay.combined[combined].parts[0]];
        // With its own right count, the region would give the token too high a count too.
        let is_high = Some(&region.count) > right.last();
        if is_high && self.right(region).is_some_and(|own| own.first() > right.last()) {
            let found = self.wrong_extent(region, position, token);
            if found.is_understood() {
                return found;
            }
        }
        if let Some(found) = self.wrong_sum(combined, &right) {
            return found;
        }
        let wrong = self.wrong_start(region).or_else(|| self.wrong_unknown(region));
        wrong.unwrap_or_else(|| self.wrong_extent(region, position, token))
    }

    /// The diagnosis of a sum of regions with the same extent, if one of them has a `right` count.
    pub(super) fn wrong_sum(&self, combined: usize, right: &BTreeSet<u64>) -> Option<Cause> {
        let combined = &self.replay.combined[combined];
        if combined.parts.len() < 2 || right.contains(&combined.count) {
            return None;
        }
        // A part that is right, or one that is right at its own start.
        let is_right = |part: &CountedRegion| {
            let own = self.right(part);
            right.contains(&part.count) || own.is_some_and(|own| own.contains(&part.count))
        };
        // The regions of a definition are those of all its expansions, each of which has a file of its own.
        let is_defined = self.truth.directives.contains(&combined.start.0);
        let mut files: BTreeMap<Option<(usize, u32)>, Vec<u64>> = BTreeMap::new();
        for part in self.parts(combined) {
            let expansion = is_defined.then(|| (part.function, self.mapped(part).file));
            files.entry(expansion).or_default().push(part.count);
        }
        let adds = files.into_values().filter(|counts| counts.len() > 1).any(|counts| {
            let is_extra = |count: &u64| right.contains(&combined.count.saturating_sub(*count));
            counts.iter().filter(|count| **count > 0).count() > 1 || counts.iter().any(is_extra)
        });
        if !adds || !self.parts(combined).any(is_right) {
            return None;
        }
        let ((line, column), (last, end)) = (combined.start, combined.end);
        let parts: Vec<String> = self.parts(combined).map(|part| part.count.to_string()).collect();
        let element = self.element_at(&format!("regions to {last}:{end}"), combined.start);
        // A line of a definition has the sum over its expansions, of which these may be some.
        let ran = if is_defined { String::new() } else { format!(" The code ran {}.", times(counts(right))) };
        let evidence = format!(
            "{} regions have the extent {line}:{column} to {last}:{end}; their counts are added: {} = {}.{ran}",
            parts.len(),
            parts.join(" + "),
            combined.count,
        );
        Some(Cause::new(Layer::LineRule, "equal-regions-added", element, evidence))
    }

    /// Why `region` has a wrong count where it begins; none if that is right or unknown.
    pub(super) fn wrong_start(&self, region: &CountedRegion) -> Option<Cause> {
        let right = self.right(region)?;
        (!right.contains(&region.count)).then(|| self.wrong_count(region, &right))
    }

    /// Why `region`, of which it is unknown how often it was reached where it begins, has a wrong counter.
    pub(super) fn wrong_unknown(&self, region: &CountedRegion) -> Option<Cause> {
        let mapped = self.mapped(region);
        let is_unknown = region.kind == RegionKind::Code && self.right(region).is_none();
        if is_unknown { self.wrong_operand(self.function(region), mapped.counter) } else { None }
    }

    /// Why `region` has not one of the counts `right`.
    pub(super) fn wrong_count(&self, region: &CountedRegion, right: &BTreeSet<u64>) -> Cause {
        match region.kind {
            RegionKind::Gap => self.wrong_gap(region, right),
            RegionKind::Expansion => self.wrong_expansion(region, right),
            _ => {
                let found = self.wrong_beginning(region, right);
                let around = self.expansion_around(region).filter(|_| !found.is_understood());
                around.unwrap_or(found)
            }
        }
    }

    /// Why `region`, of code, has not one of the counts `right`, whatever is around it.
    fn wrong_beginning(&self, region: &CountedRegion, right: &BTreeSet<u64>) -> Cause {
        let late = self.late_start(region.start, right);
        let macro_start = || self.starts_with_macro(region, right);
        let found = late.or_else(macro_start).or_else(|| self.begins_in_body(region));
        let found = found.or_else(|| self.begins_with_jump(region));
        found.unwrap_or_else(|| self.wrong_counter(self.counted(region, right)))
    }

    /// The fault that `region`, in the text of a macro, is the last part of another region, which begins before the text or
    /// in the middle of it: the part begins at the beginning of the text all the same.
    fn starts_with_macro(&self, region: &CountedRegion, right: &BTreeSet<u64>) -> Option<Cause> {
        let (function, mapped) = (self.function(region), self.mapped(region));
        let around = function.expansion_of(mapped.file)?;
        let values = self.values(function);
        let of_file = function.regions.iter().filter(|other| other.file == mapped.file);
        let is_code = |other: &&MappingRegion| matches!(other.kind, RegionKind::Code | RegionKind::Expansion);
        // Another region with the right count begins there too.
        let is_second = of_file.clone().filter(is_code).any(|other| {
            other.start == mapped.start
                && values.of(other.counter).is_some_and(|count| right.contains(&count))
        });
        let is_first = of_file.clone().all(|other| mapped.start <= other.start);
        let is_last_part = of_file.filter(is_code).any(|other| {
            mapped.start < other.start
                && other.start < mapped.end
                && mapped.end <= other.end
                && other.counter == mapped.counter
        });
        // The gap between a `switch` and its first label, which ends with the body of the `switch`.
        let is_of_gap = function.regions.iter().any(|gap| {
            (gap.kind, gap.file, gap.end) == (RegionKind::Gap, around.file, around.end)
                && gap.start < around.start
                && gap.counter == mapped.counter
        });
        let ((line, column), (last, end)) = (region.start, region.end);
        let what = if is_of_gap { "the gap before it" } else { "the code at its end" };
        let evidence = format!(
            "The region from {line}:{column} to {last}:{end} begins at the beginning of the text of a macro and has the count of {what}."
        );
        let element = self.element_at(&format!("region to {last}:{end}"), region.start);
        (is_first && is_second && (is_last_part || is_of_gap))
            .then(|| Cause::new(Layer::Mapping, "region-from-macro-start", element, evidence))
    }

    /// The fault that `region`, which should follow the first part of a `for`, begins with the body of the loop.
    pub(super) fn begins_in_body(&self, region: &CountedRegion) -> Option<Cause> {
        let is_for = |id: PointId| {
            let point = self.truth.point(id);
            let outer = point.place.map(|place| self.truth.point(place.outer).kind);
            point.within.is_none() && outer == Some(PointKind::Statement(StatementKind::For))
        };
        let mapped = self.mapped(region);
        let is_body = |other: &MappingRegion| {
            (other.kind, other.file, other.start) == (RegionKind::Code, mapped.file, mapped.start)
                && other.end < mapped.end
        };
        let body = self.point_at(region.start).filter(|id| is_for(*id))?;
        let has_body = self.function(region).regions.iter().any(is_body);
        let ((line, column), (last, end)) = (region.start, region.end);
        let evidence = format!(
            "The region from {line}:{column} to {last}:{end} begins with the body of a `for`, which has a region too, and ends after the loop."
        );
        let element = self.element("loop", self.truth.point(body).place?.outer);
        has_body.then(|| Cause::new(Layer::Mapping, "begins-in-body", element, evidence))
    }

    /// The fault that `region`, which should follow an arm or an operand of the value of a jump, begins with the jump.
    fn begins_with_jump(&self, region: &CountedRegion) -> Option<Cause> {
        let ((line, column), (last, end)) = (region.start, region.end);
        let (jump, _) = self.divided_jump(region.start, (line, column + 1))?;
        let evidence = format!(
            "The region from {line}:{column} to {last}:{end} begins with the {jump} and has the count {} of the code after a part of its value.",
            self.function(region).formula(self.mapped(region).counter)
        );
        let element = self.element_at("region", region.start);
        Some(Cause::new(Layer::Mapping, "region-left-open", element, evidence))
    }

    fn counted<'b>(&'b self, region: &CountedRegion, right: &'b BTreeSet<u64>) -> Counted<'b> {
        let counter = self.mapped(region).counter;
        let function = self.function(region);
        Counted { function, counter, at: region.start, until: region.start, shown: region.count, right }
    }

    /// The count of a gap differs from that of the code after it. If that has the same wrong count, it is not the fault of the gap.
    fn wrong_gap(&self, gap: &CountedRegion, right: &BTreeSet<u64>) -> Cause {
        let counter = self.mapped(gap).counter;
        let same = self.replay.regions.iter().filter(|region| {
            region.function == gap.function
                && region.kind == RegionKind::Code
                && self.mapped(region).counter == counter
                && counter != Counter::Zero
        });
        let next = self.replay.regions.iter().filter(|region| {
            region.function == gap.function
                && region.kind == RegionKind::Code
                && region.start == gap.end
                && self.mapped(region).counter == counter
        });
        let wrong = same.chain(next).find_map(|region| {
            // With the right count of that region the gap would be right too.
            let own = self.right(region)?;
            let explains = !own.contains(&region.count) && !own.is_disjoint(right);
            explains.then(|| self.wrong_count(region, &own))
        });
        if let Some(found) = wrong {
            return found;
        }
        let ((line, column), (last, end)) = (gap.start, gap.end);
        let is_label = |id: PointId| self.truth.point(id).kind.is_label();
        let after = match self.point_at(gap.end) {
            Some(id) if is_label(id) => "control fell into the label after it",
            _ => "the code after it ran",
        };
        let element = self.element_at(&format!("gap to {last}:{end}"), gap.start);
        let evidence = format!(
            "The gap from {line}:{column} to {last}:{end} has the count {} = {}; {after} {}.",
            self.function(gap).formula(counter),
            gap.count,
            times(counts(right))
        );
        // A gap follows a computed goto as any other jump, but the counter after it is derived without it.
        let counted = Counted { at: gap.end, until: gap.end, ..self.counted(gap, right) };
        let departure = self.departure_for(counted).filter(|found| {
            let is_difference =
                |times: u64| right.iter().any(|right| gap.count.checked_sub(*right) == Some(times));
            matches!(found.kind, Kind::ComputedGoto | Kind::AsmGoto) && found.times.is_some_and(is_difference)
        });
        if let Some(found) = departure {
            return self.departed(found, Some(gap.end), &evidence);
        }
        let before = self.offset(gap.end).and_then(|offset| self.before(offset));
        let of_arm = before
            .filter(|_| counter == Counter::Zero)
            .and_then(|(_, before)| self.after_arm(self.truth.root(before.point), &evidence));
        of_arm.unwrap_or_else(|| Cause::new(Layer::Mapping, "gap-counter", element, evidence))
    }

    /// The count of an expansion differs from that of the first token of the macro.
    fn wrong_expansion(&self, region: &CountedRegion, right: &BTreeSet<u64>) -> Cause {
        if let Some(found) = self.left_together(region) {
            return found;
        }
        let (function, mapped) = (self.function(region), self.mapped(region));
        let values = self.values(function);
        let inside = function.regions.iter().filter(|inner| {
            inner.file == mapped.expanded_file
                && matches!(inner.kind, RegionKind::Code | RegionKind::Expansion)
        });
        let code = inside.clone().filter(|inner| inner.kind == RegionKind::Code);
        let first = inside.clone().map(|inner| inner.start).min();
        if let Some(found) = first.and_then(|first| self.late_start(first, right)) {
            return found;
        }
        let is_right =
            inside.clone().any(|inner| values.of(inner.counter).is_some_and(|count| right.contains(&count)));
        // The first region of the macro may be its decision, which has no count.
        let is_its = |of: &FunctionMapping, decision: &MappingRegion| {
            std::ptr::eq(of, function) && decision.file == mapped.expanded_file
        };
        if mapped.counter == Counter::Zero
            && let Some(found) = self.replaced_by_decision(is_its)
        {
            return found;
        }
        // It has the count of another region of the text than that of the first token.
        let begins = inside.clone().filter(|inner| Some(inner.start) == first);
        let is_of_other =
            begins.min_by_key(|inner| inner.end).is_some_and(|inner| inner.counter != mapped.counter)
                && code.clone().any(|inner| inner.counter == mapped.counter);
        if !is_right && !is_of_other {
            let found = self.wrong_counter(self.counted(region, right));
            if found.is_understood() {
                return found;
            }
        }
        let (line, column) = region.start;
        let element = self.element_at("expansion", region.start);
        let evidence = format!(
            "The expansion region at {line}:{column} has the count {} = {}; the first token of the macro was reached {}.",
            function.formula(mapped.counter),
            region.count,
            times(counts(right))
        );
        // The gap before a body that begins with the macro has the count of the body.
        let has_gap = function.regions.iter().any(|gap| {
            (gap.kind, gap.file, gap.end) == (RegionKind::Gap, mapped.file, mapped.start)
                && values.of(gap.counter).is_some_and(|count| right.contains(&count))
        });
        if is_right || is_of_other || has_gap {
            let taken = self.wrong_counter_of_code(region);
            return taken.unwrap_or_else(|| Cause::new(Layer::Mapping, "expansion-count", element, evidence));
        }
        self.expansion_around(region).unwrap_or_else(|| {
            let mechanism = format!("mapping/expansion/{}", self.construct_at(region.start));
            Cause::new(Layer::Mapping, &mechanism, element, evidence)
        })
    }

    /// The diagnosis of code whose count `region` has taken, and which has a wrong count itself.
    pub(super) fn wrong_counter_of_code(&self, region: &CountedRegion) -> Option<Cause> {
        let counter = self.mapped(region).counter;
        let is_same = |other: &&CountedRegion| {
            other.kind == RegionKind::Code
                && other.index != region.index
                && self.mapped(other).counter == counter
        };
        let mut code = self.regions(self.function(region)).filter(is_same);
        // The expansions around that code may have their count from it too, so they are no cause here.
        let own_cause = |other: &CountedRegion| {
            let right = self.right(other).filter(|right| !right.contains(&other.count))?;
            Some(self.wrong_beginning(other, &right)).filter(Cause::is_understood)
        };
        code.find_map(own_cause)
    }

    /// The fault that an expansion around `region` has the count of code around it: the last macro in a text that ends a body has that
    /// count too, and the code in it.
    fn expansion_around(&self, region: &CountedRegion) -> Option<Cause> {
        let is_shared = |id: &str| matches!(id, "expansion-count" | "macros-left-together");
        self.wrong_expansion_around(region).filter(|found| is_shared(&found.mechanism))
    }

    /// The diagnosis of an expansion around `region` whose count is wrong, and that `region` has too.
    pub(super) fn wrong_expansion_around(&self, region: &CountedRegion) -> Option<Cause> {
        let mut file = self.mapped(region).file;
        // Each expansion has a file of its own, with a larger number than that around it (`gatherFileIDs`); damaged data may have a
        // cycle.
        loop {
            let expands = |outer: &&CountedRegion| {
                let mapped = self.mapped(outer);
                outer.function == region.function
                    && outer.kind == RegionKind::Expansion
                    && mapped.expanded_file == file
                    && mapped.file < file
            };
            let outer = self.replay.regions.iter().find(expands)?;
            if let Some(found) = self.wrong_start(outer).filter(|_| outer.count == region.count) {
                return Some(found);
            }
            file = self.mapped(outer).file;
        }
    }

    /// The macro among whose arguments `argument` was typed: the position of its name and its first token.
    pub(super) fn macro_of(&self, at: Position, argument: &PointToken) -> Option<(Position, &PointToken)> {
        if argument.origin != TokenOrigin::Argument(None) {
            return None;
        }
        let before = self.tokens.partition_point(|(position, _)| *position <= at);
        let mut names = self.tokens[..before].iter().rev();
        let found = names.find(|(_, token)| token.origin == TokenOrigin::Expansion)?;
        Some((found.0, found.1))
    }

    /// `layer/oddness/construct` for the point of a token.
    pub(super) fn composed(&self, oddness: &str, token: &PointToken) -> String {
        format!("{oddness}/{}", name(self.truth.point(token.point).kind))
    }
}
