//! The counts that the regions of llvm-cov should have.
//!
//! A region has the count of the code that it begins with, a gap that of the code at its end, an expansion that of the
//! macro's first token (`CounterMappingRegion` in CoverageMapping.h). A region ends where the count changes, so the count of
//! a segment is that of every token in it, unless a call in between did not return. In the definition of a macro, each
//! expansion has regions of its own.

use std::collections::BTreeSet;

use super::count::Unknown;
use crate::coverage::{Region, RegionKind, Segment};
use crate::model::Line;
use crate::syntax::{LevelId, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin};
use crate::truth::{CountedPoint, Truth};

/// The counts that `region` may have: one, unless several points begin at its place.
///
/// # Errors
/// The reason why there are none.
pub fn expected_region(truth: &Truth, region: &Region) -> Result<BTreeSet<u64>, Unknown> {
    let is_of_macro = |token: &PointToken| token.origin != TokenOrigin::Code;
    if truth.directives.contains(&region.start.0) {
        let known = in_expansion(truth, region).filter(|_| !truth.may_be_expanded_elsewhere(region.start.0));
        return known.unwrap_or_else(|| in_definition(truth, region));
    }
    if truth.has_other_inclusion(region.start.0) {
        return Err(Unknown::NotCounted);
    }
    // The region of a part around an inclusion begins where the file does (`popRegions`).
    let begins_file = truth.placed().next().is_some_and(|(first, _)| region.start <= first);
    let is_divided = |token: &PointToken| truth.functions[truth.point(token.point).function].is_divided;
    if begins_file && at(truth, region.start).any(is_divided) {
        return Err(Unknown::NotCounted);
    }
    // Nothing in the initialiser of a static variable is a point, and other code may follow it on the line.
    let begins = if region.kind == RegionKind::Gap { region.end } else { region.start };
    let is_typed = |token: &PointToken| token.column == Some(begins.1);
    if truth.evaluated_lines.contains(&begins.0) && !truth.typed_on(begins.0).iter().any(is_typed) {
        return Err(Unknown::NotCounted);
    }
    match region.kind {
        _ if region.start == region.end => of_empty_region(truth, region.start),
        RegionKind::Code => match macro_before(truth, region.start) {
            Some(name) => of_macro(truth, name),
            None if at(truth, region.start).any(|token| is_case_value(truth, token)) => {
                Err(Unknown::NotCounted)
            }
            None => counts(truth, at(truth, region.start), region.start),
        },
        RegionKind::Expansion => {
            let here = || at(truth, region.start).filter(|token| is_of_macro(token));
            let mut found = counts(truth, here(), region.start)?;
            // No code begins with a brace that ends a block, so the code after it may be meant, or the block that begins there.
            if here().all(|token| token.kind == TokenKind::ClosingBrace) {
                let inside = truth.inside_macro(region.start).map(|id| truth.point(*id));
                found.extend(inside.filter_map(|point| point.count));
            }
            Ok(found)
        }
        RegionKind::Gap if at(truth, region.start).any(|token| opens_switch(truth, token)) => {
            Ok(BTreeSet::from([0]))
        }
        RegionKind::Gap => {
            // A label has the count of what falls into it; nothing does where the gap follows a jump.
            let mut points = at(truth, region.end).map(|token| truth.point(token.point));
            match points.find(|point| point.kind.is_label()) {
                Some(label) => Ok(BTreeSet::from([label.fallen.ok_or(Unknown::NotCounted)?])),
                None => counts(truth, at(truth, region.end), region.end),
            }
        }
        _ => Err(Unknown::NoCode),
    }
}

/// The counts of a region of length zero: that of a part of a macro of the system, which is at the macro's name, or of code around
/// the macro, whose region is divided where the macro begins or ends (`handleFileExit` in CoverageMappingGen.cpp).
fn of_empty_region(truth: &Truth, position: (Line, u32)) -> Result<BTreeSet<u64>, Unknown> {
    let mut found = of_macro(truth, macro_before(truth, position).unwrap_or(position))?;
    found.extend(counts(truth, at(truth, position), position).unwrap_or_default());
    let around: Vec<PointId> = at(truth, position).flat_map(|token| truth.around(token.point)).collect();
    // The parser sees no part of the operand of `goto *p`.
    let is_computed_goto = |id: &PointId| {
        let point = truth.point(*id);
        point.is_open_jump && point.kind == PointKind::Statement(StatementKind::Goto)
    };
    if around.iter().any(is_computed_goto) {
        return Err(Unknown::NotCounted);
    }
    found.extend(around.into_iter().filter_map(|point| truth.point(point).count));
    if found.is_empty() { Err(Unknown::NoCode) } else { Ok(found) }
}

/// The counts of the points that begin in the macro whose name is at `position`; the body of a `switch` is never entered.
fn of_macro(truth: &Truth, position: (Line, u32)) -> Result<BTreeSet<u64>, Unknown> {
    let is_name = |token: &&PointToken| token.column == Some(position.1) && token.origin != TokenOrigin::Code;
    let first = truth.typed_on(position.0).iter().filter(is_name).map(|token| token.point);
    let mut found = BTreeSet::new();
    for point in first.chain(truth.inside_macro(position).copied()).map(|id| truth.point(id)) {
        found.insert(point.count.ok_or(Unknown::NotCounted)?);
        if point.kind == PointKind::Statement(StatementKind::Switch) {
            found.insert(0);
        }
    }
    Ok(found)
}

/// The tokens on `line` in the text that contains `region`; of a macro that makes several functions, those of the region's.
fn typed_for<'a>(truth: &'a Truth, region: &Region, line: Line) -> Option<Vec<&'a PointToken>> {
    let mut found = truth.typed_in(&region.expansion, line)?;
    if let Some(function) = truth.function_as(&region.function) {
        found.retain(|token| truth.point(token.point).function == function);
    }
    Some(found).filter(|found| !found.is_empty())
}

/// The counts of a region in the definition of a macro, by the tokens of its expansion at its start, or at the end of a gap. None
/// if there are none, as where an argument takes the place of a parameter; if the region is the whole text, which may be a part of
/// one around it; and at the name of another macro, which may begin with regions of its own.
fn in_expansion(truth: &Truth, region: &Region) -> Option<Result<BTreeSet<u64>, Unknown>> {
    let is_body = |token: &&&PointToken| token.column == Some(region.start.1) && opens_switch(truth, token);
    if region.kind == RegionKind::Gap
        && typed_for(truth, region, region.start.0)?.iter().any(|token| is_body(&token))
    {
        return Some(Ok(BTreeSet::from([0])));
    }
    let position = if region.kind == RegionKind::Gap { region.end } else { region.start };
    let mut here = typed_for(truth, region, position.0)?;
    here.retain(|token| token.column == Some(position.1));
    let level = here.first()?.origin.body()?;
    let text = truth.expansions.get(&level)?;
    // So may the end of a block that the text closes.
    let closes = here.iter().all(|token| token.kind == TokenKind::ClosingBrace);
    let is_whole =
        text.extent.is_some_and(|(first, last)| region.start == first && (region.end > last || closes));
    let is_name = truth.is_name_in(&text.names, position);
    if region.start == region.end || region.kind == RegionKind::Code && (is_whole || is_name) {
        return None;
    }
    let found = counts(truth, here.iter().copied(), position);
    // The body of a `switch` has a region that nothing enters.
    let is_switch = here.iter().any(|token| opens_switch(truth, token));
    Some(found.map(|found| if is_switch { found.into_iter().chain([0]).collect() } else { found }))
}

/// The same by the tokens of the expansion on the line; if it is not known which one that is, of all expansions. A region may also
/// be that of any code around the expansion: `handleFileExit` in CoverageMappingGen.cpp gives a macro that begins no region one that
/// belongs to the code around it, and a region continues after an argument. Unknown if another file may expand the macro.
fn in_definition(truth: &Truth, region: &Region) -> Result<BTreeSet<u64>, Unknown> {
    let line = region.start.0;
    if truth.may_be_expanded_elsewhere(line)
        || !matches!(region.kind, RegionKind::Code | RegionKind::Expansion)
    {
        return Err(Unknown::MacroDefinition);
    }
    let of_expansion = typed_for(truth, region, line);
    let is_here = |token: &&PointToken| token.column == Some(region.start.1);
    // A macro that begins no code, as in the value of a `case`, has the count of any region before it.
    let is_unknown = match &of_expansion {
        None => truth.partial_definitions.contains(&line),
        Some(tokens) => region.kind == RegionKind::Expansion && !tokens.iter().any(is_here),
    };
    if is_unknown {
        return Err(Unknown::MacroDefinition);
    }
    let all = of_expansion.unwrap_or_else(|| truth.typed_on(line).iter().collect());
    let tokens = || all.iter().copied();
    // An expansion has no token where an argument takes the place of a parameter, and none has one in the value of a `case`.
    let begun: BTreeSet<LevelId> = tokens().filter(is_here).filter_map(|token| token.origin.body()).collect();
    let is_other = |token: &&PointToken| token.origin.body().is_some_and(|level| !begun.contains(&level));
    // A macro of the system has its regions at its name, and so has one that begins in a macro and ends after it (`popRegions`).
    let is_at_name = region.start == region.end
        || region.kind == RegionKind::Code && truth.is_name_in(&region.expansion, region.start);
    let inside = is_at_name.then(|| truth.inside_macro_in(&region.expansion, region.start));
    let inside = inside.into_iter().flatten();
    let mut found: BTreeSet<u64> = inside.filter_map(|point| truth.point(point).count).collect();
    let here = tokens().filter(|token| is_here(token) || is_other(token));
    for token in here.filter(|token| !is_in_asm(truth, token)) {
        found.extend(truth.reached(token).ok_or(Unknown::NotCounted)?);
        // Where a text ends an arm, an operand or a body, it has a region of the code around that too.
        let point = truth.point(token.point);
        let is_value = is_here(&token)
            && truth.is_value(token)
            && match point.kind {
                PointKind::Condition | PointKind::Step => true,
                PointKind::Statement(_) => !token.begins && !is_body(truth, point),
                _ => false,
            };
        let around = std::iter::once(token.point).chain(truth.around(token.point));
        for outer in around.filter(|_| !is_value) {
            let outer = truth.point(outer);
            found.extend(outer.count);
            // The body of a `switch` has a region that nothing enters.
            if outer.kind == PointKind::Statement(StatementKind::Switch) {
                found.insert(0);
            }
        }
    }
    if found.is_empty() { Err(Unknown::MacroDefinition) } else { Ok(found) }
}

/// The name of the macro in which a region began that continues at `position`, after the name.
fn macro_before(truth: &Truth, (line, column): (Line, u32)) -> Option<(Line, u32)> {
    let tokens = truth.typed_on(line);
    let before = tokens.iter().rfind(|token| token.column.is_some_and(|at| at < column))?;
    // The `;` after the macro belongs to its statement, whose region may have ended in the macro, unless it is one of its own.
    let is_code = |token: &PointToken| {
        let is_end =
            token.kind == TokenKind::Punctuation && truth.point(token.point).kind != PointKind::Silent;
        token.column == Some(column) && !is_end
    };
    let is_after_name = before.origin == TokenOrigin::Expansion && !tokens.iter().any(is_code);
    before.column.filter(|_| is_after_name).map(|at| (line, at))
}

/// The tokens at a position, or at the next one of the line: `##` makes tokens without a position. None after the name of a
/// macro, where a region continues that began in the macro.
fn at(truth: &Truth, (line, column): (Line, u32)) -> impl Iterator<Item = &PointToken> {
    let tokens = truth.typed_on(line);
    let next = tokens.iter().filter_map(|token| token.column).find(|at| *at >= column);
    let next = next.filter(|_| macro_before(truth, (line, column)).is_none());
    tokens.iter().filter(move |token| token.column == next && next.is_some())
}

/// How often control reached the tokens that were typed at a position.
pub fn reached_at(truth: &Truth, (line, column): (Line, u32)) -> BTreeSet<u64> {
    let here = truth.typed_on(line).iter().filter(|token| token.column == Some(column));
    here.filter_map(|token| truth.reached(token)).flatten().collect()
}

/// The counts of `tokens`, which are at `position` or the next ones after it.
fn counts<'a>(
    truth: &Truth,
    tokens: impl Iterator<Item = &'a PointToken>,
    position: (Line, u32),
) -> Result<BTreeSet<u64>, Unknown> {
    let mut found = BTreeSet::new();
    // No region begins in the head of a function, which a macro may make too.
    let is_head = |token: &&PointToken| {
        truth.point(token.point).kind == PointKind::Entry && token.kind == TokenKind::Code
    };
    for token in tokens.filter(|token| !is_head(token)) {
        let point = truth.point(token.point);
        // The parser sees no part of the operand of `goto *p`.
        let is_operand = point.is_open_jump && token.column != Some(position.1);
        if is_in_asm(truth, token) || is_operand {
            return Err(Unknown::NotCounted);
        }
        if point.is_unevaluated() {
            found.insert(0);
            continue;
        }
        found.extend(reached(truth, token).ok_or(Unknown::NotCounted)?);
        // The region of a body that is a label counts the entries by its test, and that of the label all.
        if token.begins && point.kind.is_label() && is_body(truth, point) {
            found.extend(point.fallen);
        }
    }
    if found.is_empty() { Err(Unknown::NoCode) } else { Ok(found) }
}

/// How often control reached `token`: inside an expression also how often a call before it may have returned.
fn reached(truth: &Truth, token: &PointToken) -> Option<BTreeSet<u64>> {
    let mut counts = truth.reached(token)?;
    if !token.begins && matches!(token.kind, TokenKind::Code | TokenKind::Punctuation) {
        let is_compound =
            |id: &PointId| matches!(truth.point(*id).kind, PointKind::Statement(kind) if kind.is_compound());
        let lost = |id: PointId| {
            let point = truth.point(id);
            point.count?.checked_sub(point.completed?).filter(|lost| *lost > 0)
        };
        let lost = truth.part_of(token.point).take_while(|id| !is_compound(id)).find_map(lost);
        counts.extend(lost.and_then(|lost| truth.point(token.point).count?.checked_sub(lost)));
        // In a `return` with a statement expression it is not counted whether the call before did.
        let root = truth.point(truth.root(token.point));
        if root.kind == PointKind::Statement(StatementKind::Return) && root.holds_block {
            counts.insert(0);
        }
    }
    Some(counts)
}

/// Whether `token` is before the body of a `switch`, whose part before the first label is never reached.
fn opens_switch(truth: &Truth, token: &PointToken) -> bool {
    truth.point(token.point).kind == PointKind::Statement(StatementKind::Switch)
        && token.kind == TokenKind::Closing
}

/// Whether `point` is a statement that is the body of an `if` or a loop.
fn is_body(truth: &Truth, point: &CountedPoint) -> bool {
    use StatementKind::{Do, For, If, While};
    let outer = point.place.map(|place| truth.point(place.outer).kind);
    matches!(outer, Some(PointKind::Statement(Do | For | If | While)))
}

/// Whether `token` is inside an `asm`, the parts of whose operands are not counted.
fn is_in_asm(truth: &Truth, token: &PointToken) -> bool {
    !token.begins && truth.point(token.point).kind == PointKind::Statement(StatementKind::Asm)
}

/// Whether `token` is in the value of a `case`, which is evaluated by the compiler and not by the program.
fn is_case_value(truth: &Truth, token: &PointToken) -> bool {
    !token.begins && truth.point(token.point).kind == PointKind::Case
}

/// A token that is in a segment with another count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    pub line: Line,
    pub column: u32,
    /// The count of the segment.
    pub shown: u64,
    /// How often control reached the token.
    pub right: u64,
}

/// The tokens of code outside of macros that are in a segment with another count, in order.
pub fn misplaced(truth: &Truth, segments: &[Segment]) -> Vec<Misplaced> {
    let mut found = Vec::new();
    for (line, tokens) in &truth.typed {
        let has_macro = tokens.iter().any(|token| token.origin != TokenOrigin::Code);
        let inclusion = |token: &PointToken| truth.point(token.point).inclusion;
        // The regions of a file that is included several times are added up.
        if has_macro || tokens.iter().any(|token| inclusion(token) != inclusion(&tokens[0])) {
            continue;
        }
        let is_counted = |token: &&PointToken| {
            token.kind == TokenKind::Code && !is_in_asm(truth, token) && !is_case_value(truth, token)
        };
        for token in tokens.iter().filter(is_counted) {
            let Some(column) = token.column else { continue };
            let after = segments.partition_point(|segment| (segment.line, segment.column) <= (*line, column));
            let Some(segment) = after.checked_sub(1).map(|index| &segments[index]) else { continue };
            let right = truth.point(token.point).count;
            let point = truth.point(token.point);
            let is_code = point.kind != PointKind::Entry && !point.is_unevaluated();
            let (Some(right), true) = (right, segment.has_count && is_code) else { continue };
            let is_right = reached(truth, token).is_some_and(|counts| counts.contains(&segment.count));
            if !is_right {
                found.push(Misplaced { line: *line, column, shown: segment.count, right });
            }
        }
    }
    found
}
