//! The count that a report should give each line, from true counts of source positions.
//!
//! Each profiler has its own definition of a line's count, so each has a file. A definition says one number wherever it
//! can; where several remain, a report may show any of them.

mod branches;
mod closing;
mod codeless;
mod count;
mod decisions;
mod ends;
mod extents;
mod functions;
mod gcov;
mod jumps;
mod llvm_cov;
mod needed;
mod outcomes;
mod passes;
mod regions;
mod ways;

pub use branches::{Arc, BranchGroup, Paired, branch_groups};
pub use count::{Expected, Unknown};
pub use decisions::{
    ExpectedDecision, decisions_at, decisions_of_group, places_of_decisions, tests_constant,
};
pub use extents::{Begun, Extents};
pub use functions::expected_functions;
pub use jumps::break_of_chain;
pub use outcomes::{
    FIRST_WITH_CONSTANTS, Outcomes, tests_at, tests_of_name, uncounted_chain_at, uncounted_chains,
};
pub use regions::{Misplaced, expected_region, misplaced, reached_at};

use crate::coverage::Coverage;
use crate::model::{Family, Line};
use crate::syntax::{InstrumentedFunction, PointKind, PointToken, TokenKind, TokenOrigin};
use crate::truth::Truth;

/// The counts that a report of `family` should give `line`.
///
/// # Errors
/// The reason why there is none.
pub fn expected(truth: &Truth, family: Family, line: Line) -> Result<Expected, Unknown> {
    let found = match family {
        Family::Gcov => gcov::expected(truth, line),
        Family::LlvmCov => llvm_cov::expected(truth, line),
    };
    match found {
        Err(Unknown::NoCode) if truth.functions_around(line).any(|function| !function.is_counted()) => {
            Err(Unknown::NotInstrumented)
        }
        found => found,
    }
}

/// The largest line number for which expected counts are listed.
const MOST_LINES: Line = 1 << 20;

/// The expected counts of each line, sorted; line `n` is at `n - 1`. Empty where there are none, and for line numbers
/// in the millions, which only `#line` can produce.
pub fn expected_counts(truth: &Truth, family: Family) -> Vec<Vec<u64>> {
    let ends = truth.functions.iter().map(|function| function.lines.1);
    let lines = truth.lines.keys().chain(truth.typed.keys()).copied();
    let last = ends.chain(lines).max().unwrap_or(0).min(MOST_LINES);
    let counts = |line| expected(truth, family, line).map(|found| found.counts.into_iter().collect());
    (1..=last).map(|line| counts(line).unwrap_or_default()).collect()
}

/// The first version of clang of which it was measured that a blank line has no count: it is skipped
/// (`CoverageSourceInfo::HandleEmptyline` in CoverageMappingGen.cpp).
const FIRST_WITHOUT_BLANK_LINES: u32 = 14;

/// Whether nothing on `line` can have code, so that `report`, which is of `family`, must not give it a count.
pub fn lacks_code(report: &Coverage, truth: &Truth, family: Family, line: Line) -> bool {
    let mut around = truth.functions_around(line);
    match family {
        Family::Gcov => {
            let is_free = truth.tokens(line).is_empty() && !truth.evaluated_lines.contains(&line);
            is_free && around.all(InstrumentedFunction::is_counted)
        }
        // The regions of a function include its blank lines, and macros are defined anywhere.
        Family::LlvmCov => {
            if report.llvm_version() >= Some(FIRST_WITHOUT_BLANK_LINES) && truth.blank_lines.contains(&line) {
                return truth.typed_on(line).is_empty() && !is_unused(report, truth, line);
            }
            if is_head(truth, line) {
                return true;
            }
            let is_free = truth.typed_on(line).is_empty() && !truth.directives.contains(&line);
            // A function may continue after the end of an included file.
            let is_divided = || truth.functions.iter().any(|function| function.is_divided);
            // The region of a file that is included ends on the line after its last one.
            let typed = truth.typed.keys().chain(&truth.directives).chain(&truth.blank_lines);
            let is_in_file = typed.max() >= Some(&line);
            is_free && is_in_file && around.next().is_none() && !is_divided()
        }
    }
}

/// Whether nothing but the head of a function is on `line`: its region begins with its brace, on a later line.
fn is_head(truth: &Truth, line: Line) -> bool {
    let is_its = |token: &PointToken| {
        truth.point(token.point).kind == PointKind::Entry
            && token.kind == TokenKind::Code
            && token.origin == TokenOrigin::Code
    };
    let mut tokens = truth.typed_on(line).iter().peekable();
    let function = tokens.peek().map(|token| truth.point(token.point).function);
    // Another function may be around it, or may begin there.
    let is_only = function.is_some_and(|function| {
        let lines = truth.functions[function].lines;
        let mut others = truth.functions.iter().filter(|other| other.lines != lines);
        others.all(|other| line < other.lines.0 || other.lines.1 < line)
    });
    is_only && truth.inclusions.len() <= 1 && tokens.all(is_its)
}

/// Whether a function around `line` has only the region of its body, in which lines without code are not skipped.
fn is_unused(report: &Coverage, truth: &Truth, line: Line) -> bool {
    let is_single = |(first, last): (Line, Line)| report.code_regions_on(first..=last) == 1;
    report.line(line) == Some(0) && truth.functions_around(line).any(|function| is_single(function.lines))
}

/// Whether `report`, which is of `family`, must give `line` a count.
pub fn needs_count(report: &Coverage, truth: &Truth, family: Family, line: Line) -> bool {
    match family {
        Family::Gcov => needed::needs_count(report, truth, line),
        Family::LlvmCov => llvm_cov::needs_count(report, truth, line),
    }
}
