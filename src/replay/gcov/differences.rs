//! The numbers in which a report of gcov and its replay differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::report::GcovReplay;
use crate::coverage::{Coverage, MOST_LINES};
use crate::model::Line;

/// The part of a report that a number belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Line,
    /// A function, by its name; the second number distinguishes functions of one name.
    Function(String, usize),
    /// An outcome of a branch, by its position on the line.
    Branch(usize),
    /// A block, by its position on the line. Copies of a line have blocks of the same number; the second number
    /// distinguishes them.
    Block(u32, usize),
}

/// A number that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub line: Line,
    pub part: Part,
    /// The number in the report; none if the report lacks it. An outcome that was never reached has 0.
    pub reported: Option<i64>,
    /// The number in the replay.
    pub replayed: Option<i64>,
}

/// The numbers of a report, by what they are about.
#[derive(Default)]
struct Numbers {
    all: BTreeMap<(Line, Part), i64>,
    /// How many branches a line has so far, and how many functions or blocks of the same name or number.
    same: BTreeMap<(Line, Part), usize>,
}

impl Numbers {
    /// Sort branches and blocks by count on lines for which the order of the report is not defined.
    fn sort(&mut self, replay: &GcovReplay<'_>) {
        let mut groups: BTreeMap<(Line, Part), Vec<i64>> = BTreeMap::new();
        let group = |(line, part): &(Line, Part)| match part {
            Part::Branch(_) => Some((*line, Part::Branch(0))),
            Part::Block(id, _) => Some((*line, Part::Block(*id, 0))),
            _ => None,
        };
        let sorted = replay.lines_in_any_order();
        let is_sorted = |key: &(Line, Part)| sorted.contains(&key.0);
        for (key, count) in self.all.iter().filter(|(key, _)| is_sorted(key)) {
            if let Some(group) = group(key) {
                groups.entry(group).or_default().push(*count);
            }
        }
        for counts in groups.values_mut() {
            counts.sort_unstable_by(|a, b| b.cmp(a));
        }
        for (key, count) in self.all.iter_mut().filter(|(key, _)| is_sorted(key)) {
            if let Some(next) = group(key).and_then(|group| groups.get_mut(&group)?.pop()) {
                *count = next;
            }
        }
    }

    /// Add a number. The argument of `part` is how many of its kind the line has so far.
    fn add(&mut self, line: Line, count: i64, part: impl Fn(usize) -> Part) {
        let same = self.same.entry((line, part(0))).or_default();
        self.all.insert((line, part(*same)), count);
        *same += 1;
    }
}

/// Every number that differs. Blocks are compared only if the report contains the text, and on the lines that the text
/// contains: it ends with the source file.
pub fn differences(report: &Coverage, replay: &GcovReplay<'_>) -> Vec<Difference> {
    let (mut reported, mut replayed) = (numbers_of_report(report), numbers_of_replay(replay, report));
    for numbers in [&mut reported, &mut replayed] {
        numbers.sort(replay);
    }
    let keys: BTreeSet<&(Line, Part)> = reported.all.keys().chain(replayed.all.keys()).collect();
    let differs = |key: &(Line, Part)| {
        let [reported, replayed] = [&reported, &replayed].map(|numbers| numbers.all.get(key).copied());
        let (line, part) = key.clone();
        // Our reader of the report leaves other lines out.
        let is_read = line > 0 && (line as usize) <= MOST_LINES;
        (reported != replayed && is_read).then_some(Difference { line, part, reported, replayed })
    };
    keys.into_iter().filter_map(differs).collect()
}

/// The lines in gcov's text, if it was read.
fn shown(report: &Coverage) -> Option<BTreeSet<Line>> {
    let text = report.views.iter().find(|view| view.name == "text")?;
    Some(text.lines.iter().map(|(line, _)| *line).collect())
}

fn numbers_of_report(report: &Coverage) -> Numbers {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut numbers = Numbers::default();
    for (line, count) in report.counted() {
        numbers.add(line, signed(count), |_| Part::Line);
    }
    for function in &report.functions {
        let part = |same| Part::Function(function.name.clone(), same);
        numbers.add(function.line, signed(function.count), part);
    }
    for branch in &report.branches {
        numbers.add(branch.line, branch.taken.map_or(0, signed), Part::Branch);
    }
    let blocks = if shown(report).is_some() { report.blocks.as_slice() } else { &[] };
    for block in blocks {
        numbers.add(block.line, block.count.map_or(0, signed), |same| Part::Block(block.id, same));
    }
    numbers
}

fn numbers_of_replay(replay: &GcovReplay<'_>, report: &Coverage) -> Numbers {
    let mut numbers = Numbers::default();
    for (line, count) in &replay.lines {
        numbers.add(*line, *count, |_| Part::Line);
    }
    for function in &replay.functions {
        let part = |same| Part::Function(function.name.clone(), same);
        numbers.add(function.line, function.count, part);
    }
    for branch in &replay.branches {
        numbers.add(branch.line, branch.taken.unwrap_or(0), Part::Branch);
    }
    let shown = shown(report).unwrap_or_default();
    for block in replay.blocks.iter().filter(|block| shown.contains(&block.line)) {
        // The text has a mark for blocks that did not run, and shows it for negative counts too.
        numbers.add(block.line, block.count.max(0), |same| Part::Block(block.id, same));
    }
    numbers
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |count: Option<i64>| count.map_or("nothing".to_string(), |count| count.to_string());
        let part = match &self.part {
            Part::Line => String::new(),
            Part::Function(name, _) => format!(", function {name}"),
            Part::Branch(index) => format!(", branch {index}"),
            Part::Block(id, _) => format!(", block {id}"),
        };
        let (reported, replayed) = (number(self.reported), number(self.replayed));
        write!(f, "line {}{part}: gcov reports {reported}, the replay has {replayed}", self.line)
    }
}
