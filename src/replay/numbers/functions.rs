//! Functions: how often each was entered.

use std::collections::BTreeMap;

use super::checked::{CheckedNumber, NO_TRUTH, Right, What};
use crate::coverage::{Coverage, FunctionCount};
use crate::model::{Count, Line, Metric};
use crate::truth::Truth;

/// Every function of `report` and, if it must be there, every function that the report lacks.
pub(super) fn functions(report: &Coverage, truth: Option<&Truth>) -> Vec<CheckedNumber> {
    let all = truth.map_or(&[][..], |truth| &truth.functions);
    let entries = |function: &FunctionCount| {
        let truth = truth?;
        truth.entries(function.line).or_else(|| {
            // llvm-cov lists a function that a macro makes on the line of the macro's definition.
            let name = function.name.rsplit([':', ';']).next();
            let mut same = all.iter().filter(|other| name == Some(&*other.name));
            same.next().filter(|_| same.next().is_none()).and_then(|other| truth.entries(other.lines.0))
        })
    };
    let found: Vec<Option<(usize, u64)>> = report.functions.iter().map(entries).collect();
    let mut listed: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, _) in found.iter().flatten() {
        *listed.entry(*index).or_default() += 1;
    }
    let right = |found: Option<(usize, u64)>| match found {
        _ if truth.is_none() => Err(NO_TRUTH),
        Some((index, _)) if listed[&index] > 1 => Err("the report lists the function several times"),
        Some((_, count)) => Ok(vec![count]),
        None => Err("the function is not instrumented, or several functions are on the line"),
    };
    let shown = report.functions.iter().zip(&found).map(|(function, found)| {
        number(function.line, function.name.clone(), Some(function.count), right(*found))
    });
    // A compiler may drop a private function that is never called, and one that is always inlined.
    let missing = all.iter().enumerate().filter_map(|(index, function)| {
        let line = function.lines.0;
        let is_kept = |count| function.is_external || count > 0 && !function.is_always_inline;
        let (found, count) = truth?.entries(line).filter(|(_, count)| is_kept(*count))?;
        let is_missing = found == index && !listed.contains_key(&index);
        is_missing.then(|| number(line, function.name.clone(), None, Ok(vec![count])))
    });
    shown.chain(missing).collect()
}

fn number(line: Line, name: String, count: Count, right: Right) -> CheckedNumber {
    CheckedNumber { metric: Metric::Function, line, what: What::Function(name), count, right }
}
