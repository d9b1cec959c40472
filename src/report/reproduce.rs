//! `reproduce.sh`: a script that reproduces a finding with a shell and the compiler alone, for the maintainers.
//!
//! Text from a program, a path or a sidecar enters the script only as a quoted word or in a comment of one line, so the
//! shell never interprets it.

use std::fmt::Write;

use super::claim::claim;
use super::counts::{admissible, place, shown};
use crate::journal::{FindingBundle, Replay};
use crate::model::{Count, CountChange, Culprit, Family, Finding, Line, Metric, RelationName, Rewriting};

/// The script for a finding. There is none for a finding that needs no attention, without a replay, for a different
/// behaviour of two programs that are built or run in different ways, and for `views` and counts that the profilers
/// print only as JSON, which no tool of a plain system reads.
pub fn script(bundle: &FindingBundle) -> Option<String> {
    let finding = &bundle.finding;
    let can_show = finding.verdict.is_open() && finding.is_told();
    let replay = bundle.replay.as_ref().filter(|_| can_show)?;
    let test = test(finding, &bundle.program)?;
    let tools = tools(finding.profiler, &replay.commands)?;
    let read = match (finding.profiler, finding.metric) {
        (Family::Gcov, Metric::Function) => format!("options=-b\n{GCOV}{GCOV_FUNCTION}"),
        (Family::Gcov, _) => format!("options=\n{GCOV}{GCOV_LINE}"),
        (Family::LlvmCov, _) => LLVM_COV.into(),
    };
    let build = build(finding.profiler, replay);
    Some([head(finding, &tools), START.into(), build, run(replay), read, "\n".into(), test].concat())
}

/// Checks the tools and defines `reproduced`, `not_reproduced` and `unknown`, each of which ends the script.
const START: &str = include_str!("reproduce/start.sh");

/// `report NAME` writes gcov's report.
const GCOV: &str = include_str!("reproduce/gcov.sh");

/// `count NAME LINE` prints the line's count, or nothing if it has none.
const GCOV_LINE: &str = include_str!("reproduce/gcov_line.sh");

/// `count NAME LINE` prints the count of the function that begins on the line.
const GCOV_FUNCTION: &str = include_str!("reproduce/gcov_function.sh");

/// Both commands for llvm-cov, for lines.
const LLVM_COV: &str = include_str!("reproduce/llvm_cov.sh");

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
fn head(finding: &Finding, tools: &[(&str, &str)]) -> String {
    let names = tools.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let Finding { file, input, compiler, version, verdict, cluster, signature, .. } = finding;
    let rule = finding.rule.map(|rule| format!(", {}", rule.name())).unwrap_or_default();
    let mut comments = vec![
        crate::triage::sentence(finding),
        String::new(),
        format!("Found by recount in {file}, input {input}, with {compiler} ({version})."),
        claim(finding, ""),
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

/// `build NAME FILE` compiles a copy of FILE under the name that it had in the campaign.
fn build(family: Family, replay: &Replay) -> String {
    let flags = spaced(&replay.flags);
    let command = match family {
        Family::Gcov => {
            format!("\"$CC\" -O0 --coverage{flags} -c p.c -o p.o && \"$CC\" --coverage p.o -o p{flags} -lm")
        }
        Family::LlvmCov => {
            format!("\"$CC\" -O0 -fprofile-instr-generate -fcoverage-mapping{flags} p.c -o p -lm")
        }
    };
    format!(
        r#"
build() {{
    mkdir -p "$work/$1/run" && cp "$2" "$work/$1/p.c" || unknown "$2 cannot be copied to $work"
    (cd "$work/$1" && {command}) >"$work/$1/log" 2>&1 ||
        unknown "$CC does not compile $1.c: $(awk '/error|undefined/ {{ print; exit }}' "$work/$1/log")"
}}
"#
    )
}

/// `run NAME` runs the program as often as the campaign did, in an empty folder, with the same environment and input.
fn run(replay: &Replay) -> String {
    let stdin = if replay.stdin.is_empty() { "/dev/null" } else { "\"$here/stdin\"" };
    let args = spaced(&replay.args);
    // The first run writes p.profraw, as an only run does.
    let again: String = (1..replay.runs).map(|run| format!(" {run}")).collect();
    format!(
        r#"
run() {{
    for again in ''{again}; do
        (cd "$work/$1/run" && $limit env -i PATH=/usr/bin:/bin LC_ALL=C LLVM_PROFILE_FILE="$work/$1/p$again.profraw" \
            ../p{args} <{stdin} >../output)
        status=$?
    done 2>/dev/null
}}
profile() {{
    build "$1" "$here/$1.c"
    run "$1"
    report "$1"
}}

"#
    )
}

/// The end of the script: profile, and compare with the right count.
fn test(finding: &Finding, source: &str) -> Option<String> {
    let Some(line) = finding.line else { return output(finding.rewriting.as_ref()) };
    let place = place(finding.metric, line, "");
    let truth = finding.truth.as_deref().filter(|truth| !truth.is_empty());
    match (finding.relation, &finding.culprit, truth) {
        (RelationName::Views, ..) => None,
        (_, Some(culprit), _) if finding.is_unseen() => trapped(line, culprit, truth, source),
        (_, Some(_), _) => Some(movement(line, &place, finding, truth)),
        (_, None, Some(truth)) => Some(format!(
            "profile program\n{}reproduced \"{place}: reported $count, actual {}\"\n",
            unless_right(line, &place, truth),
            admissible(truth)
        )),
        (_, None, None) => Some(contradiction(line, &place, finding)),
    }
}

/// Ends the script if the count is right, or if there is none, which makes no claim.
fn unless_right(line: Line, place: &str, truth: &[u64]) -> String {
    let counts = truth.iter().map(u64::to_string).collect::<Vec<_>>();
    format!(
        "count=$(count program {line})\ncase $count in\n    \
         '') not_reproduced '{place} has no count, which makes no claim; actual {}' ;;\n    \
         {}) not_reproduced \"{place}: reported $count, which is right\" ;;\nesac\n",
        admissible(truth),
        counts.join("|"),
    )
}

/// Compares the behaviour of the program and the variant; none if they are not built and run alike.
fn output(rewriting: Option<&Rewriting>) -> Option<String> {
    let is_alike = rewriting.is_none_or(|made| made.flags.is_empty() && made.runs <= 1);
    let why = match rewriting {
        Some(_) => "the edit does not change the behaviour",
        None => "the deleted code never ran",
    };
    is_alike.then(|| {
        format!(
            "for name in program variant; do\n    build $name \"$here/$name.c\"\n    run $name\n    \
             echo \"exit status $status\" >>\"$work/$name/output\"\ndone\n\
             if cmp -s \"$work/program/output\" \"$work/variant/output\"; then\n    \
             not_reproduced 'program.c and variant.c behave alike, which is right'\nfi\n\
             reproduced 'program.c and variant.c differ in output or exit status, although {why}'\n"
        )
    })
}

/// Compares the counts of the program and the variant. If ground truth contradicts that of the program, the finding
/// reproduces as long as that is wrong.
fn movement(line: Line, place: &str, finding: &Finding, truth: Option<&[u64]>) -> String {
    let denied = truth.filter(|truth| finding.before.is_some_and(|count| !truth.contains(&count)));
    let right_count = denied.map(|truth| unless_right(line, place, truth)).unwrap_or_default();
    let word = truth.map_or_else(|| "the same for both".into(), admissible);
    let moves = CountChange::of(finding.before, finding.after);
    let decision = match denied {
        Some(_) => String::new(),
        None => format!(
            "case $before in\n    '') from=none ;;\n    0) from=0 ;;\n    *) from=n ;;\nesac\n\
             case $after in\n    '') to=none ;;\n    0) to=0 ;;\n    \"$before\") to=n ;;\n    \
             *) if [ $from = n ]; then to=m; else to=n; fi ;;\nesac\n\
             if [ \"$from->$to\" != '{moves}' ]; then not_reproduced \"$seen\"; fi\n"
        ),
    };
    format!(
        "profile program\n{right_count}profile variant\nbefore=$(count program {line})\nafter=$(count variant {line})\n\
         seen=\"{place}: reported ${{before:-no count}} in program.c and ${{after:-no count}} in variant.c, actual {word}\"\n\
         {decision}reproduced \"$seen\"\n"
    )
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
    let word = truth.map_or_else(|| "more than 0".into(), admissible);
    Some(format!(
        "part() {{ tail -c \"+$1\" \"$here/program.c\" | head -c \"$2\"; }}\n\
         profile program\nended=$status\ncount=$(count program {line})\n\
         if [ \"$count\" != 0 ]; then not_reproduced \"line {line}: reported ${{count:-no count}}, actual {word}\"; fi\n\
         {checks}{{\n{pieces}    tail -c +{} \"$here/program.c\"\n}} >\"$work/trapped.c\"\n\
         build trapped \"$work/trapped.c\"\nrun trapped\ncase $status in\n    \
         # SIGILL or SIGTRAP: the trap was reached.\n    \
         132|133) reproduced 'line {line}: reported 0, actual {word}: a trap in its place ends the program' ;;\n    \
         \"$ended\") not_reproduced 'line {line}: reported 0, which is right: a trap in its place is never reached' ;;\nesac\n\
         unknown \"with a trap on line {line} the program ends with status $status instead of $ended\"\n",
        at + 1
    ))
}

/// A count that contradicts the rest of the report.
fn contradiction(line: Line, place: &str, finding: &Finding) -> String {
    let pattern = |count: Count| count.map_or_else(|| "''".into(), |count| count.to_string());
    let (before, after) = (finding.before, finding.after);
    let seen = "reported ${count:-no count}";
    format!(
        "profile program\ncount=$(count program {line})\ncase $count in\n    \
         {}) reproduced \"{place}: {seen}; the rest of the report implies {}\" ;;\n    \
         {}) not_reproduced \"{place}: {seen}, which agrees with the rest of the report\" ;;\nesac\n\
         unknown \"{place}: {seen}, which is neither the old count nor what the rest of the report implies\"\n",
        pattern(before),
        shown(after),
        pattern(after),
    )
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
        Example { source: SOURCE.into(), record, finding: &record.findings[0] }.bundle()
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
