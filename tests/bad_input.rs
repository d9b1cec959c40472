//! Mistakes of users: exit code 2 and one sentence with the remedy, before anything is compiled unless only a compiler
//! can notice the mistake. One more test has an input that is large but valid.

mod support;

use std::fmt::Write;
use std::time::{Duration, Instant};

use support::{PLAIN, Said, Temp};

/// Fails unless the exit code is 2, standard output is empty, and standard error is a sentence with all of `words`.
/// With `usage`, the parser of flags prints the sentence and adds the usage.
#[track_caller]
fn refused(said: &Said, usage: bool, words: &[&str]) {
    let all = format!("exit {}\n{}{}", said.code, said.out, said.err);
    assert_eq!(said.code, 2, "{all}");
    assert_eq!(said.out, "", "{all}");
    let sentence = if usage {
        assert!(said.err.starts_with("error: "), "{all}");
        said.err.as_str()
    } else {
        assert!(said.err.starts_with("recount: ") && said.err.trim_end().lines().count() == 1, "{all}");
        said.err.as_str()
    };
    for word in words {
        assert!(sentence.contains(word), "no {word:?} in: {all}");
    }
}

/// Run `recount` with `args` in a folder that has `p.c`.
fn said(temp: &Temp, args: &[&str]) -> Said {
    temp.write("p.c", PLAIN);
    Said::from(temp.recount(args))
}

#[track_caller]
fn run_refused(args: &[&str], usage: bool, words: &[&str]) {
    let temp = Temp::new();
    refused(&said(&temp, &[&["run"], args].concat()), usage, words);
    assert!(!temp.at("reports").exists(), "a refused run leaves no folder");
}

#[test]
fn a_file_that_is_not_there() {
    run_refused(&["no_such.c"], false, &["no_such.c", "no such program or folder"]);
    let temp = Temp::new();
    refused(&said(&temp, &["check", "no_such.c"]), false, &["no_such.c", "no such program or folder"]);
    refused(&said(&temp, &["report", "no_such"]), false, &["no_such: no such folder"]);
    temp.write("folder/p.c", PLAIN);
    refused(&said(&temp, &["report", "folder"]), false, &["folder: not the folder of a run"]);
}

#[test]
fn a_compiler_error_names_the_program() {
    let temp = Temp::new();
    temp.write("src/broken.c", "int main(void)\n{\n    return b;\n}\n");
    let place = "src/broken.c:3:";
    let inputs = ["inputs", "src/broken.c", "--profiler", "gcc-12"];
    refused(&said(&temp, &inputs), false, &["does not compile: ", place]);
    let reduce = ["reduce", "src/broken.c", "--line", "3", "--profiler", "gcc-12", "-q"];
    refused(&said(&temp, &reduce), false, &["does not compile: ", place]);
}

#[test]
fn a_relation_between_two_families_needs_both() {
    let peer = ["p.c", "--relation", "peer", "--profiler", "gcc-12"];
    run_refused(&peer, false, &["peer", "only gcov is selected", "--profiler"]);
}

#[test]
fn a_folder_without_c() {
    let temp = Temp::new();
    temp.write("folder/notes.txt", "nothing here");
    refused(&said(&temp, &["run", "folder"]), false, &["folder: no .c file"]);
    refused(&said(&temp, &["check", "folder"]), false, &["folder: a folder", "`recount run folder`"]);
}

#[test]
fn settings_that_are_unknown_or_invalid() {
    let temp = Temp::new();
    let settings = temp.write("my.toml", "seed = 2\n[delete]\nvariant = 3\n");
    let run = ["run", "p.c", "--config", settings.as_str()];
    refused(&said(&temp, &run), false, &["my.toml:3", "variant", "configs/quick.toml lists every key"]);
    temp.write("my.toml", "[limits]\nrun_seconds = 'a'\n");
    refused(&said(&temp, &run), false, &["my.toml:2", "expected a whole number"]);
    temp.write("my.toml", "[limits]\nrun_seconds = 0\n");
    refused(&said(&temp, &run), false, &["limits.run_seconds", "must not be 0"]);
    temp.write("my.toml", "seed = many\n");
    refused(&said(&temp, &run), false, &["my.toml:1"]);
    run_refused(&["p.c", "--config", "no_such.toml"], false, &["no_such.toml"]);
}

#[test]
fn a_sidecar_with_an_unknown_key() {
    let temp = Temp::new();
    temp.write("p.toml", "flags = []\nargument = 'x'\n");
    refused(&said(&temp, &["run", "p.c"]), false, &["p.toml:2", "argument", "flags, seconds and inputs"]);
}

#[test]
fn a_profiler_that_is_unknown_or_not_installed() {
    run_refused(&["p.c", "--profiler", "purify"], false, &["purify", "gcov", "llvm-cov", "gcc-12"]);
    run_refused(&["p.c", "--profiler", "gcc-99"], false, &["gcc-99: not found", "apt-get install gcc-99"]);
    let packages = ["clang-99: not found", "apt-get install clang-99 llvm-99"];
    run_refused(&["p.c", "--profiler", "clang-99"], false, &packages);
    run_refused(&["p.c", "--profiler", "./no_such_gcc"], false, &["./no_such_gcc", "no such compiler"]);
    run_refused(&["p.c", "--relation", "purify"], true, &["purify", "delete"]);
}

#[test]
fn a_compiler_with_the_tools_of_another_version() {
    let temp = Temp::new();
    let clang = temp.script("bin/clang", "echo 'clang version 99.0.0'");
    for tool in ["llvm-cov", "llvm-profdata"] {
        temp.script(&format!("bin/{tool}"), "echo 'LLVM version 98.1.0'");
    }
    let run = ["run", "p.c", "--profiler", clang.as_str()];
    let words = ["version 99.0.0", "bin/llvm-cov is 98.1.0", "apt-get install clang-99 llvm-99"];
    refused(&said(&temp, &run), false, &words);
    // One tool has another version.
    temp.script("bin/llvm-cov", "echo 'LLVM version 99.0.0'");
    refused(&said(&temp, &run), false, &["bin/llvm-profdata is 98.1.0"]);
    let gcc = temp.script("bin/gcc", "echo 'gcc (GCC) 99.1.0'");
    let run = ["run", "p.c", "--profiler", gcc.as_str()];
    refused(&said(&temp, &run), false, &["there is no gcov of version 99.1.0", "apt-get install gcc-99"]);
    temp.script("bin/gcc", "echo 'gcc (GCC) 4.8.5'");
    refused(&said(&temp, &run), false, &["4.8.5 is too old"]);
}

#[test]
fn an_empty_file() {
    let temp = Temp::new();
    temp.write("empty.c", "\n \n");
    for command in ["run", "check"] {
        refused(&said(&temp, &[command, "empty.c"]), false, &["empty.c: the file is empty"]);
    }
}

#[test]
fn a_file_that_is_not_text() {
    let temp = Temp::new();
    temp.write("binary.c", b"int main;\0\x01");
    refused(&said(&temp, &["run", "binary.c"]), false, &["binary.c", "offset 9", "binary file"]);
    temp.write("latin1.c", b"int main(void)\n{\n    return 0; /* \xe9 */\n}\n");
    for command in ["run", "check"] {
        refused(&said(&temp, &[command, "latin1.c"]), false, &["latin1.c:3: not UTF-8", "iconv"]);
    }
}

#[test]
fn flags_with_invalid_values() {
    run_refused(&["p.c", "--shard", "4/3"], true, &["4/3", "1 <= i <= n"]);
    run_refused(&["p.c", "--shard", "0/3"], true, &["0/3"]);
    run_refused(&["p.c", "--for", "8"], true, &["'8'", "s, m, h or d"]);
    run_refused(&["p.c", "--resume"], true, &["required arguments"]);
    run_refused(&["p.c", "--seed", "x"], true, &["'x'", "--seed"]);
    for flag in ["--jobs", "--programs", "--mutants", "--inputs", "--stop-after-new"] {
        run_refused(&["p.c", flag, "-1"], true, &["'-1'", flag, "expected a whole number, 0 or more"]);
    }
    run_refused(&["p.c", "--seed", "-1"], true, &["'-1'", "--seed"]);
}

#[test]
fn a_run_that_exists_already_or_differs() {
    let temp = Temp::new();
    let first = ["run", "p.c", "--profiler", "gcov", "--out", "run"];
    assert_eq!(said(&temp, &first).code, 0);
    let journal = fs_err::read(temp.at("run/journal.jsonl")).unwrap();
    refused(&said(&temp, &first), false, &["run/journal.jsonl exists already", "--resume", "--out"]);
    let seeded = [&first[..], &["--resume", "--seed", "7"]].concat();
    refused(&said(&temp, &seeded), false, &["another run", "the settings differ"]);
    temp.write("q.c", PLAIN);
    let more = [&first[..], &["--resume", "q.c"]].concat();
    refused(&said(&temp, &more), false, &["another run", "the programs differ"]);
    temp.write("run/journal.jsonl", [b"not a journal\n", &journal[..]].concat());
    let resumed = [&first[..], &["--resume", "--jobs", "3"]].concat();
    refused(&said(&temp, &resumed), false, &["run/journal.jsonl:1", "not a line of a journal"]);
    temp.write("run/journal.jsonl", &journal);
    assert_eq!(said(&temp, &resumed).code, 0, "the same run, with any number of workers");
    assert_eq!(fs_err::read(temp.at("run/journal.jsonl")).unwrap(), journal);
}

/// One function of `lines` lines, of which one in 50 is dead.
fn large(lines: usize) -> String {
    let mut text =
        String::from("int main(int argc, char **argv)\n{\n    unsigned sum = argc;\n    (void)argv;\n");
    for n in 5..lines - 1 {
        let dead = n % 50 == 1;
        let _ = match n % 50 {
            0 => writeln!(text, "    if (argc > {n})"),
            _ if dead => writeln!(text, "        sum *= {n};"),
            _ => writeln!(text, "    sum += {n};"),
        };
    }
    text + "    return sum == 1;\n}\n"
}

#[test]
#[ignore = "long"]
fn fifty_thousand_lines_are_no_mistake() {
    let temp = Temp::new();
    let text = large(50_000);
    assert_eq!(text.lines().count(), 50_000);
    temp.write("large.c", text);
    let started = Instant::now();
    let said = Said::from(temp.recount(&["run", "large.c", "--profiler", "gcov", "--out", "run", "-q"]));
    let took = started.elapsed();
    assert!([0, 1].contains(&said.code), "{}{}", said.out, said.err);
    let record = fs_err::read_to_string(temp.at("run/journal.jsonl")).unwrap();
    let record: serde_json::Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
    let job = &record["job"];
    assert_eq!(job["outcome"]["is"], "profiled", "{job}");
    // Lines 51, 101, … 49951.
    assert_eq!((&job["tally"]["unexecuted"], &job["tally"]["deleted"]), (&999.into(), &999.into()), "{job}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn invalid_seeds() {
    let temp = Temp::new();
    for name in ["csmith", "make"] {
        for seeds in ["", "x", "9-3", "-3"] {
            let (source, expected) = (format!("{name}:{seeds}"), format!("expected {name}:N"));
            refused(&said(&temp, &["run", &source]), false, &[&source, &expected]);
        }
    }
}
