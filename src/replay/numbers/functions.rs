//! Functions: how often each was entered.

use std::collections::BTreeMap;

use super::checked::{CheckedNumber, NO_TRUTH, Right, What};
use crate::coverage::{Coverage, FunctionCount};
use crate::model::{Count, Family, Line, Metric};
use crate::replay::expected::expected_functions;
use crate::truth::Truth;

/// Every function of `report` and, if it must be there, every function that the report lacks.
pub(super) fn functions(report: &Coverage, truth: Option<&Truth>, family: Family) -> Vec<CheckedNumber> {
    let entries = |function: &FunctionCount| truth?.entries_as(&function.name, function.line);
    let found: Vec<Option<(usize, u64)>> = report.functions.iter().map(entries).collect();
    let mut listed: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, _) in found.iter().flatten() {
        *listed.entry(*index).or_default() += 1;
    }
    let right = |found: Option<(usize, u64)>| match found {
        _ if truth.is_none() => Err(NO_TRUTH),
        Some((index, _)) if listed[&index] > 1 => Err("the report lists the function several times"),
        Some((_, count)) => Ok(vec![count]),
        None => Err("the function is not instrumented, or several on the line have its name"),
    };
    let shown = report.functions.iter().zip(&found).map(|(function, found)| {
        number(function.line, function.name.clone(), Some(function.count), right(*found))
    });
    let expected = truth.map_or_else(Vec::new, |truth| expected_functions(truth, family));
    let missing = expected.into_iter().filter(|function| function.is_needed).filter_map(|function| {
        let (line, entries) = (function.line?, truth?.entries_of(function.index)?);
        let is_missing = !listed.contains_key(&function.index);
        is_missing.then(|| number(line, function.name, None, Ok(vec![entries])))
    });
    shown.chain(missing).collect()
}

fn number(line: Line, name: String, count: Count, right: Right) -> CheckedNumber {
    CheckedNumber { metric: Metric::Function, line, what: What::Function(name), count, right }
}
