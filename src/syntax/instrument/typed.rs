//! Tokens by the lines on which they were typed, which llvm-cov counts: a token of a macro is in the definition.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::origin::{Level, LevelId, LevelKind, Origin, Origins, Position};
use super::super::points::{
    ExpansionText, Point, PointId, PointKind, PointToken, TokenKind, TokenOrigin, ValueStart,
};
use super::super::preprocessed::Preprocessed;
use crate::model::Line;

/// Where the tokens of a program were typed.
#[derive(Debug, Default)]
pub struct Typed {
    /// [`super::super::points::Instrumented::typed`].
    pub tokens: BTreeMap<Line, Vec<PointToken>>,
    /// [`super::super::points::Instrumented::inner_points`].
    pub inner_points: BTreeMap<(Line, u32), BTreeSet<PointId>>,
    /// [`super::super::points::Instrumented::expansions`].
    pub expansions: BTreeMap<LevelId, ExpansionText>,
    /// [`super::super::points::Instrumented::partial_definitions`].
    pub partial_definitions: BTreeSet<Line>,
    /// The texts and arguments in which a point begins.
    divided: BTreeSet<LevelId>,
}

impl Typed {
    /// The `tokens` of `program`, each with the line of our file of its row; `functions` are the ranges of the functions in the text.
    pub fn of(
        program: &Preprocessed,
        points: &[Point],
        tokens: &[(Option<Line>, PointToken)],
        functions: &[Range<usize>],
    ) -> Typed {
        let origins = program.origins();
        let begun = tokens.iter().filter(|(_, token)| token.begins);
        let texts = begun.filter_map(|(_, token)| origins.at(token.offset)?.level);
        let mut typed = Typed { divided: texts.collect(), ..Typed::default() };
        // The offset of the first token of each text.
        let mut firsts: BTreeMap<LevelId, usize> = BTreeMap::new();
        for (line, token) in tokens {
            match origins.at(token.offset) {
                Some(found) => typed.add(origins, found, token, (&program.text, points), &mut firsts),
                None => {
                    if let Some(line) = line {
                        let origin = TokenOrigin::Code;
                        let token = PointToken { column: None, origin, ..*token };
                        typed.tokens.entry(*line).or_default().push(token);
                    }
                }
            }
        }
        // The sort is stable: of tokens at one position, those of an outer point are first.
        for tokens in typed.tokens.values_mut() {
            tokens.sort_by_key(|token| token.column);
        }
        typed.expansions = expansions(program, &with_functions(origins, points, tokens, functions));
        typed.partial_definitions = partial_definitions(origins, tokens, functions);
        typed
    }

    fn add(
        &mut self,
        origins: &Origins,
        found: &Origin,
        token: &PointToken,
        (text, points): (&str, &[Point]),
        firsts: &mut BTreeMap<LevelId, usize>,
    ) {
        for (level, _) in origins.chain(found.level) {
            firsts.entry(level).or_insert(token.offset);
        }
        let is_expansion = |(_, level): &(LevelId, &Level)| matches!(level.kind, LevelKind::Expansion { .. });
        let expansions = origins.chain(found.level).filter(is_expansion);
        let leads = |level: LevelId| firsts.get(&level) == Some(&token.offset);
        let first_if = |leads: bool| match token.value {
            ValueStart::Yes if leads => ValueStart::OfExpansion,
            _ => ValueStart::No,
        };
        // The parentheses of a condition may be those of the macro, as in `while unlikely(x)`.
        let is_condition = token.begins && points[token.point].kind == PointKind::Condition;
        let follows_bracket = |level: LevelId| {
            let first = firsts.get(&level).and_then(|first| text.get(*first..token.offset));
            is_condition && first.is_some_and(|before| before.trim() == "(")
        };
        for (level, expansion) in expansions {
            if let Some((at, body)) = origins.parameter_of(expansion.inside).filter(|_| leads(level)) {
                let origin = TokenOrigin::Body(body);
                self.push(token, token.begins, (at.line, at.column), origin, first_if(leads(body)));
            }
            let Some(name) = expansion.position else { continue };
            if leads(level) || follows_bracket(level) {
                let origin = token_origin(origins, expansion.inside, TokenOrigin::Expansion);
                let value = first_if(origin.body().is_none_or(leads));
                self.push(token, token.begins, (name.line, name.column), origin, value);
            } else if token.begins || points[token.point].kind == PointKind::Silent {
                self.inner_points.entry((name.line, name.column)).or_default().insert(token.point);
            }
        }
        let origin = token_origin(origins, found.level, TokenOrigin::Code);
        let body = origin.body();
        // What begins in an argument is at the parameter.
        let is_moved = origins.is_argument(found) && body.is_some();
        let value = match body {
            Some(body) if leads(body) => first_if(true),
            _ if is_moved => ValueStart::No,
            _ => token.value,
        };
        if let Some(at) = found.spelling {
            self.push(token, token.begins && !is_moved, (at.line, at.column), origin, value);
        }
        // Not every clang has a region where such a token begins a point.
        if let (Some(at), Some(_)) = (found.made_at, body) {
            let token = PointToken { is_made: true, ..*token };
            self.push(&token, false, (at.line, at.column), origin, value);
        }
        // So is the code before it, with which the argument begins.
        let is_before =
            || found.level.is_some_and(|argument| self.divided.contains(&argument) && leads(argument));
        if let Some((at, body)) = origins.parameter(found).filter(|_| token.begins || is_before()) {
            let value = first_if(token.begins && leads(body));
            self.push(token, token.begins, (at.line, at.column), TokenOrigin::Body(body), value);
        }
    }

    /// Add `token` at a place of its own.
    fn push(
        &mut self,
        token: &PointToken,
        begins: bool,
        (line, column): (Line, u32),
        origin: TokenOrigin,
        value: ValueStart,
    ) {
        let token = PointToken { begins, column: Some(column), origin, value, ..*token };
        self.tokens.entry(line).or_default().push(token);
    }
}

/// The origin of a token or a name that was typed in the text `level`; `in_code` if that is neither the definition nor an argument of
/// a macro.
fn token_origin(origins: &Origins, level: Option<LevelId>, in_code: TokenOrigin) -> TokenOrigin {
    let body = origins.outside_arguments(level);
    if origins.is_among_arguments(level) {
        return TokenOrigin::Argument(body);
    }
    body.map_or(in_code, TokenOrigin::Body)
}

/// The texts that contain a function as a whole. They are the function's file, so their own names are not around its code.
fn with_functions(
    origins: &Origins,
    points: &[Point],
    tokens: &[(Option<Line>, PointToken)],
    functions: &[Range<usize>],
) -> BTreeSet<LevelId> {
    let text_at = |offset: usize| origins.typed_in(origins.at(offset)?);
    let bodies = tokens.iter().map(|(_, token)| token).filter(|token| {
        token.kind == TokenKind::OpeningBrace && points[token.point].kind == PointKind::Entry
    });
    let whole = bodies.filter_map(|token| {
        let level = text_at(token.offset)?;
        let function = functions.iter().find(|range| range.contains(&token.offset))?;
        (text_at(function.end.checked_sub(1)?) == Some(level)).then_some(level)
    });
    whole.collect()
}

/// The texts of all expansions. Those in `whole` have no names around them. Where a macro is the argument of another one, the parameter is a name too: clang has a file for
/// it if the parameter is the name of a function-like macro.
fn expansions(program: &Preprocessed, whole: &BTreeSet<LevelId>) -> BTreeMap<LevelId, ExpansionText> {
    let origins = program.origins();
    let lines: Vec<&str> = program.typed.lines().collect();
    // The place of a token that a `\` is directly before is that of the `\`.
    let without_join = |(line, column): (Line, u32)| {
        let text = lines.get(line as usize - 1).and_then(|text| text.get(column as usize - 1..));
        if text.is_some_and(|text| text.starts_with('\\')) { (line + 1, 1) } else { (line, column) }
    };
    let mut places: BTreeMap<LevelId, BTreeSet<(Line, u32)>> =
        (0..origins.levels.len()).map(|level| (level, BTreeSet::new())).collect();
    let mut add = |level: Option<LevelId>, at: Option<Position>| {
        if let (Some(level), Some(at)) = (level, at) {
            places.entry(level).or_default().insert((at.line, at.column));
        }
    };
    for token in &origins.tokens {
        add(origins.typed_in(token), token.spelling.or(token.made_at));
        if let Some((at, body)) = origins.parameter(token) {
            add(Some(body), Some(at));
        }
    }
    origins.levels.iter().for_each(|level| add(level.inside, level.position));
    let name = |(_, level): (LevelId, &Level)| level.named_at.map(|at| (at.line, at.column));
    let text = |(id, places): (&LevelId, &BTreeSet<(Line, u32)>)| {
        let chain: Vec<(LevelId, &Level)> = origins.chain(Some(*id)).collect();
        let mut all = chain.iter().map(|found| name(*found)).collect::<Option<Vec<(Line, u32)>>>()?;
        all.reverse();
        let outer = chain.iter().position(|(level, _)| whole.contains(level));
        let names = all.split_off(outer.map_or(0, |outer| all.len() - outer));
        let last = places.last().map(|last| without_join(*last));
        let is_one = |level: &Level| matches!(level.kind, LevelKind::Argument { .. });
        let is_argument = is_one(&origins.levels[*id]);
        let is_in_argument = origins.chain(Some(*id)).skip(1).any(|(_, level)| is_one(level));
        let extent = places.first().copied().zip(last);
        let is_named_elsewhere = origins.levels[*id].position.is_none();
        let text =
            ExpansionText { names, is_named_elsewhere, outside: all, extent, is_argument, is_in_argument };
        Some((*id, text))
    };
    places.iter().filter_map(text).collect()
}

/// The lines of definitions with an expansion in a function, none of whose tokens is one of `tokens`.
fn partial_definitions(
    origins: &Origins,
    tokens: &[(Option<Line>, PointToken)],
    functions: &[Range<usize>],
) -> BTreeSet<Line> {
    let known: BTreeSet<usize> = tokens.iter().map(|(_, token)| token.offset).collect();
    // In the order of the text; a nested function follows the one that contains it.
    let mut outer: Vec<&Range<usize>> = Vec::new();
    for function in functions {
        if outer.last().is_none_or(|last| last.end <= function.start) {
            outer.push(function);
        }
    }
    let is_in_function = |offset: usize| {
        let after = outer.partition_point(|range| range.start <= offset);
        after.checked_sub(1).is_some_and(|index| outer[index].contains(&offset))
    };
    let (mut counted, mut others) = (BTreeSet::new(), BTreeSet::new());
    for origin in origins.tokens.iter().filter(|origin| origin.level.is_some()) {
        let body = origins.typed_in(origin);
        let typed = [origin.spelling, origin.made_at].into_iter().flatten().zip(body.into_iter().cycle());
        let places = typed.chain(origins.parameter(origin)).map(|(at, body)| (at.line, body));
        if known.contains(&origin.offset) {
            counted.extend(places);
        } else if is_in_function(origin.offset) {
            others.extend(places);
        }
    }
    others.difference(&counted).map(|(line, _)| *line).collect()
}
