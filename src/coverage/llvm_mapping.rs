//! The coverage mapping that clang puts into a program: regions of source text, each with the counter or the expression
//! of counters that gives its count. llvm-cov derives every number of its report from these and the counters, so a
//! number that is wrong has its cause here, in a counter, or in llvm-cov's rules.
//!
//! The structs are those of CoverageMapping.h, without the differences between the versions of the format.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;

use super::expansion::{Expanded, Expansion, expansions};
use super::llvm_profile::{LlvmCounts, Recorded};
use crate::model::Line;

/// More characters of a formula than a person reads.
const LONGEST_FORMULA: usize = 2000;

/// The mapping of a whole program, in the order in which llvm-cov reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlvmMapping {
    pub functions: Vec<FunctionMapping>,
}

/// A mapping and the counters that belong to it: all that llvm-cov derives a report from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlvmData {
    pub mapping: LlvmMapping,
    pub counts: LlvmCounts,
    /// The name in the mapping of the file that the report is about.
    pub file: String,
    /// The major version of llvm-cov.
    pub version: u32,
}

impl LlvmData {
    /// The functions that only another object of the program emits: llvm-cov leaves their placeholders out of a report on this
    /// object, since the profile has them with another hash (`CoverageMapping::loadFunctionRecord`).
    pub fn emitted_elsewhere(&self) -> BTreeSet<String> {
        let is_elsewhere = |function: &&FunctionMapping| {
            function.is_placeholder()
                && self.counts.of(function.name_hash, function.hash) == Recorded::OtherHash
        };
        self.mapping.functions.iter().filter(is_elsewhere).map(|found| found.name.clone()).collect()
    }
}

impl LlvmMapping {
    /// Write `folder`, whose name differs from run to run, as the root of the file system.
    pub fn move_to_root(&mut self, folder: &str) {
        let mut moved: HashMap<Arc<str>, Arc<str>> = HashMap::new();
        for file in self.functions.iter_mut().flat_map(|function| &mut function.files) {
            let name = moved.entry(file.clone()).or_insert_with(|| at_root(file, folder).into());
            *file = name.clone();
        }
    }
}

/// `path` without `folder` in front.
pub fn at_root<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder.trim_end_matches('/')).filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

/// The mapping of one function (`CoverageMappingRecord`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionMapping {
    /// As the profile has it: names of static functions begin with the file.
    pub name: String,
    /// The hash by which the profile refers to the name.
    pub name_hash: u64,
    /// The hash of the function's structure; 0 for a function that was never emitted.
    pub hash: u64,
    /// The file of each [`MappingRegion::file`]. Each expansion of a macro has a number of its own, so a file may occur
    /// several times.
    pub files: Vec<Arc<str>>,
    pub regions: Vec<MappingRegion>,
    pub expressions: Vec<Expression>,
}

/// A region of source text (`CounterMappingRegion`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingRegion {
    pub kind: RegionKind,
    /// An index into [`FunctionMapping::files`].
    pub file: u32,
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column after its last character; the column is `u32::MAX` for the whole line.
    pub end: (Line, u32),
    /// Of a branch: how often it was true. Of an expansion: that of the first region in the expanded file.
    pub counter: Counter,
    /// Of a branch: how often it was false.
    pub false_counter: Counter,
    /// Of an expansion: the number of the file that contains the text of the macro.
    pub expanded_file: u32,
}

/// The kinds of regions, with LLVM's numbers (`CounterMappingRegion::RegionKind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegionKind {
    Code = 0,
    Expansion = 1,
    Skipped = 2,
    Gap = 3,
    Branch = 4,
    /// A decision of MC/DC.
    Decision = 5,
    /// A condition of a decision of MC/DC.
    Condition = 6,
}

impl RegionKind {
    /// The kind with the `number` that `llvm-cov export` prints.
    pub fn numbered(number: u32) -> Option<RegionKind> {
        use RegionKind::{Branch, Code, Condition, Decision, Expansion, Gap, Skipped};
        let all = [Code, Expansion, Skipped, Gap, Branch, Decision, Condition];
        all.into_iter().find(|kind| *kind as u32 == number)
    }

    /// As a part of a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            RegionKind::Code => "code",
            RegionKind::Expansion => "macro expansion",
            RegionKind::Skipped => "skipped",
            RegionKind::Gap => "gap",
            RegionKind::Branch => "branch",
            RegionKind::Decision => "decision",
            RegionKind::Condition => "condition",
        }
    }

    /// Whether it has a count for true and a count for false.
    pub fn is_branch(self) -> bool {
        matches!(self, RegionKind::Branch | RegionKind::Condition)
    }
}

/// Where a count comes from (`Counter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The count is always 0.
    Zero,
    /// An index into the counters of the function.
    Counter(u32),
    /// An index into [`FunctionMapping::expressions`].
    Expression(u32),
}

/// A sum or a difference of two counts (`CounterExpression`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expression {
    pub is_difference: bool,
    pub left: Counter,
    pub right: Counter,
}

impl FunctionMapping {
    /// The expansion whose text is `file`. None if that is no macro.
    pub fn expansion_of(&self, file: u32) -> Option<&MappingRegion> {
        self.regions.iter().find(|region| {
            region.kind == RegionKind::Expansion && region.expanded_file == file && region.file != file
        })
    }

    /// For each of its files the expansion that it is, and the file that contains the outermost name.
    pub fn expansions(&self) -> Vec<(Expansion, usize)> {
        let regions = self.regions.iter().filter(|region| region.kind == RegionKind::Expansion);
        let expanded = regions.map(|region| Expanded {
            file: region.file,
            name: region.start,
            text: region.expanded_file,
        });
        expansions(self.files.len(), expanded)
    }

    /// Whether the record only says that a function exists which was never emitted (`isCoverageMappingDummy`).
    pub fn is_placeholder(&self) -> bool {
        let is_zero =
            |region: &MappingRegion| region.kind == RegionKind::Code && region.counter == Counter::Zero;
        self.hash == 0
            && self.files.len() == 1
            && self.expressions.is_empty()
            && matches!(&self.regions[..], [region] if is_zero(region))
    }

    /// `counter` as a formula, as in `((#0 + #2) - #1)`. A very long one ends with an ellipsis.
    pub fn formula(&self, counter: Counter) -> String {
        let mut out = String::new();
        if !self.write_formula(counter, &mut out) {
            out.push('…');
        }
        out
    }

    /// Whether the formula is complete.
    fn write_formula(&self, counter: Counter, out: &mut String) -> bool {
        if out.len() >= LONGEST_FORMULA {
            return false;
        }
        match counter {
            Counter::Zero => out.push('0'),
            Counter::Counter(index) => {
                let _ = write!(out, "#{index}");
            }
            Counter::Expression(index) => {
                let Some(expression) = self.expressions.get(index as usize) else {
                    out.push('?');
                    return true;
                };
                out.push('(');
                if !self.write_formula(expression.left, out) {
                    return false;
                }
                out.push_str(if expression.is_difference { " - " } else { " + " });
                if !self.write_formula(expression.right, out) {
                    return false;
                }
                out.push(')');
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(expressions: Vec<Expression>) -> FunctionMapping {
        FunctionMapping {
            name: "f".into(),
            name_hash: 0,
            hash: 1,
            files: Vec::new(),
            regions: Vec::new(),
            expressions,
        }
    }

    #[test]
    fn a_formula_has_the_counters_of_its_expression() {
        let sum = Expression { is_difference: false, left: Counter::Counter(0), right: Counter::Counter(2) };
        let rest =
            Expression { is_difference: true, left: Counter::Expression(0), right: Counter::Counter(1) };
        let function = function(vec![sum, rest]);
        assert_eq!(function.formula(Counter::Expression(1)), "((#0 + #2) - #1)");
        assert_eq!(function.formula(Counter::Zero), "0");
        assert_eq!(function.formula(Counter::Expression(2)), "?");
    }

    #[test]
    fn a_formula_that_contains_itself_ends() {
        let itself =
            Expression { is_difference: false, left: Counter::Expression(0), right: Counter::Expression(0) };
        let text = function(vec![itself]).formula(Counter::Expression(0));
        assert!(text.len() < LONGEST_FORMULA + 9 && text.ends_with('…'), "{}", text.len());
    }
}
