//! Bug reports to the maintainers: the layouts with made-up findings, and reports on real findings. In a shell, the
//! commands of a report must print the output that the report shows.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use recount::diagnose::known_mechanism;
use recount::journal::{Counts, FindingBundle, FindingFolder, Reduction, Replay, VersionResult};
use recount::model::Finding;
use recount::report::{Class, Confirmed, Filing, Tracker, filing};
use recount::toolchain::{Annotated, select};
use serde_json::{Value, from_value, json};
use support::{Said, Temp};

const SOURCE: &str =
    "int main(void)\n{\n    int x = 0;\n    if (x)\n        x = 2;\nout:\n    x++;\n    return x;\n}\n";

/// A finding of `family` on line 6 of [`SOURCE`]; `more` has other values for its fields.
fn finding(family: &str, more: &Value) -> Finding {
    let (compiler, version) = match family {
        "gcov" => ("gcc-12", "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0"),
        _ => ("clang-14", "Debian clang version 14.0.6"),
    };
    let mut all = json!({
        "program": "p", "file": "/home/me/p.c", "input": "default", "profiler": family, "compiler": compiler,
        "version": version, "metric": "line", "line": 6, "relation": "truth", "kind": "strong",
        "before": 0, "after": null, "truth": [4], "signature": "a/signature", "signature_version": 2,
        "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c1",
    });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    from_value(all).unwrap()
}

fn bundle(finding: Finding) -> FindingBundle {
    FindingBundle {
        finding,
        replay: Some(Replay::default()),
        program: SOURCE.into(),
        included: None,
        variant: None,
        contrast: None,
        counts: Counts::default(),
        original: None,
        reduction: None,
        versions: Vec::new(),
    }
}

fn reduction(finding: &Finding, contrast: Result<&str, &str>) -> Reduction {
    Reduction {
        lines_before: 90,
        lines_after: 9,
        bytes_before: 900,
        bytes_after: 90,
        tests: 1,
        passes: std::collections::BTreeMap::new(),
        cpu_seconds: Some(1.0),
        wall_seconds: 1.0,
        engine: "recount".into(),
        flags: Vec::new(),
        is_complete: true,
        canonical: "0".into(),
        contrast: contrast.map(String::from).map_err(String::from),
        original: finding.clone(),
    }
}

fn tried(compiler: &str, version: &str, count: Result<u64, &str>) -> VersionResult {
    let affected = count == Ok(0);
    let count = count.map(Some).map_err(String::from);
    VersionResult {
        compiler: compiler.into(),
        version: version.into(),
        snapshot: None,
        count,
        verdict: None,
        affected,
    }
}

fn annotated(family: &str, report: &str) -> Annotated {
    let (compiler, commands, others): (_, &[&str], _) = match family {
        "gcov" => ("gcc-12", &["gcc-12 --coverage small.c", "cat small.c.gcov"], "gcov-12 --stdout"),
        _ => ("clang-14", &["clang-14 small.c", "llvm-cov-14 show"], "llvm-cov-14 export"),
    };
    Annotated {
        compiler: compiler.into(),
        verbose: "Target: here\n".into(),
        commands: commands.iter().map(ToString::to_string).collect(),
        others: vec![others.into()],
        report: report.into(),
        warnings: String::new(),
        mapping: None,
    }
}

/// A filing of `bundle` with made-up reports.
fn filed(bundle: &FindingBundle) -> Filing<'_> {
    let family = bundle.finding.profiler.name();
    Filing {
        program: annotated(family, "the report\n"),
        variant: bundle.variant.as_ref().map(|_| annotated(family, "the report of P'\n")),
        contrast: bundle.contrast.as_ref().map(|_| annotated(family, "the report of the contrast\n")),
        bundle,
        confirmed: Confirmed {
            counted: true,
            watchers: vec!["AddressSanitizer, UndefinedBehaviorSanitizer", "valgrind"],
            cause: None,
        },
        class: None,
    }
}

/// Snapshots of the layouts that `filing` can have.
fn layouts(name: &str, made: &Filing<'_>) {
    let family = made.bundle.finding.profiler;
    let all = [("bugzilla", Tracker::Bugzilla), ("github", Tracker::GitHub), ("markdown", Tracker::Markdown)];
    for (layout, tracker) in all.into_iter().filter(|(_, tracker)| tracker.refusal(family).is_none()) {
        insta::assert_snapshot!(format!("{layout}_{name}"), filing(made, tracker));
    }
}

#[test]
fn code_that_ran_with_count_0() {
    let found = finding("gcov", &json!({}));
    let mut bundle = bundle(found.clone());
    bundle.contrast = Some(SOURCE.replace("out:", "out: ;"));
    bundle.reduction = Some(reduction(&found, Ok("an empty statement is added to line 6")));
    bundle.versions = vec![
        tried("gcc-12", "12.2.0", Ok(0)),
        tried("gcc-11", "11.3.0", Ok(4)),
        tried("gcc-16", "16.1.0", Err("it does not | compile")),
        tried("clang-14", "14.0.6", Ok(4)),
    ];
    layouts("missing", &filed(&bundle));
}

#[test]
fn foreign_text_is_not_interpreted() {
    let found = finding("gcov", &json!({"before": 3, "truth": [0], "rule": "spurious"}));
    let mut bundle = bundle(found.clone());
    bundle.program = format!("/* \x1b[2J ```` </details> <b> @you #1 */\n{SOURCE}");
    bundle.reduction = Some(reduction(&found, Err("`a` <img> @me \x07")));
    let class = Class {
        name: "known as x".into(),
        meaning: "a *note*".into(),
        upstream: "https://gcc.gnu.org/show_bug.cgi?id=1".into(),
    };
    layouts("spurious", &Filing { class: Some(class), ..filed(&bundle) });
}

#[test]
fn a_wrong_count_without_confirmation() {
    let bundle = bundle(finding("gcov", &json!({"before": 2, "truth": [1, 4], "rule": "frequency"})));
    let nobody = Confirmed::default();
    layouts("frequency", &Filing { confirmed: nobody, ..filed(&bundle) });
}

#[test]
fn llvm_reports_have_their_own_layout() {
    let found = finding("llvm-cov", &json!({"line": 7}));
    let mut bundle = bundle(found.clone());
    bundle.contrast = Some(SOURCE.replace("out:\n", "\n"));
    bundle.reduction = Some(reduction(&found, Ok("the label on line 6 is removed")));
    bundle.versions = vec![tried("clang-14", "14.0.6", Ok(0)), tried("clang-22", "22.1.8", Ok(0))];
    layouts("llvm", &filed(&bundle));
}

fn culprit(line: u32, text: &str) -> Value {
    let start = SOURCE.find(text).unwrap();
    json!({
        "file": "/home/me/p.c", "lines": [[line, line]], "edit": format!("delete the expression on line {line}"),
        "edits": [{"start": start, "end": start + text.len(), "with": ""}], "isolated": true, "moved": [],
    })
}

#[test]
fn a_trap_is_reported_without_the_variant() {
    let more = json!({"line": 7, "relation": "delete", "truth": null, "culprit": culprit(7, "x++;")});
    let mut bundle = bundle(finding("gcov", &more));
    bundle.variant = Some(SOURCE.replace("x++;", ""));
    // The trap suffices; the variant is not needed.
    layouts("trap", &Filing { variant: None, ..filed(&bundle) });
}

#[test]
fn a_changed_count_is_shown_in_both_programs() {
    let more = json!({
        "relation": "delete", "before": 1, "after": 2, "truth": null, "rule": null, "verdict": "unexplained",
        "culprit": culprit(5, "x = 2;"),
    });
    let mut bundle = bundle(finding("gcov", &more));
    bundle.variant = Some(SOURCE.replace("x = 2;", ";"));
    layouts("moved", &filed(&bundle));
}

const LABEL: &str = include_str!("../configs/known/label_behind_jump.c");
const FRESH: &str = include_str!("../configs/known/last_block.c");
const REPORTED: &str = include_str!("../configs/known/label_after_if.c");
const ENTRY: &str = include_str!("../configs/known/computed_goto_entry.c");
const BLOCK: &str = include_str!("../configs/known/block_left.c");

/// A program whose input contains characters that a shell interprets, and its sidecar.
const GIVEN: &str = r#"#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
  char line[80];
  int tries = 0;
  if (argc != 3 || strcmp(argv[1], "it's $HOME") || !fgets(line, sizeof line, stdin))
    return 1;
  if (strcmp(line, "-100% 'b' \\n `c`\n"))
    return 2;
  goto body;
retry:
  tries += WIDTH;
body:
  if (tries < 10)
    goto retry;
  return 0;
}
"#;
const SIDECAR: &str = r#"flags = ["-DWIDTH=sizeof(\"it's\")"]
[[inputs]]
args = ["it's $HOME", ""]
stdin = "-100% 'b' \\n `c`\n"
"#;

/// Run a campaign on `files`, and return the folders of the examples with their findings.
fn night(temp: &Temp, files: &[(&str, &str)]) -> Vec<(Utf8PathBuf, Value)> {
    temp.write("nothing.toml", "");
    for (name, text) in files {
        temp.write(&format!("src/{name}"), text);
    }
    // These compilers are on PATH, so a shell finds them too.
    let profilers = ["--profiler", "gcc-12", "--profiler", "clang-14", "--relation", "truth"];
    let run =
        [&["run", "src", "--out", "night", "--quiet", "--known", "nothing.toml"][..], &profilers].concat();
    let run = Said::from(temp.recount(&run));
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let folders = temp.at("night/examples").read_dir_utf8().unwrap();
    let mut found: Vec<(Utf8PathBuf, Value)> = folders
        .map(|entry| {
            let folder = entry.unwrap().into_path();
            let finding = fs_err::read_to_string(folder.join("finding.json")).unwrap();
            (folder, serde_json::from_str(&finding).unwrap())
        })
        .collect();
    found.retain(|(_, finding): &(_, Value)| {
        finding["verdict"] == "wrong" && ["line", "function"].contains(&finding["metric"].as_str().unwrap())
    });
    assert!(!found.is_empty(), "{}", run.out);
    found
}

fn report(temp: &Temp, name: &str, more: &[&str]) -> Said {
    Said::from(temp.recount(&[&["report", name][..], more].concat()))
}

/// The report in the layout of the tracker, and as Markdown; no cluster is known.
fn both(temp: &Temp, folder: &Utf8PathBuf, finding: &Value) -> [String; 2] {
    let own = if finding["profiler"] == "gcov" { "bugzilla" } else { "github" };
    [own, "markdown"].map(|format| {
        let said = report(temp, folder.as_str(), &["--format", format, "--known", "nothing.toml"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.err.contains("`recount reduce "), "{}", said.err);
        assert!(!said.out.contains(temp.root().as_str()), "{}", said.out);
        said.out
    })
}

/// Run the commands of `text` in an empty folder; a shell must print the report that follows them.
fn typed(text: &str) {
    let blocks: Vec<String> = text
        .split("\n\n")
        .map(|block| block.lines().filter(|line| !line.starts_with("```")).collect::<Vec<_>>().join("\n"))
        .collect();
    let at = blocks
        .iter()
        .position(|block| block.starts_with("$ cat small.c\n"))
        .expect("the report has the program");
    let (commands, report): (Vec<&str>, Vec<&str>) =
        blocks[at + 1].lines().partition(|line| line.starts_with("$ "));
    let script: Vec<&str> = commands.iter().map(|line| line.trim_start_matches("$ ")).collect();
    let temp = Temp::new();
    temp.write("small.c", format!("{}\n", blocks[at].trim_start_matches("$ cat small.c\n")));
    let mut shell = assert_cmd::Command::new("sh");
    let output = shell.current_dir(temp.root()).args(["-c", &script.join("\n")]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let printed: Vec<&str> = said.trim_end().lines().collect();
    assert_eq!(printed, report, "{script:?}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.len() > 10, "{text}");
}

#[test]
#[ignore = "long"]
fn the_commands_of_a_report_print_what_it_shows() {
    let temp = Temp::new();
    let sources = [("label.c", LABEL), ("block.c", BLOCK), ("entry.c", ENTRY), ("given.c", GIVEN)];
    let examples = night(&temp, &[&sources[..], &[("given.toml", SIDECAR)]].concat());
    let (mut families, mut metrics) = (BTreeSet::new(), BTreeSet::new());
    for (folder, finding) in &examples {
        families.insert(finding["profiler"].to_string());
        for text in both(&temp, folder, finding) {
            typed(&text);
            metrics.insert(finding["metric"].to_string());
            let (line, of) =
                (&finding["line"], if finding["metric"] == "function" { "of the function on" } else { "of" });
            assert!(
                ["", "#"].iter().any(|mark| text.contains(&format!(" {of} line {mark}{line}; it "))),
                "{text}"
            );
        }
    }
    assert_eq!((families.len(), metrics.len()), (2, 2));
    // A cluster is found in its run by a prefix of its id, even without its folder.
    let (folder, finding) = &examples[0];
    let id = folder.file_name().unwrap();
    let more = ["--format", "markdown", "--known", "nothing.toml", "--run", "night"];
    let by_id = report(&temp, &id[..7], &more);
    assert_eq!(by_id.out, both(&temp, folder, finding)[1], "{}", by_id.err);
    fs_err::remove_dir_all(folder).unwrap();
    assert_eq!(report(&temp, &id[..7], &more).out, by_id.out);
}

#[test]
fn a_finding_of_a_known_class_is_refused_without_force() {
    let temp = Temp::new();
    let examples = night(&temp, &[("fresh.c", FRESH), ("after.c", REPORTED)]);
    let of = |file: &str| {
        let is_meant = |(_, found): &&(Utf8PathBuf, Value)| {
            found["profiler"] == "gcov" && found["file"].as_str().is_some_and(|name| name.ends_with(file))
        };
        &examples.iter().find(is_meant).unwrap().0
    };
    // A known cluster without an upstream report is not refused.
    let fresh = report(&temp, of("fresh.c").as_str(), &["--format", "bugzilla"]);
    assert_eq!(fresh.code, 0, "{}", fresh.err);
    let folder = of("after.c");
    let refused = report(&temp, folder.as_str(), &["--format", "bugzilla"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(
        ["known as block-on-last-line", "id=120332", "--force"].iter().all(|word| refused.err.contains(word)),
        "{}",
        refused.err
    );
    let forced = report(&temp, folder.as_str(), &["--format", "bugzilla", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.err);
    assert!(
        forced
            .out
            .contains("\n\nCreated with --force. recount classifies this as known as block-on-last-line"),
        "{}",
        forced.out
    );
    bad_input(&temp, of("fresh.c"));
}

/// Bad findings and bad flags give one sentence with a remedy.
fn bad_input(temp: &Temp, folder: &Utf8PathBuf) {
    let sentence = |name: &str, more: &[&str], code: i32, words: &[&str]| {
        let said = report(temp, name, &[more, &["--known", "nothing.toml"]].concat());
        assert_eq!((said.code, said.out.as_str()), (code, ""), "{}", said.err);
        assert!(words.iter().all(|word| said.err.contains(word)), "{words:?}: {}", said.err);
        let last = said.err.lines().last().unwrap();
        assert!(last.starts_with("recount: ") && said.err.lines().count() <= 2, "{}", said.err);
    };
    let name = folder.as_str();
    let bugzilla = ["--format", "bugzilla"];
    sentence(name, &["--format", "github"], 2, &["Bugzilla", "--format bugzilla"]);
    sentence(name, &[name, "--format", "bugzilla"], 2, &["one finding", "--run"]);
    sentence("night", &["--force"], 2, &["--force", "--format bugzilla"]);
    sentence("./night", &bugzilla, 2, &["is the folder of a run", "./night/examples"]);
    sentence("./src", &bugzilla, 2, &["no finding.json"]);
    sentence("c00000000", &["--format", "bugzilla", "--run", "night"], 5, &["no cluster"]);

    let path = |file: &str| folder.join(file);
    let text = fs_err::read_to_string(path("finding.json")).unwrap();
    let compiler = serde_json::from_str::<Value>(&text).unwrap()["compiler"].as_str().unwrap().to_string();
    fs_err::write(path("finding.json"), text.replace(&compiler, "gcc-99")).unwrap();
    sentence(name, &bugzilla, 3, &["gcc-99 is not installed", "recount profilers"]);
    fs_err::write(path("finding.json"), "{\"format\": 9}").unwrap();
    sentence(name, &bugzilla, 2, &["finding.json: not valid in format 2"]);
    fs_err::write(path("finding.json"), &text).unwrap();

    // The call returns, and the count is right.
    fs_err::write(path("program.c"), FRESH.replace("exit(0)", "puts(\"\")")).unwrap();
    sentence(
        name,
        &bugzilla,
        5,
        &["no longer reproduces: line 5 of program.c has the count 1", "instead of 0"],
    );
    fs_err::write(path("program.c"), "int main(void) { return x; }\n").unwrap();
    sentence(name, &bugzilla, 5, &["program.c no longer has a report", "does not compile"]);
    fs_err::remove_file(path("replay.json")).unwrap();
    sentence(name, &bugzilla, 2, &["replay.json", "run the campaign again"]);
}

/// The reports in reports/causes have what maintainers ask for: the mechanism and its place in the source, what the compiler
/// prints, the effect, the newest affected version, and a title that no other root cause has.
#[test]
fn the_reports_on_root_causes_are_complete() {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    let mut reports = 0;
    for root in
        Utf8Path::new("reports/causes").read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path())
    {
        if !root.is_dir() {
            continue;
        }
        assert!(root.join("README.md").is_file(), "{root}");
        for folder in root.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()) {
            let Some(report) = ["report.txt", "report.md"]
                .map(|name| folder.join(name))
                .into_iter()
                .find(|path| path.exists())
            else {
                assert!(!folder.is_dir(), "{folder} has no report");
                continue;
            };
            reports += 1;
            let text = fs_err::read_to_string(&report).unwrap();
            let bundle = FindingFolder(folder.clone()).read().unwrap();
            let finding = &bundle.finding;
            let cause = finding.cause.as_ref().unwrap_or_else(|| panic!("{folder} has no mechanism"));
            let known = known_mechanism(finding.profiler, &cause.mechanism).unwrap();
            assert_eq!(root.file_name(), Some(&*finding.signature.replacen('/', "-", 1)), "{folder}");
            // Markdown escapes some characters of the sentence and of the source.
            let plain = text.replace('\\', "");
            let file = known.source.split([',', ' ', ':']).next().unwrap();
            let effect = match bundle.covered() {
                Some(parts) if finding.metric.is_of_counts() => {
                    format!("reports counts of the {} ", parts.all)
                }
                Some(parts) => format!("reports {} of the {} ", parts.reported, parts.all),
                None if plain.contains("lines as executed; ") => String::new(),
                None => "The share of executed lines".into(),
            };
            for part in [known.sentence, file, "Known to fail: ", &effect, "$ "] {
                assert!(plain.contains(part), "{report} lacks {part:?}");
            }
            assert!(text.contains("prints no warning.") || text.contains(" prints:"), "{report}");
            assert!(!text.contains("Created with --force"), "{report}");
            let is_same = |tried: &&VersionResult| tried.affected && tried.count == Ok(bundle.reported());
            let same = bundle.versions.iter().filter(is_same);
            let newest = same.max_by_key(|tried| recount::model::major(&tried.compiler)).unwrap();
            assert!(text.contains(&format!("$ {} -v", newest.compiler)), "{report}: {}", newest.compiler);
            let title = text.lines().find(|line| line.starts_with("Title: ")).unwrap().to_string();
            let other = titles.insert(title.clone(), root.to_string());
            assert!(other.as_ref().is_none_or(|other| *other == root), "{title}: {root} and {other:?}");
        }
    }
    assert!(reports >= 40, "{reports}");
}

/// What `count program LINE` of a script prints for `report`.
fn counted_by(script: &str, report: &str, line: u32) -> String {
    let temp = Temp::new();
    temp.write("program/report", report);
    let text = format!("work='{}'\n{script}count program {line}\n", temp.root());
    let output = assert_cmd::Command::new("sh").args(["-c", &text]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().into()
}

/// The scripts read what gcov 17 and llvm-cov 24 print, also where a line has several decisions and where a file that is
/// included comes after the program. A line without a decision has no outcome that is covered.
#[test]
fn scripts_read_conditions_and_paths() {
    let of_conditions = "        -:    0:Source:p.c\n        4:    7:{\n       4*:    8:    return a || b || c;\n\
        condition outcomes covered 3/6\ncondition  0 not covered (true)\ncondition outcomes covered 1/4\n        \
        -:    9:}\ncondition outcomes covered 4/4\n        -:    0:Source:p.h\n        1:    8:  if (a && b)\n\
        condition outcomes covered 2/4\n";
    let conditions = include_str!("../src/report/reproduce/gcov_conditions.sh");
    assert_eq!([7, 8, 9].map(|line| counted_by(conditions, of_conditions, line)), ["0", "4", "4"]);
    let of_paths = "        -:    0:Source:p.c\npaths covered 2 of 5\n        2:    1:int f(void)\n        -:    2:{\n\
        paths covered 0 of 1\n    #####:   10:int main(void)\n";
    let paths = include_str!("../src/report/reproduce/gcov_paths.sh");
    assert_eq!([1, 2, 10].map(|line| counted_by(paths, of_paths, line)), ["2", "", "0"]);
    let of_mcdc = "    4|      3|    return !(a && b) || (c && d);\n  |---> MC/DC Decision Region (4:12) to (5:26)\n  |  \
        C1-Pair: covered: (1,3)\n  |  C2-Pair: not covered\n  |---> MC/DC Decision Region (5:2) to (5:9)\n  |  \
        C1-Pair: not covered\n";
    let mcdc = include_str!("../src/report/reproduce/llvm_mcdc.sh");
    assert_eq!([4, 5, 6].map(|line| counted_by(mcdc, of_mcdc, line)), ["1", "0", ""]);
    let of_branches = "        -:    0:Source:p.c\n        4:    7:  if (a && b)\nbranch  0 taken 3 (fallthrough)\nbranch  1 \
        taken 1\ncall    2 returned 4\nbranch  3 never executed\n        -:    8:}\n        -:    0:Source:p.h\n        1:    7:  \
        if (a)\nbranch  0 taken 1 (fallthrough)\n";
    let branches = include_str!("../src/report/reproduce/gcov_branches.sh");
    assert_eq!([7, 8].map(|line| counted_by(branches, of_branches, line)), ["4", ""]);
    let of_branches =
        "SF:/w/p.c\nBRDA:7,0,0,3\nBRDA:7,0,1,1\nBRDA:8,1,0,-\nend_of_record\nSF:/w/p.h\nBRDA:7,0,0,9\n";
    let branches = include_str!("../src/report/reproduce/llvm_branches.sh");
    assert_eq!([7, 8, 9].map(|line| counted_by(branches, of_branches, line)), ["4", "0", ""]);
}

/// Conditions, MC/DC, paths and branches: the report of each root cause is written again from its reduced program, and its
/// script reproduces it.
#[test]
fn conditions_paths_and_branches_are_reported() {
    let causes = [
        (
            "gcov-masking-left-neighbour/call-between-operands",
            "gcc-17",
            "bugzilla",
            "outcomes of the conditions",
        ),
        ("gcov-paths-of-first-loop/do-loop-at-entry", "gcc-17", "bugzilla", "paths of the function"),
        (
            "llvm-cov-outcome-of-last-condition/negated-conjunction",
            "clang-24",
            "github",
            "conditions on line",
        ),
        (
            "llvm-cov-folded-switch/no-label-selected",
            "clang-24",
            "github",
            "outcomes of the branches on line",
        ),
    ];
    let folder = |name: &str| Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/causes").join(name);
    for (name, compiler, format, words) in causes {
        let folder = folder(name);
        if select(&[compiler.to_string()]).is_err() {
            support::skip_for_newer_tools(&format!("{compiler} is not installed"));
            continue;
        }
        let temp = Temp::new();
        temp.write("nothing.toml", "");
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_recount"));
        command.current_dir(temp.root()).args(["report", folder.as_str(), "--format", format]);
        let said = Said::from(command.args(["--known", "nothing.toml"]).output().unwrap());
        assert_eq!(said.code, 0, "{}", said.err);
        let is_claim =
            |line: &&str| line.contains("; the right number is ") || line.contains("; the right sum is ");
        let claimed = said.out.lines().find(is_claim);
        assert!(claimed.is_some_and(|line| line.contains(words)), "{}", said.out);
        let shown = assert_cmd::Command::new("sh").arg(folder.join("reproduce.sh")).output().unwrap();
        assert_eq!(shown.status.code(), Some(0), "{}", String::from_utf8_lossy(&shown.stdout));
    }
}
