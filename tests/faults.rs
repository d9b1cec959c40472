//! Tools that fail: compilers, linkers and coverage tools that sometimes crash, hang, or truncate or corrupt the files that
//! they write. No finding results from a fault, and a tool that hangs is recorded as one that timed out.
//!
//!   `RECOUNT_FAULTS_OF`  one call in this many fails (default: 12)
//!   `RECOUNT_FAULTS_IN`  a folder of programs (default: tests/world)

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use recount::journal::{JobRecord, RunFolder, read};
use recount::model::Family;
use recount::toolchain::{condition_flags, select};
use support::{BINARY, Temp};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world");

/// Programs of tests/world that end normally.
const PROGRAMS: [&str; 7] = [
    "jumps_back",
    "dead_last_return",
    "control",
    "old_style",
    "writes_files",
    "exits_nonzero",
    "reads_stdin",
];

/// A tool that sometimes fails; the kind of fault depends on the number of calls of all tools so far. Queries about
/// versions and paths are always answered.
const WRAPPER: &str = r#"
case "$*" in
*-dump* | *-print* | *--version* | *'-###'* | -v) exec @REAL@ "$@" ;;
esac
number=$(flock @COUNT@ sh -c 'n=$(cat @COUNT@); echo $((n + 1)) | tee @COUNT@')
[ $((number % @OF@)) -eq 0 ] || exec @REAL@ "$@"
written=
for word; do
    [ "$before" != -o ] || written=$word
    before=$word
done
case $((number / @OF@ % 4)) in
0) echo "$number crash $*" >>@LOG@; kill -SEGV $$ ;;
1) echo "$number hang $*" >>@LOG@; exec sleep 60 ;;
2) echo "$number cut $*" >>@LOG@; how='$size = int($size / 2); truncate($f, $size)' ;;
3) echo "$number garble $*" >>@LOG@; how='seek($f, int($size / 3), 0); print $f "garbage!" x 8' ;;
esac
out=$(mktemp)
trap 'rm -f "$out"' EXIT
@REAL@ "$@" >"$out"
code=$?
[ -n "$written" ] && file=$written || file=$out
[ ! -s "$file" ] || perl -e 'open(my $f, "+<", $ARGV[0]) or die; my $size = -s $f; '"$how" "$file"
cat "$out"
exit $code
"#;

/// A tool that crashes if it is the one that prints reports.
const CRASHING: &str = r#"
case "$*" in
*-dump* | *-print* | *--version* | *'-###'* | -v) exec @REAL@ "$@" ;;
esac
case ${0##*/} in
gcov* | llvm-cov*) kill -SEGV $$ ;;
esac
exec @REAL@ "$@"
"#;

/// llvm-cov that crashes on a program with bitmaps, the counters of MC/DC.
const CRASHING_ON_DECISIONS: &str = r#"
case "$*" in
*--version*) exec @REAL@ "$@" ;;
esac
case ${0##*/} in
llvm-cov*) ! grep -q __llvm_prf_bits p || kill -SEGV $$ ;;
esac
exec @REAL@ "$@"
"#;

/// A compiler and its coverage tools in a folder of their own, all of which are called by `wrapper`.
fn failing_tools(temp: &Temp, family: &str, wrapper: &str) -> Utf8PathBuf {
    let profiler = select(&[family.to_string()]).expect("installed").remove(0);
    let compiler = profiler.compiler().unwrap().to_path_buf();
    let folder = compiler.parent().unwrap().to_path_buf();
    // Next to the compiler, or on PATH.
    let real = |tool: &str, suffix: &str| {
        let names = [format!("{tool}{suffix}"), tool.to_string()];
        let adjacent = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        adjacent.unwrap_or_else(|| {
            let found =
                Command::new("sh").args(["-c", &format!("command -v {tool}{suffix}")]).output().unwrap();
            Utf8PathBuf::from(String::from_utf8(found.stdout).unwrap().trim())
        })
    };
    let name = compiler.file_name().unwrap().to_string();
    let suffix = name.trim_start_matches("clang").trim_start_matches("gcc").to_string();
    let others: &[&str] = if family == "gcov" { &["gcov"] } else { &["llvm-cov", "llvm-profdata"] };
    // A tool that does not print its version is looked up by its plain name.
    let named =
        |tool: &&str| [format!("{tool}{suffix}"), tool.to_string()].map(|name| (name, real(tool, &suffix)));
    let others = others.iter().flat_map(named);
    let tools: Vec<(String, Utf8PathBuf)> =
        [(name.clone(), compiler.clone())].into_iter().chain(others).collect();
    let (count, log) = (temp.write(&format!("{family}/count"), "0"), temp.at("faults"));
    for (tool, real) in tools {
        assert!(real.is_file(), "{tool}: {real}");
        let text = wrapper.replace("@REAL@", real.as_str());
        let text = text.replace("@COUNT@", count.as_str()).replace("@LOG@", log.as_str());
        temp.script(&format!("{family}/{tool}"), &text);
    }
    temp.at(&format!("{family}/{name}"))
}

fn campaign(temp: &Temp, out: &str, profilers: &[String], sources: &[Utf8PathBuf]) -> Vec<JobRecord> {
    temp.write(
        "settings.toml",
        "jobs = 2\nlane = \"plain\"\nrelations = [\"delete\", \"truth\", \"views\"]\n\
         [limits]\nrun_seconds = 2\ncompile_seconds = 3\n",
    );
    fs_err::create_dir_all(temp.at("tmp")).unwrap();
    let mut command = Command::new(BINARY);
    command.arg("run").args(sources).args(["-q", "--config", "settings.toml", "--out", out]);
    for profiler in profilers {
        command.args(["--profiler", profiler]);
    }
    command.current_dir(temp.root()).env("TMPDIR", temp.at("tmp"));
    let said = command.output().unwrap();
    let printed =
        format!("{}{}", String::from_utf8_lossy(&said.stderr), String::from_utf8_lossy(&said.stdout));
    assert!(matches!(said.status.code(), Some(0 | 1)), "{:?}: {printed}", said.status);
    read(&RunFolder(temp.at(out))).unwrap().records
}

/// The open findings, without the parts that depend on the name of the wrapper of the compiler.
fn open(records: &[JobRecord]) -> BTreeSet<String> {
    let of = |record: &JobRecord| -> Vec<String> {
        let family = if record.compiler.starts_with("gcc") { "gcov" } else { "llvm-cov" };
        let open = record.findings.iter().filter(|found| found.verdict.is_open());
        let told = |found: &recount::model::Finding| {
            let place = found.line.map_or_else(|| "-".into(), |line| line.to_string());
            format!("{family} {}:{place} {} {}", record.program, found.verdict.name(), found.signature)
        };
        open.map(told).collect()
    };
    records.iter().flat_map(of).collect()
}

#[test]
fn a_crash_of_the_tool_that_prints_the_report_is_reported() {
    let temp = Temp::new();
    for (family, tool) in [("gcov", "gcov"), ("llvm-cov", "llvm-cov")] {
        let compiler = failing_tools(&temp, family, CRASHING);
        let mut command = Command::new(BINARY);
        command
            .arg("check")
            .arg(Utf8Path::new(WORLD).join("control.c"))
            .args(["--profiler", compiler.as_str()]);
        let said = command.output().unwrap();
        let printed = String::from_utf8_lossy(&said.stdout);
        assert_eq!(said.status.code(), Some(1), "{printed}{}", String::from_utf8_lossy(&said.stderr));
        assert!(printed.contains(&format!("profiler crashed: {tool}")), "{printed}");
        assert!(printed.contains("crashed with signal 11 (SIGSEGV)"), "{printed}");
    }
}

#[test]
fn a_crash_on_decisions_leaves_the_rest_of_the_report() {
    let newest = select(&["llvm-cov".to_string()]).expect("installed").remove(0);
    if condition_flags(Family::LlvmCov, newest.info().major()).next().is_none() {
        support::skip_for_newer_tools(&format!("{} does not count conditions", newest.info().compiler));
        return;
    }
    let temp = Temp::new();
    let compiler = failing_tools(&temp, "llvm-cov", CRASHING_ON_DECISIONS);
    let decision = "int x = 1, y;\nint main(void) {\n    int both = x && y;\n    return both;\n}\n";
    let program = temp.write("decision.c", decision);
    let run = |command: &str, words: &[&str]| {
        let of = ["--profiler", compiler.as_str()];
        let said = Command::new(BINARY).args([command, program.as_str()]).args(of).args(words).output();
        let said = said.unwrap();
        (said.status.code(), String::from_utf8_lossy(&said.stdout).into_owned())
    };
    let (code, printed) = run("check", &["--conditions"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("crashed with signal 11 (SIGSEGV)"), "{printed}");
    assert!(printed.contains("mcdc on line 3"), "{printed}");
    assert!(printed.contains("Not checked: the conditions of 1 program: llvm-cov"), "{printed}");
    // Without conditions there is nothing to report.
    let (code, printed) = run("check", &[]);
    assert_eq!(code, Some(0), "{printed}");
    // The vector is TF, which covers no condition.
    let claim = ["--line", "3", "--metric", "mcdc", "--expect"];
    assert_eq!(run("claim", &[&claim[..], &["0"]].concat()).0, Some(0));
    assert_eq!(run("claim", &[&claim[..], &["2"]].concat()).0, Some(5));
}

#[test]
#[ignore = "long"]
fn tools_that_fail_produce_no_findings() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let of = number("RECOUNT_FAULTS_OF").unwrap_or(12);
    let temp = Temp::new();
    let wrapper = WRAPPER.replace("@OF@", &of.to_string());
    let profilers: Vec<String> =
        ["gcov", "llvm-cov"].map(|family| failing_tools(&temp, family, &wrapper).into_string()).into();
    let sources: Vec<Utf8PathBuf> = match std::env::var("RECOUNT_FAULTS_IN") {
        Ok(folder) => vec![Utf8PathBuf::from(folder)],
        Err(_) => PROGRAMS.map(|name| Utf8Path::new(WORLD).join(format!("{name}.c"))).into(),
    };
    let names = ["gcov".to_string(), "llvm-cov".to_string()];
    let sound = campaign(&temp, "sound", &names, &sources);
    let broken = campaign(&temp, "broken", &profilers, &sources);
    let faults = fs_err::read_to_string(temp.at("faults")).unwrap();
    for kind in ["crash", "hang", "cut", "garble"] {
        assert!(faults.contains(kind), "no {kind} in\n{faults}");
    }
    let failed: Vec<_> = broken.iter().filter_map(|record| record.failed.as_ref()).collect();
    assert!(failed.is_empty(), "{failed:?}");
    for record in &broken {
        let reason = record.outcome.reason().unwrap_or_default();
        assert!(!reason.contains("TimedOut"), "{}: {reason}", record.job);
    }
    assert_eq!(broken.len(), sound.len());
    let (sound, broken) = (open(&sound), open(&broken));
    let invented: Vec<_> = broken.difference(&sound).collect();
    assert!(!sound.is_empty(), "there is something to find");
    assert!(invented.is_empty(), "{invented:#?}\n{faults}");
    eprintln!(
        "{} faults; {} of {} findings were found nevertheless",
        faults.lines().count(),
        broken.len(),
        sound.len()
    );
}
