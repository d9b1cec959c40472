//! Reader of `gcov --json-format` (gcc 9 and later; "Invoking Gcov" in GCC's manual, `output_json_intermediate_file`
//! in gcov.cc).
//!
//! gcc 9 to 13 write format 1. Format 2, since gcc 14, adds `block_ids`, `calls` and `conditions`; gcc 15 adds paths. Keys have no fixed
//! order. A line is listed once for each function on it; the text format shows the sum.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::{
    Block, BranchCount, Conditions, Coverage, FunctionCount, FunctionPaths, Total, Unreadable, only_file,
};
use crate::model::{Line, Metric};

#[derive(Deserialize)]
struct Root {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    lines: Vec<LineEntry>,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct LineEntry {
    line_number: Line,
    #[serde(deserialize_with = "wrapped")]
    count: u64,
    #[serde(default)]
    branches: Vec<Branch>,
    #[serde(default)]
    calls: Vec<Call>,
    #[serde(default)]
    block_ids: Vec<u32>,
    #[serde(default)]
    conditions: Vec<Condition>,
}

/// A decision. `count` is the number of outcomes, two for each condition; the other fields list conditions by index.
#[derive(Deserialize)]
struct Condition {
    count: usize,
    #[serde(default)]
    covered: Option<u64>,
    #[serde(default)]
    not_covered_true: Vec<usize>,
    #[serde(default)]
    not_covered_false: Vec<usize>,
}

/// A call, and how often it returned.
#[derive(Deserialize)]
struct Call {
    #[serde(deserialize_with = "wrapped")]
    returned: u64,
}

#[derive(Deserialize)]
struct Branch {
    #[serde(deserialize_with = "wrapped")]
    count: u64,
}

/// A count. gcov prints one that fell below zero with its sign, as it does where threads race on counters.
fn wrapped<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let number = serde_json::Number::deserialize(from)?;
    let count = number.as_u64().or_else(|| number.as_i64().map(i64::cast_unsigned));
    count.ok_or_else(|| serde::de::Error::custom(format_args!("{number} is no count")))
}

#[derive(Deserialize)]
struct Function {
    name: String,
    start_line: Line,
    #[serde(deserialize_with = "wrapped")]
    execution_count: u64,
    #[serde(default)]
    blocks: u64,
    #[serde(default)]
    blocks_executed: u64,
    #[serde(default)]
    total_prime_paths: Option<usize>,
    #[serde(default)]
    covered_prime_paths: u64,
    /// The paths that are not covered.
    #[serde(default)]
    prime_path_coverage: Vec<PathEntry>,
}

#[derive(Deserialize)]
struct PathEntry {
    sequence: Vec<PathBlock>,
}

#[derive(Deserialize)]
struct PathBlock {
    block_id: usize,
}

/// The report on `name` in gcov's JSON `text`.
///
/// # Errors
/// For a format that is not gcov's, and for a report that does not contain the file: gcov
/// exits with 0 in such cases.
pub fn read(text: &[u8], name: &str) -> Result<Coverage, Unreadable> {
    let root: Root = serde_json::from_slice(text).map_err(|error| Unreadable::Format(error.to_string()))?;
    let file = only_file(root.files.into_iter(), |file| &file.file, name)?;
    let mut coverage = Coverage::default();
    let mut calls: BTreeMap<Line, (u64, u64)> = BTreeMap::new();
    for line in file.lines {
        for call in &line.calls {
            let (all, returned) = calls.entry(line.line_number).or_default();
            (*all, *returned) = (*all + 1, returned.wrapping_add(call.returned));
        }
        coverage.add_line(line.line_number, line.count);
        coverage.branches.extend(line.branches.iter().map(|branch| BranchCount {
            line: line.line_number,
            // gcov's other formats say that a branch of a line that never ran was never executed.
            taken: Some(branch.count).filter(|count| line.count > 0 || *count > 0),
        }));
        let block = |id: &u32| Block { line: line.line_number, id: *id, count: None };
        coverage.decisions.extend(line.conditions.iter().filter_map(|found| found.on_line(line.line_number)));
        coverage.blocks.extend(line.block_ids.iter().map(block));
    }
    let of_calls = calls.into_iter().map(|(line, (all, returned))| Total {
        name: Total::of_calls(line),
        metric: Metric::Branch,
        view: "JSON",
        all,
        covered: (returned, returned),
    });
    coverage.totals = file.functions.iter().map(Function::total).chain(of_calls).collect();
    coverage.paths = file.functions.iter().filter_map(Function::paths).collect();
    let function = |function: Function| FunctionCount {
        name: function.name,
        line: function.start_line,
        count: function.execution_count,
    };
    coverage.functions = file.functions.into_iter().map(function).collect();
    Ok(coverage)
}

impl Function {
    /// How many of its blocks ran.
    fn total(&self) -> Total {
        Total {
            name: Total::of_blocks(&self.name),
            metric: Metric::Function,
            view: "JSON",
            all: self.blocks,
            covered: (self.blocks_executed, self.blocks_executed),
        }
    }

    /// Its prime paths; none if they are not counted.
    fn paths(&self) -> Option<FunctionPaths> {
        let blocks = |path: &PathEntry| path.sequence.iter().map(|entry| entry.block_id).collect();
        Some(FunctionPaths {
            name: self.name.clone(),
            line: self.start_line,
            total: self.total_prime_paths.filter(|total| *total > 0)?,
            covered: self.covered_prime_paths,
            uncovered: self.prime_path_coverage.iter().map(blocks).collect(),
        })
    }
}

impl Condition {
    /// None if it lists a condition that the decision does not have.
    fn on_line(&self, line: Line) -> Option<Conditions> {
        // gcc has no decision of more than 64 conditions.
        let mut shown = vec![true; self.count.min(256)];
        let missed = self.not_covered_true.iter().map(|index| index.checked_mul(2));
        let missed =
            missed.chain(self.not_covered_false.iter().map(|index| index.checked_mul(2)?.checked_add(1)));
        for index in missed {
            *shown.get_mut(index?)? = false;
        }
        let covered = self.covered.unwrap_or_else(|| Conditions::covered_of(&shown));
        Some(Conditions { line, column: None, shown, covered, vectors: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_listed_twice_is_the_sum() {
        let text = br#"{"files":[{"file":"p.c","functions":[],"lines":[
            {"line_number":2,"count":3},{"line_number":2,"count":4},{"line_number":3,"count":0}]}]}"#;
        let coverage = read(text, "p.c").unwrap();
        assert_eq!(coverage.counted().collect::<Vec<_>>(), [(2, 7), (3, 0)]);
    }

    #[test]
    fn a_negative_count_has_wrapped() {
        let text = br#"{"files":[{"file":"p.c","functions":[],"lines":[
            {"line_number":2,"count":18446744073709551615,"branches":[{"count":-5},{"count":7}]}]}]}"#;
        let coverage = read(text, "p.c").unwrap();
        assert_eq!(coverage.line(2), Some(u64::MAX));
        let taken: Vec<_> = coverage.branches.iter().map(|branch| branch.taken).collect();
        assert_eq!(taken, [Some((-5_i64).cast_unsigned()), Some(7)]);
        let text = br#"{"files":[{"file":"p.c","functions":[],"lines":[{"line_number":2,"count":1.5}]}]}"#;
        assert!(matches!(read(text, "p.c"), Err(Unreadable::Format(_))));
    }

    #[test]
    fn a_report_without_our_file_is_rejected() {
        let error = read(br#"{"files":[]}"#, "p.c").unwrap_err();
        assert_eq!(error.to_string(), "the report does not mention p.c");
        assert!(matches!(read(b"", "p.c"), Err(Unreadable::Format(_))));
    }
}
