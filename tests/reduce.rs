//! `recount reduce` and `recount versions` with real compilers: a bug in a longer program, the open clusters of a run, and
//! folders and files that cannot be reduced.

mod support;

use std::collections::BTreeMap;
use std::process::Output;

use assert_cmd::Command;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use support::{PLAIN, Said, Temp};

/// Line 35 is a label for which gcc-12 reports 0; `send` is called twice, and each call reaches the label twice.
const RETRIES: &str = include_str!("reduce/retries.c");
/// Line 38 follows a `do` that ends by `break`; clang-14 reports 0, and the line runs 4 times.
const SKIPS: &str = include_str!("reduce/skips.c");
/// Small programs that show the same known clusters.
const LABEL: &str = include_str!("../configs/known/label_behind_jump.c");
const DO_BREAK: &str = include_str!("../configs/known/do_break.c");

fn said(temp: &Temp, args: &[&str]) -> Said {
    Said::from(temp.recount(args))
}

fn read(path: &Utf8Path) -> String {
    fs_err::read_to_string(path).unwrap()
}

fn json(path: &Utf8Path) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

/// Every file below `folder` with its bytes.
fn files(folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs_err::read(&path).unwrap());
            }
        }
    }
    found
}

fn lines_of_code(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

/// The counts of the lines of `source` by the plain commands of the tools.
fn counted_plainly(family: &str, source: &str) -> BTreeMap<u64, u64> {
    let temp = Temp::new();
    temp.write("small.c", source);
    let shell = |script: &str| -> String {
        let Output { status, stdout, stderr } =
            Command::new("sh").current_dir(temp.root()).args(["-c", script]).output().unwrap();
        assert!(status.success(), "{script}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    };
    let rows = if family == "gcov" {
        shell("gcc-12 -O0 --coverage small.c -o small -lm; ./small >/dev/null; gcov-12 --stdout *.gcda")
    } else {
        shell(
            "clang-14 -O0 -fprofile-instr-generate -fcoverage-mapping small.c -o small -lm
             ./small >/dev/null; llvm-profdata-14 merge default.profraw -o small.profdata
             llvm-cov-14 show -use-color=0 -instr-profile=small.profdata small | sed 's/\\([^|]*\\)|\\([^|]*\\)|/\\2:\\1:/'",
        )
    };
    let row = |row: &str| {
        let mut cells = row.split(':').map(str::trim);
        let count = cells.next()?.trim_start_matches('#').trim_end_matches('*');
        let line = cells.next()?.parse().ok().filter(|line| *line > 0)?;
        let count = if count.is_empty() && row.trim().starts_with('#') { "0" } else { count };
        Some((line, count.parse().ok()?))
    };
    rows.lines().filter_map(row).collect()
}

/// A finding in a longer program; `right` is the correct count of its line.
struct Case {
    file: &'static str,
    text: &'static str,
    line: u64,
    right: u64,
    profiler: &'static str,
    /// Whether an edit that keeps all statements makes the count right.
    has_contrast: bool,
}

/// Reduces `case`, and checks the result.
fn check_reduction(case: &Case) {
    let temp = Temp::new();
    temp.write(case.file, case.text);
    let check = said(&temp, &["check", case.file, "--profiler", case.profiler, "--relation", "truth"]);
    let is_row = |row: &&str| row.starts_with('!');
    let row: Vec<&str> =
        check.out.lines().find(is_row).expect("the finding is listed").split_whitespace().collect();
    assert_eq!(row[..4], ["!", &case.line.to_string(), "0", &case.right.to_string()], "{}", check.out);

    let line = case.line.to_string();
    let reduce = |more: &[&str]| {
        let args = ["reduce", case.file, "--line", &line, "--profiler", case.profiler, "--out", "out", "-q"];
        let said = said(&temp, &[&args[..], more].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
        said.out
    };
    let printed = reduce(&["--jobs", "1"]);
    let folder = temp.at("out");
    let program = read(&folder.join("program.c"));
    let before = lines_of_code(case.text);
    let after = lines_of_code(&program);
    assert!((4..=25).contains(&after), "{program}");
    let sum = format!("out: {before} lines -> {after}, {} bytes -> {};", case.text.len(), program.len());
    assert!(printed.starts_with(&sum), "{sum}\n{printed}");
    assert_eq!(read(&folder.join("original.c")), case.text);

    let (now, then) = (json(&folder.join("finding.json")), json(&folder.join("reduction.json")));
    let then = &then["original"];
    for key in ["relation", "verdict", "rule", "kind", "compiler", "program", "file"] {
        assert_eq!(now[key], then[key], "{key}");
    }
    assert_eq!(
        (&now["relation"], &now["verdict"], &now["rule"]),
        (&"truth".into(), &"wrong".into(), &"missing".into())
    );
    assert_eq!((&then["line"], &then["truth"]), (&case.line.into(), &vec![case.right].into()));
    let warnings = ["uninitialized", "implicit-function-declaration", "return-type"]
        .map(|name| format!("-Werror={name}"));
    let clang = Command::new("clang-14")
        .args(&warnings)
        .args(["-fsyntax-only", "out/program.c"])
        .current_dir(temp.root())
        .output()
        .unwrap();
    assert!(clang.status.success(), "{}{program}", String::from_utf8_lossy(&clang.stderr));
    let at = now["line"].as_u64().unwrap();
    let right: Vec<u64> = now["truth"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();

    // With plain commands, the count of the line is wrong in the program and right in the contrast.
    let family = now["profiler"].as_str().unwrap();
    assert_eq!(counted_plainly(family, &program).get(&at), Some(&0), "{program}");
    assert!(!right.contains(&0), "{right:?}");
    let contrast = folder.join("contrast.c");
    assert_eq!(contrast.exists(), case.has_contrast, "{printed}");
    if case.has_contrast {
        let counted = counted_plainly(family, &read(&contrast));
        let kept = json(&folder.join("counts.json"));
        let kept: BTreeMap<u64, u64> = (1..)
            .zip(kept["contrast"].as_array().unwrap())
            .filter_map(|(line, count)| Some((line, count.as_u64()?)))
            .collect();
        assert_eq!(counted, kept, "{}", read(&contrast));
        assert!(counted.get(&at).is_some_and(|count| right.contains(count)), "{}", read(&contrast));
        assert!(printed.contains("\nThe count is right after this edit: "), "{printed}");
    } else {
        assert!(printed.contains("No minimal variant with a correct count: "), "{printed}");
    }

    // In an empty folder, with only a shell and the tools.
    let empty = Temp::new();
    for name in ["program.c", "reproduce.sh"] {
        fs_err::copy(folder.join(name), empty.at(name)).unwrap();
    }
    let script = Command::new(empty.at("reproduce.sh")).current_dir(empty.root()).output().unwrap();
    assert_eq!(script.status.code(), Some(0), "{}", String::from_utf8_lossy(&script.stdout));
    if case.has_contrast {
        fs_err::copy(&contrast, empty.at("program.c")).unwrap();
        let script = Command::new(empty.at("reproduce.sh")).current_dir(empty.root()).output().unwrap();
        assert_eq!(script.status.code(), Some(1), "{}", String::from_utf8_lossy(&script.stdout));
    }

    // With two workers, again from the original program.
    let deciding = ["program.c", "original.c", "finding.json", "counts.json", "reproduce.sh"];
    let first: Vec<String> = deciding.iter().map(|name| read(&folder.join(name))).collect();
    let again = said(&temp, &["reduce", "out", "--again", "--jobs", "2", "-q"]);
    assert_eq!((again.code, again.err.as_str()), (0, ""), "{}", again.out);
    let second: Vec<String> = deciding.iter().map(|name| read(&folder.join(name))).collect();
    assert_eq!(first, second);

    // A reduced finding is not reduced again.
    let done = files(&folder);
    assert_eq!(said(&temp, &["reduce", "out", "-q"]).code, 0);
    assert_eq!(files(&folder), done);

    check_versions(&temp, case, &program);
}

/// `recount versions` on the reduced finding in `out`, and on its contrast.
fn check_versions(temp: &Temp, case: &Case, program: &str) {
    let versions = || said(temp, &["versions", "out", "--profiler", case.profiler]);
    let there = versions();
    assert_eq!((there.code, there.err.as_str()), (0, ""), "{}", there.out);
    let row = there.out.lines().find(|row| row.starts_with(case.profiler)).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[1..3], ["0", "wrong"], "{}", there.out);
    assert!(there.out.contains(&format!("affected since {} or earlier", case.profiler)), "{}", there.out);
    let kept = json(&temp.at("out/versions.json"));
    assert_eq!(kept.as_array().map(Vec::len), Some(1));
    assert_eq!((&kept[0]["compiler"], &kept[0]["affected"]), (&case.profiler.into(), &true.into()));
    assert_eq!(read(&temp.at("out/program.c")), program, "the program is not changed");
    assert!(temp.at("out/reduction.json").exists());

    let right =
        if case.has_contrast { read(&temp.at("out/contrast.c")) } else { program.replace("break", "") };
    fs_err::write(temp.at("out/program.c"), right).unwrap();
    let gone = versions();
    assert_eq!((gone.code, gone.err.as_str()), (5, ""), "{}", gone.out);
    assert!(gone.out.contains("not affected") && gone.out.contains("no tried version of"), "{}", gone.out);
    assert_eq!(json(&temp.at("out/versions.json"))[0]["affected"], false);

    // A profiler of the other family cannot show the finding.
    let other = if case.profiler == "gcc-12" { "clang-14" } else { "gcc-12" };
    let nobody = said(temp, &["versions", "out", "--profiler", other]);
    assert_eq!((nobody.code, nobody.out.as_str()), (3, ""), "{}", nobody.err);
    assert!(nobody.err.starts_with("recount: out: the finding needs a version of "), "{}", nobody.err);
}

#[test]
#[ignore = "long"]
fn a_label_with_a_wrong_gcov_count_is_reduced() {
    check_reduction(&Case {
        file: "retries.c",
        text: RETRIES,
        line: 35,
        right: 4,
        profiler: "gcc-12",
        has_contrast: true,
    });
}

#[test]
#[ignore = "long"]
fn a_statement_with_a_wrong_llvm_cov_count_is_reduced() {
    check_reduction(&Case {
        file: "skips.c",
        text: SKIPS,
        line: 38,
        right: 4,
        profiler: "clang-14",
        has_contrast: false,
    });
}

/// Runs `programs` with both profilers; returns the folders of the examples of open clusters.
fn run_campaign(temp: &Temp, programs: &[(&str, &str)]) -> Vec<Utf8PathBuf> {
    for (name, text) in programs {
        temp.write(&format!("src/{name}"), text);
    }
    let profilers = ["--profiler", "gcc-12", "--profiler", "clang-14", "--relation", "truth"];
    let run = said(temp, &[&["run", "src", "--out", "nightly", "--quiet"][..], &profilers].concat());
    assert!([0, 1].contains(&run.code), "{}{}", run.out, run.err);
    let folders = temp.at("nightly/examples").read_dir_utf8().unwrap();
    let mut folders: Vec<Utf8PathBuf> = folders.map(|entry| entry.unwrap().into_path()).collect();
    folders.retain(|folder| json(&folder.join("finding.json"))["verdict"] == "wrong");
    folders.sort();
    folders
}

#[test]
#[ignore = "long"]
fn the_open_clusters_of_a_run_are_reduced_once() {
    let temp = Temp::new();
    let examples = run_campaign(&temp, &[("label.c", LABEL), ("do_break.c", DO_BREAK), ("plain.c", PLAIN)]);
    assert_eq!(examples.len(), 2, "expected one example for each profiler: {examples:?}");
    let journal = fs_err::read(temp.at("nightly/journal.jsonl")).unwrap();
    let left = "recount: nightly: 2 clusters left out because the list of known clusters has them; --show-known includes them\n";
    for command in [&["reduce", "nightly", "--quiet"][..], &["versions", "nightly"]] {
        let new = said(&temp, command);
        assert_eq!((new.out.as_str(), new.err.as_str()), ("", left), "{command:?}");
    }
    temp.write("nothing.toml", "");
    let reduced = said(&temp, &["reduce", "nightly", "--jobs", "2", "--quiet", "--known", "nothing.toml"]);
    assert_eq!((reduced.code, reduced.err.as_str()), (0, ""), "{}", reduced.out);
    for folder in &examples {
        let name = folder.strip_prefix(temp.root()).unwrap();
        assert_eq!(reduced.out.matches(&format!("{name}: ")).count(), 1, "{}", reduced.out);
        let (program, original) = (read(&folder.join("program.c")), read(&folder.join("original.c")));
        assert!([LABEL, DO_BREAK].contains(&original.as_str()), "{original}");
        assert!(lines_of_code(&program) < lines_of_code(&original), "{program}");
    }
    assert_eq!(reduced.out.lines().count(), 2, "{}", reduced.out);
    let all = files(&temp.at("nightly/examples"));

    let triage = said(&temp, &["triage", "nightly"]);
    assert!([0, 1].contains(&triage.code), "{}", triage.err);
    assert_eq!(files(&temp.at("nightly/examples")), all, "triage keeps the reduced programs");
    let again = said(&temp, &["reduce", "nightly", "--quiet", "--show-known"]);
    assert_eq!((again.code, again.err.as_str()), (0, ""), "{}", again.out);
    assert_eq!(files(&temp.at("nightly/examples")), all, "nothing is reduced again");
    assert!(!again.out.contains("programs tried"), "{}", again.out);
    assert_eq!(fs_err::read(temp.at("nightly/journal.jsonl")).unwrap(), journal);
}

#[test]
fn a_campaign_reduces_its_new_clusters() {
    let temp = Temp::new();
    temp.write("src/label.c", LABEL);
    temp.write("nothing.toml", "");
    let run = ["run", "src", "--out", "nightly", "-q", "--profiler", "gcc-12", "--relation", "truth"];
    let known = said(&temp, &[&run[..], &["--reduce-for", "5m"]].concat());
    assert_eq!(known.code, 0, "{}{}", known.out, known.err);
    assert!(!known.out.contains("lines ->"), "nothing is new: {}", known.out);
    let more = ["--reduce-for", "5m", "--known", "nothing.toml", "--resume"];
    let new = said(&temp, &[&run[..], &more].concat());
    assert_eq!((new.code, new.err.as_str()), (1, ""), "{}", new.out);
    let example = temp.at("nightly/examples").read_dir_utf8().unwrap().next().unwrap().unwrap().into_path();
    assert!(lines_of_code(&read(&example.join("program.c"))) < lines_of_code(LABEL));
    assert_eq!(read(&example.join("original.c")), LABEL);
    let done = files(&example);
    assert_eq!(said(&temp, &[&run[..], &more].concat()).code, 1);
    assert_eq!(files(&example), done, "what is reduced stays");
}

#[test]
fn without_time_a_program_does_not_become_larger() {
    let temp = Temp::new();
    let unneeded: String =
        (0..60).map(|n| format!("static int unneeded_{n}(void) {{ return {n}; }}\n")).collect();
    temp.write("own.h", format!("{unneeded}#define LIMIT 3\n"));
    temp.write("label.c", format!("#include \"own.h\"\n{LABEL}"));
    let check = said(&temp, &["check", "label.c", "--profiler", "gcc-12", "--relation", "truth"]);
    let row = check.out.lines().find(|row| row.starts_with('!')).expect("the finding is listed");
    let line = row.split_whitespace().nth(1).unwrap();
    let args =
        ["reduce", "label.c", "--line", line, "--profiler", "gcc-12", "--out", "out", "-q", "--for", "0s"];
    let reduce = said(&temp, &args);
    assert_eq!((reduce.code, reduce.err.as_str()), (0, ""), "{}", reduce.out);
    assert!(reduce.out.contains("not enough for a smaller program"), "{}", reduce.out);
    assert!(!temp.at("out/reduction.json").exists());
}

/// Fails unless `args` exit with `code` and one sentence on standard error that contains all of `words`, and `folder` does
/// not change.
#[track_caller]
fn assert_refused(temp: &Temp, args: &[&str], code: i32, folder: &str, words: &[&str]) {
    let before = files(&temp.at(folder));
    let said = said(temp, args);
    let all = format!("exit {}\n{}{}", said.code, said.out, said.err);
    assert_eq!((said.code, said.out.as_str()), (code, ""), "{all}");
    assert!(said.err.starts_with("recount: ") && said.err.lines().count() == 1, "{all}");
    for word in words {
        assert!(said.err.contains(word), "no {word:?} in: {all}");
    }
    assert_eq!(files(&temp.at(folder)), before, "{args:?} changed something");
}

#[test]
fn a_finding_that_cannot_be_reduced_does_not_change() {
    let temp = Temp::new();
    let examples = run_campaign(&temp, &[("label.c", LABEL)]);
    let [folder] = examples.as_slice() else { panic!("expected one finding: {examples:?}") };
    let name = folder.as_str();
    let reduce = ["reduce", name, "-q"];
    let versions = ["versions", name, "--profiler", "gcc-12"];
    let untouched = files(folder);
    let restore = || untouched.iter().for_each(|(path, bytes)| fs_err::write(path, bytes).unwrap());

    // With an assembly statement after the label, the count is right.
    fs_err::write(folder.join("program.c"), LABEL.replace("retry:", "retry: __asm__(\"\");")).unwrap();
    let before = files(folder);
    let gone = said(&temp, &reduce);
    assert_eq!(gone.code, 5, "{}{}", gone.out, gone.err);
    let all = format!("{}{}", gone.out, gone.err);
    assert!(all.contains("no longer reproduces with gcc-12") && all.lines().count() == 1, "{all}");
    assert_eq!(files(folder), before);
    fs_err::write(folder.join("program.c"), "int main(void) { return x; }\n").unwrap();
    assert_eq!(said(&temp, &reduce).code, 5, "a program that does not compile shows nothing");
    restore();

    let finding = read(&folder.join("finding.json"));
    fs_err::write(folder.join("finding.json"), finding.replace("\"gcc-12\"", "\"gcc-99\"")).unwrap();
    assert_refused(
        &temp,
        &reduce,
        3,
        name,
        &["the finding needs gcc-99", "gcc-12 (Debian", "not usable here"],
    );
    fs_err::write(folder.join("finding.json"), "{}").unwrap();
    assert_refused(&temp, &reduce, 2, name, &["finding.json: not valid in format 2"]);
    assert_refused(&temp, &versions, 2, name, &["finding.json: not valid in format 2"]);
    restore();
    fs_err::write(folder.join("counts.json"), "[").unwrap();
    assert_refused(&temp, &reduce, 2, name, &["counts.json"]);
    restore();
    fs_err::remove_file(folder.join("program.c")).unwrap();
    assert_refused(&temp, &reduce, 2, name, &["no program.c in this folder"]);
    restore();
    fs_err::remove_file(folder.join("replay.json")).unwrap();
    for args in [&reduce[..], &versions] {
        assert_refused(&temp, args, 2, name, &["no replay.json", "run the campaign again"]);
    }
    restore();
    assert_refused(&temp, &["reduce", name, "--line", "7", "-q"], 2, name, &["a folder; name one .c file"]);
}

#[test]
fn folders_without_findings_are_refused() {
    let temp = Temp::new();
    temp.write("src/p.c", PLAIN);
    let run = said(&temp, &["run", "src", "--out", "nightly", "--quiet", "--profiler", "gcc-12"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_refused(
        &temp,
        &["reduce", "src", "-q"],
        2,
        "src",
        &["src: this is neither the folder of a finding nor of a run", "recount triage"],
    );
    assert_refused(
        &temp,
        &["versions", "src"],
        2,
        "src",
        &["src: this is neither the folder of a finding nor of a run"],
    );
    assert_refused(
        &temp,
        &["reduce", "c00000000", "-q"],
        2,
        "src",
        &["no folder or cluster has this name", "--run DIR"],
    );
    // A run without findings has nothing to reduce, which is no error.
    assert_eq!(said(&temp, &["reduce", "nightly", "-q"]).code, 0);

    let journal = read(&temp.at("nightly/journal.jsonl"));
    assert!(journal.contains("\"format\":2,"), "{journal}");
    temp.write("nightly/journal.jsonl", journal.replacen("\"format\":2,", "\"format\":3,", 1));
    for command in [
        &["reduce", "nightly", "-q"][..],
        &["versions", "nightly"],
        &["reduce", "nightly", "--draw", "3", "-q"],
    ] {
        assert_refused(
            &temp,
            command,
            2,
            "nightly",
            &["nightly/journal.jsonl is a journal of format 3", "reads only format 2"],
        );
    }
    temp.write("nightly/journal.jsonl", "no journal\n");
    assert_refused(
        &temp,
        &["reduce", "nightly", "-q"],
        2,
        "nightly",
        &["nightly/journal.jsonl:1: not a line of a journal"],
    );
}

#[test]
fn a_file_needs_a_line_with_a_finding() {
    let temp = Temp::new();
    temp.write("src/p.c", LABEL);
    temp.write("src/q.c", PLAIN);
    let reduce =
        |more: &[&'static str]| [&["reduce", "src/p.c", "--profiler", "gcc-12", "-q"][..], more].concat();
    assert_refused(&temp, &reduce(&[]), 2, "src", &["src/p.c: add --line N, the line whose count is wrong"]);
    assert_refused(
        &temp,
        &reduce(&["src/q.c", "--line", "7"]),
        2,
        "src",
        &["--line needs exactly one .c file"],
    );
    let lists = "`recount check src/p.c` lists all findings";
    for line in ["8", "3"] {
        let place = format!("src/p.c:{line}: no finding on this line");
        let args = ["reduce", "src/p.c", "--profiler", "gcc-12", "-q", "--line", line];
        assert_refused(&temp, &args, 5, "src", &[&place, lists]);
    }
    for line in ["4000", "0"] {
        let place = format!("src/p.c:{line}: there is no such line; the file has 19 lines");
        let args = ["reduce", "src/p.c", "--profiler", "gcc-12", "-q", "--line", line];
        assert_refused(&temp, &args, 2, "src", &[&place]);
    }
    assert_refused(
        &temp,
        &["reduce", "no_such.c", "--line", "7", "-q"],
        2,
        "src",
        &["no_such.c", "no such program"],
    );
    let folder = ["reduce", "src", "--line", "7", "-q"];
    assert_refused(&temp, &folder, 2, "src", &["src: a folder", "name one .c file"]);
    assert!(!temp.at("reports").exists(), "nothing was written");
}
