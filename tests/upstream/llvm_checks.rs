//! The CHECK lines in LLVM's coverage tests: counts of lines in the output of `llvm-cov show`, and regions in the dump of
//! the coverage mapping (`-dump-coverage-mapping`).

use std::sync::LazyLock;

use recount::coverage::{FunctionMapping, LlvmData, RegionKind};
use recount::model::Line;
use regex::{Captures, Regex};

/// Only the default prefix: others check other programs or other flags.
static CHECK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bCHECK(?:-NEXT)?: *(.*)$").unwrap());
static SHOWN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\d+|\[\[ ?#? ?@LINE ?(?:[+-]\d+)?\]\])\| *(\d+)?\|(.*)$").unwrap());
static REGION: LazyLock<Regex> = LazyLock::new(|| {
    let line = r"(\d+|\[\[ ?#? ?@LINE ?(?:[+-]\d+)?\]\]|\{\{.*?\}\})";
    Regex::new(&format!(r"^File 0, {line}:(\d+) -> {line}:(\d+) = (\S.*)$")).unwrap()
});
static RELATIVE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"@LINE ?([+-]\d+)?").unwrap());

/// A code region that a test expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRegion {
    /// Line and column of its first character.
    pub start: (Line, u32),
    /// Line and column after its last one; no line where the test does not say it.
    pub end: (Option<Line>, u32),
    /// As in `(#0 - #1)`.
    pub formula: String,
    /// The line of the CHECK comment.
    pub comment: Line,
}

/// What the CHECK lines of one test say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// The count of each line; none for a line without one.
    pub lines: Vec<(Line, Option<u64>)>,
    pub regions: Vec<CheckedRegion>,
}

/// The line that `text` names in a comment on line `at`; none for a pattern.
fn line_of(text: &str, at: Line) -> Option<Line> {
    if let Some(relative) = RELATIVE.captures(text) {
        let offset = relative.get(1).map_or(0, |offset| offset.as_str().parse().expect("an offset"));
        return at.checked_add_signed(offset);
    }
    text.parse().ok()
}

/// Whether an absolute number is that of a line of `source`: some tests write their programs to other files.
fn is_of(source: &str, line: Line, shown: &Captures<'_>) -> bool {
    let is_relative = shown[1].starts_with('[');
    is_relative || source.lines().nth(line as usize - 1).is_some_and(|text| text.trim() == shown[3].trim())
}

/// The CHECK lines in `source`.
pub fn checks(source: &str) -> Checks {
    let mut found = Checks::default();
    for (at, text) in (1..).zip(source.lines()) {
        let Some(check) = CHECK.captures(text) else { continue };
        let said = check[1].trim();
        if let Some(shown) = SHOWN.captures(said)
            && let Some(line) = line_of(&shown[1], at)
            && is_of(source, line, &shown)
        {
            found.lines.push((line, shown.get(2).map(|count| count.as_str().parse().expect("a count"))));
        }
        found.regions.extend(REGION.captures(said).and_then(|region| region_of(&region, at)));
    }
    found
}

fn region_of(region: &Captures<'_>, at: Line) -> Option<CheckedRegion> {
    Some(CheckedRegion {
        start: (line_of(&region[1], at)?, region[2].parse().expect("a column")),
        end: (line_of(&region[3], at), region[4].parse().expect("a column")),
        formula: region[5].trim().to_string(),
        comment: at,
    })
}

/// The function of the program in which there is the region that `checked` expects, with the expected formula.
pub fn function_with<'a>(data: &'a LlvmData, checked: &CheckedRegion) -> Option<&'a FunctionMapping> {
    let is_in = |function: &&FunctionMapping| {
        function.regions.iter().any(|region| {
            let is_ours = function.files.get(region.file as usize).is_some_and(|file| **file == data.file);
            is_ours
                && region.kind == RegionKind::Code
                && region.start == checked.start
                && checked.end.0.is_none_or(|line| line == region.end.0)
                && checked.end.1 == region.end.1
                && function.formula(region.counter) == checked.formula
        })
    };
    data.mapping.functions.iter().find(is_in)
}

#[test]
fn check_lines_are_read_as_by_filecheck() {
    let source = "int main() { // CHECK: [[# @LINE]]| 1|int\n// CHECK-NEXT: [[@LINE-1]]|  |\n// OTHER: 1| 2|\n// CHECK: 1| 2|int f()\n\
                  // CHECK: File 0, [[@LINE+1]]:3 -> {{[0-9]+}}:2 = (#0 - #1)\n// CHECK: Gap,File 0, 1:2 -> 3:4 = 0\n";
    let found = checks(source);
    assert_eq!(found.lines, [(1, Some(1)), (1, None)]);
    let region = CheckedRegion { start: (6, 3), end: (None, 2), formula: "(#0 - #1)".into(), comment: 5 };
    assert_eq!(found.regions, [region]);
}
