//! The comments in GCC's gcov tests, as `verify-lines`, `verify-branches` and `verify-calls` in lib/gcov.exp read them.

use std::process::{Command, Stdio};
use std::sync::LazyLock;

use camino::Utf8Path;
use recount::model::Line;
use regex::Regex;

static COUNT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcount\(([0-9#-]+)\*?\)").unwrap());
static PART: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(branch|returns)\(([0-9 ]+|end)\)").unwrap());
static OPTIONS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"dg-options "([^"]*)""#).unwrap());
static TAKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(branch) +\d+ taken|call +\d+ returned) (\d+)%|^ *[^:]+: *(\d+):").unwrap()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Branch,
    Call,
}

/// Percentages of branches or calls on lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Percentages {
    pub part: Part,
    /// The line of the comment, and the line after the last one that it is about.
    pub lines: (Line, Line),
    /// A branch that is taken by 80 % is listed as 20 %.
    pub wanted: Vec<u64>,
}

/// What the comments of one test say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The count of each line with a comment; none for `-`.
    pub lines: Vec<(Line, Option<u64>)>,
    pub parts: Vec<Percentages>,
}

/// A percentage as `verify-branches` compares it.
pub fn folded(part: Part, percentage: u64) -> u64 {
    if part == Part::Branch && percentage > 50 { 100 - percentage } else { percentage }
}

/// The comments in `source`.
pub fn comments(source: &str) -> Comments {
    let mut found = Comments::default();
    for (line, text) in (1..).zip(source.lines()) {
        if let Some(count) = COUNT.captures(text) {
            let count = match &count[1] {
                "-" => None,
                "#####" => Some(0),
                number => Some(number.parse().expect("a count")),
            };
            found.lines.push((line, count));
        }
        if let Some(comment) = PART.captures(text) {
            let part = if &comment[1] == "branch" { Part::Branch } else { Part::Call };
            let same = |open: &&mut Percentages| open.part == part && open.lines.1 == Line::MAX;
            if let Some(open) = found.parts.iter_mut().find(same) {
                open.lines.1 = line;
            }
            if &comment[2] != "end" {
                let numbers =
                    comment[2].split_whitespace().map(|number| number.parse().expect("a percentage"));
                let wanted = numbers.map(|number| folded(part, number)).collect();
                found.parts.push(Percentages { part, lines: (line, Line::MAX), wanted });
            }
        }
    }
    found
}

/// The flags of a test that do not turn coverage on.
pub fn flags(source: &str) -> Vec<String> {
    let words = OPTIONS.captures(source).map_or(String::new(), |options| options[1].to_string());
    let is_own = |word: &&str| !["-fprofile-arcs", "-ftest-coverage", "-fprofile-abs-path"].contains(word);
    words.split_whitespace().filter(is_own).map(String::from).collect()
}

/// The percentages that `gcov -b` reports on a program, with their lines.
pub fn percentages(
    tools: (&Utf8Path, &Utf8Path),
    folder: &Utf8Path,
    source: &str,
    flags: &[String],
) -> Option<Vec<(Line, Part, u64)>> {
    fs_err::create_dir_all(folder).unwrap();
    fs_err::write(folder.join("p.c"), source).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        command.output().unwrap()
    };
    let mut compile = vec!["-w", "--coverage", "-c", "p.c", "-o", "p.o"];
    compile.extend(flags.iter().map(String::as_str));
    if !run(tools.0.as_str(), &compile).status.success()
        || !run(tools.0.as_str(), &["--coverage", "p.o", "-o", "p"]).status.success()
    {
        return None;
    }
    run("./p", &[]);
    run(tools.1.as_str(), &["-b", "p.gcda"]);
    let text = fs_err::read_to_string(folder.join("p.c.gcov")).ok()?;
    let mut at = 0;
    let mut found = Vec::new();
    for captures in text.lines().filter_map(|row| TAKEN.captures(row)) {
        if let Some(line) = captures.get(3) {
            at = line.as_str().parse().expect("a line");
        } else {
            let part = if captures.get(1).is_some() { Part::Branch } else { Part::Call };
            found.push((at, part, folded(part, captures[2].parse().expect("a percentage"))));
        }
    }
    Some(found)
}

#[test]
fn comments_are_read_as_by_the_test_suite() {
    let source = "a; /* count(3) */\nb; /* count(-) */\n/* branch(80 20) */\nc; /* count(#####) */\n\
                  /* branch(end) */ /* returns(75) */\nd;\n";
    let found = comments(source);
    assert_eq!(found.lines, [(1, Some(3)), (2, None), (4, Some(0))]);
    let branches = Percentages { part: Part::Branch, lines: (3, 5), wanted: vec![20, 20] };
    assert_eq!(found.parts, [branches]);
}
