//! reproduce.sh and `recount explain`, on a small campaign with real compilers: both must agree with the campaign.

mod support;

use std::process::Output;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use support::{Said, Temp};

const LABEL: &str = include_str!("data/truth/gcov_label_retry.c");
const ENTRY: &str = include_str!("../configs/known/computed_goto_entry.c");

const BLOCK: &str = include_str!("data/truth/llvm_block_return.c");

/// Its flags and its input contain characters that a shell interprets.
const GIVEN: &str = r#"#include <stdio.h>
#include <string.h>
static int work(int x)
{
  int left = 3, n = 0;
  if (x < 100)
    goto body;
retry:
  n += x;
body:
  left--;
  if (left)
    goto retry;
  return n;
}
int main(int argc, char **argv)
{
  char line[80];
  if (argc == 3 && !strcmp(argv[1], "it's $HOME; exit 7") && fgets(line, sizeof line, stdin))
    if (!strcmp(line, "a 'b' `c`\n"))
      printf("%d %d\n", work(WIDTH), work(7));
  return 0;
}
"#;

/// A label whose count gcc gets right.
const COUNTED: &str = "retry: __asm__(\"\");";

const GIVEN_SIDECAR: &str = r#"flags = ["-DWIDTH=sizeof(\"it's\")"]
[[inputs]]
name = "odd"
args = ["it's $HOME; exit 7", ""]
stdin = "a 'b' `c`\n"
"#;

/// Run a campaign on the folder `it's` with `more` flags, and return the folders of the examples that have a script,
/// with their findings.
fn campaign(temp: &Temp, relations: &[&str], more: &[&str]) -> Vec<(Utf8PathBuf, Value)> {
    // With this list no cluster is known.
    temp.write("nothing.toml", "");
    let args =
        [&["run", "it's", "--out", "night", "--quiet", "--known", "nothing.toml"][..], relations].concat();
    let run = Said::from(temp.recount(&[&args[..], more].concat()));
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let folders = temp.at("night/examples").read_dir_utf8().unwrap();
    let mut examples: Vec<(Utf8PathBuf, Value)> = Vec::new();
    for folder in folders.map(|entry| entry.unwrap().into_path()) {
        let finding = fs_err::read_to_string(folder.join("finding.json")).unwrap();
        let finding: Value = serde_json::from_str(&finding).unwrap();
        let is_open = ["wrong", "unexplained"].contains(&finding["verdict"].as_str().unwrap());
        assert_eq!(folder.join("reproduce.sh").exists(), is_open, "{finding}");
        if is_open {
            examples.push((folder, finding));
        }
    }
    examples.sort_by(|a, b| a.0.cmp(&b.0));
    examples
}

/// A campaign with the relations `truth` and `delete`.
fn night(temp: &Temp, more: &[&str]) -> Vec<(Utf8PathBuf, Value)> {
    campaign(temp, &["--relation", "truth", "--relation", "delete"], more)
}

/// A campaign on three programs: a wrong line count of gcov, one of llvm-cov, and a wrong function count of gcov.
fn three(temp: &Temp) -> Vec<(Utf8PathBuf, Value)> {
    temp.write("it's/gcov_label_retry.c", LABEL);
    temp.write("it's/llvm_block_return.c", BLOCK);
    temp.write("it's/gcov_entry.c", ENTRY);
    night(temp, &[])
}

/// The output and exit code of the script in `folder`. It starts in another folder, without recount's files.
fn script(temp: &Temp, folder: &Utf8Path, env: &[(&str, &str)]) -> Said {
    let scratch = temp.at("scratch");
    fs_err::create_dir_all(&scratch).unwrap();
    let mut command = assert_cmd::Command::new(folder.join("reproduce.sh"));
    command.current_dir("/").env("TMPDIR", &scratch).envs(env.iter().copied());
    let output: Output = command.output().unwrap();
    assert_eq!(scratch.read_dir_utf8().unwrap().count(), 0, "it removes its temporary files");
    let said = Said::from(output);
    assert_eq!((said.out.lines().count(), said.err.as_str()), (1, ""), "{}{}", said.out, said.err);
    said
}

/// The index of the first of `examples` for which `is_wanted` holds.
#[track_caller]
fn find(examples: &[(Utf8PathBuf, Value)], is_wanted: impl Fn(&Value) -> bool) -> usize {
    examples.iter().position(|(_, finding)| is_wanted(finding)).expect("the campaign finds it")
}

#[test]
fn every_script_reproduces_its_finding_until_the_program_changes() {
    let temp = Temp::new();
    let examples = three(&temp);
    for (folder, finding) in &examples {
        let here = script(&temp, folder, &[]);
        assert_eq!(here.code, 0, "{}{finding}", here.out);
        let line = finding["line"].to_string();
        assert!(
            here.out.starts_with("reproduced: ") && here.out.contains(&format!("line {line}: ")),
            "{}",
            here.out
        );
        let nowhere = script(&temp, folder, &[("CC", "/nonexistent")]);
        assert_eq!(nowhere.code, 2, "{}", nowhere.out);
        assert!(nowhere.out.contains("set CC to one"), "{}", nowhere.out);
    }

    // Compilers that scripts/profilers installs are not on PATH.
    let is_label = |finding: &Value| finding["program"] == "gcov_label_retry" && finding["line"] == 7;
    let (folder, finding) = &examples[find(&examples, is_label)];
    let gcc = finding["compiler"].as_str().unwrap();
    for tool in [gcc, &gcc.replace("gcc", "gcov")] {
        temp.script(&format!("prefix/{gcc}/bin/{tool}"), &format!("exec /usr/bin/{tool} \"$@\""));
    }
    fs_err::create_dir(temp.at("tools")).unwrap();
    for tool in "sh awk grep mktemp rm mkdir cp dirname env timeout as ld".split(' ') {
        fs_err::os::unix::fs::symlink(format!("/usr/bin/{tool}"), temp.at("tools").join(tool)).unwrap();
    }
    let tools = ("PATH", temp.at("tools").into_string());
    let among = |prefix: &str| {
        let prefix = temp.at(prefix);
        script(&temp, folder, &[(tools.0, &tools.1), ("RECOUNT_COMPILERS", prefix.as_str())])
    };
    assert_eq!(among("nowhere").code, 2);
    let found = among("prefix");
    assert_eq!(found.code, 0, "{}", found.out);

    // With a statement on the same line, the label's count is right.
    let label = find(&examples, |finding| finding["program"] == "gcov_label_retry" && finding["line"] == 7);
    let folder = &examples[label].0;
    temp.write(folder.join("program.c").as_str(), LABEL.replace("retry:", COUNTED));
    let gone = script(&temp, folder, &[]);
    assert_eq!(gone.code, 1, "{}", gone.out);
    temp.write(folder.join("program.c").as_str(), LABEL.replace("int left", "int right"));
    assert_eq!(script(&temp, folder, &[]).code, 2, "it does not compile");
    temp.write(folder.join("program.c").as_str(), LABEL.replace("return n;", "__builtin_abort();"));
    assert_eq!(script(&temp, folder, &[]).code, 2, "it leaves no profile");

    // A function without a computed goto to its first label has the right count.
    let is_entered = |finding: &Value| finding["program"] == "gcov_entry" && finding["metric"] == "function";
    let folder = &examples[find(&examples, is_entered)].0;
    assert_eq!(script(&temp, folder, &[]).out, "reproduced: the function on line 1: reported 4, actual 2\n");
    let direct =
        ENTRY.replace("goto *to[n];", "if (n) goto two;").replace("    void *to[] = { &&one, &&two };\n", "");
    temp.write(folder.join("program.c").as_str(), direct);
    let gone = script(&temp, folder, &[]);
    assert_eq!(
        (gone.code, gone.out.as_str()),
        (1, "not reproduced: the function on line 1: reported 2, which is right\n")
    );

    // The return statement in the block causes the wrong count; an assignment in its place does not.
    let temp = Temp::new();
    temp.write("it's/llvm_block_return.c", BLOCK);
    let examples = campaign(&temp, &["--relation", "delete"], &[]);
    let is_trapped = |finding: &Value| finding["culprit"].is_object() && finding["rule"] == "missing";
    let folder = &examples[find(&examples, is_trapped)].0;
    let script_text = fs_err::read_to_string(folder.join("reproduce.sh")).unwrap();
    assert!(script_text.contains("__builtin_trap();"), "{script_text}");
    temp.write(folder.join("program.c").as_str(), BLOCK.replace("return 1;", "sum += 1;"));
    assert_eq!(script(&temp, folder, &[]).code, 1);
    // The line has count 0 and never runs, so the trap is not reached.
    temp.write(folder.join("program.c").as_str(), BLOCK.replace("i < 5", "i < 0"));
    let idle = script(&temp, folder, &[]);
    assert_eq!(idle.code, 1, "{}", idle.out);
    assert!(idle.out.contains("never reached"), "{}", idle.out);
    // The line has count 0, but the offsets of its statement have changed.
    temp.write(folder.join("program.c").as_str(), BLOCK.replace("static int sum;", "static int sum = 0;"));
    let moved = script(&temp, folder, &[]);
    assert_eq!(moved.code, 2, "{}", moved.out);
}

#[test]
fn flags_arguments_and_standard_input_are_replayed() {
    let temp = Temp::new();
    temp.write("it's/given.c", GIVEN);
    temp.write("it's/given.toml", GIVEN_SIDECAR);
    let examples = night(&temp, &["--profiler", "gcov"]);
    let given = find(&examples, |finding| finding["line"] == 8);
    let folder = &examples[given].0;
    assert_eq!(script(&temp, folder, &[]).out, "reproduced: line 8: reported 0, actual 4\n");
    temp.write(folder.join("program.c").as_str(), GIVEN.replace("retry:", COUNTED));
    let gone = script(&temp, folder, &[]);
    assert_eq!((gone.code, gone.out.as_str()), (1, "not reproduced: line 8: reported 4, which is right\n"));
    // Without the input the loop does not run.
    fs_err::write(folder.join("stdin"), "").unwrap();
    let idle = script(&temp, folder, &[]);
    assert_eq!((idle.code, idle.out.as_str()), (0, "reproduced: line 8: reported 0, actual 4\n"));
}

#[test]
fn explain_finds_a_cluster_by_id_by_prefix_and_by_signature() {
    let temp = Temp::new();
    let examples = three(&temp);
    let label = find(&examples, |finding| finding["program"] == "gcov_label_retry" && finding["line"] == 7);
    let finding = &examples[label].1;
    let (id, signature) = (finding["cluster"].as_str().unwrap(), finding["signature"].as_str().unwrap());
    let explain = |args: &[&str]| Said::from(temp.recount(&[&["explain"][..], args].concat()));
    let by_id = explain(&[id, "night"]);
    assert_eq!((by_id.code, by_id.err.as_str()), (0, ""), "{}", by_id.out);
    let verdict = "verdict    wrong: the profiler reports a wrong count\nrule       missing: code that ran is reported as not executed\n";
    let signed = format!("cluster    {id}\nsignature  {signature} (version ");
    for expected in [
        verdict,
        &signed,
        &format!("night/examples/{id}"),
        "reports no execution of line 7; it executes 4 times.",
    ] {
        assert!(by_id.out.contains(expected), "{expected}\n{}", by_id.out);
    }
    // Mark, line, reported count, ground truth, text.
    let row = by_id.out.lines().find(|row| row.starts_with('!')).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["!", "7", "0", "4", "retry:"], "{}", by_id.out);
    for name in [&id[..8], signature] {
        assert_eq!(explain(&[name, "night"]).out, by_id.out, "{name}");
    }
    // Every cluster can be explained.
    for (folder, finding) in &examples {
        let told = explain(&[folder.file_name().unwrap(), "night"]);
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(told.out.contains(finding["compiler"].as_str().unwrap()), "{}", told.out);
    }

    let unknown = explain(&["c00000000", "night"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (5, ""));
    assert_eq!(
        unknown.err,
        "recount: no cluster \"c00000000\" in night; `recount report night` lists the clusters\n"
    );
    let several = explain(&["c", "night"]);
    assert_eq!(several.code, 2);
    assert!(several.err.contains("means several clusters"), "{}", several.err);
    let nowhere = explain(&[id]);
    assert_eq!(nowhere.code, 2, "there is no run in reports/runs");
    assert!(nowhere.err.contains("no run in reports/runs"), "{}", nowhere.err);
    fs_err::create_dir_all(temp.at("reports/runs")).unwrap();
    fs_err::rename(temp.at("night"), temp.at("reports/runs/0007")).unwrap();
    let newest = explain(&[id]);
    assert_eq!(newest.out, by_id.out.replace("night/", "reports/runs/0007/"));
}
