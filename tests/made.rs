//! The programs of `make:SEED` are well defined: gcc and clang agree with the interpreter on what they print, and the
//! sanitizers report nothing. `scripts/prove-make` runs this on many more programs, and under valgrind.
//!
//! `RECOUNT_MADE=FROM-TO` selects the seeds, `RECOUNT_MADE_WITH` the checks, separated by commas: `gcc`, `clang`,
//! `sanitizers`, `valgrind`.

mod support;

use std::process::{Command, Output};

use camino::Utf8Path;
use recount::config::Settings;
use recount::generate::{RandomProgram, random_program};

use support::Temp;

/// The flags with which every compiler accepts every program.
const FLAGS: [&str; 3] = ["-std=gnu17", "-w", "-O0"];

const SANITIZERS: [&str; 3] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

fn is_installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The output of the program when built by `compiler` with `flags` and started by `runner`.
fn build_and_run(folder: &Utf8Path, source: &str, compiler: &str, flags: &[&str], runner: &[&str]) -> Output {
    let (file, binary) = (folder.join("made.c"), folder.join("made"));
    fs_err::write(&file, source).unwrap();
    let built =
        Command::new(compiler).args(FLAGS).args(flags).args([&file, Utf8Path::new("-o"), &binary]).output();
    let built = built.unwrap();
    assert!(built.status.success(), "{compiler}: {}\n{source}", String::from_utf8_lossy(&built.stderr));
    let mut command = match runner {
        [] => Command::new(&binary),
        [tool, args @ ..] => {
            let mut command = Command::new(tool);
            command.args(args).arg(&binary);
            command
        }
    };
    command.env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap()
}

fn agree(name: &str, seed: u64, expected: &RandomProgram, found: &Output) {
    let printed = String::from_utf8_lossy(&found.stdout);
    let complaint = String::from_utf8_lossy(&found.stderr);
    assert!(
        printed == expected.stdout && found.status.code() == Some(expected.status) && complaint.is_empty(),
        "seed {seed}, {name}: {:?}, expected {}\n{complaint}\n{printed}\nexpected:\n{}\n{}",
        found.status,
        expected.status,
        expected.stdout,
        expected.source
    );
}

#[test]
#[ignore = "long"]
fn made_programs_are_well_defined() {
    let seeds = std::env::var("RECOUNT_MADE").unwrap_or_else(|_| "1-40".into());
    let (from, to) = seeds.split_once('-').expect("FROM-TO");
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    let with = std::env::var("RECOUNT_MADE_WITH").unwrap_or_else(|_| "gcc,clang,sanitizers".into());
    let temp = Temp::new();
    let folder = temp.at("made");
    fs_err::create_dir_all(&folder).unwrap();
    for name in with.split(',') {
        let (compiler, flags, runner): (&str, &[&str], &[&str]) = match name {
            "gcc" => ("gcc", &[], &[]),
            "clang" => ("clang", &[], &[]),
            "sanitizers" => ("gcc", &SANITIZERS, &[]),
            "valgrind" => ("gcc", &["-g"], &["valgrind", "--quiet", "--error-exitcode=99"]),
            _ => panic!("{name}: not a check"),
        };
        if !is_installed(compiler) || runner.first().is_some_and(|tool| !is_installed(tool)) {
            support::skip(&format!("{name}: not installed"));
            continue;
        }
        for seed in from..=to {
            let expected = random_program(seed, &Settings::quick().make);
            agree(name, seed, &expected, &build_and_run(&folder, &expected.source, compiler, flags, runner));
        }
        println!("{name}: the programs {from} to {to} print what the interpreter says");
    }
}

#[test]
fn the_same_seed_makes_the_same_program() {
    let settings = Settings::quick().make;
    let programs: Vec<String> = (1..=20).map(|seed| random_program(seed, &settings).source).collect();
    for (seed, program) in (1..).zip(&programs) {
        assert_eq!(*program, random_program(seed, &settings).source);
        assert!(program.lines().count() <= settings.lines);
    }
    if let Ok(folder) = std::env::var("RECOUNT_MADE_INTO") {
        for (seed, program) in (1..).zip(&programs) {
            fs_err::write(format!("{folder}/made-{seed}.c"), program).unwrap();
        }
    }
}
