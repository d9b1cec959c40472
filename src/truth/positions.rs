//! How often control reached each position of the source: every token belongs to the innermost point that contains it.

use std::collections::BTreeSet;

use super::{CountedPoint, Truth};
use crate::coverage::Coverage;
use crate::model::{Family, Line};
use crate::syntax::{
    InstrumentedFunction, Leaving, LevelId, PointId, PointKind, PointToken, StatementKind, TokenKind,
    TokenOrigin, ValueStart,
};

impl Truth {
    /// The tokens of `line`, in the order of the text; the tokens of an outer point first.
    pub fn tokens(&self, line: Line) -> &[PointToken] {
        self.lines.get(&line).map_or(&[], Vec::as_slice)
    }

    /// The tokens that were typed on `line`, in the order of their columns.
    pub fn typed_on(&self, line: Line) -> &[PointToken] {
        self.typed.get(&line).map_or(&[], Vec::as_slice)
    }

    /// The tokens that were typed on `line` in the text of the expansion with these names, as llvm-cov reports it: in the code of
    /// the file without names. None if none was; of functions that are in a macro as a whole, those of all expansions of it.
    pub fn typed_in(&self, names: &[(Line, u32)], line: Line) -> Option<Vec<&PointToken>> {
        let is_in = |token: &&PointToken| match token.origin.body() {
            Some(level) => self.expansions.get(&level).is_some_and(|text| text.names == names),
            None => names.is_empty(),
        };
        let found: Vec<&PointToken> = self.typed_on(line).iter().filter(is_in).collect();
        Some(found).filter(|found| !found.is_empty())
    }

    /// Whether code of a function was typed on `line` that has no points, in one of several inclusions of the file: the initialiser of
    /// a static variable.
    pub fn has_other_inclusion(&self, line: Line) -> bool {
        let known = || self.typed_on(line).iter().map(|token| self.point(token.point).inclusion);
        self.inclusions_of.get(&line).is_some_and(|all| *all != known().collect())
    }

    /// Whether `position`, in the text of the expansion with these `names`, is the name of another macro.
    pub fn is_name_in(&self, names: &[(Line, u32)], position: (Line, u32)) -> bool {
        self.expansion_names.contains(&[names, &[position]].concat())
    }

    /// `names` without those of the macros around the function. clang has them where a text with a whole function has a
    /// macro of the system, which gives the function a region at the name of the macro that makes it (`gatherFileIDs` in
    /// CoverageMappingGen.cpp).
    pub fn inside_function<'a>(&self, names: &'a [(Line, u32)]) -> &'a [(Line, u32)] {
        let outside = self.makers.iter().filter(|outside| names.starts_with(outside)).map(Vec::len);
        &names[outside.max().unwrap_or(0)..]
    }

    /// `report` with these names. None if it has no others.
    pub fn inside_functions(&self, report: &Coverage, family: Family) -> Option<Coverage> {
        if family == Family::Gcov || self.makers.is_empty() {
            return None;
        }
        let mut found = report.clone();
        let regions = found.regions.iter_mut().map(|region| &mut region.expansion);
        for names in regions.chain(found.tested.iter_mut().map(|tested| &mut tested.expansion)) {
            *names = self.inside_function(names).to_vec();
        }
        Some(found)
    }

    /// The points that begin after the first token of the macro whose name is at `position`.
    pub fn inside_macro(&self, position: (Line, u32)) -> impl Iterator<Item = &PointId> {
        self.inner_points.get(&position).into_iter().flatten()
    }

    /// The same, of the expansion with these `names` only.
    pub fn inside_macro_in(&self, names: &[(Line, u32)], position: (Line, u32)) -> BTreeSet<PointId> {
        let is_within =
            |level: &LevelId| self.expansions.get(level).is_some_and(|text| text.names.starts_with(names));
        let of_expansion = self.points_of_bodies.iter().filter(|(level, _)| is_within(level));
        let of_expansion: BTreeSet<PointId> = of_expansion.flat_map(|(_, points)| points).copied().collect();
        self.inside_macro(position).copied().filter(|point| of_expansion.contains(point)).collect()
    }

    /// Whether the operator to the left of `operand` was typed in the file.
    pub fn is_joined_in_file(&self, operand: PointId) -> bool {
        let is_operator = |token: &PointToken| token.kind == TokenKind::Punctuation && !token.begins;
        self.typed.values().flatten().any(|token| token.point == operand && is_operator(token))
    }

    /// The code at `position`, or in the macro whose name is there, that is certainly not evaluated.
    pub fn unevaluated_at(&self, position: (Line, u32)) -> Option<PointId> {
        let here = self.typed_on(position.0).iter().filter(|token| token.column == Some(position.1));
        let mut points = here.map(|token| token.point).chain(self.inside_macro(position).copied());
        points.find(|point| self.point(*point).is_unevaluated())
    }

    /// How often control reached `token`. Several counts where the syntax does not decide: the end of a block after a jump.
    /// None if it cannot be counted.
    pub fn reached(&self, token: &PointToken) -> Option<BTreeSet<u64>> {
        if token.kind == TokenKind::ClosingBrace {
            return self.reached_end(token.point);
        }
        let point = self.point(token.point);
        let mut counts = BTreeSet::from([point.count?]);
        // A jump may have left a statement expression before the token.
        if !token.begins && point.holds_block {
            counts.extend(point.completed);
            counts.extend(self.counts_between_blocks(token.point));
        }
        // So may a call that does not return. What is before the first token, as `else`, was reached before it.
        let is_left = point.completed.is_some_and(|completed| Some(completed) < point.count);
        if is_left && matches!(point.kind, PointKind::Statement(kind) if !kind.is_compound()) {
            let mut begun = point.line.into_iter().flat_map(|line| self.tokens(line));
            let first = begun.find(|first| first.point == token.point && first.begins);
            counts.extend(point.completed.filter(|_| first.is_some_and(|first| first.offset < token.offset)));
        }
        Some(counts)
    }

    /// How often control reached the end of the block `id`: as often as its last statement began. Nothing reaches it after
    /// a jump, or a call that does not return; a report may then show the count of the block or of a label in it.
    fn reached_end(&self, id: PointId) -> Option<BTreeSet<u64>> {
        let mut last = id;
        while let Some(next) = self.point(last).last {
            last = next;
            if !self.point(last).kind.is_label() {
                break;
            }
        }
        let mut counts = BTreeSet::from([self.point(last).count?]);
        // A jump may leave the statement, from a statement expression in it.
        counts.extend(self.point(last).completed.filter(|_| self.point(last).may_be_left_inside()));
        // A `break` may be anywhere in a `switch`.
        if self.point(id).kind == PointKind::Statement(StatementKind::Switch) {
            counts.extend(self.point(id).count);
        }
        if ends(self.point(last)) {
            let is_entry = |point: &&CountedPoint| point.kind.is_label();
            counts.extend(self.point(id).count);
            counts.extend(self.points[id..last].iter().filter(is_entry).filter_map(|point| point.count));
        }
        Some(counts)
    }

    /// The functions that `line` is in: one, unless functions share it or are nested; a nested one follows the one around it.
    pub fn functions_around(&self, line: Line) -> impl Iterator<Item = &InstrumentedFunction> {
        self.functions.iter().filter(move |found| found.lines.0 <= line && line <= found.lines.1)
    }

    /// How often control reached `line`, on which no token was typed: as often as the code around it, if that is one function.
    /// None where its neighbours do not decide.
    pub fn reached_between(&self, line: Line) -> Option<BTreeSet<u64>> {
        self.functions_around(line).find(|function| function.is_counted())?;
        // The definition of a macro is not around its next line: the code in it runs where the macro is named.
        let is_around = |token: &&PointToken| token.origin.body().is_none();
        let next = self.typed.range(line..).find_map(|(_, tokens)| tokens.iter().find(is_around))?;
        let before = self.typed.range(..line).rev().find_map(|(_, tokens)| tokens.iter().rfind(is_around))?;
        self.reached_from_to(before, next)
    }

    /// The same for `line` in the definition of a macro, in each expansion of which no token is on it: as often as the text around it.
    /// None if the expansions differ in what is around it.
    pub fn reached_in_definition(&self, line: Line) -> Option<Vec<BTreeSet<u64>>> {
        let levels = |tokens: &[PointToken]| -> BTreeSet<LevelId> {
            tokens.iter().filter_map(|token| token.origin.body()).collect()
        };
        let (_, before) = self.typed.range(..line).next_back()?;
        let (_, next) = self.typed.range(line..).next()?;
        let all = levels(before);
        if all.is_empty() || all != levels(next) {
            return None;
        }
        let is_of = |token: &&PointToken, level: LevelId| token.origin.body() == Some(level);
        let around = |level: LevelId| {
            let before = before.iter().rfind(|token| is_of(token, level))?;
            self.reached_from_to(before, next.iter().find(|token| is_of(token, level))?)
        };
        all.into_iter().map(around).collect()
    }

    /// How often control passed between two tokens that follow each other in a text.
    fn reached_from_to(&self, before: &PointToken, next: &PointToken) -> Option<BTreeSet<u64>> {
        if self.point(next.point).function != self.point(before.point).function {
            return None;
        }
        let after = self.reached(next)?;
        let is_label = self.point(next.point).kind.is_label();
        // Nothing falls into a `case` after a `break` (LLVM issue 225281).
        if self.point(next.point).kind == PointKind::Case && self.point(before.point).leaving == Leaving::Jump
        {
            return Some(BTreeSet::from([0]));
        }
        if !is_label && before.kind == TokenKind::ClosingBrace {
            return Some(after);
        }
        let mut counts = &after | &self.reached(before)?;
        counts.extend(self.point(next.point).fallen.filter(|_| is_label));
        // What is before the first token of a part of a statement may belong to the part around it.
        if next.begins {
            let around = std::iter::successors(self.point(next.point).within, |id| self.point(*id).within);
            counts.extend(around.filter_map(|id| self.point(id).count));
        }
        if is_label && ends(self.point(before.point)) {
            counts.insert(0);
        }
        Some(counts)
    }

    /// Whether a macro that the file defines on `line` may be named in another file.
    pub fn may_be_expanded_elsewhere(&self, line: Line) -> bool {
        self.directives.contains(&line) && self.is_expanded_elsewhere
    }

    /// Whether `line`, on which no token was typed, is inside the definition of a macro.
    pub fn is_in_definition(&self, line: Line) -> bool {
        let levels = |tokens: Option<(&Line, &Vec<PointToken>)>| -> BTreeSet<LevelId> {
            let of = |token: &PointToken| token.origin.body();
            tokens.map_or_else(BTreeSet::new, |(_, tokens)| tokens.iter().filter_map(of).collect())
        };
        let last = self.typed.range(..line).next_back();
        let before = levels(last);
        // After its last token, parameters may follow.
        let continues =
            || last.is_some_and(|(last, _)| (*last..=line).all(|line| self.directives.contains(&line)));
        !before.is_disjoint(&levels(self.typed.range(line..).next())) || !before.is_empty() && continues()
    }

    /// Whether nothing but braces and punctuation is on `line`: its count says nothing about execution. An operator before an
    /// operand or arm on a later line has the count of that.
    pub fn is_bare(&self, line: Line) -> bool {
        use TokenKind::{Closing, ClosingBrace, OpeningBrace, Punctuation};
        let is_operator = |token: &PointToken| {
            let point = self.point(token.point);
            let is_part = matches!(point.kind, PointKind::Operand | PointKind::Arm);
            is_part && token.origin == TokenOrigin::Code && point.line > Some(line)
        };
        let is_bare = |token: &PointToken| match token.kind {
            Closing | ClosingBrace | OpeningBrace => true,
            Punctuation => !is_operator(token),
            _ => false,
        };
        let mut tokens = self.tokens(line).iter().chain(self.typed_on(line)).peekable();
        tokens.peek().is_some() && tokens.all(is_bare)
    }

    /// The points that begin on `line`, in the order of the text, each once.
    pub fn begun(&self, line: Line) -> Vec<PointId> {
        let mut seen = BTreeSet::new();
        let begins = |token: &&PointToken| token.begins || token.kind == TokenKind::OpeningBrace;
        let ids = self.tokens(line).iter().filter(begins).map(|token| token.point);
        ids.filter(|id| seen.insert(*id)).collect()
    }

    /// The outermost point that `id` is a part of.
    pub fn root(&self, id: PointId) -> PointId {
        self.part_of(id).last().unwrap_or(id)
    }

    /// The point `id` and the points that it is a part of, from the inside.
    pub fn part_of(&self, id: PointId) -> impl Iterator<Item = PointId> {
        std::iter::successors(Some(id), |id| self.point(*id).within)
    }

    /// Whether `token`, one of the `tokens` of `line`, is before the beginning of its point, as an operator is before its operand or arm.
    /// The parentheses of a call in an operand are not.
    pub fn precedes_point(&self, line: Line, tokens: &[PointToken], token: &PointToken) -> bool {
        let begins = |other: &PointToken| other.begins && other.point == token.point;
        !tokens.iter().any(|other| begins(other) && other.offset < token.offset)
            && self.point(token.point).line >= Some(line)
    }

    /// How often the expression runs that an operator is in, a `token` of the `tokens` of `line`. None if it is no operator.
    pub fn of_operator(&self, line: Line, tokens: &[PointToken], token: &PointToken) -> Option<u64> {
        let point = self.point(token.point);
        let is_part = matches!(point.kind, PointKind::Operand | PointKind::Arm);
        let is_operator = token.kind == TokenKind::Punctuation && self.precedes_point(line, tokens, token);
        self.point(point.within.filter(|_| is_part && is_operator)?).count
    }

    /// Whether `part` is `test` or inside it. The operands to the right of a test are parts of it, and tests of their own; those of a
    /// chain inside the test are not.
    pub fn is_inside(&self, part: PointId, test: PointId) -> bool {
        let around = self.part_of(part);
        let mut around =
            around.take_while(|id| *id == test || self.point(*id).left.is_none_or(|left| left > test));
        around.any(|id| id == test)
    }

    /// The first statement in the block, the label, the `case` or the loop `id`.
    pub fn first_in(&self, id: PointId) -> Option<PointId> {
        let is_first = |inner: &PointId| {
            self.point(*inner).place.is_some_and(|place| place.outer == id && place.before.is_none())
        };
        (id + 1..self.points.len()).find(is_first)
    }

    /// Whether the statement `id` is a loop that no condition ends.
    pub fn is_endless(&self, id: PointId) -> bool {
        let ends = |point: &CountedPoint| {
            point.within == Some(id) && point.kind == PointKind::Condition && !point.is_always_true()
        };
        self.point(id).kind.is_loop() && !self.points.iter().any(ends)
    }

    /// The code around `id`, from the inside to the function.
    pub fn around(&self, id: PointId) -> impl Iterator<Item = PointId> {
        let outer = |id: &PointId| {
            let point = self.point(*id);
            point.within.or(point.place.map(|place| place.outer))
        };
        std::iter::successors(outer(&id), outer)
    }

    /// Whether an expression that is evaluated begins with `token`, outside of `asm`.
    pub fn is_value(&self, token: &PointToken) -> bool {
        let point = self.point(token.point);
        let root = self.point(self.root(token.point)).kind;
        let is_asm = root == PointKind::Statement(StatementKind::Asm);
        let is_part =
            point.within.is_some() || matches!(point.kind, PointKind::Statement(kind) if !kind.is_compound());
        let is_code = matches!(token.kind, TokenKind::Code | TokenKind::Punctuation);
        token.value != ValueStart::No && is_code && is_part && !is_asm && !point.is_unevaluated()
    }

    /// The name of the macro among whose arguments `argument` was typed, on `line`.
    pub fn name_before(&self, line: Line, argument: &PointToken) -> Option<&PointToken> {
        let name = argument.origin.body().map_or(TokenOrigin::Expansion, TokenOrigin::Body);
        let is_name = |token: &&PointToken| token.origin == name && token.offset <= argument.offset;
        let mut above = self.typed.range(..=line).rev();
        above.find_map(|(_, tokens)| tokens.iter().filter(is_name).max_by_key(|token| token.offset))
    }

    /// The tokens with columns, in the order of the positions at which they were typed.
    pub fn placed(&self) -> impl Iterator<Item = ((Line, u32), &PointToken)> {
        self.typed.iter().flat_map(|(line, tokens)| {
            tokens.iter().filter_map(|token| Some(((*line, token.column?), token)))
        })
    }

    /// The condition, first part or step of the loop `id`.
    pub fn part(&self, id: PointId, kind: PointKind) -> Option<&CountedPoint> {
        // The parts of a loop follow it.
        let mut parts = self.points.get(id + 1..)?.iter();
        parts.find(|part| part.within == Some(id) && part.kind == kind)
    }

    /// The counts of the parts of the point `id` between the statement expressions in it, which a jump may leave: how often each was
    /// entered, and how often its end was reached.
    pub fn counts_between_blocks(&self, id: PointId) -> BTreeSet<u64> {
        let is_block =
            |at: &PointId| self.point(*at).kind == PointKind::Block && self.point(*at).within == Some(id);
        let blocks = (id + 1..self.points.len())
            .take_while(|at| self.point(*at).function == self.point(id).function)
            .filter(is_block);
        let ends = |at: PointId| self.reached_end(at).into_iter().flatten();
        blocks.flat_map(|at| self.point(at).count.into_iter().chain(ends(at))).collect()
    }

    /// How often `function` was left by its end or by `return`.
    pub fn left(&self, function: usize) -> Option<u64> {
        let points = || self.points.iter().filter(|point| point.function == function);
        let entry = points().find(|point| point.kind == PointKind::Entry)?;
        let is_return = |point: &&CountedPoint| point.kind == PointKind::Statement(StatementKind::Return);
        points().filter(is_return).try_fold(entry.completed?, |sum, point| Some(sum + point.completions()?))
    }
}

/// Whether control may never reach what follows `point`: it is a jump, or a call that never returned.
fn ends(point: &CountedPoint) -> bool {
    let PointKind::Statement(kind) = point.kind else { return false };
    kind.is_jump() || kind == StatementKind::Call && point.completed.is_none_or(|completed| completed == 0)
}

impl CountedPoint {
    /// Whether a compiler may evaluate the condition, or the value of the `switch`, and not the program.
    pub fn may_be_evaluated(&self) -> bool {
        self.folded || self.constant || self.is_evaluable
    }

    /// Whether the condition is a constant that is true. `while (True)` with a cast in the macro is as endless as `while (1)`.
    pub fn is_always_true(&self) -> bool {
        self.constant || self.folded && self.outcomes.is_some_and(|(_, no)| no == 0)
    }
}
