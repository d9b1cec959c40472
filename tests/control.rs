//! The control programs must not produce an open finding.
//!
//! They print addresses, process ids and the time, fork, race, read uninitialised memory, use `__COUNTER__`, or end by
//! `_exit`: none of the differences that follow is a bug of a profiler. They run with the newest gcov and the newest
//! llvm-cov; `recount run corpus/control --profiler all` does the same with every version.

use std::collections::BTreeSet;

#[test]
#[ignore = "long"]
fn the_control_programs_have_no_open_finding() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("run");
    let controls = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/control");
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_recount"))
        .args(["run", controls, "--quiet", "--out"])
        .arg(&out)
        .output()
        .expect("recount starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&run.stderr));

    let journal = std::fs::read_to_string(out.join("journal.jsonl")).expect("a journal");
    let records: Vec<serde_json::Value> =
        journal.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let jobs = records.iter().filter_map(|record| record.get("job"));
    let findings = || jobs.clone().flat_map(|job| job["findings"].as_array().expect("findings"));
    let verdicts: BTreeSet<&str> =
        findings().map(|finding| finding["verdict"].as_str().expect("a verdict")).collect();
    // Without findings that are closed, the test would prove nothing.
    assert!(findings().count() > 50, "{} findings: {said}", findings().count());
    assert!(verdicts.contains("unstable") && verdicts.contains("artefact"), "{verdicts:?}");
    let varied = jobs.clone().filter(|job| job["tally"]["variants"].as_u64() > Some(0)).count();
    assert!(varied > 50, "{varied} jobs had variants");
}
