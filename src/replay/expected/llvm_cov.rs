//! The count that llvm-cov should give a line: `LineCoverageStats` in CoverageMapping.cpp, applied to true counts of
//! positions instead of regions.
//!
//! A line's count is the largest of the count at its first token and the counts of the points that begin on it. The points
//! are those of the syntax, not the regions of the report: a region that is missing must be noticed. Tokens are on the lines
//! where they were typed. The definition of a macro has the sum over all copies: their regions have equal extents
//! (`SegmentBuilder::combineRegions`).
//!
//! No region begins at an argument of a macro: `CounterCoverageMappingBuilder::getStart` in CoverageMappingGen.cpp moves it
//! to the parameter, in the definition. An argument has the count of the code in which the macro is named.

use std::collections::{BTreeMap, BTreeSet};

use super::closing::at_end;
use super::count::{Expected, Unknown, sums_of};
use super::functions;
use crate::coverage::{Coverage, Region, RegionKind};
use crate::model::Line;
use crate::syntax::{
    ExpansionText, LevelId, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin,
};
use crate::truth::Truth;

/// The number of different sums over expansions that a line of a definition may have.
const MOST_SUMS: usize = 64;

pub(super) fn expected(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let tokens = truth.typed_on(line);
    let is_body = |token: &&PointToken| token.origin.body().is_some();
    if truth.has_other_inclusion(line) {
        return Err(Unknown::NotCounted);
    }
    let code: Vec<PointToken> = tokens.iter().filter(|token| !is_body(token)).copied().collect();
    match (code.is_empty(), tokens.is_empty()) {
        (true, _) if truth.may_be_expanded_elsewhere(line) => Err(Unknown::MacroDefinition),
        (true, _) if truth.partial_definitions.contains(&line) => Err(Unknown::MacroDefinition),
        (_, true) if truth.is_in_definition(line) => in_definition(truth, line),
        (_, true) if truth.evaluated_lines.contains(&line) => Err(Unknown::NotCounted),
        (_, true) => {
            // Code after the arguments of a macro may continue a region of its definition.
            let before = truth.typed.range(..line).next_back().and_then(|(_, tokens)| tokens.last());
            let follows_macro = before.is_some_and(|before| before.origin == TokenOrigin::Argument(None));
            if has_unplaced_code(truth, line) || follows_macro {
                return Err(Unknown::NoCode);
            }
            let counts = between(truth, line).ok_or(Unknown::NoCode)?;
            // The region of a statement ends before its `;`.
            if next_code(truth, line).is_some_and(|(line, next)| is_end(truth, line, next)) {
                return Err(Unknown::NoCode);
            }
            Ok(Expected { counts, points: BTreeSet::new() })
        }
        (true, _) => of_definition(truth, line, tokens),
        _ => of_code(truth, line, &code),
    }
}

/// How often control passed `line`, which has no code of its own.
fn between(truth: &Truth, line: Line) -> Option<BTreeSet<u64>> {
    let mut counts = truth.reached_between(line)?;
    // The gap before a label into which nothing falls.
    if next_code(truth, line).is_some_and(|(_, next)| truth.point(next.point).kind.is_label()) {
        counts.insert(0);
    }
    Some(counts)
}

/// The sum over all expansions of how often control passed `line` in the definition of a macro, with no token on it: what another macro
/// there drops, or nothing.
fn in_definition(truth: &Truth, line: Line) -> Result<Expected, Unknown> {
    let of_expansions = truth.reached_in_definition(line).ok_or(Unknown::MacroDefinition)?;
    let sum = |sums: BTreeSet<u64>, one: &BTreeSet<u64>| {
        let sums = sums_of(&sums, one);
        (sums.len() <= MOST_SUMS).then_some(sums)
    };
    let counts = of_expansions.iter().try_fold(BTreeSet::from([0]), sum).ok_or(Unknown::MacroDefinition)?;
    Ok(Expected { counts, points: BTreeSet::new() })
}

/// The first token of code on `line` or after it, with its line.
fn next_code(truth: &Truth, line: Line) -> Option<(Line, &PointToken)> {
    let mut below = truth.typed.range(line..);
    below.find_map(|(line, tokens)| Some((*line, tokens.iter().find(|token| token.origin.body().is_none())?)))
}

/// Whether llvm-cov must give `line` a count: a token of a function's body was typed on it, or regions of `report` do.
pub(super) fn needs_count(report: &Coverage, truth: &Truth, line: Line) -> bool {
    has_body(truth, line) || expected(truth, line).is_ok() && has_region(report, line)
}

/// Whether a region of code begins on `line`, or is around it and nothing else is on it.
fn has_region(report: &Coverage, line: Line) -> bool {
    let is_code = |region: &&Region| region.kind == RegionKind::Code && region.start < region.end;
    let is_other = |region: &Region| {
        let may_lack = [RegionKind::Gap, RegionKind::Skipped];
        may_lack.contains(&region.kind) && region.start.0 <= line && line <= region.end.0
    };
    let mut code = report.regions.iter().filter(is_code);
    code.any(|region| region.start.0 <= line && line < region.end.0 || region.start.0 == line)
        && !report.regions.iter().any(is_other)
}

/// Whether a token of a function's body was typed on `line`.
fn has_body(truth: &Truth, line: Line) -> bool {
    let is_body = |token: &PointToken| {
        token.column.is_some()
            && matches!(token.origin, TokenOrigin::Code | TokenOrigin::Expansion)
            && (truth.point(token.point).kind != PointKind::Entry || token.kind == TokenKind::OpeningBrace)
            && !functions::is_replaced(truth, truth.point(token.point).function)
    };
    // Another inclusion of the file may have skipped the line.
    let here = truth.typed_on(line);
    let inclusions: BTreeSet<u32> = here.iter().map(|token| truth.point(token.point).inclusion).collect();
    here.iter().any(is_body) && inclusions == truth.inclusions && expected(truth, line).is_ok()
}

/// Whether code of the function around `line` may have been typed anywhere: the line may be in the definition of a macro.
fn has_unplaced_code(truth: &Truth, line: Line) -> bool {
    let around = truth.functions_around(line).next();
    let is_unplaced = |token: &PointToken| token.begins && token.column.is_none();
    around.is_some_and(|found| {
        truth.typed.range(found.lines.0..=found.lines.1).any(|(_, tokens)| tokens.iter().any(is_unplaced))
    })
}

fn of_code(truth: &Truth, line: Line, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    // The regions of a file that is included several times have equal extents, and are added up.
    let inclusions: BTreeSet<u32> = tokens.iter().map(|token| truth.point(token.point).inclusion).collect();
    let mut sums = Expected { counts: BTreeSet::from([0]), points: BTreeSet::new() };
    for inclusion in inclusions {
        let is_of = |token: &&PointToken| truth.point(token.point).inclusion == inclusion;
        let here: Vec<PointToken> = tokens.iter().filter(is_of).copied().collect();
        let one = of_inclusion(truth, line, &here)?;
        sums.counts = sums_of(&sums.counts, &one.counts);
        sums.points.extend(one.points);
    }
    Ok(sums)
}

/// The count by the tokens of one inclusion of the file on a line.
fn of_inclusion(truth: &Truth, line: Line, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    let is_head = |id: PointId| truth.point(id).kind == PointKind::Entry;
    // A function's region begins at its brace. The parts of a literal have no column, and are not the first.
    let may_be_first = |token: &&PointToken| token.kind != TokenKind::Code || !is_head(token.point);
    let has_column = |token: &&PointToken| token.column.is_some();
    let first = tokens.iter().filter(has_column).find(may_be_first);
    let first = first.or(tokens.iter().find(may_be_first)).ok_or(Unknown::NoCode)?;
    // An expansion that ends a block has the count of what follows the brace in it.
    if first.origin == TokenOrigin::Expansion && first.kind == TokenKind::ClosingBrace {
        return Err(Unknown::DividedByMacro);
    }
    if tokens.iter().all(|token| is_end(truth, line, token)) {
        return Err(Unknown::NoCode);
    }
    // The name of a macro that makes a whole function, and not only its type.
    let is_body = |token: &PointToken| {
        token.kind == TokenKind::OpeningBrace && token.origin == TokenOrigin::Code && is_head(token.point)
    };
    let is_name = |token: &PointToken| token.origin == TokenOrigin::Expansion && is_head(token.point);
    if tokens.iter().any(is_name) && !tokens.iter().any(is_body) {
        return Err(Unknown::DividedByMacro);
    }
    let begins =
        |token: &&PointToken| token.kind == TokenKind::OpeningBrace || token.begins && !is_head(token.point);
    let (arguments, begun): (Vec<PointToken>, Vec<PointToken>) =
        tokens.iter().filter(begins).partition(|token| token.origin.is_argument());
    let mut starts = reached(truth, first).ok_or(Unknown::NotCounted)?;
    if first.origin.is_argument() {
        // A count of the argument itself is right too.
        let inner = sums(truth, &arguments)?.into_values().max().unwrap_or(0);
        let name = truth.name_before(line, first).ok_or(Unknown::NotCounted)?;
        starts = starts.into_iter().map(|start| start.max(inner)).collect();
        starts.extend(truth.reached(name).ok_or(Unknown::NotCounted)?);
    }
    // The region of a statement ends before its `;`. In a macro, the line of a point is that of the macro's name.
    let began_here = |token: &PointToken| token.begins && token.point == first.point;
    let is_end_in_text = first.kind == TokenKind::Punctuation
        && first.origin.body().is_some()
        && !tokens.iter().any(began_here);
    if (is_end_in_text || is_end(truth, line, first))
        && let Some(brace) = tokens.iter().find(|token| token.kind == TokenKind::ClosingBrace)
    {
        starts.extend(reached(truth, brace).ok_or(Unknown::NotCounted)?);
    }
    // A line with nothing but operators is in the region of their expression.
    if tokens.iter().all(|token| token.kind == TokenKind::Punctuation) {
        starts.extend(truth.of_operator(line, tokens, first));
    }
    // A separator at the beginning of a line says nothing about execution if code follows it.
    if first.kind == TokenKind::Punctuation && begun.iter().any(|token| token.point != first.point) {
        starts.insert(0);
    }
    starts.extend(at_end_of_call(truth, line, first).ok_or(Unknown::NotCounted)?);
    let most = sums(truth, &begun)?.into_values().max().unwrap_or(0);
    let (after_part, of_operator) = continued(truth, line, &begun, tokens, first)?;
    let most = most.max(after_part);
    let mut counts: BTreeSet<u64> = starts.into_iter().map(|start| start.max(most)).collect();
    counts.extend(of_operator.filter(|count| *count > most));
    counts.extend(both_arms(truth, line, &begun).map(|sum| sum.max(most)));
    // An empty statement begins a region only after code that may not complete.
    let is_empty = |token: &&PointToken| {
        token.kind == TokenKind::Punctuation && truth.point(token.point).kind == PointKind::Silent
    };
    let empty: Vec<u64> =
        tokens.iter().filter(is_empty).filter_map(|token| truth.point(token.point).count).collect();
    counts.extend(empty.into_iter().filter(|count| *count > most).collect::<Vec<_>>());
    // A block or an `if` or loop that a macro begins, and that ends elsewhere, may be counted at the macro's name.
    if tokens.iter().any(|token| token.origin == TokenOrigin::Expansion) {
        let is_nesting = |token: &PointToken| {
            use StatementKind::{Do, For, If, Switch, While};
            let kind = truth.point(token.point).kind;
            token.begins && matches!(kind, PointKind::Statement(If | While | For | Do | Switch))
        };
        let opens = |token: &&PointToken| {
            (token.kind == TokenKind::OpeningBrace || is_nesting(token)) && token.column.is_none()
        };
        let blocks =
            truth.tokens(line).iter().filter(opens).filter_map(|token| truth.point(token.point).count);
        counts.extend(blocks.filter(|count| *count > most).collect::<Vec<_>>());
        // So is the last label that a macro makes.
        let inner = truth.inner_points.range((line, 0)..=(line, u32::MAX)).flat_map(|(_, points)| points);
        let labels = inner.map(|label| truth.point(*label)).filter(|label| label.kind.is_label());
        counts
            .extend(labels.filter_map(|label| label.count).filter(|count| *count > most).collect::<Vec<_>>());
    }
    // The expansion of a macro that is named in an argument has a region there.
    let is_name = |token: &&PointToken| {
        token.origin.is_argument()
            && token.column.is_some_and(|column| truth.inner_names.contains(&(line, column)))
    };
    for token in tokens.iter().filter(is_name) {
        let named = truth.reached(token).ok_or(Unknown::NotCounted)?;
        counts.extend(named.into_iter().filter(|count| *count > most));
    }
    let points = begun.iter().map(|token| token.point).chain([first.point]).collect();
    Ok(Expected { counts, points })
}

/// The largest count of the code that continues after a part of it that began or ended on the line: `f (a ? b` on the line before,
/// and `: c, d);` on this one, or `f (a && b <` and `c, d);`. The line begins with the token `first`. Apart from that, the count of
/// an operator at its end.
fn continued(
    truth: &Truth,
    line: Line,
    begun: &[PointToken],
    tokens: &[PointToken],
    first: &PointToken,
) -> Result<(u64, Option<u64>), Unknown> {
    let within = |id: &PointId| truth.point(*id).within;
    let is_plain = |token: &PointToken| matches!(token.origin, TokenOrigin::Code | TokenOrigin::Expansion);
    let ends_part = |outer: PointId| {
        let mut around = std::iter::successors(within(&first.point), within);
        first.kind == TokenKind::Code && is_plain(first) && around.any(|id| id == outer)
    };
    let is_after = |token: &PointToken| {
        begun.iter().any(|part| part.offset < token.offset)
            || is_plain(token) && first.offset < token.offset && ends_part(token.point)
    };
    let goes_on = |token: &&PointToken| {
        let point = truth.point(token.point);
        let is_whole = !matches!(point.kind, PointKind::Entry) && !point.holds_block;
        let is_code = token.kind == TokenKind::Code;
        let is_continued = match token.origin {
            TokenOrigin::Code => is_code && point.line < Some(line),
            // The text of a macro may begin with a parenthesis.
            TokenOrigin::Expansion => token.kind != TokenKind::Closing && point.line < Some(line),
            // The line of a point in a macro is that of the macro's name. A parameter may follow a comma.
            TokenOrigin::Body(_) => {
                let follows = |next: &PointToken| next.point == token.point && next.offset > token.offset;
                let is_comma = || token.kind == TokenKind::Punctuation && tokens.iter().any(follows);
                begun.iter().all(|part| part.point != token.point) && (is_code || is_comma())
            }
            TokenOrigin::Argument(_) => false,
        };
        is_continued && !token.begins && is_whole && is_after(token)
    };
    let (mut most, mut of_operator) = (0, None);
    for token in tokens.iter().filter(goes_on) {
        let count = truth.point(token.point).count.ok_or(Unknown::NotCounted)?;
        if is_operator_at_end(tokens, token) {
            of_operator = Some(count);
        } else {
            most = most.max(count);
        }
    }
    Ok((most, of_operator))
}

/// Whether `token` is an operator at the end of a line with these `tokens`: it may belong to the operand on the next line.
fn is_operator_at_end(tokens: &[PointToken], token: &PointToken) -> bool {
    let before = tokens.iter().rev().find(|other| other.offset < token.offset);
    token.origin == TokenOrigin::Code
        && tokens.iter().all(|other| other.offset <= token.offset)
        && before.is_some_and(|before| before.kind != TokenKind::Punctuation)
}

/// How often a line ran that begins with the first arm of `?:` and has the second one too: the condition is on an earlier line,
/// so control comes to either.
fn both_arms(truth: &Truth, line: Line, begun: &[PointToken]) -> Option<u64> {
    let is_arm = |token: &&PointToken| truth.point(token.point).kind == PointKind::Arm;
    let first = begun.iter().min_by_key(|token| token.offset).filter(is_arm)?;
    let within = truth.point(first.point).within?;
    let is_other =
        |token: &&PointToken| token.point != first.point && truth.point(token.point).within == Some(within);
    let other = begun.iter().filter(is_arm).find(is_other)?;
    let is_earlier = truth.point(within).line < Some(line);
    let sum = truth.point(first.point).count?.checked_add(truth.point(other.point).count?);
    sum.filter(|_| is_earlier)
}

/// The counts of the expansion whose arguments end before `first`, the first token on `line`: its `)` may begin the line, which
/// is then in the region of the macro's name.
fn at_end_of_call(truth: &Truth, line: Line, first: &PointToken) -> Option<BTreeSet<u64>> {
    let is_separator = matches!(first.kind, TokenKind::Punctuation | TokenKind::Closing);
    let before = truth.typed.range(..line).next_back().and_then(|(_, tokens)| tokens.last());
    match before.filter(|before| is_separator && before.origin.is_argument() && !first.origin.is_argument()) {
        Some(argument) => truth.reached(truth.name_before(line - 1, argument)?),
        None => Some(BTreeSet::new()),
    }
}

/// Whether `token` on `line` is the end of a statement: that says nothing about execution, and arguments that a macro drops may
/// be before it. A macro that begins with `(` is none.
fn is_end(truth: &Truth, line: Line, token: &PointToken) -> bool {
    let is_part = matches!(token.kind, TokenKind::Closing | TokenKind::Punctuation);
    let is_code = |other: &PointToken| other.kind == TokenKind::Code && other.point == token.point;
    let has_code = || token.origin == TokenOrigin::Expansion && truth.tokens(line).iter().any(is_code);
    is_part && truth.point(token.point).line < Some(line) && !has_code()
}

/// How often control reached `token`. Of a closing brace, the count of the region that it is in.
fn reached(truth: &Truth, token: &PointToken) -> Option<BTreeSet<u64>> {
    if token.kind == TokenKind::ClosingBrace { at_end(truth, token.point) } else { truth.reached(token) }
}

/// How often each point that begins with one of `tokens` ran, by its column and kind; the copies of a macro are added up. Of
/// points of one kind that begin with the same token, as in `if (a ? b : c)`, or in one argument of a macro, the outer one has the
/// larger count.
fn sums(truth: &Truth, tokens: &[PointToken]) -> Result<BTreeMap<(Option<u32>, PointKind), u64>, Unknown> {
    let mut copies: BTreeMap<(Option<u32>, PointKind), BTreeMap<Option<usize>, u64>> = BTreeMap::new();
    // A token that several macros make is in the text of each.
    let mut levels: BTreeMap<usize, LevelId> = BTreeMap::new();
    for token in tokens {
        let point = truth.point(token.point);
        let count = point.count.ok_or(Unknown::NotCounted)?;
        let of_kind = copies.entry((token.column, point.kind)).or_default();
        let copy = match token.origin {
            TokenOrigin::Code | TokenOrigin::Expansion => None,
            TokenOrigin::Argument(_) => Some(token.offset),
            TokenOrigin::Body(level) => Some(*levels.entry(token.offset).or_insert(level)),
        };
        let most = of_kind.entry(copy).or_insert(0);
        *most = count.max(*most);
    }
    Ok(copies.into_iter().map(|(place, counts)| (place, counts.into_values().sum())).collect())
}

/// Whether the text `level` of a macro must have a region that contains all of it: one of its `tokens` begins an expression. The region
/// may be that of another macro that the text begins with, and in an argument of another macro a text may have several or none.
fn is_one_region(truth: &Truth, level: LevelId, tokens: &[PointToken]) -> bool {
    let is_known = |text: &ExpansionText| {
        let is_name = |(first, _)| truth.is_name_in(&text.names, first);
        !text.is_in_argument && text.extent.is_some_and(|extent| !is_name(extent))
    };
    truth.expansions.get(&level).is_some_and(is_known) && tokens.iter().any(|token| truth.is_value(token))
}

/// The sums over the `copies` of a line of how often its first token was reached. None if too many may be right.
fn first_of_copies<'a>(
    truth: &Truth,
    copies: impl Iterator<Item = &'a Vec<PointToken>>,
) -> Option<BTreeSet<u64>> {
    copies.map(|copy| reached(truth, copy.first()?)).try_fold(BTreeSet::from([0]), |sums, one| {
        let sums = sums_of(&sums, &one?);
        (sums.len() <= MOST_SUMS).then_some(sums)
    })
}

/// A line in the definition of a macro has the sum over all expansions. One in which nothing begins on the line has a region
/// there only if a region around it begins or ends in the expansion, so it may count or not.
fn of_definition(truth: &Truth, line: Line, tokens: &[PointToken]) -> Result<Expected, Unknown> {
    let mut copies: BTreeMap<LevelId, Vec<PointToken>> = BTreeMap::new();
    let mut parts: BTreeSet<(Option<u32>, LevelId, usize)> = BTreeSet::new();
    for token in tokens {
        if let Some(level) = token.origin.body() {
            copies.entry(level).or_default().push(*token);
            // No region begins at an argument, however often it is used; the parts of an expression there have one place.
            let is_in_argument = truth.expansions.get(&level).is_none_or(|text| text.is_in_argument);
            if is_in_argument || !token.origin.is_argument() {
                let copy = if is_in_argument { token.offset } else { truth.root(token.point) };
                parts.insert((token.column, level, copy));
            }
        }
    }
    // An expansion in an argument that is used several times is several copies with one region.
    let places: BTreeSet<_> = parts.iter().map(|(column, level, _)| (*column, *level)).collect();
    if places.len() < parts.len() {
        return Err(Unknown::MacroDefinition);
    }
    let mut counts = BTreeSet::from([0]);
    for (level, copy) in &copies {
        let one = of_inclusion(truth, line, copy)?.counts;
        let with = sums_of(&counts, &one);
        let is_start = |token: &PointToken| token.begins || token.kind == TokenKind::OpeningBrace;
        let is_certain = copy.iter().any(is_start) || is_one_region(truth, *level, copy);
        counts = if is_certain { with } else { &counts | &with };
        if counts.len() > MOST_SUMS {
            return Err(Unknown::MacroDefinition);
        }
    }
    // The copies of a part are one region, and the line has the largest count of a region.
    let begun: Vec<PointToken> = tokens.iter().filter(|token| token.begins).copied().collect();
    let most = sums(truth, &begun)?.into_values().max();
    counts.extend(most);
    // So are those of the region in which the line begins.
    let around = first_of_copies(truth, copies.values());
    counts.extend(around.into_iter().flatten().filter_map(|around| Some(around.max(most?))));
    // The first line of a definition inside a function begins in a region of that function, and a later one only if no region
    // of the macro is around it.
    if truth.functions_around(line).next().is_some() {
        let around = between(truth, line).ok_or(Unknown::MacroDefinition)?;
        let with = counts.iter().flat_map(|count| around.iter().map(|around| *count.max(around))).collect();
        let is_later = copies
            .keys()
            .filter_map(|level| truth.expansions.get(level)?.extent)
            .any(|(first, _)| first.0 < line);
        counts = if is_later { &counts | &with } else { with };
    }
    Ok(Expected { counts, points: tokens.iter().map(|token| token.point).collect() })
}
