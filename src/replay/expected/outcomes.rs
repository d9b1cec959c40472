//! The branches that llvm-cov should report: each is a test at a position, with the outcomes that it may have.

use std::collections::BTreeSet;

use super::branches::{has_default, selections};
use crate::model::Line;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, SystemChain, TokenKind, TokenOrigin};
use crate::truth::{CountedPoint, Truth};

/// The outcomes that llvm-cov may list for a test: how often it was true, and how often false.
pub type Outcomes = Vec<(u64, u64)>;

/// The tests that were typed at `position` in the text of `expansion`, each with the outcomes that llvm-cov may list: a condition;
/// a `case`; a `switch` without `default`. Those of all expansions if it is not known which one that is. None if one cannot be
/// counted.
///
/// A `case` that ends after the macro in which it begins has its branch at the macro's name, as the first one of the macro has.
pub fn tests_at(
    truth: &Truth,
    expansion: &[(Line, u32)],
    (line, column): (Line, u32),
    version: Option<u32>,
) -> Option<Vec<Outcomes>> {
    let (mut seen, mut switches) = (BTreeSet::new(), BTreeSet::new());
    let mut found = Vec::new();
    let all = truth.typed_in(expansion, line).unwrap_or_else(|| truth.typed_on(line).iter().collect());
    let here = all.into_iter().filter(|token| token.column == Some(column));
    // All tokens of an argument that is a macro itself have its column, in no order.
    for token in here.filter(|token| seen.insert((token.point, token.begins))) {
        let (id, point) = (token.point, truth.point(token.point));
        match point.kind {
            PointKind::Condition | PointKind::Operand if !token.begins || point.is_chain => {}
            PointKind::Operand if system_chain_of(truth, id, version).is_some() => {}
            PointKind::Condition | PointKind::Operand => found.push(outcomes_of(point)?),
            PointKind::Case if token.begins => {
                let inner = truth.inside_macro((line, column));
                let mut outcomes = Outcomes::new();
                for id in
                    std::iter::once(&id).chain(inner.filter(|id| truth.point(**id).kind == PointKind::Case))
                {
                    let label = truth.point(*id);
                    let selected = label.count?.checked_sub(label.fallen?)?;
                    outcomes.extend(selection(truth, label.switch?, selected, version)?);
                }
                found.push(outcomes);
            }
            PointKind::Statement(StatementKind::Switch) if !token.begins && !has_default(truth, id) => {
                found.push(missing_default(truth, id, version)?);
            }
            _ => {}
        }
        for chain in system_chains(truth, version).filter(|chain| begins_test(chain, token)) {
            found.push(vec![outcomes_of_chain(truth, chain)?]);
        }
        // The value of a `switch` may begin with a condition, and that with an operand.
        let switch = switch_on(truth, token).filter(|switch| !has_default(truth, *switch));
        if let Some(switch) = switch.filter(|switch| switches.insert(*switch)) {
            found.push(missing_default(truth, switch, version)?);
        }
    }
    Some(found)
}

/// The `switch` whose value begins with `token`, which is that of a condition. A value that is a chain has no branch
/// (`isInstrumentedCondition` in CodeGenFunction.cpp).
fn switch_on(truth: &Truth, token: &PointToken) -> Option<PointId> {
    let is_switch = |id: &PointId| truth.point(*id).kind == PointKind::Statement(StatementKind::Switch);
    let switch = truth.part_of(token.point).skip(1).find(is_switch).filter(|_| token.begins)?;
    // Nothing is between its keyword and the value but a parenthesis.
    let before = truth.typed.values().flatten().filter(|other| {
        other.offset < token.offset && truth.part_of(other.point).any(|outer| outer == switch)
    });
    let is_first = before.filter(|other| other.point != switch || !other.begins).count() <= 1;
    let value = truth.part_of(token.point).take_while(|id| *id != switch).last()?;
    let is_chain = truth.point(value).kind == PointKind::Operand;
    (is_first && !is_chain).then_some(switch)
}

/// The outcomes of the branch of a `switch` without `default`, which is that of all labels.
fn missing_default(truth: &Truth, switch: PointId, version: Option<u32>) -> Option<Outcomes> {
    let rest = *selections(truth, switch)?.last()?;
    let mut outcomes = selection(truth, switch, rest, version)?;
    let exchanged = outcomes.first().map(|(rest, others)| (*others, *rest));
    match version {
        Some(version) if version >= FIRST_WITH_FALSE_DEFAULTS => outcomes = exchanged.into_iter().collect(),
        Some(..=LAST_WITH_TRUE_DEFAULTS) => {}
        _ => outcomes.extend(exchanged),
    }
    Some(outcomes)
}

/// The same for the name of a macro of the system, where all branches of the macro are, and for code that is never evaluated, whose
/// tests are not counted one by one: there are `number` of them at least. Since LLVM 19 a chain of `&&` and `||` in a macro of the
/// system is one test (LLVM PR 91446).
pub fn tests_of_name(
    truth: &Truth,
    expansion: &[(Line, u32)],
    position: (Line, u32),
    version: Option<u32>,
    number: usize,
) -> Option<Vec<Outcomes>> {
    let mut found = tests_at(truth, expansion, position, version)?;
    let here = truth.typed_on(position.0).iter().filter(|token| token.column == Some(position.1));
    let begun = here.filter(|token| token.begins).map(|token| token.point);
    let all: BTreeSet<PointId> = begun.chain(truth.inside_macro(position).copied()).collect();
    let is_here = |chain: &&SystemChain| chain.yes.iter().chain(&chain.no).all(|(id, _)| all.contains(id));
    let chains: Vec<&SystemChain> = system_chains(truth, version).filter(is_here).collect();
    let is_part = |id: &&PointId| chains.iter().any(|chain| chain.points.contains(id));
    for point in truth.inside_macro(position).filter(|id| !is_part(id)).map(|id| truth.point(*id)) {
        if matches!(point.kind, PointKind::Condition | PointKind::Operand) && !point.is_chain {
            found.push(outcomes_of(point)?);
        }
    }
    for chain in chains.iter().filter(|chain| is_tested_at_name(chain)) {
        found.push(vec![outcomes_of_chain(truth, chain)?]);
    }
    if truth.unevaluated_at(position).is_some() {
        found.resize(number.max(found.len()), vec![(0, 0)]);
    }
    Some(found)
}

/// The chain that is one condition to this version of clang, and has the operand `id`.
fn system_chain_of(truth: &Truth, id: PointId, version: Option<u32>) -> Option<&SystemChain> {
    system_chains(truth, version).find(|chain| chain.points.contains(&id))
}

/// How often `chain` was true, and how often false. One with a `!` around it has the outcomes of that.
fn outcomes_of_chain(truth: &Truth, chain: &SystemChain) -> Option<(u64, u64)> {
    if let Some(outer) = chain.negated {
        return truth.point(outer).outcomes;
    }
    let outcome = |(id, value): &(PointId, bool)| {
        truth.point(*id).outcomes.map(|(yes, no)| if *value { yes } else { no })
    };
    let sum = |ways: &[(PointId, bool)]| ways.iter().map(outcome).sum::<Option<u64>>();
    Some((sum(&chain.yes)?, sum(&chain.no)?))
}

/// The chains that are one condition to this version of clang.
pub(super) fn system_chains(truth: &Truth, version: Option<u32>) -> impl Iterator<Item = &SystemChain> {
    let functions = truth.functions.iter().filter(move |_| version >= Some(FIRST_WITH_WHOLE_CHAINS));
    functions.flat_map(|function| &function.system_chains)
}

/// That of them which is a right operand with its branch at `position`: a mapping has no counter for it.
pub fn uncounted_chain_at(
    truth: &Truth,
    version: Option<u32>,
    position: (Line, u32),
) -> Option<&SystemChain> {
    let inside: Vec<PointId> = truth.inside_macro(position).copied().collect();
    let here = || truth.typed_on(position.0).iter().filter(|token| token.column == Some(position.1));
    uncounted_chains(truth, version).find(|chain| {
        let first = chain.points.start;
        let is_begun = || inside.contains(&first) || here().any(|token| token.point == first);
        here().any(|token| begins_test(chain, token)) || is_tested_at_name(chain) && is_begun()
    })
}

/// All of those.
pub fn uncounted_chains(truth: &Truth, version: Option<u32>) -> impl Iterator<Item = &SystemChain> {
    let operand = |chain: &SystemChain| chain.negated.unwrap_or(chain.points.start);
    system_chains(truth, version).filter(move |chain| truth.point(operand(chain)).left.is_some())
}

/// Whether `token` is the `!` or the parenthesis before the macro, where the branch of `chain` begins.
fn begins_test(chain: &SystemChain, token: &PointToken) -> bool {
    let is_typed = matches!(token.origin, TokenOrigin::Code | TokenOrigin::Body(_));
    let is_start = match (chain.negated, chain.bracket) {
        (Some(outer), _) => token.point == outer && token.begins,
        (None, Some(bracket)) => token.offset == bracket && token.kind == TokenKind::Punctuation,
        // As an argument, it begins at the parameter.
        (None, None) => {
            token.point == chain.points.start && token.begins && matches!(token.origin, TokenOrigin::Body(_))
        }
    };
    chain.is_tested && is_start && is_typed
}

/// Whether the branch of `chain` is at the name of the macro.
fn is_tested_at_name(chain: &SystemChain) -> bool {
    chain.is_tested && chain.negated.is_none() && chain.bracket.is_none()
}

/// The outcomes that llvm-cov may list for a condition. One that clang evaluates is not listed before LLVM 20, and always has the same
/// outcome since (`renderBranchRegions` in CoverageExporterJson.cpp).
fn outcomes_of(point: &CountedPoint) -> Option<Outcomes> {
    if let Some(outcomes) = point.outcomes {
        return Some(vec![outcomes]);
    }
    let count = point.count.filter(|_| point.may_be_evaluated())?;
    Some(vec![(count, 0), (0, count)])
}

/// The outcomes of a label that the `switch` selected so often, by a version of LLVM. In some versions between a label is
/// never false.
fn selection(truth: &Truth, switch: PointId, selected: u64, version: Option<u32>) -> Option<Outcomes> {
    // A `setjmp` in it may return twice; then the selections are more than the starts of the `switch`, and unknown.
    let all: u64 = selections(truth, switch)?.iter().sum();
    let outcomes = (selected, all.checked_sub(selected)?);
    Some(match version {
        Some(..=LAST_WITH_FALSE_LABELS | FIRST_WITH_FALSE_LABELS..) => vec![outcomes],
        _ => vec![outcomes, (selected, 0)],
    })
}

/// The version of LLVM since which a chain in a macro of the system is one test.
pub(super) const FIRST_WITH_WHOLE_CHAINS: u32 = 19;

/// A version of LLVM up to which a label is false as often as another one is selected, and one since which it is so again. Those
/// between were not measured.
const LAST_WITH_FALSE_LABELS: u32 = 14;
const FIRST_WITH_FALSE_LABELS: u32 = 19;

/// A version of LLVM in which a missing `default` is true if no label is selected, and a later one in which it is false then
/// (`VisitSwitchStmt` in CoverageMappingGen.cpp). Those between were not measured.
const LAST_WITH_TRUE_DEFAULTS: u32 = 19;
const FIRST_WITH_FALSE_DEFAULTS: u32 = 22;

/// The first version of LLVM in which a condition that clang evaluates has its outcome. Before, it has none.
pub const FIRST_WITH_CONSTANTS: u32 = 20;
