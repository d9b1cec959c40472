//! The fast lane with real compilers: its counts equal those of the plain commands, and it is disabled if they do not.

mod support;

use recount::model::Verdict;
use serde_json::Value;
use support::Temp;

/// Programs with statements to delete, some of which need more libraries than libc.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/statements");

/// The findings of a run in the folder `name`, and its standard output and error.
fn run(temp: &Temp, name: &str, more: &[&str]) -> (Vec<Value>, String, String) {
    let out = temp.at(name);
    let args = [&["run", "--quiet", "--out", out.as_str()], more].concat();
    let said = temp.recount(&args);
    assert!(matches!(said.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&said.stderr));
    let report = temp.recount(&["report", out.as_str(), "--format", "json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let mut findings = report["findings"].as_array().unwrap().clone();
    findings.retain(|finding| finding["verdict"] != Verdict::Unstable.name());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (findings, text(said.stdout), text(said.stderr))
}

#[test]
#[ignore = "long"]
fn both_lanes_find_the_same() {
    let temp = Temp::new();
    let every = temp.write("every.toml", "lanes_compared = 1\n");
    let (fast, said, errors) =
        run(&temp, "fast", &[PROGRAMS, "--programs", "12", "--config", every.as_str()]);
    assert_eq!(errors, "", "every profile was made in both lanes");
    let (plain, plainly, _) = run(&temp, "plain", &[PROGRAMS, "--programs", "12", "--lane", "plain"]);
    assert!(!plain.is_empty());
    assert_eq!(fast, plain);
    let served = |said: &str| -> usize {
        let line = said.lines().find(|line| line.contains(" calls by fork servers")).unwrap();
        line.split("; ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    assert!(served(&said) > 100, "{said}");
    assert_eq!(served(&plainly), 0, "{plainly}");
}

#[test]
fn a_fast_lane_with_other_counts_is_switched_off_and_its_profile_is_kept() {
    let temp = Temp::new();
    let every = temp.write("every.toml", "lanes_compared = 1\n");
    let text = "#ifndef N\n#define N 3\n#endif\nint main(void)\n{\n    int n = N;\n    while (n)\n        n--;\n    return n;\n}\n";
    let program = temp.write("p.c", text);
    // A driver that reports other commands than it runs.
    let version =
        String::from_utf8(std::process::Command::new("gcc").arg("-dumpversion").output().unwrap().stdout)
            .unwrap();
    let name = format!("bin/gcc-{}", version.trim());
    let lie = "case \"$1\" in -###) shift; exec gcc -### -DN=5 \"$@\";; *) exec gcc \"$@\";; esac";
    let gcc = temp.script(&name, lie);
    temp.script(&name.replace("gcc", "gcov"), "exec gcov \"$@\"");
    let args = [program.as_str(), "--profiler", gcc.as_str(), "--config", every.as_str()];
    let (lied, _, said) = run(&temp, "lied", &args);
    assert!(said.contains("The fast lane is now off"), "{said}");
    let folder = said.split("profiles are in ").nth(1).unwrap().split(';').next().unwrap();
    assert_eq!(said.matches("profiles are in ").count(), 1, "{said}");
    let kept = |name: &str| fs_err::read_to_string(temp.at(folder).join(name)).unwrap();
    assert_ne!(kept("fast.txt"), kept("plain.txt"));
    assert!(kept("program.c").contains("while (n)"));
    let (plain, _, _) =
        run(&temp, "plain", &[program.as_str(), "--profiler", gcc.as_str(), "--lane", "plain"]);
    assert_eq!(lied, plain);
}
