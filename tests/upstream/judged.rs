//! Disagreements between upstream's tests, the report and the expected counts, and a judgement of each, made by reading the program.

use std::collections::BTreeSet;

use recount::model::Line;
use serde::Deserialize;

const JUDGED: &str = include_str!("../data/upstream.toml");

/// A number for which upstream, the report and recount do not all say the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    pub program: String,
    pub line: Line,
    /// `line`, `branch`, `call`, `function` or `region`.
    pub what: &'static str,
    /// What upstream's test expects.
    pub said: String,
    pub reported: String,
    pub expected: String,
    /// The source line.
    pub text: String,
}

impl Disagreement {
    pub fn new(
        program: &str,
        line: Line,
        what: &'static str,
        said: &str,
        reported: &str,
        expected: &str,
    ) -> Disagreement {
        let (program, text) = (program.to_string(), String::new());
        let (said, reported, expected) = (said.to_string(), reported.to_string(), expected.to_string());
        Disagreement { program, line, what, said, reported, expected, text }
    }
}

/// The judgement of disagreements in one program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    profilers: Vec<String>,
    program: String,
    what: String,
    lines: Vec<Line>,
    judgement: Judgement,
    argument: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum Judgement {
    /// The report is wrong.
    ProfilerWrong,
    /// Upstream's test expects the wrong count.
    UpstreamWrong,
    /// Upstream says that the count is intended, although the code ran more or less often.
    Intended,
    /// The expected count is wrong.
    RecountWrong,
}

impl Judgement {
    fn name(self) -> &'static str {
        match self {
            Judgement::ProfilerWrong => "the profiler is wrong",
            Judgement::UpstreamWrong => "upstream's test is wrong",
            Judgement::Intended => "intended",
            Judgement::RecountWrong => "recount is wrong",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllJudged {
    judged: Vec<Judged>,
}

/// What was compared with one profiler.
pub struct Tally {
    pub profiler: String,
    /// The programs that are compared.
    pub seen: BTreeSet<String>,
    /// The programs that are not compared, with reasons.
    left_out: Vec<(String, String)>,
    /// The lines with a count in a report.
    pub lines: usize,
    /// The numbers that upstream's tests expect, and those of them that recount expects too.
    words: usize,
    agreeing: usize,
    /// Those of them that say that a line has no count: only that recount does not require one is compared.
    pub without_count: usize,
    /// Numbers of upstream without an expected count, which are not among these.
    pub unknown: usize,
    /// Regions that upstream expects of another version or with other flags.
    pub other_regions: usize,
    found: BTreeSet<Disagreement>,
}

impl Tally {
    pub fn new(profiler: &str) -> Tally {
        Tally {
            profiler: profiler.to_string(),
            seen: BTreeSet::new(),
            left_out: Vec::new(),
            lines: 0,
            words: 0,
            agreeing: 0,
            without_count: 0,
            unknown: 0,
            other_regions: 0,
            found: BTreeSet::new(),
        }
    }

    pub fn leave_out(&mut self, program: &str, why: &str) {
        let first = why.lines().next().unwrap_or_default();
        self.left_out.push((program.to_string(), first.chars().take(120).collect()));
    }

    /// A number that upstream expects: whether recount expects it too, and whether the profiler reports it.
    pub fn add(&mut self, source: &str, row: Disagreement, is_expected: bool, is_reported: bool) {
        self.words += 1;
        self.agreeing += usize::from(is_expected);
        if !is_expected || !is_reported {
            self.add_report(source, row);
        }
    }

    /// A number of the report that recount does not expect, and of which upstream says nothing.
    pub fn add_report(&mut self, source: &str, row: Disagreement) {
        let text = source.lines().nth((row.line as usize).saturating_sub(1)).unwrap_or_default();
        let text = text.split("//").next().unwrap_or_default().trim().to_string();
        self.found.insert(Disagreement { text, ..row });
    }
}

/// Print what was compared, as Markdown. Returns a message for disagreements that are not judged, and for each judgement of
/// something that is no disagreement.
pub fn print(tally: &Tally) -> Vec<String> {
    let all: AllJudged = toml::from_str(JUDGED).expect("data/upstream.toml");
    println!("\n### {}\n", tally.profiler);
    println!(
        "{} programs compared, {} not; {}upstream's tests expect {} numbers ({} that a line has no count), \
         and recount agrees with {}; {} more have no expected count{}; {} disagreements.\n",
        tally.seen.len(),
        tally.left_out.len(),
        if tally.lines > 0 { format!("{} counted lines; ", tally.lines) } else { String::new() },
        tally.words,
        tally.without_count,
        tally.agreeing,
        tally.unknown,
        if tally.other_regions > 0 {
            format!(", {} regions are of another version or other flags", tally.other_regions)
        } else {
            String::new()
        },
        tally.found.len()
    );
    let mut rest = tally.found.clone();
    let mut unneeded = Vec::new();
    let ours = |judged: &&Judged| judged.profilers.contains(&tally.profiler);
    for judged in all.judged.iter().filter(ours) {
        let is_judged = |row: &&Disagreement| {
            row.program == judged.program && row.what == judged.what && judged.lines.contains(&row.line)
        };
        let here: Vec<Disagreement> = rest.iter().filter(is_judged).cloned().collect();
        if here.is_empty() && tally.seen.contains(&judged.program) {
            unneeded.push(format!("{} {} {:?}", judged.program, judged.what, judged.lines));
        }
        if here.is_empty() {
            continue;
        }
        println!(
            "- `{}`, {}: **{}**. {}",
            judged.program,
            judged.what,
            judged.judgement.name(),
            judged.argument
        );
        for row in here {
            println!(
                "  - line {}, `{}`: upstream {}, reported {}, expected {}",
                row.line,
                row.text.replace('`', "'"),
                row.said,
                row.reported,
                row.expected
            );
            rest.remove(&row);
        }
    }
    for row in &rest {
        println!(
            "- NOT JUDGED {}\t{}\t{}\tupstream {}\treported {}\texpected {}\t{}",
            row.program, row.line, row.what, row.said, row.reported, row.expected, row.text
        );
    }
    if !tally.left_out.is_empty() {
        println!("\nNot compared:\n");
    }
    for (program, why) in &tally.left_out {
        println!("- `{program}`: {why}");
    }
    // The line after which scripts/prove-upstream stops reading.
    println!("<!-- end of {} -->", tally.profiler);
    let mut wrong: Vec<String> = unneeded
        .into_iter()
        .map(|judged| format!("judged, but there is no disagreement: {judged}"))
        .collect();
    if !rest.is_empty() {
        wrong.push(format!("{}: {} disagreements are not judged", tally.profiler, rest.len()));
    }
    wrong
}
