//! Known clusters on the command line: `recount known --check`, and runs that find known clusters.

mod support;

use serde_json::Value;
use support::{PLAIN, Said, Temp};

/// A program of the embedded entries; under gcov it shows one wrong count and nothing else.
const HEADER: &str = include_str!("../configs/known/header_with_loop.c");
const SIGNATURE: &str = "gcov/block-on-last-line";

fn said(temp: &Temp, args: &[&str]) -> Said {
    Said::from(temp.recount(args))
}

/// The newest installed gcc, by the name that an entry uses.
fn gcc(temp: &Temp) -> String {
    temp.write("plain.c", PLAIN);
    let plan = said(temp, &["run", "plain.c", "--profiler", "gcov", "--dry-run"]).out;
    plan.trim().rsplit('|').next().expect("the id of a job").to_string()
}

/// A file of one entry with the program `p.c`.
fn entry(signature: &str, profilers: &str) -> String {
    format!(
        "# why it is here\n[[known]]\nsignature = '{signature}' # and why so\nverdict = 'wrong'\nstatus = 'new'\n\
         note = 'a note'\nfirst-seen = 'once'\n[[known.programs]]\nfile = 'p.c'\nshows = 'a wrong count'\n\
         profilers = {profilers}\n"
    )
}

#[test]
fn the_embedded_entries_are_listed() {
    // `scripts/test` checks each of them by `recount known --check`.
    let temp = Temp::new();
    let list = said(&temp, &["known"]);
    assert_eq!(list.code, 0);
    assert!(list.out.contains("block-on-last-line") && list.out.contains("reported"), "{}", list.out);
}

#[test]
fn an_entry_that_its_program_does_not_show_is_exit_code_5_and_a_sentence() {
    let temp = Temp::new();
    let text = entry(SIGNATURE, &format!("['{}', 'gcc-999']", gcc(&temp)));
    let file = temp.write("my.toml", &text);
    temp.write("p.c", PLAIN);
    let check = said(&temp, &["known", "--check", "--file", "my.toml"]);
    assert_eq!((check.code, check.err.as_str()), (5, ""), "{}", check.out);
    let lines: Vec<&str> = check.out.lines().collect();
    assert_eq!(lines.len(), 2, "a sentence and the sum: {}", check.out);
    for word in ["my.toml:3: ", "p does not show", SIGNATURE, &gcc(&temp), "nothing"] {
        assert!(lines[0].contains(word), "no {word}: {}", lines[0]);
    }
    assert!(lines[1].contains("1 not reproduced") && lines[1].contains("1 skipped"), "{}", lines[1]);
    assert_eq!(fs_err::read_to_string(&file).unwrap(), text, "what fails is left as it is");
}

#[test]
fn an_entry_without_an_installed_profiler_is_not_checked() {
    let temp = Temp::new();
    let there = entry(SIGNATURE, &format!("['{}']", gcc(&temp)));
    let uncheckable = entry("gcov/test-at-operator", "['gcc-999']");
    temp.write("my.toml", format!("{there}{uncheckable}"));
    temp.write("p.c", HEADER);
    let check = said(&temp, &["known", "--check", "--file", "my.toml"]);
    assert_eq!((check.code, check.err.as_str()), (0, ""), "{}", check.out);
    assert!(check.out.contains("p is not checked: it needs gcc-999"), "{}", check.out);
    assert!(check.out.contains("1 reproduced, 0 not reproduced, 1 not checked"), "{}", check.out);
}

#[test]
fn a_known_cluster_is_not_reported_as_new() {
    let temp = Temp::new();
    temp.write("p.c", HEADER);
    temp.write("nothing.toml", "");
    let run = ["run", "p.c", "--profiler", "gcov", "--relation", "truth", "--quiet", "--out", "night"];
    let night = said(&temp, &run);
    assert_eq!((night.code, night.err.as_str()), (0, ""), "{}", night.out);
    let counted = "\n1 known cluster with 1 finding; --show-known lists them.\n";
    assert!(night.out.contains(counted), "{}", night.out);
    assert!(!night.out.contains("Clusters to look at"), "{}", night.out);

    assert_eq!(said(&temp, &["triage", "night"]).code, 0);
    let unknown = said(&temp, &["triage", "night", "--known", "nothing.toml"]);
    assert_eq!(unknown.code, 1, "{}", unknown.out);
    assert!(
        unknown.out.contains("Clusters to look at") && !unknown.out.contains("known clusters"),
        "{}",
        unknown.out
    );
    let listed = said(&temp, &["report", "night", "--show-known"]).out;
    assert!(listed.contains("Already known") && listed.contains("block-on-last-line"), "{listed}");
    let report = said(&temp, &["report", "night", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["clusters"][0]["known"], "block-on-last-line");
}

#[test]
fn a_file_that_cannot_be_meant_is_refused_before_anything_runs() {
    let temp = Temp::new();
    temp.write("p.c", PLAIN);
    temp.write("typo.toml", entry(SIGNATURE, "['gcc-12']").replace("note =", "notes ="));
    for args in [&["known", "--file", "typo.toml"][..], &["run", "p.c", "--known", "typo.toml"]] {
        let refused = said(&temp, args);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(
            refused.err.starts_with("recount: typo.toml:6: ") && refused.err.contains("notes"),
            "{}",
            refused.err
        );
    }
    assert!(!temp.at("reports").exists());
}

/// Each program of the list shows its root cause, and a version that has the fix does not.
#[test]
#[ignore = "long"]
fn the_known_programs_show_their_root_causes() {
    let temp = Temp::new();
    let said = said(&temp, &["known", "--check"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains(" 0 not reproduced"), "{}", said.out);
}
