//! The decisions that a report should have, and which of their conditions it should show as covered.
//!
//! gcc's decisions are the conditions of `if`, loops and `?:`, also those that are a single condition, and every chain of `&&`
//! and `||` (`-fcondition-coverage` in GCC's manual, "Instrumentation Options"). gcov says on which line a decision is, and no
//! column. clang's decisions are the chains alone ("MC/DC Instrumentation" in Clang's manual), each at its position.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::branches::BranchGroup;
use super::outcomes::{FIRST_WITH_WHOLE_CHAINS, system_chains};
use crate::model::{Family, Line};
use crate::syntax::{BooleanExpr, PointId, PointKind, PointToken, SystemChain, TokenOrigin};
use crate::truth::{CountedPoint, EvaluatedDecision, Truth, Vector};

/// A decision of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedDecision {
    pub line: Line,
    /// Its function, as an index.
    pub function: usize,
    /// The flags of its conditions, one or several ways in which a report may show them.
    pub flags: Vec<Vec<bool>>,
    /// The vectors that occurred, with their outcomes. None for a decision of one condition.
    pub vectors: Option<Vec<(Vector, bool)>>,
    /// Why the flags are not known.
    pub unknown: Option<&'static str>,
    /// Whether a report may list the conditions in any order: clang numbers those in macros apart.
    pub is_unordered: bool,
    /// Whether every version has it, so that a report must list it.
    pub is_needed: bool,
    /// Whether the version leaves it out, with a warning.
    pub is_unsupported: bool,
}

/// The largest number of negated parts of a decision that gcc may count either way.
const MOST_NEGATED: usize = 4;

/// gcc's decisions on the lines of `group`, in the order of the text.
pub fn decisions_of_group(truth: &Truth, group: &BranchGroup) -> Vec<ExpectedDecision> {
    let chains = truth.decisions.iter().filter(|found| group.lines.contains(&found.chain.line));
    let chains = chains.filter_map(|found| {
        let constants = constants(truth, found);
        let decision = if constants.iter().any(Option::is_some) {
            let left = found.simplified(|index| constants[index])?;
            let expected = ExpectedDecision { is_needed: false, ..of_gcc(truth, group, &left) };
            let is_cut = found.chain.operands.iter().any(|id| truth.point(*id).lost() > 0);
            if is_cut { cut_off(truth, &left, expected) } else { expected }
        } else {
            of_gcc(truth, group, found)
        };
        Some((found.chain.operands.first().copied(), decision))
    });
    // The operands of a chain are parts of its decision, and a condition that is a chain is the decision.
    let is_single = |id: &&PointId| truth.point(**id).kind == PointKind::Condition;
    let singles = group.conditions.iter().filter(is_single).filter_map(|id| {
        let point = truth.point(*id);
        let (yes, no) = point.outcomes?;
        // gcc tests the operands of a chain in `__builtin_expect`, and not its value.
        let is_tested = super::branches::is_tested(truth, point) && !point.may_be_chain;
        let is_choice = is_of_choice(truth, *id);
        let is_needed = group.has_only_conditions() && group.may_have_all_tests() && is_tested && !is_choice;
        let flags = [vec![yes > 0, no > 0], vec![no > 0, yes > 0]];
        Some((
            Some(*id),
            ExpectedDecision {
                line: point.line?,
                function: point.function,
                flags: flags[..if is_choice { 2 } else { 1 }].to_vec(),
                vectors: None,
                unknown: is_optimised(truth, point).then_some(OPTIMISED),
                is_unordered: false,
                is_needed,
                is_unsupported: false,
            },
        ))
    });
    let mut found: Vec<_> = chains.chain(singles).collect();
    found.sort_by_key(|(first, _)| *first);
    found.into_iter().map(|(_, decision)| decision).collect()
}

/// `expected`, of the decision `left` without its constants, if a call in one of these did not return: gcc has recorded the other
/// conditions by then, and no vector of the whole decision has them.
fn cut_off(truth: &Truth, left: &EvaluatedDecision, expected: ExpectedDecision) -> ExpectedDecision {
    let outcomes = match left.chain.operands[..] {
        [only] => truth.point(only).outcomes,
        _ => None,
    };
    match outcomes {
        Some((yes, no)) => {
            let flags = vec![vec![yes > 0, no > 0]];
            ExpectedDecision { flags, vectors: None, ..expected }
        }
        None => ExpectedDecision { unknown: Some("a call in the decision did not return"), ..expected },
    }
}

/// The value of each operand that is a constant, which gcc leaves out (`fold_truth_andor` and `fold_binary_loc` in fold-const.cc). One
/// that was never evaluated is taken for one that does not decide.
fn constants(truth: &Truth, found: &EvaluatedDecision) -> Vec<Option<bool>> {
    let value = |(index, id): (usize, &PointId)| {
        let point = truth.point(*id);
        is_folded(point).then(|| match point.outcomes {
            // The other conditions decide whether its code runs.
            _ if point.is_settled => neutral(&found.chain.tree, index, true),
            Some((1.., 0)) => true,
            Some((0, 1..)) => false,
            _ => neutral(&found.chain.tree, index, true),
        })
    };
    found.chain.operands.iter().enumerate().map(value).collect()
}

/// The value of the condition `index` of `tree` with which it does not decide the `&&` or `||` around it; with no such operator, the
/// one with which the tree is `whole`.
fn neutral(tree: &BooleanExpr, index: usize, whole: bool) -> bool {
    let part = |left: &BooleanExpr, right: &BooleanExpr, value| {
        let is_left = left.conditions().contains(&index);
        neutral(if is_left { left } else { right }, index, value)
    };
    match tree {
        BooleanExpr::Condition(_) => whole,
        BooleanExpr::Not(inner) => neutral(inner, index, !whole),
        BooleanExpr::And(left, right) => part(left, right, true),
        BooleanExpr::Or(left, right) => part(left, right, false),
    }
}

fn of_gcc(truth: &Truth, group: &BranchGroup, found: &EvaluatedDecision) -> ExpectedDecision {
    let operands = || found.chain.operands.iter().map(|id| truth.point(*id));
    let flags = found.covered(Family::Gcov);
    let mut negated = negated_parts(&found.chain.tree);
    // A right operand is a part of the left one.
    let outer = |id: &PointId| truth.point(*id).within;
    let mut around = std::iter::successors(found.chain.operands.first().and_then(outer), outer);
    let condition = around.find(|id| truth.point(*id).kind != PointKind::Operand);
    // gcc may join the condition of `?:` with an arm.
    let is_choice = condition.is_some_and(|id| is_of_choice(truth, id));
    // The condition of a `?:` is tested in place of its value.
    negated.extend(operands().enumerate().filter(|(_, point)| point.is_choice).map(|(index, _)| vec![index]));
    if !found.chain.is_condition || is_choice {
        negated.push((0..found.chain.operands.len()).collect());
    }
    let unknown = if operands().any(|point| point.may_be_chain) {
        Some(OF_CHAINS)
    } else if operands().any(|point| is_folded(point) || point.is_pointless) {
        Some("gcc evaluates a condition of the decision")
    } else if operands().any(|point| is_optimised(truth, point)) {
        Some(OPTIMISED)
    } else if negated.len() > MOST_NEGATED {
        Some("many parts of the decision are negated")
    } else {
        None
    };
    negated.truncate(MOST_NEGATED);
    let mut ways: Vec<Vec<bool>> = Vec::new();
    for chosen in 0..1_usize << negated.len() {
        let mut way = flags.clone();
        let parts = negated.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
        for condition in parts.flat_map(|(_, part)| part) {
            way.swap(2 * condition, 2 * condition + 1);
        }
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    let is_open = |point: &CountedPoint| point.is_open && point.count > Some(0);
    ExpectedDecision {
        line: found.chain.line,
        function: function_of(truth, found),
        flags: ways,
        vectors: Some(found.vectors.clone()),
        unknown,
        is_unordered: false,
        is_needed: group.has_only_conditions()
            && group.may_have_all_tests()
            && operands().all(is_open)
            && !is_choice,
        is_unsupported: false,
    }
}

/// Whether `condition` is that of `?:`. gcc exchanges the arms where that is simpler, and tests the opposite
/// (`fold_ternary_loc` in fold-const.cc).
fn is_of_choice(truth: &Truth, condition: PointId) -> bool {
    let within = truth.point(condition).within;
    let next = truth.points[condition + 1..].iter().find(|point| point.within == within);
    within.is_some() && next.is_some_and(|next| next.kind == PointKind::Arm)
}

const OPTIMISED: &str = "gcc optimises or inlines the function";

/// Whether gcc optimises the function of `point`, or inlines it before it inserts counters.
fn is_optimised(truth: &Truth, point: &CountedPoint) -> bool {
    let function = &truth.functions[point.function];
    function.is_optimised || function.is_inlined
}

/// Whether a decision that begins on `line` has a condition that a compiler may evaluate.
pub fn tests_constant(truth: &Truth, line: Line) -> bool {
    let here = truth.decisions.iter().filter(|found| found.chain.line == line);
    let mut operands = here.flat_map(|found| &found.chain.operands).map(|id| truth.point(*id));
    operands.any(CountedPoint::may_be_evaluated)
}

/// Whether gcc evaluates the condition, and tests nothing.
fn is_folded(point: &CountedPoint) -> bool {
    point.folded || point.constant || point.is_settled
}

/// The conditions below each `!` of a chain: gcc tests the opposites of all of them instead where it can
/// (`invert_truthvalue_loc` in fold-const.cc), and then their outcomes are exchanged.
fn negated_parts(tree: &BooleanExpr) -> Vec<Vec<usize>> {
    match tree {
        BooleanExpr::Condition(_) => Vec::new(),
        BooleanExpr::Not(inner) => {
            let mut parts = negated_parts(inner);
            parts.push(inner.conditions());
            parts
        }
        BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => {
            [negated_parts(left), negated_parts(right)].concat()
        }
    }
}

/// clang's decisions at `position`: a chain in a macro is at each position of its first token.
pub fn decisions_at(
    truth: &Truth,
    (line, column): (Line, u32),
    version: Option<u32>,
) -> Vec<ExpectedDecision> {
    let tokens = truth.typed_on(line).iter().filter(|token| token.column == Some(column));
    let offsets: BTreeSet<usize> = tokens.map(|token| token.offset).collect();
    let here = truth.decisions.iter().filter(|found| offsets.contains(&found.chain.offset));
    let mut decisions: Vec<_> = here.filter_map(|found| of_clang(truth, found, line, version)).collect();
    let named = decisions_at_name(truth, (line, column), version);
    // `assert` of glibc has its argument in `sizeof` too.
    if truth.unevaluated_at((line, column)).is_some() {
        let twin = |found: &ExpectedDecision| ExpectedDecision {
            flags: vec![vec![false; found.flags[0].len()]],
            vectors: Some(Vec::new()),
            ..found.clone()
        };
        decisions.extend(named.iter().map(twin));
    }
    decisions.extend(named);
    decisions
}

/// Those in an argument of the macro of the system whose name is at `position`, where clang places them.
fn decisions_at_name(truth: &Truth, position: (Line, u32), version: Option<u32>) -> Vec<ExpectedDecision> {
    let inside: BTreeSet<PointId> = truth.inside_macro(position).copied().collect();
    let is_known = version >= Some(FIRST_WITH_WHOLE_CHAINS);
    let is_it = |found: &&EvaluatedDecision| {
        found.chain.operands.iter().enumerate().all(|(index, id)| {
            inside.contains(id) && (index == 0 || is_known || truth.is_joined_in_file(*id))
        })
    };
    let expected = |found| {
        Some(ExpectedDecision {
            is_unordered: true,
            is_needed: false,
            is_unsupported: false,
            unknown: None,
            ..of_clang(truth, found, position.0, version)?
        })
    };
    truth.decisions.iter().filter(is_it).filter_map(expected).collect()
}

/// The decision of clang that `found` is. None if it is one condition.
fn of_clang(
    truth: &Truth,
    found: &EvaluatedDecision,
    line: Line,
    version: Option<u32>,
) -> Option<ExpectedDecision> {
    let operands = &found.chain.operands;
    let index_of = |id: PointId| operands.partition_point(|operand| *operand < id);
    let range = |part: &SystemChain| index_of(part.points.start)..index_of(part.points.end);
    let ranges: Vec<Range<usize>> = system_chains(truth, version).map(range).collect();
    let found = &found.merged(&ranges)?;
    let operands = || found.chain.operands.iter().map(|id| truth.point(*id));
    // The outcomes of a condition that clang evaluates are those of the program, but an old clang may leave out the decision.
    let may_fold = operands().any(CountedPoint::may_be_evaluated);
    let is_plain = !found.chain.is_nested || version >= Some(FIRST_WITH_NESTED);
    let is_small =
        found.chain.operands.len() <= FIRST_LIMIT || version >= Some(FIRST_WITH_CONSTANT_CONDITIONS);
    let negated = negated_parts(&found.chain.tree);
    let is_whole = match version {
        Some(FIRST_WITH_NEGATED_PARTS..) => true,
        Some(FIRST_WITH_CONSTANT_CONDITIONS..) => negated.iter().all(|part| part.len() == 1),
        _ => negated.is_empty() && !may_fold,
    };
    // Since LLVM 19 a chain in a macro of the system is one condition (LLVM PR 91446): the decision may have fewer conditions.
    let placed: BTreeSet<PointId> =
        truth.placed().filter(|(_, token)| token.begins).map(|(_, token)| token.point).collect();
    let is_elsewhere = found.chain.operands.iter().any(|id| !placed.contains(id));
    let unknown = operands().any(|point| point.may_be_chain).then_some(OF_CHAINS);
    let is_supported = is_plain && is_small && is_whole;
    let is_made = || {
        let mut here = truth.typed_on(line).iter().filter(|token| token.offset == found.chain.offset);
        here.any(|token| is_in_maker(truth, token))
    };
    let is_here = found.chain.line == line || is_made();
    Some(ExpectedDecision {
        line,
        function: function_of(truth, found),
        flags: vec![found.covered(Family::LlvmCov)],
        vectors: Some(found.vectors.clone()),
        unknown,
        is_unordered: !found.chain.operands.iter().all(|id| is_outside_of_macros(truth, *id)),
        is_needed: is_supported && !is_elsewhere && !found.chain.has_prefix && is_here,
        is_unsupported: !is_supported && !is_elsewhere && is_here,
    })
}

/// Whether `token` is in the text of a macro that contains its function as a whole, and so is the file of that.
fn is_in_maker(truth: &Truth, token: &PointToken) -> bool {
    let TokenOrigin::Body(level) = token.origin else { return false };
    truth.expansions.get(&level).is_some_and(|text| text.names.is_empty())
}

fn function_of(truth: &Truth, found: &EvaluatedDecision) -> usize {
    found.chain.operands.first().map_or(0, |first| truth.point(*first).function)
}

/// Whether the condition was typed in no definition and no argument of a macro.
fn is_outside_of_macros(truth: &Truth, condition: PointId) -> bool {
    let Some(line) = truth.point(condition).line else { return false };
    let mut first =
        truth.typed_on(line).iter().filter(|token| token.point == condition && token.begins).peekable();
    first.peek().is_some() && first.all(|token| token.origin == TokenOrigin::Code)
}

const OF_CHAINS: &str = "a condition of the decision may be a decision itself";

/// The most conditions of a decision in LLVM 18. Since LLVM 19 the number of vectors is limited instead.
const FIRST_LIMIT: usize = 6;

/// A version of LLVM that leaves out no decision with a constant condition.
const FIRST_WITH_CONSTANT_CONDITIONS: u32 = 19;

/// The first version of LLVM that leaves out no decision with a part that has a `!` around it (LLVM PR 125406). Older ones warn of
/// it.
const FIRST_WITH_NEGATED_PARTS: u32 = 21;

/// A version of LLVM that leaves out no decision around or inside another one, and none with a part in `__builtin_expect`. Version
/// 22 warns of them.
const FIRST_WITH_NESTED: u32 = 23;

/// The positions outside of macros, but for those that make functions, at which clang's decisions begin, with the function of each.
pub fn places_of_decisions(truth: &Truth) -> BTreeSet<((Line, u32), usize)> {
    let offset_of = |found: &EvaluatedDecision| {
        let first = truth.point(*found.chain.operands.first()?);
        Some((found.chain.offset, first.function))
    };
    let functions: BTreeMap<usize, usize> = truth.decisions.iter().filter_map(offset_of).collect();
    let is_typed = |token: &PointToken| matches!(token.origin, TokenOrigin::Code | TokenOrigin::Expansion);
    let begun = truth.placed().filter(|(_, token)| token.begins && is_typed(token));
    let begun: BTreeMap<PointId, (Line, u32)> = begun.map(|(place, token)| (token.point, place)).collect();
    let last_of =
        |found: &EvaluatedDecision| Some((found.chain.offset, *begun.get(found.chain.operands.last()?)?));
    let lasts: BTreeSet<(usize, (Line, u32))> = truth.decisions.iter().filter_map(last_of).collect();
    // One that begins with a macro and ends after it is at the name.
    let is_open = |(place, token): &((Line, u32), &PointToken)| {
        let of_offset = (token.offset, (0, 0))..=(token.offset, (Line::MAX, u32::MAX));
        token.origin == TokenOrigin::Expansion && lasts.range(of_offset).any(|(_, last)| last != place)
    };
    let is_outside = |found: &((Line, u32), &PointToken)| {
        found.1.origin == TokenOrigin::Code || is_open(found) || is_in_maker(truth, found.1)
    };
    let places = truth.placed().filter(is_outside);
    places.filter_map(|(place, token)| Some((place, *functions.get(&token.offset)?))).collect()
}
