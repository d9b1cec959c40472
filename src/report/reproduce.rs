//! `reproduce.sh`: a finding shown with a shell and the compiler alone, for its maintainers.
//!
//! Everything that comes from a program, a path or a sidecar goes into the script in single quotes,
//! or as a comment of one line; nothing of it is ever read by the shell.

use std::fmt::Write;

use super::counts::{admissible, place, shown};
use crate::journal::{FindingBundle, Replay};
use crate::model::{CountChange, Culprit, Family, Finding, Line, Metric, RelationName, Rewriting};

/// The script for a finding; none where nobody need look, where an older
/// recount did not write down how to run the program, where P' is built or run in another way than P and does
/// something else, and for `views` and counts other than those of lines, which are read in JSON that no tool of a
/// plain system reads.
pub fn script(bundle: &FindingBundle) -> Option<String> {
    let finding = &bundle.finding;
    let can_show = finding.verdict.is_open() && finding.is_told();
    let replay = bundle.replay.as_ref().filter(|_| can_show)?;
    let test = test(finding, &bundle.program)?;
    let tools = tools(finding.profiler, &replay.commands)?;
    let run = run(replay);
    let read = match (finding.profiler, finding.metric) {
        (Family::Gcov, Metric::Function) => format!("options=-b\n{GCOV}{GCOV_FUNCTION}"),
        (Family::Gcov, _) => format!("options=\n{GCOV}{GCOV_LINE}"),
        (Family::LlvmCov, _) => LLVM_COV.into(),
    };
    let build = build(finding.profiler, replay);
    Some([head(finding, &tools), START.into(), build, run, read, "\n".into(), test].concat())
}

/// What is executed first: where things are, and the three ways to end.
const START: &str = include_str!("reproduce/start.sh");

/// `report NAME` makes a report.
const GCOV: &str = include_str!("reproduce/gcov.sh");

/// `count NAME LINE` reads the line's count from it: nothing where there is none.
const GCOV_LINE: &str = include_str!("reproduce/gcov_line.sh");

/// `count NAME LINE` reads the count of the function that begins there.
const GCOV_FUNCTION: &str = include_str!("reproduce/gcov_function.sh");

/// Both for the tools of LLVM, and lines.
const LLVM_COV: &str = include_str!("reproduce/llvm_cov.sh");

/// Names of the variables that choose the tools, and the tools that they are by default.
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

/// What the script is about, and its tools.
fn head(finding: &Finding, tools: &[(&str, &str)]) -> String {
    let names: Vec<&str> = tools.iter().map(|(name, _)| *name).collect();
    let rule = finding.rule.map(|rule| format!(", {}", rule.name())).unwrap_or_default();
    let comments = [
        crate::triage::sentence(finding),
        String::new(),
        format!("Found by recount in {}, input {},", finding.file, finding.input),
        format!("with {} ({}): {}.", finding.compiler, finding.version, claim(finding)),
        format!(
            "Verdict: {}{rule}. Cluster: {}, {}.",
            finding.verdict.name(),
            finding.cluster,
            finding.signature
        ),
        String::new(),
        "Exits 0 while the finding is there, 1 when it is gone, 2 when it cannot tell.".into(),
        format!("Set {} to try other tools.", names.join(", ")),
    ];
    let mut out = String::from("#!/bin/sh\n");
    for comment in comments {
        out.push_str(format!("# {}", one_line(&comment)).trim_end());
        out.push('\n');
    }
    out.push_str("set -u\n");
    // What the shell does not find elsewhere may be one of scripts/profilers.
    let _ = writeln!(
        out,
        "PATH=$PATH:${{RECOUNT_COMPILERS:-${{XDG_DATA_HOME:-${{HOME-}}/.local/share}}/recount/compilers}}/{}/bin",
        quoted(&finding.compiler)
    );
    for (name, tool) in tools {
        // A default in `${CC:-…}` would be read by the shell.
        let _ = writeln!(out, "[ -n \"${{{name}-}}\" ] || {name}={}", quoted(tool));
    }
    let _ = writeln!(out, "tools='{}'\n", names.join(" "));
    out
}

/// What was seen, for the comment.
fn claim(finding: &Finding) -> String {
    let edit = finding.edit().map(|edit| format!(" when P' is made to {edit}")).unwrap_or_default();
    let right = finding.truth.as_deref().map(|truth| format!(", and {} is right", admissible(truth)));
    match finding.line {
        None => format!("the output changes{edit}"),
        Some(line) if finding.is_unseen() => {
            format!("line {line} shows 0, but a trap in its place ends the program")
        }
        Some(line) => {
            let (before, after, right) = (finding.before, finding.after, right.unwrap_or_default());
            let place = place(finding.metric, line, "");
            if finding.culprit.is_none() && after.is_none() {
                format!("{place} shows {}{right}", shown(before))
            } else {
                format!("{place}: {} -> {}{edit}{right}", shown(before), shown(after))
            }
        }
    }
}

/// `build NAME FILE` compiles a copy of FILE, always under the name that it had in the campaign.
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
    mkdir -p "$work/$1/run" && cp "$2" "$work/$1/p.c" || cannot "$2 cannot be copied to $work"
    (cd "$work/$1" && {command}) >"$work/$1/log" 2>&1 ||
        cannot "$CC does not compile $1.c: $(awk '/error|undefined/ {{ print; exit }}' "$work/$1/log")"
}}
"#
    )
}

/// `run NAME` runs it as the campaign did: in an empty folder, with the same environment and input, as often.
fn run(replay: &Replay) -> String {
    let stdin = if replay.stdin.is_empty() { "/dev/null" } else { "\"$here/stdin\"" };
    let args = spaced(&replay.args);
    // The first run's profile is p.profraw, as that of an only one.
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

/// The end of the script: look, and say what was seen and what is right.
fn test(finding: &Finding, source: &str) -> Option<String> {
    let Some(line) = finding.line else { return output(finding.rewriting.as_ref()) };
    let place = place(finding.metric, line, "");
    let truth = finding.truth.as_deref().filter(|truth| !truth.is_empty());
    match (finding.relation, &finding.culprit, truth) {
        (RelationName::Views, ..) => None,
        (_, Some(culprit), _) if finding.is_unseen() => trapped(line, culprit, truth, source),
        (_, Some(_), _) => Some(movement(line, &place, finding, truth)),
        (_, None, Some(truth)) => {
            Some(format!("profile program\n{}there {}\n", right(line, &place, truth), against(&place, truth)))
        }
        (_, None, None) => Some(contradiction(line, &place, finding)),
    }
}

/// Ends the script where the count is right, or is none, which claims nothing.
fn right(line: Line, place: &str, truth: &[u64]) -> String {
    let counts = truth.iter().map(u64::to_string).collect::<Vec<_>>();
    format!(
        "count=$(count program {line})\ncase $count in\n    \
         '') gone '{place} has no count, which claims nothing; right is {}' ;;\n    \
         {}) gone \"{place} shows $count, which is right\" ;;\nesac\n",
        admissible(truth),
        counts.join("|"),
    )
}

fn against(place: &str, truth: &[u64]) -> String {
    format!("\"{place} shows $count; right is {}\"", admissible(truth))
}

/// P and P' do something else; none where they are not built and run alike.
fn output(made: Option<&Rewriting>) -> Option<String> {
    let is_alike = made.is_none_or(|made| made.flags.is_empty() && made.runs <= 1);
    let why = match made {
        Some(_) => "the rewriting changes nothing that the program does",
        None => "what differs never ran",
    };
    is_alike.then(|| {
        format!("{OUTPUT}there 'program.c and variant.c print or return different things; right is the same, since {why}'\n")
    })
}

/// Ends the script where both do the same.
const OUTPUT: &str = "for name in program variant; do\n    build $name \"$here/$name.c\"\n    run $name\n    \
     echo \"exit status $status\" >>\"$work/$name/output\"\ndone\n\
     if cmp -s \"$work/program/output\" \"$work/variant/output\"; then\n    \
     gone 'program.c and variant.c print the same, which is right'\nfi\n\
     ";

/// A count that moves from P to P'. Where truth denies that of P, this is there as long as P's is wrong.
fn movement(line: Line, place: &str, finding: &Finding, truth: Option<&[u64]>) -> String {
    let denied = truth.filter(|truth| finding.before.is_some_and(|count| !truth.contains(&count)));
    let right_count = denied.map(|truth| right(line, place, truth)).unwrap_or_default();
    let word = truth.map_or_else(|| "the same for both".into(), admissible);
    let moves = CountChange::of(finding.before, finding.after);
    let decision = match denied {
        Some(_) => String::new(),
        None => format!(
            "case $before in\n    '') from=none ;;\n    0) from=0 ;;\n    *) from=n ;;\nesac\n\
             case $after in\n    '') to=none ;;\n    0) to=0 ;;\n    \"$before\") to=n ;;\n    \
             *) if [ $from = n ]; then to=m; else to=n; fi ;;\nesac\n\
             if [ \"$from->$to\" != '{moves}' ]; then gone \"$seen; right is {word}\"; fi\n"
        ),
    };
    format!(
        "profile program\n{right_count}profile variant\nbefore=$(count program {line})\nafter=$(count variant {line})\n\
         seen=\"{place} shows ${{before:-no count}} in program.c and ${{after:-no count}} in variant.c\"\n\
         {decision}there \"$seen; right is {word}\"\n"
    )
}

/// A 0 on a line that ran: a trap in its place ends the program.
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
            "[ \"$(part {} {})\" = {} ] || cannot 'program.c was changed, and where its trap belongs is not known'",
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
         if [ \"$count\" != 0 ]; then gone \"line {line} shows ${{count:-no count}}; right is {word}\"; fi\n\
         {checks}{{\n{pieces}    tail -c +{} \"$here/program.c\"\n}} >\"$work/trapped.c\"\n\
         build trapped \"$work/trapped.c\"\nrun trapped\ncase $status in\n    \
         # SIGILL or SIGTRAP: the trap was reached.\n    \
         132|133) there 'line {line} shows 0, but a trap in its place ends the program; right is {word}' ;;\n    \
         \"$ended\") gone 'line {line} shows 0, and a trap in its place is never reached: 0 is right' ;;\nesac\n\
         cannot \"with a trap on line {line} the program ends with status $status instead of $ended\"\n",
        at + 1
    ))
}

/// A count that the rest of the report contradicts.
fn contradiction(line: Line, place: &str, finding: &Finding) -> String {
    let pattern = |count: Option<u64>| count.map_or_else(|| "''".into(), |count| count.to_string());
    let (before, after) = (finding.before, finding.after);
    let seen = "${count:-no count}";
    format!(
        "profile program\ncount=$(count program {line})\ncase $count in\n    \
         {}) there \"{place} shows {seen}; right by the rest of the report is {}\" ;;\n    \
         {}) gone \"{place} shows {seen}, which is right by the rest of the report\" ;;\nesac\n\
         cannot \"{place} shows {seen}, neither what it did nor what follows from other lines\"\n",
        pattern(before),
        shown(after),
        pattern(after),
    )
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Each word quoted, with a space before it.
fn spaced(words: &[String]) -> String {
    words.iter().map(|word| format!(" {}", quoted(word))).collect()
}

/// `text` without what would end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, from_value, json};

    use super::super::example::Example;
    use super::*;
    use crate::journal::JobRecord;

    pub const SOURCE: &str = "int main(void)\n{\n    int x = 0;\n    x++;\n    return x;\n}\n";

    /// A finding of `relation` on line 4 of [`SOURCE`], with what `more` says otherwise.
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
    fn only_what_wants_a_look_and_can_be_done_again_has_a_script() {
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
    fn nothing_foreign_is_read_by_the_shell() {
        let script = text("truth", &json!({})).expect("a script");
        assert!(script.starts_with("#!/bin/sh\n# "), "{script}");
        for expected in [
            "\n# Found by recount in a b rm -rf $HOME'.c, input default,\n",
            " -O0 --coverage '-DX=$(a)' -c p.c -o p.o && \"$CC\" --coverage p.o -o p '-DX=$(a)' -lm",
            "../p 'it'\\''s' '' </dev/null",
            "|| CC='gcc-12'\n",
            "|| GCOV='gcov-12'\n",
        ] {
            assert!(script.contains(expected), "{expected}\n{script}");
        }
    }

    #[test]
    fn what_ran_several_times_runs_as_often() {
        let finding = finding("repeat", &json!({}));
        let mut record = record(&finding);
        record.replay.as_mut().expect("it is there").runs = 3;
        let script = script(&bundle(&record)).expect("a script");
        assert!(script.contains("    for again in '' 1 2; do\n"), "{script}");
    }

    #[test]
    fn a_count_is_held_against_truth() {
        let script = text("truth", &json!({})).expect("a script");
        assert!(script.contains("    1|3) gone \"line 4 shows $count, which is right\" ;;\n"), "{script}");
        assert!(script.ends_with("there \"line 4 shows $count; right is 1 or 3\"\n"), "{script}");
    }

    #[test]
    fn a_movement_is_looked_for_again() {
        let more = json!({"after": 7, "truth": null, "rule": null, "verdict": "unexplained", "culprit": culprit([5, 5])});
        let script = text("delete", &more).expect("a script");
        assert!(
            script.contains("profile variant\n") && script.contains("!= '0->n' ]; then gone"),
            "{script}"
        );
        assert!(!script.contains("which claims nothing"), "there is no truth: {script}");
        let more = json!({"after": 7, "culprit": culprit([5, 5])});
        let script = text("delete", &more).expect("a script");
        let tail = script.split("profile variant\n").last().unwrap_or_default();
        assert!(!tail.contains("gone"), "P is wrong whatever becomes of P': {script}");
        let more = json!({"line": null, "before": null, "kind": "output", "culprit": culprit([4, 4])});
        let script = text("delete", &more).expect("a script");
        assert!(script.contains("if cmp -s ") && !script.contains("profile program"), "{script}");
    }

    #[test]
    fn a_zero_on_code_that_ran_is_proved_by_a_trap() {
        let script = text("delete", &json!({"culprit": culprit([4, 4])})).expect("a script");
        let start = SOURCE.find("x++").expect("it is there");
        for expected in [
            format!("[ \"$(part {} 4)\" = 'x++;' ] || cannot", start + 1),
            format!("part 1 {start}\n    printf '__builtin_trap();'\n    tail -c +{} ", start + 5),
            "right is 1 or 3' ;;\n".into(),
        ] {
            assert!(script.contains(&expected), "{expected}\n{script}");
        }
    }

    #[test]
    fn a_contradiction_may_be_left_undecided() {
        let script = text("flow", &json!({"after": 2, "truth": null, "rule": null})).expect("a script");
        let tail = script.split("case $count in\n").last().unwrap_or_default();
        assert!(
            tail.starts_with("    0) there ") && tail.contains("    2) gone ") && tail.contains("\ncannot ")
        );
    }
}
