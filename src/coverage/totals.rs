//! Totals of a report on a file, as the tools print them: the summary of gcov (`executed_summary` in gcov.cc), the
//! `summary` and `totals` of llvm-cov's JSON (CoverageExporterJson.cpp), and the `LF`, `LH` and similar records of its
//! tracefile (CoverageExporterLcov.cpp).

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::model::{Line, Metric, is_same_path};

/// How many of the elements of a file are covered, by one output of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// What is counted, in the words of the tool, as in `regions`; for the blocks of a function with its name.
    pub name: String,
    pub metric: Metric,
    /// The output that contains it.
    pub view: &'static str,
    /// The number of elements.
    pub all: u64,
    /// The smallest and the largest number of covered elements that it can represent: gcov prints a percentage. No number
    /// is in it if a percentage is that of no number of elements.
    pub covered: (u64, u64),
}

impl Total {
    /// The name of the total of the blocks of `function`.
    pub fn of_blocks(function: &str) -> String {
        format!("blocks of {function}")
    }

    /// The name of the total of the calls on `line`: how often they returned.
    pub fn of_calls(line: Line) -> String {
        format!("returns of calls on line {line}")
    }

    /// Whether it says that `covered` of `all` elements are covered.
    pub fn says(&self, (all, covered): (u64, u64)) -> bool {
        self.all == all && (self.covered.0..=self.covered.1).contains(&covered)
    }
}

/// The name of the total for each metric, as gcov prints it before the percentage.
const OF_GCOV: [(&str, Metric); 6] = [
    ("Lines executed", Metric::Line),
    ("Branches executed", Metric::Branch),
    ("Taken at least once", Metric::Branch),
    ("Calls executed", Metric::Branch),
    ("Condition outcomes covered", Metric::Condition),
    ("Prime paths covered", Metric::Path),
];

/// The keys of a `summary` in llvm-cov's JSON.
const OF_LLVM_COV: [(&str, Metric); 6] = [
    ("lines", Metric::Line),
    ("functions", Metric::Function),
    ("instantiations", Metric::Function),
    ("regions", Metric::Region),
    ("branches", Metric::Branch),
    ("mcdc", Metric::Mcdc),
];

/// The records of a tracefile, and the key that means the same.
const OF_TRACEFILE: [(&str, &str, &str); 3] =
    [("LF", "LH", "lines"), ("FNF", "FNH", "functions"), ("BRF", "BRH", "branches")];

/// gcov's totals for the file `name`, in what `gcov -n -b` prints. A kind of element that the file does not have is not
/// listed.
pub fn of_gcov(text: &str, name: &str) -> Vec<Total> {
    static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^([A-Z][a-z ]+):([0-9]+\.[0-9]{2})% of ([0-9]+)$").expect("a constant")
    });
    let is_ours = |line: &&str| {
        line.strip_prefix("File '")
            .and_then(|rest| rest.strip_suffix('\''))
            .is_some_and(|file| is_same_path(file, name))
    };
    let mut rest = text.lines().skip_while(|line| !is_ours(line)).skip(1).peekable();
    let mut totals: Vec<Total> = Vec::new();
    // The totals of all files follow, which are not marked.
    while let Some(line) = rest.next_if(|line| !line.starts_with("File '")) {
        let Some(found) = TOTAL.captures(line) else { continue };
        let Some((name, metric)) = OF_GCOV.iter().find(|(name, _)| *name == &found[1]) else { continue };
        let (Ok(percent), Ok(all)) = (found[2].parse(), found[3].parse()) else { continue };
        if totals.iter().any(|total| total.name == *name) {
            break;
        }
        let covered = of_percentage(percent, 0.0051, all);
        totals.push(Total { name: (*name).into(), metric: *metric, view: "summary", all, covered });
    }
    totals
}

/// The numbers of `all` elements whose percentage differs from `percent` by at most `error`.
fn of_percentage(percent: f64, error: f64, all: u64) -> (u64, u64) {
    let share = |percent: f64| percent / 100.0 * all as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the number of elements"
    )]
    let whole = |value: f64| value.clamp(0.0, all as f64 + 1.0) as u64;
    (whole(share(percent - error).ceil()), whole(share(percent + error).floor()))
}

/// llvm-cov's totals of the file whose `summary` is given, in the JSON whose `totals` are those of it and of the `others`.
pub(super) fn of_llvm_cov(summary: &Value, totals: &Value, others: &[&Value]) -> Vec<Total> {
    let number = |of: &Value, key: &str, what: &str| of[key][what].as_u64();
    let mut found = Vec::new();
    for (key, metric) in OF_LLVM_COV {
        let (Some(all), Some(covered)) = (number(summary, key, "count"), number(summary, key, "covered"))
        else {
            continue;
        };
        let mut add = |name: String, view, all, covered| {
            found.push(Total { name, metric, view, all, covered });
        };
        add(key.into(), "summary", all, (covered, covered));
        if let Some(missed) = number(summary, key, "notcovered") {
            let covered = all.wrapping_sub(missed);
            add(key.into(), "summary, not covered", all, (covered, covered));
        }
        if let Some(percent) = summary[key]["percent"].as_f64() {
            add(key.into(), "summary, percentage", all, of_percentage(percent, 1e-9, all));
        }
        let rest = |what| {
            let others = others.iter().map(|other| number(other, key, what).unwrap_or(0));
            Some(number(totals, key, what)?.wrapping_sub(others.sum()))
        };
        if let (Some(all), Some(covered)) = (rest("count"), rest("covered")) {
            add(key.into(), "totals", all, (covered, covered));
        }
    }
    found
}

/// The totals in the `records` of a file in a tracefile: pairs of a tag and a number.
pub(super) fn of_tracefile(records: &[(&str, u64)]) -> Vec<Total> {
    let value = |tag: &str| records.iter().find(|(found, _)| *found == tag).map(|(_, number)| *number);
    let total = |(all, covered, key): &(&str, &str, &str)| {
        let (all, covered) = (value(all)?, value(covered)?);
        let metric = OF_LLVM_COV.iter().find(|(name, _)| name == key)?.1;
        Some(Total { name: (*key).into(), metric, view: "tracefile", all, covered: (covered, covered) })
    };
    OF_TRACEFILE.iter().filter_map(total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_our_file_is_read() {
        let text = "Function 'f'\nLines executed:1.00% of 100\n\nFile 'h.h'\nLines executed:0.00% of 3\nNo branches\n\n\
                    File 'p.c'\nLines executed:91.67% of 12\nTaken at least once:50.00% of 18\nNo calls\n\
                    Lines executed:80.00% of 15\n";
        let totals: Vec<(String, u64, (u64, u64))> =
            of_gcov(text, "p.c").into_iter().map(|total| (total.name, total.all, total.covered)).collect();
        let expected = [("Lines executed", 12, (11, 11)), ("Taken at least once", 18, (9, 9))];
        assert_eq!(totals, expected.map(|(name, all, covered)| (name.to_string(), all, covered)));
        assert_eq!(of_gcov(text, "q.c"), []);
    }

    #[test]
    fn a_percentage_stands_for_the_numbers_that_round_to_it() {
        assert_eq!(of_percentage(33.33, 0.0051, 3), (1, 1));
        assert_eq!(of_percentage(50.00, 0.0051, 100_000), (49995, 50005));
        let (low, high) = of_percentage(34.0, 0.0051, 3);
        assert!(low > high, "no number of 3 is 34 %");
        assert_eq!(of_percentage(0.0, 0.0051, 0), (0, 0));
    }

    #[test]
    fn what_the_totals_say_of_our_file_is_the_rest() {
        let summary = |count, covered| serde_json::json!({ "lines": { "count": count, "covered": covered, "percent": 50 } });
        let found = of_llvm_cov(&summary(4, 2), &summary(7, 3), &[&summary(3, 1)]);
        let pairs: Vec<(&str, u64, (u64, u64))> =
            found.iter().map(|total| (total.view, total.all, total.covered)).collect();
        assert_eq!(
            pairs,
            [("summary", 4, (2, 2)), ("summary, percentage", 4, (2, 2)), ("totals", 4, (2, 2))]
        );
    }
}
