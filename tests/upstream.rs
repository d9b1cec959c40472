//! Compares the counts that recount expects with those that GCC's and LLVM's own tests expect.
//!
//! `RECOUNT_GCC_TESTS` is GCC's folder gcc.misc-tests, and `RECOUNT_LLVM_TESTS` a folder with one folder of LLVM's tests for
//! each version, as `scripts/llvm-testsuite` makes. `RECOUNT_PROFILERS` lists the profilers. Every disagreement must be
//! judged in data/upstream.toml, by reading the program. `scripts/prove-upstream` writes reports/upstream.md.

mod support;
#[path = "upstream/gcc_comments.rs"]
mod gcc_comments;
#[path = "upstream/judged.rs"]
mod judged;
#[path = "upstream/llvm_checks.rs"]
mod llvm_checks;

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gcc_comments::{Part, Percentages, comments, flags, folded, percentages};
use judged::{Disagreement, Tally, print};
use llvm_checks::{checks, function_with};
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::{Family, Line, Metric};
use recount::relation::beyond_lines;
use recount::replay::{branch_groups, expected, needs_count, reached_at};
use recount::syntax::{PointKind, StatementKind};
use recount::toolchain::{Detail, Probed, Report, Request, Worker, select};
use recount::truth::{Truth, measure, require_execution};
use support::{BINARY, Temp};

/// The line of code that a `sed` in LLVM's tests removes comments from first.
const WITHOUT_COMMENTS: &str = r"sed 's/[ \t]*\/\/.*//' %s";

/// Two tests of our own, in the form of upstream's.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/upstream");

/// A test, with a name that says where it is in the suite.
struct Program {
    name: String,
    path: Utf8PathBuf,
    /// The program that is compiled.
    source: String,
    /// The same with its comments, where a test removes them first.
    commented: String,
    flags: Vec<String>,
}

/// A driver of another program; without that, 128 processes wait for each other.
const DRIVER: &str = "instrprof-gcov-parallel.driver.c";

/// Flags with which some of LLVM's C++ tests are C programs.
const AS_C: [&str; 3] = ["-std=gnu2x", "-include", "stdbool.h"];

/// The counts that a program has, or the reason why it is not compared.
type Measured = Result<(Report, Truth), String>;

fn measured(profiler: &Probed, worker: &mut Worker, program: &Program) -> Measured {
    let input = Input::default();
    let request = Request {
        folder: program.path.parent(),
        flags: &program.flags,
        detail: Detail::Parts,
        ..Request::new(&program.source, &input)
    };
    let report = profiler.profile(worker, &request).unwrap().map_err(|outcome| outcome.in_words("p.c"))?;
    let mut measured = || {
        let truth = require_execution(measure(&**profiler, worker, &request).unwrap(), &report.execution);
        truth.map_err(|why| format!("no ground truth: {why}"))
    };
    let truth = measured()?;
    if measured()?.points != truth.points {
        return Err("its counts differ from run to run".into());
    }
    Ok((report, truth))
}

/// The programs under `folder` whose file names end with one of `ends`, by name.
fn programs(folder: &Utf8Path, ends: &[&str]) -> Vec<Program> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in inner.read_dir_utf8().unwrap_or_else(|error| panic!("{inner}: {error}")) {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else if ends.iter().any(|end| path.as_str().ends_with(end))
                && let Ok(source) = fs_err::read_to_string(&path)
            {
                let name = path.strip_prefix(folder).unwrap().to_string();
                let commented = source.clone();
                found.push(Program { name, path, source, commented, flags: vec!["-w".into()] });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The counts that recount expects of `line`, as text: a count, several, none, or why that is unknown.
fn expectation(truth: &Truth, family: Family, line: Line) -> Result<BTreeSet<u64>, String> {
    expected(truth, family, line).map(|found| found.counts).map_err(|why| why.to_string())
}

/// The percentages that the conditions, switches and calls on `lines` have.
fn true_percentages(truth: &Truth, wanted: &Percentages) -> BTreeSet<u64> {
    let is_here = |line: Option<Line>| line.is_some_and(|at| wanted.lines.0 <= at && at < wanted.lines.1);
    let mut found = BTreeSet::new();
    let mut add = |part: u64, whole: u64| {
        if let Some(thousandths) = (part * 1000).checked_div(whole) {
            // gcov rounds only what is 0 or 100 to that (`format_gcov` in gcov.cc).
            let rounded = (thousandths + 5) / 10;
            let exact = if part == 0 || part >= whole { rounded } else { rounded.clamp(1, 99) };
            found.insert(folded(wanted.part, exact));
        }
    };
    for point in truth.points.iter().filter(|point| is_here(point.line)) {
        match (wanted.part, point.outcomes, point.completed, point.count) {
            (Part::Branch, Some((yes, no)), ..) if !point.folded => add(yes, yes + no),
            (Part::Call, _, Some(completed), Some(count)) if point.kind != PointKind::Entry => {
                add(completed, count);
            }
            _ => {}
        }
    }
    if wanted.part == Part::Branch {
        let has_switch = |lines: &BTreeSet<Line>| {
            truth.points.iter().any(|point| {
                point.kind == PointKind::Statement(StatementKind::Switch)
                    && is_here(point.line)
                    && point.line.is_some_and(|line| lines.contains(&line))
            })
        };
        for group in branch_groups(truth).into_iter().filter(|group| has_switch(&group.lines)) {
            let outcomes = group.outcomes.unwrap_or_default();
            let whole: u64 = outcomes.iter().sum();
            for outcome in outcomes {
                add(outcome, whole);
            }
        }
    }
    found
}

/// Compare the comments of one of GCC's tests.
fn compare_comments(
    profiler: &Probed,
    worker: &mut Worker,
    temp: &Temp,
    program: &Program,
    tally: &mut Tally,
) {
    let (report, truth) = match measured(profiler, worker, program) {
        Ok(found) => found,
        Err(why) => return tally.leave_out(&program.name, &why),
    };
    tally.seen.insert(program.name.clone());
    let found = comments(&program.source);
    for (line, said) in found.lines {
        let reported = report.coverage.line(line);
        let known = expectation(&truth, Family::Gcov, line);
        let (is_right, shown) = match (said, known) {
            (None, _) => (!needs_count(&report.coverage, &truth, Family::Gcov, line), "any".to_string()),
            (Some(count), Ok(counts)) => (counts.contains(&count), format!("{counts:?}")),
            (Some(_), Err(_)) => {
                tally.unknown += 1;
                continue;
            }
        };
        let is_reported = said == reported;
        tally.without_count += usize::from(said.is_none());
        let text = |count: Option<u64>| count.map_or("-".into(), |count: u64| count.to_string());
        let row = Disagreement::new(&program.name, line, "line", &text(said), &text(reported), &shown);
        tally.add(&program.source, row, is_right, is_reported);
    }
    let tools = profiler.compiler().zip(profiler.reader()).expect("gcc and gcov");
    if found.parts.is_empty() {
        return;
    }
    let reported = percentages(tools, &temp.at("gcov"), &program.source, &program.flags).expect("a report");
    for wanted in found.parts {
        let here = |row: &&(Line, Part, u64)| {
            row.1 == wanted.part && wanted.lines.0 <= row.0 && row.0 < wanted.lines.1
        };
        let shown: BTreeSet<u64> = reported.iter().filter(here).map(|row| row.2).collect();
        let right = true_percentages(&truth, &wanted);
        let said: BTreeSet<u64> = wanted.wanted.iter().copied().collect();
        let what = if wanted.part == Part::Branch { "branch" } else { "call" };
        let row = Disagreement::new(
            &program.name,
            wanted.lines.0,
            what,
            &format!("{said:?}"),
            &format!("{shown:?}"),
            &format!("{right:?}"),
        );
        tally.add(&program.source, row, said.is_subset(&right), said.is_subset(&shown));
    }
}

/// Compare the report on one of LLVM's tests, and its CHECK lines.
fn compare_checks(profiler: &Probed, worker: &mut Worker, program: &Program, tally: &mut Tally) {
    let family = Family::LlvmCov;
    let (report, truth) = match measured(profiler, worker, program) {
        Ok(found) => found,
        Err(why) => return tally.leave_out(&program.name, &why),
    };
    tally.seen.insert(program.name.clone());
    let coverage = &report.coverage;
    let found = checks(&program.commented);
    let text = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
    let said_of = |line: Line| found.lines.iter().find(|said| said.0 == line).map(|said| said.1);
    for (line, _) in (1..).zip(program.source.lines()) {
        let reported = coverage.line(line);
        let known = expectation(&truth, family, line);
        let said = said_of(line);
        tally.lines += usize::from(reported.is_some());
        let is_right = |count: Option<u64>| match (count, &known) {
            (Some(count), Ok(counts)) => counts.contains(&count),
            (Some(_), Err(_)) => true,
            (None, _) => !needs_count(coverage, &truth, family, line),
        };
        let shown = known.as_ref().map_or_else(Clone::clone, |counts| format!("{counts:?}"));
        let row = |said: &str| Disagreement::new(&program.name, line, "line", said, &text(reported), &shown);
        if let Some(said) = said {
            tally.without_count += usize::from(said.is_none());
            if said.is_some() && known.is_err() {
                tally.unknown += 1;
                continue;
            }
            tally.add(&program.source, row(&text(said)), is_right(said), said == reported);
            if said == reported {
                continue;
            }
        }
        if !is_right(reported) {
            tally.add_report(&program.source, row("says nothing"));
        }
    }
    for region in &found.regions {
        let data = coverage.mapping.as_ref().and_then(|data| data.as_ref().ok());
        let Some(_) = data.and_then(|data| function_with(data, region)) else {
            tally.other_regions += 1;
            continue;
        };
        let at_start = |other: &&recount::coverage::Region| {
            other.kind == recount::coverage::RegionKind::Code && other.start == region.start
        };
        let counts: BTreeSet<u64> =
            coverage.regions.iter().filter(at_start).map(|other| other.count).collect();
        let right = reached_at(&truth, region.start);
        if right.is_empty() {
            tally.unknown += 1;
            continue;
        }
        let shown = format!("{counts:?}");
        let said = format!("{} (line {})", region.formula, region.comment);
        let row =
            Disagreement::new(&program.name, region.start.0, "region", &said, &shown, &format!("{right:?}"));
        tally.add(&program.source, row, counts.is_subset(&right), true);
    }
    for found in beyond_lines(coverage, &truth, family) {
        let what = match found.metric {
            Metric::Region => "region",
            Metric::Branch => "branch",
            Metric::Function => "function",
            _ => continue,
        };
        let line = found.difference.place.line().unwrap_or(0);
        let row = Disagreement::new(
            &program.name,
            line,
            what,
            "says nothing",
            &text(found.difference.before),
            &text(found.right),
        );
        tally.add_report(&program.source, row);
    }
}

fn with_profilers(family: Family, mut compare: impl FnMut(&Probed, &mut Worker, &Temp, &mut Tally)) {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcc-12 clang-14".into());
    let mut wrong = Vec::new();
    for name in names.split_whitespace() {
        let profiler = match select(&[name.to_string()]) {
            Ok(mut profilers) => profilers.remove(0),
            Err(error) => panic!("{name}: {error}"),
        };
        if profiler.info().profiler != family {
            continue;
        }
        let temp = Temp::new();
        let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
        let mut tally = Tally::new(name);
        compare(&profiler, &mut worker, &temp, &mut tally);
        wrong.extend(print(&tally));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn gcc_comments_agree_with_the_expected_counts() {
    let folder = std::env::var("RECOUNT_GCC_TESTS").unwrap_or(format!("{OWN}/gcc"));
    with_profilers(Family::Gcov, |profiler, worker, temp, tally| {
        for mut program in programs(Utf8Path::new(&folder), &[".c"]) {
            if program.name.starts_with("gcov-") {
                program.flags.extend(flags(&program.source));
                // One of the tests includes itself, and recount compiles a copy.
                program.source =
                    program.source.replace(&format!("#include \"./{}\"", program.name), "#include \"./p.c\"");
                compare_comments(profiler, worker, temp, &program, tally);
            }
        }
    });
}

#[test]
fn llvm_tests_agree_with_the_expected_counts() {
    let folder = std::env::var("RECOUNT_LLVM_TESTS").unwrap_or(format!("{OWN}/llvm"));
    with_profilers(Family::LlvmCov, |profiler, worker, _, tally| {
        let version = tally.profiler.rsplit('-').next().unwrap_or_default().to_string();
        let own = Utf8Path::new(&folder).join(&version);
        for mut program in programs(&own, &[".c", ".cpp"]) {
            if program.name.ends_with(DRIVER) {
                tally.leave_out(&program.name, "it drives another program");
                continue;
            }
            if program.path.extension() == Some("cpp") {
                program.flags.extend(AS_C.map(String::from));
            }
            if program.source.contains(WITHOUT_COMMENTS) {
                let code = |line: &str| line.split("//").next().unwrap_or_default().trim_end().to_string();
                let stripped: Vec<String> = program.source.lines().map(code).collect();
                program.source = stripped.join("\n");
            }
            compare_checks(profiler, worker, &program, tally);
        }
    });
}
