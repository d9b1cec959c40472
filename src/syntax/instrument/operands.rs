//! The operands of `&&` and `||`, and where their outcomes lead.

use tree_sitter::Node;

use super::super::chain::SystemChain;
use super::super::nodes::NodeExt;
use super::super::origin::{DefinedIn, LevelKind};
use super::super::points::{PointId, PointKind, TokenKind, Way, Ways};
use super::constants::{expected_part, is_chain, is_opposite, logical, may_be_chain, not_inverted};
use super::instrumenter::{Instrumenter, children};

/// Operands that were instrumented, and how control leaves them.
struct Operands {
    /// The one that is evaluated first.
    first: PointId,
    /// The outcomes of operands with which they are true as a whole, and those with which they are false.
    yes: Vec<(PointId, bool)>,
    no: Vec<(PointId, bool)>,
}

impl Instrumenter<'_> {
    /// `a && b` or `a || b`, perhaps in parentheses; returns the point that is evaluated first. A right operand is part
    /// of a point that is evaluated as often as the left one.
    pub(super) fn logical(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<PointId> {
        let operands = self.operands(node, within, depth)?;
        // As a value, it has no branch.
        let end = self.points.len();
        let is_condition = within.is_some_and(|id| self.points[id].is_chain);
        let whole = self.functions[self.function].system_chains.last_mut();
        if let Some(whole) = whole.filter(|chain| chain.points == (operands.first..end)) {
            whole.is_tested = is_condition;
        }
        self.lead(&operands.yes, within, Way::Value(true));
        self.lead(&operands.no, within, Way::Value(false));
        Some(operands.first)
    }

    fn operands(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Option<Operands> {
        if !self.is_shallow(depth) {
            return None;
        }
        // A chain may be long, so only right operands recurse.
        let mut chain = Vec::new();
        let mut left = node;
        while let Some(inner) = logical(left) {
            chain.push((left, inner));
            left = inner.field("left")?;
        }
        let mut found = self.operand(left, within, depth);
        for (outer, inner) in chain.into_iter().rev() {
            let is_logical = |side: &Node<'_>| logical(*side).is_some();
            let right = self.operands(inner.field("right")?, Some(found.first), depth + 1);
            if let (Some(operator), Some(right)) = (inner.field("operator"), right) {
                self.points[right.first].left = Some(found.first);
                let side = |side: Node<'_>| self.expression_start(side)..side.end_byte();
                let (left_side, right_side) =
                    (inner.field("left").map(side), inner.field("right").filter(is_logical).map(side));
                let point = &mut self.points[right.first];
                (point.left_side, point.right_side) = (left_side, right_side);
                self.mark_start(operator, right.first, TokenKind::Punctuation);
                let passed = if operator.kind() == "&&" {
                    found.no.extend(right.no);
                    std::mem::replace(&mut found.yes, right.yes)
                } else {
                    found.yes.extend(right.yes);
                    std::mem::replace(&mut found.no, right.no)
                };
                self.lead(&passed, within, Way::Operand(right.first));
                if self.is_of_system(inner, operator) {
                    let start = self.expression_start(outer);
                    let before = self.masked[..start]
                        .trim_end_matches(|before: char| before == '(' || before.is_whitespace());
                    let sign = before.len().checked_sub(1).filter(|_| before.ends_with('!') && outer == node);
                    let is_negated = |id: &PointId| {
                        self.points[*id].is_chain && sign.is_some_and(|sign| self.is_typed_in_file(sign))
                    };
                    let chain = SystemChain {
                        negated: within.filter(is_negated),
                        bracket: Some(start).filter(|start| self.is_typed_in_file(*start)),
                        is_tested: true,
                        points: found.first..self.points.len(),
                        yes: found.yes.clone(),
                        no: found.no.clone(),
                    };
                    // Its parts are no conditions of their own.
                    let all = &mut self.functions[self.function].system_chains;
                    all.retain(|part| part.points.start < chain.points.start);
                    all.push(chain);
                }
            }
            let mut around = outer;
            while around != inner {
                for bracket in children(around) {
                    match bracket.kind() {
                        "(" | ")" => self.mark(bracket, found.first),
                        _ => around = bracket,
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether the token at `offset` of the preprocessed text was typed in our file.
    fn is_typed_in_file(&self, offset: usize) -> bool {
        self.program.origins().at(offset).is_some_and(|token| token.spelling.is_some())
    }

    /// Whether the operator and both ends of `chain` were typed in macros of the system.
    fn is_of_system(&self, chain: Node<'_>, operator: Node<'_>) -> bool {
        let origins = self.program.origins();
        let after = origins.tokens.partition_point(|token| token.offset < chain.end_byte());
        let last = after.checked_sub(1).map(|index| &origins.tokens[index]);
        let ends = [origins.at(self.expression_start(chain)), origins.at(operator.start_byte()), last];
        ends.into_iter().all(|token| {
            let level = token.and_then(|token| origins.typed_in(token)).map(|level| &origins.levels[level]);
            let defined = level.map(|level| &level.kind);
            matches!(defined, Some(LevelKind::Expansion { defined: DefinedIn::SystemHeader, .. }))
        })
    }

    /// An operand of `&&` or `||`.
    fn operand(&mut self, node: Node<'_>, within: Option<PointId>, depth: u32) -> Operands {
        let point = self.point(PointKind::Operand, None, within);
        self.points[point].folded = self.is_folded_test(node);
        self.points[point].constant = self.points[point].folded;
        self.points[point].is_settled = self.is_settled(node);
        self.points[point].is_evaluable = self.is_evaluable(node);
        self.points[point].is_pointless = self.is_pointless(node);
        self.points[point].is_open = self.names.integers.has_both_outcomes(node, self.masked);
        self.points[point].is_chain = is_chain(node);
        self.points[point].may_be_chain = may_be_chain(node, self.masked);
        self.points[point].is_choice = not_inverted(node).kind() == "conditional_expression";
        self.points[point].is_part =
            self.points[point].is_chain || expected_part(node, self.masked).is_some();
        self.points[point].has_code = self.names.has_effect(node, self.masked);
        self.begin_expression(node, point);
        if let Some(number) = self.chain.filter(|_| !self.points[point].is_part) {
            self.chains[number].operands.push(point);
        }
        self.tested = Some(node.id());
        self.test(node, point, |this| this.expression(node, point, depth + 1));
        if !self.points[point].is_chain {
            return Operands { first: point, yes: vec![(point, true)], no: vec![(point, false)] };
        }
        if is_opposite(node) {
            self.invert(point);
        }
        let leaving = |value| {
            let of_chain = |id: PointId| Some((id, self.points[id].ways.filter(|ways| ways.chain == point)?));
            let ways = (point + 1..self.points.len()).filter_map(of_chain);
            let outcomes = ways.flat_map(|(id, ways)| ways.each().map(|(outcome, way)| (id, outcome, way)));
            let leaving = outcomes.filter(|(.., way)| *way == Way::Value(value));
            leaving.map(|(id, outcome, _)| (id, outcome)).collect()
        };
        Operands { first: point, yes: leaving(true), no: leaving(false) }
    }

    /// Set the way of these outcomes, in the chain that is in `chain`.
    fn lead(&mut self, outcomes: &[(PointId, bool)], chain: Option<PointId>, way: Way) {
        let Some(chain) = chain else { return };
        for (operand, outcome) in outcomes {
            let ways = self.points[*operand].ways.get_or_insert(Ways { chain, yes: way, no: way });
            ways.chain = chain;
            *(if *outcome { &mut ways.yes } else { &mut ways.no }) = way;
        }
    }

    /// Exchange the values of the chain in `chain`, which is its opposite.
    pub(super) fn invert(&mut self, chain: PointId) {
        for ways in self.points[chain..].iter_mut().filter_map(|point| point.ways.as_mut()) {
            for way in [&mut ways.yes, &mut ways.no] {
                if let (true, Way::Value(value)) = (ways.chain == chain, way) {
                    *value = !*value;
                }
            }
        }
    }
}
