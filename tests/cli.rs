//! The command line: help, completions, the plan, the exit codes, and the names in the JSON report, which are a
//! contract with scripts.

mod support;

use serde_json::Value;
use support::{PLAIN, Said, Temp};

/// clang reports 0 for the branch that `longjmp` leaves, so there is a finding.
const JUMPS_BACK: &str = include_str!("world/jumps_back.c");

fn said(temp: &Temp, args: &[&str]) -> Said {
    Said::from(temp.recount(args))
}

/// clang 14 takes `setjmp` for one return: the region of `puts` on line 10 has the count 1 - 2.
const SECOND_RETURN: &str = include_str!("data/second_return.c");

/// The keys of an object, sorted.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn help_texts_match_the_snapshots() {
    let temp = Temp::new();
    for command in [
        "",
        "run",
        "check",
        "claim",
        "import",
        "profilers",
        "triage",
        "explain",
        "report",
        "reduce",
        "versions",
        "known",
        "merge",
    ] {
        let args = [command, "--help"];
        let help = said(&temp, if command.is_empty() { &args[1..] } else { &args });
        assert_eq!((help.code, help.err.as_str()), (0, ""), "{command}");
        let name = if command.is_empty() { "recount" } else { command };
        insta::assert_snapshot!(format!("help_{name}"), help.out);
    }
}

#[test]
fn help_lists_commands_for_users_and_hides_internal_ones() {
    let temp = Temp::new();
    let help = said(&temp, &["--help"]).out;
    let commands = [
        "check",
        "profilers",
        "run",
        "triage",
        "explain",
        "report",
        "reduce",
        "versions",
        "claim",
        "known",
        "inputs",
        "import",
        "merge",
    ];
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
    for hidden in ["supervise", "completions", "\n  man"] {
        assert!(!help.contains(hidden), "{help}");
    }
    let words: Vec<&str> = help.split_whitespace().collect();
    let codes = "0 nothing new; 1 a cluster; 2 bad usage; 3 no usable profiler; 4 an internal failure; \
                 5 the named finding; 6 less was checked; 130 interrupted";
    for code in codes.split("; ") {
        assert!(words.join(" ").contains(code), "{code}: {help}");
    }
    let run = said(&temp, &["run", "--help"]).out;
    let flags = [
        "config", "profiler", "relation", "seed", "jobs", "out", "dry-run", "resume", "programs", "for",
        "shard",
    ];
    for flag in flags {
        assert!(run.contains(&format!("--{flag}")), "CONTRACT names --{flag}");
    }
}

#[test]
fn completions_and_man_pages_know_the_commands() {
    let temp = Temp::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&temp, &["completions", shell]);
        assert_eq!(script.code, 0);
        assert!(script.out.contains("profilers") && script.out.contains("shard"), "{shell}");
    }
    assert_eq!(said(&temp, &["man", "pages"]).code, 0);
    let page = fs_err::read_to_string(temp.at("pages/recount-run.1")).unwrap();
    assert!(page.starts_with('.') && page.contains("shard"), "{page}");
    assert!(temp.at("pages/recount.1").exists());
}

#[test]
fn a_dry_run_prints_the_ids_of_the_jobs_and_runs_none() {
    let temp = Temp::new();
    temp.write("folder/b.c", PLAIN);
    temp.write("folder/a.c", PLAIN);
    temp.write("folder/a.toml", "[[inputs]]\nname = 'few'\n[[inputs]]\nargs = ['x']\n");
    let plan = said(&temp, &["run", "folder", "--profiler", "gcov", "--dry-run"]);
    assert_eq!((plan.code, plan.err.as_str()), (0, ""));
    let ids: Vec<Vec<&str>> = plan.out.lines().map(|id| id.split('|').collect()).collect();
    let jobs: Vec<(&str, &str)> = ids.iter().map(|id| (id[0], id[1])).collect();
    assert_eq!(jobs, [("a", "few"), ("a", "2"), ("b", "default")]);
    assert!(ids.iter().all(|id| id.len() == 3 && id[2].starts_with("gcc-")), "{}", plan.out);
    assert!(!temp.at("reports").exists());
    let count = |more: &[&str]| {
        let args = [&["run", "folder", "--dry-run"][..], more].concat();
        said(&temp, &args).out.lines().count()
    };
    assert_eq!(count(&[]), 6, "gcov and llvm-cov by default");
    assert_eq!(count(&["--shard", "1/2"]) + count(&["--shard", "2/2"]), 6);
    assert!([2, 4].contains(&count(&["--programs", "1"])), "a has two inputs, b has one");
}

#[test]
fn the_functions_of_a_file_are_in_one_shard() {
    let temp = Temp::new();
    temp.write("functions/f.c", "int a(int x) { return x > 7; }\nint b(int x) { return x < 3; }\n");
    let ids = |shard: &str| {
        let args = ["run", "functions", "--inputs", "1", "--profiler", "gcov", "--dry-run", "--shard", shard];
        said(&temp, &args).out.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let mut shards = [ids("1/2"), ids("2/2")];
    shards.sort();
    let programs: Vec<&str> = shards[1].iter().map(|id| id.split('|').next().unwrap()).collect();
    assert_eq!((shards[0].len(), programs), (0, vec!["f/a", "f/b"]));
}

#[test]
fn profilers_lists_compilers_with_the_tools_of_their_own_version() {
    let temp = Temp::new();
    let list = said(&temp, &["profilers"]);
    assert_eq!(list.code, 0);
    for family in ["gcov", "llvm-cov"] {
        let rows = list.out.lines().filter(|line| line.starts_with(&format!("{family} ")));
        assert!(
            rows.count() > 0,
            "no {family}; this test needs gcc and clang with their tools\n{}",
            list.out
        );
    }
}

#[test]
fn without_any_compiler_the_exit_code_is_3() {
    let temp = Temp::new();
    temp.write("p.c", PLAIN);
    let mut command = assert_cmd::Command::new(support::BINARY);
    let nowhere = |command: &mut assert_cmd::Command| {
        command.current_dir(temp.root()).env("PATH", temp.root()).env("RECOUNT_COMPILERS", temp.root());
    };
    nowhere(&mut command);
    let said = Said::from(command.args(["run", "p.c"]).output().unwrap());
    assert_eq!((said.code, said.out.as_str()), (3, ""));
    assert!(said.err.contains("apt-get install gcc"), "{}", said.err);
    command = assert_cmd::Command::new(support::BINARY);
    nowhere(&mut command);
    let said = Said::from(command.arg("profilers").output().unwrap());
    assert_eq!(said.code, 3);
    assert!(said.out.contains("no gcov found") && said.out.contains("no llvm-cov found"), "{}", said.out);
}

/// A run over one program with right counts and one with a wrong count under clang.
fn run(temp: &Temp) -> Said {
    temp.write("programs/jumps_back.c", JUMPS_BACK);
    temp.write("programs/plain.c", PLAIN);
    temp.write("nothing.toml", "");
    said(temp, &["run", "programs", "--out", "night", "--quiet", "--known", "nothing.toml"])
}

#[test]
fn a_difference_is_new_and_its_report_has_the_keys_of_the_contract() {
    let temp = Temp::new();
    let night = run(&temp);
    assert_eq!((night.code, night.err.as_str()), (1, ""), "{}", night.out);
    assert!(night.out.contains("Clusters to look at"), "{}", night.out);
    let printed = fs_err::read_to_string(temp.at("night/report.txt")).unwrap();
    assert!(night.out.starts_with(&printed));

    let report = said(&temp, &["report", "night", "--known", "nothing.toml", "--format", "json"]);
    assert_eq!(report.code, 0, "a report always succeeds");
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(keys(&report), ["clusters", "findings", "format", "profilers", "unchecked"]);
    assert_eq!(report["format"], 2);
    let finding_keys = [
        "after",
        "before",
        "cluster",
        "compiler",
        "culprit",
        "file",
        "input",
        "kind",
        "line",
        "metric",
        "profiler",
        "program",
        "relation",
        "rule",
        "signature",
        "signature_version",
        "symptoms",
        "truth",
        "verdict",
        "version",
    ];
    let findings = report["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        let of_mechanism = ["element", "evidence", "layer", "mechanism"];
        let has_mechanism = finding["verdict"] == "wrong";
        assert_eq!(finding["symptoms"][0].is_object(), has_mechanism, "{finding}");
        let mut expected_keys = finding_keys.to_vec();
        expected_keys.extend(of_mechanism.iter().filter(|_| has_mechanism));
        // `delete` finds the element of `truth` too.
        expected_keys.extend(["also"].iter().filter(|key| finding[**key].is_array()));
        assert_eq!(finding["also"].is_array(), has_mechanism, "{finding}");
        expected_keys.sort_unstable();
        assert_eq!(keys(finding), expected_keys);
        let has_variant = finding["relation"] == "delete";
        assert_eq!(finding["culprit"].is_object(), has_variant, "{finding}");
        assert!(
            !has_variant
                || ["file", "lines", "edit"].iter().all(|key| keys(&finding["culprit"]).contains(key)),
            "{finding}"
        );
        assert_eq!(finding["program"], "jumps_back");
        assert_eq!(finding["profiler"], "llvm-cov");
    }
    let cluster_keys =
        ["count", "example", "known", "profilers", "programs", "sentence", "signature", "verdict"];
    for cluster in report["clusters"].as_array().unwrap() {
        assert!(cluster_keys.iter().all(|key| keys(cluster).contains(key)), "{cluster}");
        let of_cluster = findings.iter().filter(|finding| finding["signature"] == cluster["signature"]);
        assert_eq!(cluster["count"], of_cluster.count());
        let example = cluster["example"].as_str().unwrap_or_else(|| panic!("no example of {cluster}"));
        let folder = temp.at("night").join(example);
        for file in ["program.c", "commands.txt", "finding.json"] {
            assert!(folder.join(file).is_file(), "{example}/{file}");
        }
        let finding = fs_err::read_to_string(folder.join("finding.json")).unwrap();
        let finding: Value = serde_json::from_str(&finding).unwrap();
        let has_variant = finding["culprit"].is_object();
        assert_eq!(folder.join("variant.c").is_file(), has_variant, "{example}");
    }
    let triage = said(&temp, &["triage", "night", "--known", "nothing.toml"]);
    assert_eq!(triage.code, 1, "triage has the same exit code as run");
    assert_eq!(triage.out, printed);
    assert_eq!(said(&temp, &["report", "night", "--known", "nothing.toml"]).out, printed);
}

#[test]
fn nothing_to_find_is_exit_code_0() {
    let temp = Temp::new();
    temp.write("plain.c", PLAIN);
    let run = said(&temp, &["run", "plain.c", "--out", "night"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("No wrong counts found."), "{}", run.out);
    assert_eq!(said(&temp, &["triage", "night"]).code, 0);
    let check = said(&temp, &["check", "plain.c"]);
    assert_eq!(check.code, 0, "{}", check.out);
    assert!(!check.out.lines().any(|line| line.starts_with('!')), "{}", check.out);
}

/// Profilers for which `check` says the same are listed once, and others are not.
#[test]
fn check_says_once_what_several_profilers_show() {
    let temp = Temp::new();
    temp.write("plain.c", PLAIN);
    temp.write("jumps_back.c", JUMPS_BACK);
    let check = |file: &str| {
        let args = ["check", file, "--profiler", "gcov", "--profiler", "llvm-cov", "--relation", "truth"];
        let out = said(&temp, &args).out;
        (out.matches(", input default, ").count(), out.contains("\n  the same with clang-"))
    };
    assert_eq!(check("plain.c"), (1, true));
    assert_eq!(check("jumps_back.c"), (2, false));
}

#[test]
fn check_shows_the_program_and_its_variant_side_by_side() {
    let temp = Temp::new();
    temp.write("jumps_back.c", JUMPS_BACK);
    temp.write("nothing.toml", "");
    let args = ["check", "jumps_back.c", "--profiler", "llvm-cov", "--known", "nothing.toml"];
    let check = said(&temp, &args);
    assert_eq!(check.code, 1, "{}{}", check.out, check.err);
    assert!(check.out.contains("jumps_back.c, input default, clang-"), "{}", check.out);
    assert!(
        check.out.contains("delete the call on line 11") && check.out.contains("missing"),
        "{}",
        check.out
    );
    // Mark, line, then count and text in the program and in the variant.
    let row = |mark: char, line: &str| {
        let is_row = |row: &&str| row.starts_with(mark) && row[1..].split_whitespace().next() == Some(line);
        check.out.lines().find(is_row).unwrap_or_else(|| panic!("no {mark} on line {line}\n{}", check.out))
    };
    let edited: Vec<&str> = row('~', "11").split_whitespace().collect();
    assert_eq!(edited, ["~", "11", "0", "0", "puts(\"never", "printed\");", "-"]);
    let moved: Vec<&str> = row('!', "12").split_whitespace().collect();
    assert_eq!(moved, ["!", "12", "0", "0", "}", "1", "}"], "the brace after a longjmp");
    let wrong: Vec<&str> = row('!', "21").split_whitespace().collect();
    assert_eq!(wrong, ["!", "21", "0", "1", "leave(1);"], "the report says 0, truth 1");
    let whole = said(&temp, &["check", "jumps_back.c", "--profiler", "llvm-cov", "--whole"]);
    assert!(whole.out.contains("#include <setjmp.h>") && !check.out.contains("#include <setjmp.h>"));
}

/// Fails unless a line of `out` has these cells, which are separated by two or more spaces.
#[track_caller]
fn has_row(out: &str, row: &[&str]) {
    let cells = |line: &str| -> Vec<String> {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_string).collect()
    };
    assert!(out.lines().any(|line| cells(line) == row), "no {row:?} in\n{out}");
}

#[test]
fn check_shows_the_whole_report_next_to_the_expected_one() {
    let temp = Temp::new();
    temp.write("p.c", SECOND_RETURN);
    let check = |more: &[&str]| said(&temp, &[&["check", "p.c"][..], more].concat()).out;
    let clang = check(&["--profiler", "clang-14", "--whole"]);
    has_row(&clang, &["metric", "line", "place", "reported", "expected", "note"]);
    has_row(&clang, &["function", "6", "main", "1", "1"]);
    has_row(&clang, &["branch", "11", "column 9 to 11:14, true", "2", "2"]);
    has_row(&clang, &["branch", "11", "column 9 to 11:14, false", "-1 (wrapped)", "1", "differs"]);
    has_row(&clang, &["region", "6", "column 1 to 15:2, code", "1", "1"]);
    has_row(&clang, &["region", "10", "column 9 to 10:22, code", "-1 (wrapped)", "1", "differs"]);
    assert!(clang.contains("!   10 -1 (wrapped)       1          puts"), "{clang}");
    assert!(clang.contains("single-byte counters are never checked"), "{clang}");
    // Without --whole only what differs.
    let short = check(&["--profiler", "clang-14"]);
    has_row(&short, &["region", "10", "column 9 to 10:22, code", "-1 (wrapped)", "1", "differs"]);
    assert!(!short.contains("column 9 to 11:14, true"), "{short}");
    let gcc = check(&["--profiler", "gcc-12", "--whole"]);
    has_row(&gcc, &["branch", "11", "branch 0", "2", "2"]);
    has_row(&gcc, &["function", "5", "main", "1", "1"]);
}

#[test]
fn check_says_why_a_line_has_no_expected_count() {
    let temp = Temp::new();
    temp.write(
        "p.c",
        "#include <stdio.h>\n#include <unistd.h>\nint main(void)\n{\n    printf(\"%d\\n\", (int)getpgrp());\n    return 0;\n}\n",
    );
    let out = said(&temp, &["check", "p.c", "--profiler", "gcc-12", "--whole"]).out;
    let reason = "there is no ground truth: the program behaves differently from run to run";
    assert!(out.contains(&format!("  No expected count on lines 3, 5-6: {reason}.\n")), "{out}");
    has_row(&out, &["function", "3", "main", "1", "unknown", "there is no ground truth"]);
}

#[test]
fn functions_that_a_macro_makes_are_known_by_their_names() {
    let temp = Temp::new();
    let program = "#define MAKE(name) static int name(void) { return 1; }\nMAKE(f)\nMAKE(g)\n\n\
                   int main(void)\n{\n    return f() != g();\n}\n";
    temp.write("p.c", program);
    let out = said(&temp, &["check", "p.c", "--profiler", "clang-14", "--whole"]).out;
    has_row(&out, &["function", "1", "f", "1", "1"]);
    has_row(&out, &["function", "1", "g", "1", "1"]);
    assert!(!out.contains("  differs"), "{out}");
}

#[test]
fn check_shows_what_decides_the_count_of_a_line() {
    let temp = Temp::new();
    temp.write("p.c", SECOND_RETURN);
    let check =
        |line: &str, profiler: &str| said(&temp, &["check", "p.c", "--profiler", profiler, "--line", line]);
    let clang = check("10", "clang-14").out;
    assert!(
        clang.contains("  line 10: reported -1 (wrapped), expected 1\n    puts(\"first\");\n"),
        "{clang}"
    );
    has_row(&clang, &["* wrapped segment", "from 8:13", "the count of its region", "-1 (wrapped)", "1"]);
    has_row(&clang, &["gap region of main", "8:13 to 10:9", "(#0 - #1)", "-1 (wrapped)"]);
    has_row(&clang, &["code region of main", "10:9 to 10:22", "(#0 - #1)", "-1 (wrapped)", "1"]);
    has_row(&clang, &["code region of main", "6:1 to 15:2", "#0", "1", "1"]);
    let gcc = check("11", "gcc-12").out;
    assert!(gcc.contains("  line 11: reported 3, expected 3\n    if (n < 2)\n"), "{gcc}");
    has_row(&gcc, &["block 7 of main", "line 11", "owned by the line", "3", "3"]);
    has_row(&gcc, &["* arc 6 → 7 of main", "from line 10", "enters the line; follows from other arcs", "1"]);
    // A line without a count, and one that does not exist.
    let none = check("2", "gcc-12").out;
    assert!(none.contains("line 2: reported no count, no expected count: there is no code"), "{none}");
    assert!(
        none.contains("No element is known to decide the count: no basic block lists the line."),
        "{none}"
    );
    let beyond = check("99", "gcc-12");
    assert_eq!(beyond.code, 2);
    assert!(beyond.err.contains("p.c:99: there is no such line; the file has 15 lines"), "{}", beyond.err);
}

#[test]
fn check_shows_the_cycles_of_a_line() {
    let temp = Temp::new();
    let program = "int main(void)\n{\n    int n = 0;\n    while (n < 5) n++;\n    return n != 5;\n}\n";
    temp.write("p.c", program);
    let out = said(&temp, &["check", "p.c", "--profiler", "gcc-12", "--line", "4"]).out;
    assert!(out.contains("line 4: reported 6, expected 6"), "{out}");
    let cycle = out.lines().find(|line| line.contains("* cycle")).unwrap_or_else(|| panic!("{out}"));
    assert!(cycle.contains("jumps back within the line") && cycle.trim_end().ends_with(" 5"), "{cycle}");
}

#[test]
fn check_says_why_a_program_has_no_report() {
    let temp = Temp::new();
    temp.write("endless.c", "int main(void)\n{\n    for (;;)\n        ;\n}\n");
    temp.write("short.toml", "[limits]\nrun_seconds = 1\n");
    let args = ["check", "endless.c", "--profiler", "gcov", "--config", "short.toml"];
    let endless = said(&temp, &args);
    assert!(
        endless.out.contains("timed out after 1 s; limits.run_seconds sets this limit"),
        "{}",
        endless.out
    );
    temp.write("aborts.c", include_str!("world/aborts.c"));
    temp.write("does_not_compile.c", include_str!("world/does_not_compile.c"));
    let dead = said(&temp, &["check", "aborts.c", "--profiler", "gcov"]);
    assert_eq!(dead.code, 2, "nothing was checked");
    assert!(dead.out.contains("died by a signal: signal 6"), "{}", dead.out);
    let broken = said(&temp, &["check", "does_not_compile.c", "--profiler", "gcov"]);
    assert!(broken.out.contains("does not compile: does_not_compile.c:4"), "{}", broken.out);
}

#[test]
fn a_run_that_profiled_nothing_does_not_claim_success() {
    let temp = Temp::new();
    temp.write("src/does_not_compile.c", include_str!("world/does_not_compile.c"));
    let run = ["run", "src", "--profiler", "gcov", "--quiet", "--out"];
    let vain = said(&temp, &[&run[..], &["vain"]].concat());
    assert_eq!(vain.code, 2, "{}", vain.out);
    assert!(
        vain.out.contains("Nothing was checked") && !vain.out.contains("No wrong counts"),
        "{}",
        vain.out
    );
    // A shard does not know whether the programs of the others were checked.
    let of_shards = ["1/2", "2/2"].map(|shard| {
        let out = format!("part-{}", &shard[..1]);
        said(&temp, &[&run[..], &[out.as_str(), "--shard", shard]].concat()).code
    });
    assert_eq!(of_shards, [0, 0]);
    let merged = said(&temp, &["merge", "part-1", "part-2", "--out", "merged"]);
    assert_eq!(merged.code, 2, "{}", merged.out);
    let half = said(&temp, &["merge", "part-1", "--out", "half"]);
    assert!(half.out.contains("Shard 2/2 is not included"), "{}", half.out);

    let journal = fs_err::read_to_string(temp.at("vain/journal.jsonl")).unwrap();
    let header = journal.split_inclusive('\n').next().unwrap();
    temp.write("torn/journal.jsonl", format!("{header}{{\"job\":"));
    let torn = said(&temp, &["report", "torn"]);
    assert!(torn.out.contains("0 of 1 jobs are done."), "{}", torn.out);
}
