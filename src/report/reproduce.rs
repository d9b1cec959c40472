//! `reproduce.sh`: a script that reproduces a finding with a shell and the compiler alone, for the maintainers.
//!
//! Text from a program, a path or a sidecar enters the script only as a quoted word or in a comment of one line, so the
//! shell never interprets it.

use std::fmt::Write;

use super::claim::claim_of;
use super::counts::{admissible, parts, place, shown};
use crate::journal::{FindingBundle, Replay};
use crate::model::{Count, CountChange, Culprit, Family, Finding, Line, Metric, RelationName, Rewriting};

/// The script for a finding. There is none for a finding that needs no attention, without a replay, for a different
/// behaviour of two programs that are built or run in different ways, and for `views` and counts that the profilers
/// print only as JSON, which no tool of a plain system reads. For a finding in an included file, its program has one when
/// it is reduced.
pub fn script(bundle: &FindingBundle) -> Option<String> {
    let finding = &bundle.finding;
    let can_show = finding.verdict.is_open() && bundle.has_script() && bundle.included_text().is_none();
    let replay = bundle.replay.as_ref().filter(|_| can_show)?;
    let test = test(bundle)?;
    let tools = tools(finding.profiler, &replay.commands)?;
    let read = match (finding.profiler, finding.metric) {
        (Family::Gcov, Metric::Function) => format!("options=-b\n{GCOV}{GCOV_FUNCTION}"),
        (Family::Gcov, Metric::Branch) => format!("options='-b -c'\n{GCOV}{GCOV_BRANCHES}"),
        (Family::Gcov, Metric::Condition) => format!("options=--conditions\n{GCOV}{GCOV_CONDITIONS}"),
        (Family::Gcov, Metric::Path) => format!("options=--prime-paths\n{GCOV}{GCOV_PATHS}"),
        (Family::Gcov, _) => format!("options=\n{GCOV}{GCOV_LINE}"),
        (Family::LlvmCov, Metric::Function) => format!("{LLVM_COV}{LLVM_FUNCTION}"),
        (Family::LlvmCov, Metric::Branch) => format!("{LLVM_COV}{LLVM_BRANCHES}"),
        (Family::LlvmCov, Metric::Region) => format!("{LLVM_COV}{LLVM_REGIONS}"),
        (Family::LlvmCov, Metric::Mcdc) => format!("{LLVM_COV}{LLVM_MCDC}"),
        (Family::LlvmCov, _) => format!("{LLVM_COV}{LLVM_LINE}"),
    };
    let run = run(finding.profiler, replay);
    Some([head(bundle, &tools), START.into(), run, read, "\n".into(), test].concat())
}

/// Checks the tools and defines `reproduced`, `not_reproduced` and `unknown`, each of which ends the script.
const START: &str = include_str!("reproduce/start.sh");

/// `report NAME` writes gcov's report.
const GCOV: &str = include_str!("reproduce/gcov.sh");

/// `count NAME LINE` prints the line's count, or nothing if it has none.
const GCOV_LINE: &str = include_str!("reproduce/gcov_line.sh");

/// `count NAME LINE` prints the count of the function that begins on the line.
const GCOV_FUNCTION: &str = include_str!("reproduce/gcov_function.sh");

/// `count NAME LINE` prints how often the outcomes of the branches on the line were taken altogether.
const GCOV_BRANCHES: &str = include_str!("reproduce/gcov_branches.sh");

/// `count NAME LINE` prints how many outcomes of the conditions on the line are covered.
const GCOV_CONDITIONS: &str = include_str!("reproduce/gcov_conditions.sh");

/// `count NAME LINE` prints how many paths of the function that begins on the line are covered.
const GCOV_PATHS: &str = include_str!("reproduce/gcov_paths.sh");

/// `report NAME` writes llvm-cov's report, by the `print_report` that comes with `count`.
const LLVM_COV: &str = include_str!("reproduce/llvm_cov.sh");

/// `count NAME LINE` prints the line's count, or nothing if it has none.
const LLVM_LINE: &str = include_str!("reproduce/llvm_line.sh");

/// `count NAME LINE` prints the count of the function that begins on the line.
const LLVM_FUNCTION: &str = include_str!("reproduce/llvm_function.sh");

/// `count NAME LINE` prints how often the outcomes of the branches on the line were taken altogether.
const LLVM_BRANCHES: &str = include_str!("reproduce/llvm_branches.sh");

/// `count NAME LINE` prints the sum of the counts of the regions that begin on the line.
const LLVM_REGIONS: &str = include_str!("reproduce/llvm_regions.sh");

/// `count NAME LINE` prints how many conditions of the decisions that begin on the line are covered.
const LLVM_MCDC: &str = include_str!("reproduce/llvm_mcdc.sh");

/// The variables that choose the tools, and their defaults.
fn tools(family: Family, commands: &[String]) -> Option<Vec<(&'static str, &str)>> {
    let first = |index: usize| commands.get(index)?.split_whitespace().next();
    Some(match family {
        Family::Gcov => {
            let gcov = commands.get(2)?.rsplit_once("; ")?.1.split_whitespace().next()?;
            vec![("CC", first(0)?), ("GCOV", gcov)]
        }
        Family::LlvmCov => vec![("CC", first(0)?), ("LLVM_PROFDATA", first(2)?), ("LLVM_COV", first(3)?)],
    })
}

/// The comment at the top, and the tools.
fn head(bundle: &FindingBundle, tools: &[(&str, &str)]) -> String {
    let finding = &bundle.finding;
    let names = tools.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let Finding { file, input, compiler, version, verdict, cluster, signature, .. } = finding;
    let rule = finding.rule.map(|rule| format!(", {}", rule.name())).unwrap_or_default();
    let mut comments = vec![
        crate::triage::sentence(finding),
        String::new(),
        format!("Found by recount in {file}, input {input}, with {compiler} ({version})."),
        claim_of(bundle, ""),
    ];
    comments.extend(finding.edit().map(|edit| format!("The edit: {edit}.")));
    comments.extend([
        format!("Verdict: {}{rule}. Cluster: {cluster}, {signature}.", verdict.name()),
        String::new(),
        "Exits 0 if the finding reproduces, 1 if it no longer does, 2 if that cannot be determined.".into(),
        format!("Set {} to try other tools.", names.join(", ")),
    ]);
    let mut out = String::from("#!/bin/sh\n");
    for comment in comments {
        let line: String = comment.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        out.push_str(format!("# {line}").trim_end());
        out.push('\n');
    }
    out.push_str("set -u\n");
    // scripts/profilers installs compilers outside PATH.
    let _ = writeln!(
        out,
        "PATH=$PATH:${{RECOUNT_COMPILERS:-${{XDG_DATA_HOME:-${{HOME-}}/.local/share}}/recount/compilers}}/{}/bin",
        quoted(compiler)
    );
    for (name, tool) in tools {
        // The shell would expand a default in `${CC:-…}`.
        let _ = writeln!(out, "[ -n \"${{{name}-}}\" ] || {name}={}", quoted(tool));
    }
    let _ = writeln!(out, "tools='{}'\n", names.join(" "));
    out
}

/// `build NAME FILE` compiles a copy of FILE under the name that it had in the campaign. `run NAME` runs the program as
/// often as the campaign did, in an empty folder, with the same environment and input. `profile NAME` does both, and
/// writes the report.
fn run(family: Family, replay: &Replay) -> String {
    let flags = spaced(&replay.flags);
    let command = match family {
        Family::Gcov => {
            format!("\"$CC\" -O0 --coverage{flags} -c p.c -o p.o && \"$CC\" --coverage p.o -o p{flags} -lm")
        }
        Family::LlvmCov => {
            format!("\"$CC\" -O0 -fprofile-instr-generate -fcoverage-mapping{flags} p.c -o p -lm")
        }
    };
    // The first run writes p.profraw, as an only run does.
    let again: String = (1..replay.runs).map(|run| format!(" {run}")).collect();
    let values = [
        ("command", command),
        ("again", again),
        ("args", spaced(&replay.args)),
        ("stdin", if replay.stdin.is_empty() { "/dev/null" } else { "\"$here/stdin\"" }.into()),
    ];
    filled(include_str!("reproduce/run.sh"), &values)
}

/// `template` with the value of each `@@name@@`.
fn filled(template: &str, values: &[(&str, String)]) -> String {
    let value = |name| values.iter().find(|(other, _)| *other == name).map_or("", |(_, value)| value);
    let parts = template.split("@@").enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part } else { value(part) }).collect()
}

/// The end of the script: profile, and compare with the right count.
fn test(bundle: &FindingBundle) -> Option<String> {
    let finding = &bundle.finding;
    if finding.is_total() {
        return None;
    }
    let Some(line) = finding.line else { return output(finding.rewriting.as_ref()) };
    let place = match bundle.covered() {
        Some(_) if finding.metric.is_of_counts() => {
            format!("the sum of the counts of the {} on line {line}", parts(finding.metric))
        }
        Some(_) => format!("covered {} on line {line}", parts(finding.metric)),
        None => place(finding.metric, line, ""),
    };
    let right = bundle.right();
    let truth = right.as_deref();
    match (finding.relation, &finding.culprit, truth) {
        (RelationName::Views, ..) => None,
        (_, Some(culprit), _) if finding.is_unseen() => trapped(line, culprit, truth, &bundle.program),
        (_, Some(_), _) => Some(movement(line, &place, finding)),
        (_, None, Some(truth)) => Some(format!(
            "profile program\n{}reproduced \"{place}: reported $count, actual {}\"\n",
            unless_right(finding, line, &place, truth),
            admissible(truth)
        )),
        (_, None, None) => Some(contradiction(line, place, finding)),
    }
}

/// Ends the script if the count is right, or if there is none. That is the finding if there was none, and else no claim.
fn unless_right(finding: &Finding, line: Line, place: &str, truth: &[u64]) -> String {
    let counts: Vec<String> = truth.iter().map(u64::to_string).collect();
    let none = match finding.before {
        None => format!("reproduced '{place} has no count, actual {}'", admissible(truth)),
        Some(_) => {
            format!(
                "not_reproduced '{place} has no count, which makes no claim; actual {}'",
                admissible(truth)
            )
        }
    };
    let values =
        [("line", line.to_string()), ("place", place.into()), ("none", none), ("counts", counts.join("|"))];
    filled(include_str!("reproduce/unless_right.sh"), &values)
}

/// Compares the behaviour of the program and the variant; none if they are not built and run alike.
fn output(rewriting: Option<&Rewriting>) -> Option<String> {
    let is_alike = rewriting.is_none_or(|made| made.flags.is_empty() && made.runs <= 1);
    let why = match rewriting {
        Some(_) => "the edit does not change the behaviour",
        None => "the deleted code never ran",
    };
    is_alike.then(|| filled(include_str!("reproduce/output.sh"), &[("why", why.into())]))
}

/// Compares the counts of the program and the variant. If ground truth contradicts that of the program, the finding
/// reproduces as long as that is wrong.
fn movement(line: Line, place: &str, finding: &Finding) -> String {
    let truth = finding.right_counts();
    let denied = truth.filter(|truth| finding.before.is_some_and(|count| !truth.contains(&count)));
    let change = CountChange::of(finding.before, finding.after).to_string();
    let unless_moved = || filled(include_str!("reproduce/unless_moved.sh"), &[("change", change)]);
    let values = [
        ("line", line.to_string()),
        ("place", place.into()),
        ("actual", truth.map_or_else(|| "the same for both".into(), admissible)),
        ("unless_right", denied.map(|truth| unless_right(finding, line, place, truth)).unwrap_or_default()),
        ("unless_moved", if denied.is_none() { unless_moved() } else { String::new() }),
    ];
    filled(include_str!("reproduce/movement.sh"), &values)
}

/// A count of 0 on a line that ran: a trap in its place ends the program.
fn trapped(line: Line, culprit: &Culprit, truth: Option<&[u64]>, source: &str) -> Option<String> {
    let mut edits: Vec<_> = culprit.edits.iter().collect();
    edits.sort();
    let mut checks = String::new();
    let mut pieces = String::new();
    let mut at = 0;
    for edit in edits {
        let text = source.get(edit.start..edit.end)?;
        // `tail` counts from 1.
        let _ = writeln!(
            checks,
            "[ \"$(part {} {})\" = {} ] || unknown 'program.c was changed, so the place of the trap is unknown'",
            edit.start + 1,
            text.len(),
            quoted(text.trim_end_matches('\n')),
        );
        let kept = edit.start.checked_sub(at)?;
        let _ = write!(pieces, "    part {} {kept}\n    printf '__builtin_trap();'\n", at + 1);
        at = edit.end;
    }
    let values = [
        ("line", line.to_string()),
        ("actual", truth.map_or_else(|| "more than 0".into(), admissible)),
        ("checks", checks),
        ("pieces", pieces),
        ("rest", (at + 1).to_string()),
    ];
    Some(filled(include_str!("reproduce/trap.sh"), &values))
}

/// A count that contradicts the rest of the report.
fn contradiction(line: Line, place: String, finding: &Finding) -> String {
    let pattern = |count: Count| count.map_or_else(|| "''".into(), |count| count.to_string());
    let values = [
        ("line", line.to_string()),
        ("place", place),
        ("before", pattern(finding.before)),
        ("after", pattern(finding.after)),
        ("implied", shown(finding.after)),
    ];
    filled(include_str!("reproduce/contradiction.sh"), &values)
}

/// `text` as one word of a shell. A word cannot contain NUL, and no argument, flag or path does.
fn quoted(text: &str) -> String {
    shlex::try_quote(&text.replace('\0', "")).map_or_else(|_| String::new(), Into::into)
}

/// Each word quoted, after a space.
fn spaced(words: &[String]) -> String {
    words.iter().map(|word| format!(" {}", quoted(word))).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, from_value, json};

    use super::super::example::Example;
    use super::*;
    use crate::journal::JobRecord;

    pub const SOURCE: &str = "int main(void)\n{\n    int x = 0;\n    x++;\n    return x;\n}\n";

    /// A finding of `relation` on line 4 of [`SOURCE`]; `more` has other values for its fields.
    pub fn finding(relation: &str, more: &Value) -> Finding {
        let mut all = json!({
            "program": "p", "file": "a b\nrm -rf $HOME'.c", "input": "default", "profiler": "gcov", "compiler": "gcc-12",
            "version": "12.2.0", "metric": "line", "line": 4, "relation": relation, "kind": "strong",
            "before": 0, "after": null, "truth": [1, 3], "signature": "gcov/truth/missing/statement",
            "signature_version": 2, "culprit": null, "verdict": "wrong", "rule": "missing", "cluster": "c1",
        });
        let more = more.as_object().expect("an object").clone();
        all.as_object_mut().expect("an object").extend(more);
        from_value(all).expect("a finding")
    }

    /// The job of `finding`.
    pub fn record(finding: &Finding) -> JobRecord {
        let commands = ["gcc-12 -O0 --coverage -c $1.c -o $1.o", "gcc-12 --coverage $1.o -o $1 -lm"];
        let last = "./$1 x; gcov-13 no; gcov-12 $1.gcda";
        from_value(json!({
            "job": "p|default|gcc-12", "program": "p", "file": "a b\nrm -rf $HOME'.c", "input": "default",
            "compiler": "gcc-12", "outcome": {"is": "profiled"}, "source": "0", "dialect": 0,
            "tally": crate::journal::Tally::default(), "relations": {}, "refused": [], "incomparable": {},
            "commands": [commands[0], commands[1], last],
            "replay": {"flags": ["-DX=$(a)"], "args": ["it's", ""], "stdin": ""},
            "findings": [finding], "failed": null,
        }))
        .expect("a record")
    }

    /// Line 4 of [`SOURCE`] as the culprit.
    pub fn culprit(lines: [Line; 2]) -> Value {
        let start = SOURCE.find("x++").expect("it is there");
        json!({
            "file": "p.c", "lines": [lines], "edit": "delete the expression on line 4", "isolated": true, "moved": [],
            "edits": [{"start": start, "end": start + 4, "with": ""}],
        })
    }

    fn text(relation: &str, more: &Value) -> Option<String> {
        let finding = finding(relation, more);
        script(&bundle(&record(&finding)))
    }

    pub fn bundle(record: &JobRecord) -> FindingBundle {
        Example { source: SOURCE.into(), included: None, record, finding: &record.findings[0] }.bundle()
    }

    #[test]
    fn only_open_findings_that_can_be_replayed_have_a_script() {
        assert!(text("truth", &json!({})).is_some());
        assert!(text("truth", &json!({"verdict": "convention"})).is_none());
        assert!(text("views", &json!({})).is_none());
        let finding = finding("truth", &json!({}));
        let old = JobRecord { replay: None, ..record(&finding) };
        assert_eq!(script(&bundle(&old)), None);
        let made_up = JobRecord { commands: vec!["profile $1.c".into()], ..record(&finding) };
        assert_eq!(script(&bundle(&made_up)), None);
    }

    #[test]
    fn foreign_text_is_never_interpreted_by_the_shell() {
        let script = text("truth", &json!({})).expect("a script");
        assert!(script.starts_with("#!/bin/sh\n# "), "{script}");
        for expected in [
            "\n# Found by recount in a b rm -rf $HOME'.c, input default, with gcc-12 (12.2.0).\n",
            " -O0 --coverage '-DX=$(a)' -c p.c -o p.o && \"$CC\" --coverage p.o -o p '-DX=$(a)' -lm",
            "../p \"it's\" '' </dev/null",
            "|| CC=gcc-12\n",
            "|| GCOV=gcov-12\n",
        ] {
            assert!(script.contains(expected), "{expected}\n{script}");
        }
    }

    #[test]
    fn a_program_that_ran_several_times_runs_as_often() {
        let finding = finding("repeat", &json!({}));
        let mut record = record(&finding);
        record.replay.as_mut().expect("it is there").runs = 3;
        let script = script(&bundle(&record)).expect("a script");
        assert!(script.contains("    for again in '' 1 2; do\n"), "{script}");
    }

    #[test]
    fn a_count_is_compared_with_ground_truth() {
        let script = text("truth", &json!({})).expect("a script");
        assert!(
            script.contains("    1|3) not_reproduced \"line 4: reported $count, which is right\" ;;\n"),
            "{script}"
        );
        assert!(script.ends_with("reproduced \"line 4: reported $count, actual 1 or 3\"\n"), "{script}");
    }

    #[test]
    fn a_line_without_a_count_reproduces_without_one() {
        let script = text("truth", &json!({"before": null, "truth": [1]})).expect("a script");
        assert!(script.contains("    '') reproduced 'line 4 has no count, actual 1' ;;\n"), "{script}");
        assert!(script.contains("    1) not_reproduced "), "{script}");
    }

    #[test]
    fn a_changed_count_is_checked_again() {
        let more = json!({"after": 7, "truth": null, "rule": null, "verdict": "unexplained", "culprit": culprit([5, 5])});
        let script = text("delete", &more).expect("a script");
        assert!(
            script.contains("profile variant\n") && script.contains("!= '0->n' ]; then not_reproduced"),
            "{script}"
        );
        assert!(!script.contains("which makes no claim"), "there is no ground truth: {script}");
        let more = json!({"after": 7, "culprit": culprit([5, 5])});
        let script = text("delete", &more).expect("a script");
        let tail = script.split("profile variant\n").last().unwrap_or_default();
        assert!(
            !tail.contains("not_reproduced"),
            "the program's count is wrong, whatever the variant's is: {script}"
        );
        let more = json!({"line": null, "before": null, "kind": "output", "culprit": culprit([4, 4])});
        let script = text("delete", &more).expect("a script");
        assert!(script.contains("if cmp -s ") && !script.contains("profile program"), "{script}");
    }

    #[test]
    fn a_trap_proves_that_a_line_with_count_0_ran() {
        let script = text("delete", &json!({"culprit": culprit([4, 4])})).expect("a script");
        let start = SOURCE.find("x++").expect("it is there");
        for expected in [
            format!("[ \"$(part {} 4)\" = 'x++;' ] || unknown", start + 1),
            format!("part 1 {start}\n    printf '__builtin_trap();'\n    tail -c +{} ", start + 5),
            "actual 1 or 3: a trap in its place ends the program' ;;\n".into(),
        ] {
            assert!(script.contains(&expected), "{expected}\n{script}");
        }
    }

    #[test]
    fn a_contradiction_may_remain_undecided() {
        let script = text("flow", &json!({"after": 2, "truth": null, "rule": null})).expect("a script");
        let tail = script.split("case $count in\n").last().unwrap_or_default();
        assert!(
            tail.starts_with("    0) reproduced ")
                && tail.contains("    2) not_reproduced ")
                && tail.contains("\nunknown ")
        );
    }
}
