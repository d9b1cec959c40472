//! Wrong counts of lines: the segment that decides, or the one that should.

use std::collections::BTreeSet;

use super::construct::counts;
use super::departure::Kind;
use super::departures::CALL_DOES_NOT_RETURN;
use super::facts::{Facts, Position};
use crate::coverage::{RegionKind, without_file};
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer, Line, Symptom};
use crate::replay::llvm_cov::{Combined, CountedRegion, Cut};
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};

impl Facts<'_> {
    pub(super) fn line(&self, symptom: &Symptom) -> Cause {
        let line = symptom.line;
        if self.replay.coverage.line(line) != symptom.reported {
            let element = format!("line {line}");
            let evidence = format!(
                "The rules of llvm-cov give line {line} {}, and the report {}.",
                counts(&self.replay.coverage.line(line)),
                counts(&symptom.reported)
            );
            return Cause::new(Layer::Report, "report/line/differs", element, evidence);
        }
        let Some(reported) = symptom.reported else { return self.no_count(line) };
        let expected: BTreeSet<u64> = symptom.expected.iter().copied().collect();
        let is_less = expected.first().is_some_and(|least| reported < *least);
        let high = if is_less { None } else { self.too_high(line, reported, &expected) };
        let is_more = expected.last().is_none_or(|most| reported > *most);
        let found = high.or_else(|| if is_more { None } else { self.too_low(line, reported, &expected) });
        let found = found.or_else(|| self.overlapping_expansions(line, &expected));
        let found = found.unwrap_or_else(|| self.unexplained(line, reported, &expected));
        let is_unknown = !found.is_understood();
        let replaced = || self.replaced_by_decision(|_, decision| decision.start.0 == line);
        let outer = if is_unknown { replaced().or_else(|| self.region_of_outer_code(line)) } else { None };
        // A call that does not return makes no count too low.
        let is_unlikely = is_unknown || found.mechanism == CALL_DOES_NOT_RETURN;
        let below_zero = if is_unlikely { self.second_return_below_zero(line, reported) } else { None };
        below_zero.or(outer).unwrap_or(found)
    }

    /// A region in the definition of a macro that has the count of the code around the expansion, and not that of the code
    /// that it begins with.
    fn region_of_outer_code(&self, line: Line) -> Option<Cause> {
        let is_here = |region: &&CountedRegion| {
            region.start.0 <= line
                && line <= region.end.0
                && self.truth.directives.contains(&region.start.0)
                && matches!(region.kind, RegionKind::Code | RegionKind::Expansion)
        };
        let here = || self.replay.regions.iter().filter(is_here);
        if let Some(found) = here().find_map(|region| self.left_together_around(region)) {
            return Some(found);
        }
        here().find_map(|region| {
            let (at, column) = region.start;
            // Another function may expand the macro too.
            let name = without_file(&self.function(region).name);
            let is_its = |token: &&PointToken| {
                let function = self.truth.point(token.point).function;
                token.column == Some(column) && self.truth.functions[function].name == name
            };
            let tokens = self.truth.typed_on(at).iter().filter(is_its);
            let reached: BTreeSet<u64> = tokens.filter_map(|token| self.reached(token)).flatten().collect();
            if reached.is_empty() || reached.contains(&region.count) {
                return None;
            }
            if let Some(found) = self.late_start(region.start, &reached) {
                return Some(found);
            }
            let evidence = format!(
                "The region at {at}:{column} has the count {} of code around the macro; the code there was reached {}.",
                region.count,
                times(counts(&reached))
            );
            let element = self.element_at("expansion", region.start);
            let taken = self.wrong_counter_of_code(region);
            taken.or_else(|| Some(Cause::new(Layer::Mapping, "expansion-count", element, evidence)))
        })
    }

    /// The segments that begin on `line`.
    fn begins(&self, line: Line) -> &[Cut] {
        let first = self.replay.cuts.partition_point(|cut| cut.segment.line < line);
        let last = self.replay.cuts.partition_point(|cut| cut.segment.line <= line);
        &self.replay.cuts[first..last]
    }

    /// The segment that reaches `line` from an earlier one.
    fn wrapped(&self, line: Line) -> Option<&Cut> {
        let first = self.replay.cuts.partition_point(|cut| cut.segment.line < line);
        first.checked_sub(1).map(|index| &self.replay.cuts[index])
    }

    fn at(cut: &Cut) -> Position {
        (cut.segment.line, cut.segment.column)
    }

    /// The tokens on `line` from one column to before another.
    fn tokens_on(&self, line: Line, from: u32, to: u32) -> impl Iterator<Item = &(Position, &PointToken)> {
        self.typed((line, from), (line, to)).iter()
    }

    fn no_count(&self, line: Line) -> Cause {
        let empty = self.begins(line).iter().find(|cut| self.empty_region(Self::at(cut)).is_some());
        let is_shown = |cut: &Cut| cut.segment.has_count;
        if let Some(cut) = empty {
            return self.empty(cut, None);
        }
        let is_skipped_to = |region: &&Combined| region.kind == RegionKind::Skipped && region.end.0 == line;
        if let Some(skipped) = self.replay.combined.iter().find(is_skipped_to) {
            let ((from, column), (to, end)) = (skipped.start, skipped.end);
            let evidence = format!(
                "The skipped text from {from}:{column} ends at {to}:{end}, on a line with code; the line begins in it and has no count."
            );
            let element = self.element_at("skipped text", skipped.start);
            let before = self.text_from((to, 1)).get(..end as usize - 1).unwrap_or_default();
            // After the condition of an `#elif` the lexer is at the beginning of the next line.
            let mechanism = match end {
                1 => "skipped-after-directive",
                _ if before.ends_with("*/") => "comment-after-blank-line",
                _ => "mapping/end/skipped",
            };
            return Cause::new(Layer::Mapping, mechanism, element, evidence);
        }
        let evidence = if self.wrapped(line).is_some_and(is_shown) {
            format!("Line {line} begins with skipped text.")
        } else {
            format!("No region contains line {line}.")
        };
        let construct = self.tokens_on(line, 0, u32::MAX).next().map(|(at, _)| self.construct_at(*at));
        let mechanism = format!("missing/line/{}", construct.unwrap_or("text"));
        Cause::new(Layer::Missing, &mechanism, format!("line {line}"), evidence)
    }

    fn empty(&self, cut: &Cut, right: Option<&BTreeSet<u64>>) -> Cause {
        let (line, column) = Self::at(cut);
        let element = self.element_at("empty region", (line, column));
        let count = if cut.segment.has_count { cut.segment.count.to_string() } else { "no count".into() };
        let segment = match right {
            Some(right) if right.is_empty() => format!("has {count}, and reaches the next region"),
            Some(right) => format!("has {count}, not its count. The code ran {}", times(counts(right))),
            None => format!("has {count}, not its count"),
        };
        let evidence = format!(
            "The region at {line}:{column} has the length zero; the segment that begins there {segment}."
        );
        Cause::new(Layer::LineRule, "empty-region", element, evidence)
    }

    /// The line has the count of a segment that should not have it, or not take part.
    fn too_high(&self, line: Line, reported: u64, expected: &BTreeSet<u64>) -> Option<Cause> {
        let begins = self.begins(line);
        let decides = |cut: &&Cut| cut.segment.has_count && cut.segment.count == reported;
        let entries = begins.iter().filter(|cut| cut.segment.is_entry && !cut.segment.is_gap);
        let mut entries = entries.filter(decides).filter_map(|cut| self.wrong_entry(cut, expected));
        let wrapped = self.wrapped(line).filter(decides);
        match entries.next() {
            // Without the empty region the line would still have the count of the segment that reaches it.
            Some(found) if found.mechanism == "empty-region" && wrapped.is_some() => {
                let outer = self.wrong_wrapped(line, wrapped?, reported, expected);
                return Some(if outer.is_understood() { outer } else { found });
            }
            Some(found) => return Some(found),
            None => {}
        }
        let Some(wrapped) = wrapped else {
            // It may be unknown how often the deciding region was reached, and another one on the line is wrong too.
            return begins.iter().find_map(|cut| {
                let around = &self.replay.combined[self.around(cut, Self::at(cut))];
                self.parts(around).find_map(|part| self.wrong_start(part))
            });
        };
        Some(self.wrong_wrapped(line, wrapped, reported, expected))
    }

    /// The segment `wrapped` reaches `line` from an earlier one, and has the count `reported`, which is wrong.
    fn wrong_wrapped(&self, line: Line, wrapped: &Cut, reported: u64, expected: &BTreeSet<u64>) -> Cause {
        let first = self.begins(line).first().map_or(u32::MAX, |cut| cut.segment.column);
        let before: Vec<&(Position, &PointToken)> = self.tokens_on(line, 0, first).collect();
        let is_wrong =
            |token: &PointToken| self.reached(token).is_some_and(|reached| !reached.contains(&reported));
        let around = self.around(wrapped, (line, 0));
        if let Some(found) = self.wrong_sum(around, expected).filter(|_| !self.exceeds(around, expected)) {
            return found;
        }
        let has_no_code = || expected.is_empty() && self.empty_region(Self::at(wrapped)).is_some();
        if self.wrong_empty(wrapped, expected) || has_no_code() {
            return self.empty(wrapped, Some(expected));
        }
        if let Some((at, token)) = before.iter().find(|(_, token)| is_wrong(token)) {
            // The test of a `do` that follows its keyword would show its count.
            return self.test_of_do(line, expected).unwrap_or_else(|| self.wrong_at(around, *at, token));
        }
        self.wrong_wrap(line, around, expected)
    }

    /// The fault that the test of a `do` on `line`, which begins with a macro, has no region there, or an empty one.
    fn test_of_do(&self, line: Line, expected: &BTreeSet<u64>) -> Option<Cause> {
        let is_test = |token: &PointToken| {
            let point = self.truth.point(token.point);
            let outer = point.within.map(|outer| self.truth.point(outer).kind);
            token.begins
                && point.kind == PointKind::Condition
                && outer == Some(PointKind::Statement(StatementKind::Do))
        };
        let (at, token) = self.tokens_on(line, 0, u32::MAX).find(|(_, token)| is_test(token))?;
        let begun = self.begins(line).iter().find(|cut| Self::at(cut) == *at);
        let empty = begun.filter(|cut| self.wrong_empty(cut, expected));
        empty.map(|cut| self.empty(cut, Some(expected))).or_else(|| {
            let evidence = format!("No region begins at {}:{}.", at.0, at.1);
            self.nested_macro_in_loop(*at, token, &evidence)
        })
    }

    /// Whether an empty region begins the segment `cut`, and only its own count is one of the counts `right`.
    fn wrong_empty(&self, cut: &Cut, right: &BTreeSet<u64>) -> bool {
        let empty = self.empty_region(Self::at(cut));
        let is_right = |empty: &Combined| self.parts(empty).any(|part| right.contains(&part.count));
        empty.is_some_and(is_right) && !right.contains(&cut.segment.count)
    }

    /// Why the region that begins with the segment `cut` has a count that the line should not have.
    fn wrong_entry(&self, cut: &Cut, expected: &BTreeSet<u64>) -> Option<Cause> {
        let at = Self::at(cut);
        if self.wrong_empty(cut, expected) {
            // The count around it is the first one that is wrong.
            let sum = self.wrong_sum(cut.region, expected);
            return Some(sum.unwrap_or_else(|| self.empty(cut, Some(expected))));
        }
        let around = self.around(cut, at);
        let combined = &self.replay.combined[around];
        let right = self.right(self.parts(combined).next()?).unwrap_or_default();
        let right = if right.is_empty() { expected.clone() } else { right };
        // A sum may be right for the region, and wrong for the line.
        let sum = self.wrong_sum(around, &right).or_else(|| self.wrong_sum(around, expected));
        if sum.is_some() {
            return sum;
        }
        let wrong = self.parts(combined).find_map(|part| self.wrong_start(part));
        let wrong = wrong.or_else(|| self.parts(combined).find_map(|part| self.wrong_expansion_around(part)));
        wrong.or_else(|| self.empty_region(at).map(|_| self.empty(cut, Some(expected))))
    }

    /// Whether a line in the region with the index `around`, and with one of the counts `expected`, would have too high a count if the
    /// region had its own right one.
    fn exceeds(&self, around: usize, expected: &BTreeSet<u64>) -> bool {
        let region = self.parts(&self.replay.combined[around]).next();
        let right =
            region.filter(|region| region.kind != RegionKind::Gap).and_then(|region| self.right(region));
        right.is_some_and(|right| right.first() > expected.last())
    }

    /// The line begins with white space in a region with another count, and then another region begins.
    fn wrong_wrap(&self, line: Line, around: usize, expected: &BTreeSet<u64>) -> Cause {
        let combined = &self.replay.combined[around];
        let region = &self.replay.regions[combined.parts[0]];
        if let Some(found) = self.wrong_start(region).filter(|_| !self.exceeds(around, expected)) {
            return found;
        }
        let ((from, column), (to, end)) = (region.start, region.end);
        if region.kind == RegionKind::Gap {
            let element = self.element_at(&format!("gap to {to}:{end}"), region.start);
            let evidence = format!(
                "Line {line} begins in the gap from {from}:{column} to {to}:{end} with the count {}; it ran {}.",
                region.count,
                times(counts(expected))
            );
            return Cause::new(Layer::Mapping, "gap-counter", element, evidence);
        }
        // The region was already wrong before the line. The expansions of a macro have their tokens at one position.
        let before = self.typed(region.start, (line, 0));
        let is_wrong =
            |token: &PointToken| self.reached(token).is_some_and(|reached| !reached.contains(&region.count));
        // An operator at the end of a line is no evidence that its operand on the next one is outside of its region.
        let here = self.typed((line, 0), (line + 1, 0));
        let is_mark_of_line = |token: &PointToken| {
            token.kind == TokenKind::Punctuation
                && self.truth.point(token.point).kind == PointKind::Arm
                && here.iter().any(|(_, other)| other.begins && other.point == token.point)
        };
        // Nor is a point that a macro of the system makes: it has no region or an empty one.
        let begins = |region: &CountedRegion, at: Position| region.start == at && region.end != at;
        let is_elsewhere = |(at, token): &&(Position, &PointToken)| {
            let is_name = token.begins && token.origin == TokenOrigin::Expansion;
            is_name && !self.replay.regions.iter().any(|region| begins(region, *at))
        };
        let elsewhere: BTreeSet<PointId> =
            before.iter().filter(is_elsewhere).map(|(_, token)| token.point).collect();
        let is_code = |token: &PointToken| {
            !self.is_end_of_statement(token) && !is_mark_of_line(token) && !elsewhere.contains(&token.point)
        };
        let code = || before.iter().rev().filter(|(_, token)| is_code(token));
        // The argument of a macro that is complete before the line is no reason for what begins on the line.
        let continues = |token: &PointToken| here.first().is_none_or(|(_, first)| first.point == token.point);
        if let Some((at, token)) = code().next()
            && (!token.origin.is_argument() || continues(token))
            && self.region_at(*at) == Some(around)
            && code().take_while(|(other, _)| other == at).all(|(_, token)| is_wrong(token))
        {
            return self.wrong_extent(region, *at, token);
        }
        let evidence = format!(
            "Line {line} begins in the region from {from}:{column} to {to}:{end} with the count {}, without a gap before the code on it, which ran {}.",
            region.count,
            times(counts(expected))
        );
        self.no_gap(line, around, &evidence)
    }

    /// A region begins on `line` without a gap before it.
    fn no_gap(&self, line: Line, around: usize, evidence: &str) -> Cause {
        let first = self.typed((line, 0), (line + 1, 0)).first();
        let Some((at, token)) = first else {
            let element = format!("line {line}");
            return Cause::new(Layer::Mapping, "no-gap-before-region", element, evidence.into());
        };
        let id = token.point;
        let point = self.truth.point(id);
        let around_it = point.within.map(|outer| self.truth.point(outer).kind);
        let is_part = matches!(point.kind, PointKind::Arm | PointKind::Operand | PointKind::Step)
            || around_it == Some(PointKind::Statement(StatementKind::Do));
        // There is no gap before the second arm, wherever its operator is; before the first one there is, but not after a macro.
        let is_second = point.kind != PointKind::Arm || point.is_alternative;
        let is_mark = is_second || self.precedes_its_point(token);
        if let Some(mechanism) = self.outside(id, is_mark).filter(|_| is_part) {
            let element = self.element_at(self.kind_name(id), *at);
            return Cause::new(Layer::Mapping, mechanism, element, evidence.into());
        }
        let before = self.before(token.offset).map(|(_, before)| self.truth.root(before.point));
        let departed = before.and_then(|before| {
            self.departures
                .iter()
                .find(|found| self.truth.root(found.point) == before || found.point == before)
        });
        // Or control left in a statement between the last code of the region and the line.
        let last =
            self.typed((0, 0), (line, 0)).iter().rev().find(|(at, _)| self.region_at(*at) == Some(around));
        let inside = last.and_then(|(_, last)| self.departure_between(last.offset, token.offset, false));
        let departed = departed.or(inside.filter(|found| found.kind != Kind::NoReturn));
        if let Some(found) = departed {
            let mut cause = self.departed(found, Some(*at), evidence);
            // A jump out of a test or a step makes derived counts wrong. One out of another expression is only forgotten at the end of
            // its statement expression (LLVM PR 132222).
            let is_derived =
                !matches!(self.truth.point(found.around).kind, PointKind::Statement(_) | PointKind::Arm);
            if found.kind == Kind::JumpOut && !is_derived {
                cause.mechanism = "no-gap-before-region".into();
            }
            return cause;
        }
        // In the definition of a macro nothing has a gap before it.
        let jumped =
            if self.truth.directives.contains(&line) { None } else { self.after_jump(token, evidence) };
        if let Some(found) = jumped {
            return found;
        }
        if let Some(switch) = self.switch_with_body(token) {
            let element = self.element("body of the switch", switch);
            return Cause::new(Layer::Mapping, "switch-without-braces", element, evidence.into());
        }
        let element = self.element_at("region", *at);
        Cause::new(Layer::Mapping, "no-gap-before-region", element, evidence.into())
    }

    /// The `switch` whose body, a statement without braces, begins with `token`.
    fn switch_with_body(&self, token: &PointToken) -> Option<PointId> {
        let (_, before) = self.before(token.offset)?;
        let is_switch = self.truth.point(before.point).kind == PointKind::Statement(StatementKind::Switch);
        // A brace of a `switch` has the kind of a parenthesis.
        let is_body = is_switch && before.kind == TokenKind::Closing && token.kind != TokenKind::Closing;
        is_body.then_some(before.point)
    }

    /// No segment that takes part has the count that the line should have.
    fn too_low(&self, line: Line, reported: u64, expected: &BTreeSet<u64>) -> Option<Cause> {
        let all: Vec<&(Position, &PointToken)> = self.tokens_on(line, 0, u32::MAX).collect();
        let is_higher = |token: &PointToken| {
            self.reached(token).is_some_and(|reached| reached.iter().all(|count| *count > reported))
        };
        // A `;` is not in the region of its statement, but in the one around it, and the brace of a `switch` in one that nothing
        // enters.
        let has_code = all.iter().any(|(_, token)| is_code(token));
        let is_mark = |token: &PointToken| matches!(token.kind, TokenKind::Punctuation | TokenKind::Closing);
        let takes_part = |token: &PointToken| is_higher(token) && !(has_code && is_mark(token));
        let mut resumed = None;
        for (at, token) in all.iter().filter(|(_, token)| takes_part(token)) {
            // Before the body of a function no segment has a count.
            let Some(cut) = self.cut_at(*at).filter(|cut| cut.segment.has_count) else { continue };
            let reached = self.reached(token).unwrap_or_default();
            if !reached.contains(&cut.segment.count) {
                let is_empty = cut.segment.line == line && self.wrong_empty(cut, &reached);
                let around = self.around(cut, *at);
                return Some(if is_empty {
                    self.empty(cut, Some(expected))
                } else {
                    self.wrong_at(around, *at, token)
                });
            }
            if cut.segment.line == line && !cut.segment.is_entry {
                resumed.get_or_insert((cut, *at));
            }
        }
        if let Some((cut, at)) = resumed {
            // The line begins in a gap that should have the count.
            let is_first = !self.tokens_on(line, 0, cut.segment.column).any(|(_, token)| is_code(token));
            if let Some(found) = self.wrong_gap_before(line).filter(|_| is_first) {
                return Some(found);
            }
            let element = self.element_at("segment", Self::at(cut));
            let evidence = format!(
                "The code at {}:{} is in a segment with its count {}, which continues a region and does not take part; the line has {reported}.",
                at.0, at.1, cut.segment.count
            );
            return Some(Cause::new(Layer::LineRule, "resumed-segment", element, evidence));
        }
        // Nothing was typed on the line, or only what says nothing: the segments themselves.
        let wrapped = self.wrapped(line).filter(|cut| cut.segment.count == reported);
        let begins = self.begins(line).iter().filter(|cut| cut.segment.is_entry && !cut.segment.is_gap);
        begins.chain(wrapped).find_map(|cut| {
            let around = &self.replay.combined[self.around(cut, Self::at(cut).max((line, 0)))];
            self.parts(around).find_map(|part| self.wrong_start(part).or_else(|| self.wrong_unknown(part)))
        })
    }

    /// The diagnosis of the gap in which `line` begins, if it has a wrong count.
    fn wrong_gap_before(&self, line: Line) -> Option<Cause> {
        let around = &self.replay.combined[self.around(self.wrapped(line)?, (line, 0))];
        let gap = &self.replay.regions[around.parts[0]];
        self.wrong_start(gap).filter(|_| gap.kind == RegionKind::Gap)
    }

    fn unexplained(&self, line: Line, reported: u64, expected: &BTreeSet<u64>) -> Cause {
        let construct = self.tokens_on(line, 0, u32::MAX).next().map(|(at, _)| self.construct_at(*at));
        let mechanism = format!("line-rule/count/{}", construct.unwrap_or("text"));
        let evidence = format!(
            "Line {line} has the count {reported}, and should have {}; the regions around it are right where they begin.",
            counts(expected)
        );
        Cause::new(Layer::LineRule, &mechanism, format!("line {line}"), evidence)
    }
}

fn is_code(token: &PointToken) -> bool {
    token.kind == TokenKind::Code
}
