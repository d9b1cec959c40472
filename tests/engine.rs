//! The reduction engine, with interestingness tests that are pure predicates over text: no compiler is needed, and the
//! right result is known.

use std::ops::Range;
use std::sync::Mutex;

use proptest::prelude::*;
use recount::model::TextEdit;
use recount::reduce::{Candidate, Engine, InterestingnessTest, SCHEDULE, edited, lines_of_code};
use recount::syntax::{Pass, Program, StatementKind, candidate_edits};
use recount::toolchain::UbChecks;
use regex::Regex;

/// A test by two predicates; it records the numbers of the workers.
struct Predicates<I, S> {
    interesting: I,
    sound: S,
    workers: Mutex<Vec<usize>>,
}

impl<I, S> InterestingnessTest for Predicates<I, S>
where
    I: Fn(&Candidate) -> bool + Sync,
    S: Fn(&str) -> bool + Sync,
{
    fn is_interesting(&self, worker: usize, candidate: &Candidate) -> anyhow::Result<bool> {
        self.workers.lock().unwrap().push(worker);
        Ok((self.interesting)(candidate))
    }

    fn is_sound(&self, _: usize, candidate: &Candidate, _: UbChecks) -> anyhow::Result<bool> {
        Ok((self.sound)(&candidate.source))
    }
}

/// The result of reducing `start` with this number of workers.
fn reduced<I, S>(start: &Candidate, interesting: I, sound: S, workers: usize) -> Candidate
where
    I: Fn(&Candidate) -> bool + Sync,
    S: Fn(&str) -> bool + Sync,
{
    assert!(interesting(start) && sound(&start.source), "not a start: {}", start.source);
    let test = Predicates { interesting, sound, workers: Mutex::default() };
    let smallest =
        Engine::new(&test, workers, start.clone(), &|_| ()).and_then(|mut engine| engine.run(SCHEDULE));
    let smallest = smallest.unwrap();
    assert!((test.interesting)(&smallest) && (test.sound)(&smallest.source), "{}", smallest.source);
    let numbers = test.workers.into_inner().unwrap();
    assert!(numbers.iter().all(|number| *number < workers), "a worker number is too high");
    smallest
}

/// The result with 1, 2 and 5 workers, which is the same; no statement of it can be deleted.
fn smallest(
    source: &str,
    interesting: impl Fn(&str) -> bool + Sync,
    sound: impl Fn(&str) -> bool + Sync,
) -> String {
    let start = Candidate { source: source.into(), marks: Vec::new() };
    let of_text = |candidate: &Candidate| interesting(&candidate.source);
    let by = |workers| reduced(&start, of_text, &sound, workers).source;
    let one = by(1);
    assert_eq!(by(2), one, "by 2 workers");
    assert_eq!(by(5), one, "by 5 workers");
    let unmarked = Candidate { source: one.clone(), marks: Vec::new() };
    for shrink in candidate_edits(&one, Pass::Statements) {
        let less = edited(&unmarked, &shrink).source;
        assert!(!(interesting(&less) && sound(&less)), "{one}\ncan be\n{less}");
    }
    one
}

/// Fails once the program has this number of lines, as an interrupt does.
struct Failing(usize);

impl InterestingnessTest for Failing {
    fn is_interesting(&self, _: usize, candidate: &Candidate) -> anyhow::Result<bool> {
        anyhow::ensure!(lines_of_code(&candidate.source) > self.0, "interrupted");
        Ok(candidate.source.contains("key();"))
    }

    fn is_sound(&self, _: usize, _: &Candidate, _: UbChecks) -> anyhow::Result<bool> {
        Ok(true)
    }
}

#[test]
fn what_was_reduced_before_a_failure_is_kept() {
    let start = Candidate { source: NESTED.into(), marks: Vec::new() };
    let before = lines_of_code(NESTED);
    let test = Failing(before / 2);
    let mut engine = Engine::new(&test, 1, start, &|_| ()).unwrap();
    assert!(engine.run(SCHEDULE).is_err());
    let kept = engine.smallest();
    assert!((before / 2 + 1..before).contains(&lines_of_code(&kept.source)), "{}", kept.source);
    assert!(kept.source.contains("key();"));
}

/// `source` without white space, so that the layout does not matter.
fn dense(source: &str) -> String {
    source.split_whitespace().collect()
}

const ANYTHING: fn(&str) -> bool = |_| true;

/// Functions, loops and branches around one call of `key()` that is in an `if` in a loop.
const NESTED: &str = "\
#include <stdio.h>
void key(void);
static int total; /* of all */
static int add(int n)
{
    key();
    total += n;
    return total;
}
int main(int argc, char **argv)
{
    int i, sum = 0;
    for (i = 0; i < 10; i++) {
        sum += i;
        if (sum > 20) {
            add(sum);
        } else {
            while (sum > 3) {
                if (argc > 2)
                    sum--;
                if (argv[1]) {
                    printf(\"%d\\n\", sum);
                    key();
                    sum -= 2;
                }
                sum--;
            }
        }
    }
    if (sum)
        key();
    return add(sum) + i;
}
";

/// Whether a call of `key` is in an `if` that is in a loop.
fn has_guarded_key(source: &str) -> bool {
    let program = Program::parse(source.to_string());
    let of = |wanted: &[StatementKind]| {
        program.ids().filter(|id| wanted.contains(&program.statement(*id).kind)).collect::<Vec<_>>()
    };
    let loops = of(&[StatementKind::For, StatementKind::While, StatementKind::Do]);
    let calls = of(&[StatementKind::Call]).into_iter();
    let mut keys = calls.filter(|id| dense(&source[program.statement(*id).range.clone()]) == "key();");
    let branches = of(&[StatementKind::If]);
    program.error_nodes == 0
        && source.contains("int main(")
        && keys.any(|key| {
            let mut around = branches.iter().filter(|branch| program.holds(**branch, key));
            around.any(|branch| loops.iter().any(|outer| *outer != *branch && program.holds(*outer, *branch)))
        })
}

#[test]
fn a_call_in_an_if_in_a_loop_is_reduced_to_these_three() {
    let found = smallest(NESTED, has_guarded_key, ANYTHING);
    let program = Program::parse(found.clone());
    let mut kinds: Vec<StatementKind> = program.ids().map(|id| program.statement(id).kind).collect();
    kinds.retain(|kind| *kind != StatementKind::Block);
    assert_eq!(kinds.len(), 3, "{found}");
    assert_eq!(kinds[1..], [StatementKind::If, StatementKind::Call], "{found}");
    assert!(lines_of_code(&found) <= 6, "{found}");
}

const JUMPS: &str = "\
int sum;
int twice(int n) { return 2 * n; }
int main(int argc, char **argv)
{
    int left = argc;
    (void)argv;
    if (left > 3) {
        sum = twice(left);
        goto done;
    }
    while (left-- > 0) {
        if (left == 2)
            goto next;
        sum += left;
    next:
        sum++;
    }
done:
    sum = twice(sum);
    return sum;
}
";

fn jumps_to_a_label(source: &str) -> bool {
    let jumps = Regex::new(r"goto\s+(\w+)\s*;").unwrap();
    let has_label = |name: &str| Regex::new(&format!(r"\b{name}\s*:")).unwrap().is_match(source);
    source.contains("int main(") && jumps.captures_iter(source).any(|found| has_label(&found[1]))
}

#[test]
fn a_goto_stays_with_its_label() {
    let found = smallest(JUMPS, jumps_to_a_label, ANYTHING);
    assert_eq!(found.matches("goto").count(), 1, "{found}");
    // `main`, the jump, the label with what must follow it, the brace.
    assert!(lines_of_code(&found) <= 5, "{found}");
    for gone in ["twice", "while", "if", "sum"] {
        assert!(!found.contains(gone), "{found}");
    }
}

#[test]
fn statements_that_a_sound_program_needs_stay() {
    let needs = |source: &str| dense(source).contains("init();");
    let source = NESTED.replace("int i, sum = 0;\n", "int i, sum = 0;\n    init();\n    sum = 3;\n");
    let found = smallest(&source, has_guarded_key, needs);
    // The rest is deleted, although it was tried together with a statement that must stay.
    assert_eq!(dense(&found).matches("init();").count(), 1, "{found}");
    assert!(!found.contains("add") && !found.contains("total") && !found.contains("= 3"), "{found}");
    let without = smallest(&source, has_guarded_key, ANYTHING);
    assert!(!without.contains("init"), "{without}");
    assert!(lines_of_code(&found) <= lines_of_code(&without) + 1, "{found}");
}

#[test]
fn soundness_is_checked_for_the_program_and_not_for_each_edit() {
    // Either of two calls is enough, so no single edit is the cause.
    let either = |source: &str| dense(source).contains("one();") || dense(source).contains("two();");
    let source = "int main(void)\n{\n    one();\n    x();\n    two();\n    y();\n    key();\n    z();\n}\n";
    let has_key = |source: &str| dense(source).contains("key();") && source.contains("int main(");
    let found = smallest(source, has_key, either);
    let calls = Regex::new(r"\w+\(\);").unwrap().find_iter(&found).count();
    assert_eq!(calls, 2, "{found}");
}

#[test]
fn candidates_that_an_unsound_edit_excluded_are_tried() {
    // Any statement may be deleted, so the outermost is deleted first, and has to be restored for the calls in it.
    let source = "int main(void)\n{\n    if (x) {\n        y();\n    } else {\n        while (x) {\n            \
                  y();\n            init();\n        }\n        init();\n    }\n}\n";
    let needs = |source: &str| dense(source).contains("init();");
    let found = smallest(source, |source| source.contains("int main("), needs);
    assert_eq!(dense(&found), "intmain(void){init();}");
}

/// A program of marker calls among loops and branches.
#[derive(Clone, Debug)]
enum Tree {
    Call(usize),
    Step,
    If(Vec<Tree>, Vec<Tree>),
    While(Vec<Tree>),
    For(Vec<Tree>),
    Do(Vec<Tree>),
    Block(Vec<Tree>),
}

const MARKERS: usize = 6;

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0..MARKERS).prop_map(Tree::Call), 1 => Just(Tree::Step)];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let several = prop::collection::vec(inner, 0..4);
        prop_oneof![
            (several.clone(), several.clone()).prop_map(|(yes, no)| Tree::If(yes, no)),
            several.clone().prop_map(Tree::While),
            several.clone().prop_map(Tree::For),
            several.clone().prop_map(Tree::Do),
            several.prop_map(Tree::Block),
        ]
    })
}

fn put(out: &mut String, trees: &[Tree]) {
    for tree in trees {
        match tree {
            Tree::Call(number) => out.push_str(&["k", &number.to_string(), "();\n"].concat()),
            Tree::Step => out.push_str("x = x * 2 + 1;\n"),
            Tree::If(yes, no) => {
                held(out, "if (x > 3) {\n", yes, "} else {\n");
                held(out, "", no, "}\n");
            }
            Tree::While(body) => held(out, "while (x-- > 0) {\n", body, "}\n"),
            Tree::For(body) => held(out, "for (int i = 0; i < 4; i++) {\n", body, "}\n"),
            Tree::Do(body) => held(out, "do {\n", body, "} while (x);\n"),
            Tree::Block(body) => held(out, "{\n", body, "}\n"),
        }
    }
}

fn held(out: &mut String, open: &str, body: &[Tree], close: &str) {
    out.push_str(open);
    put(out, body);
    out.push_str(close);
}

/// The trees as a program, and the markers that it calls.
fn program(trees: &[Tree]) -> (String, Vec<String>) {
    let mut body = String::new();
    put(&mut body, trees);
    let markers: Vec<String> =
        (0..MARKERS).map(|number| format!("k{number}();")).filter(|call| body.contains(call)).collect();
    (format!("static int x;\nint main(void)\n{{\n{body}return x;\n}}\n"), markers)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// A random program that has to call some markers is reduced to these calls, each once.
    #[test]
    fn random_programs_are_reduced_to_what_is_wanted(
        trees in prop::collection::vec(tree(), 1..6), chosen in any::<u8>(), needed in any::<u8>()
    ) {
        let (source, markers) = program(&trees);
        let subset = |bits: u8| -> Vec<&String> {
            (0..).zip(&markers).filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, marker)| marker).collect()
        };
        let (wanted, needed) = (subset(chosen), subset(needed));
        let calls_all = |source: &str, calls: &[&String]| {
            let dense = dense(source);
            calls.iter().all(|call| dense.contains(call.as_str()))
        };
        // A compiler would reject an `else` after two statements; the parser may take it for the name of a type.
        let compiles = |source: &str| {
            let program = Program::parse(source.to_string());
            let has_lone_else = |id| source[program.statement(id).range.clone()].starts_with("else");
            program.error_nodes == 0 && !program.ids().any(has_lone_else)
        };
        let interesting =
            |source: &str| source.contains("int main(") && compiles(source) && calls_all(source, &wanted);
        let found = smallest(&source, interesting, |source| calls_all(source, &needed));
        for marker in &markers {
            let times = usize::from(wanted.contains(&marker) || needed.contains(&marker));
            prop_assert_eq!(dense(&found).matches(marker.as_str()).count(), times, "{} in\n{}", marker, found);
        }
        prop_assert!(["while", "for", "do ", "x = x"].iter().all(|gone| !found.contains(gone)), "{found}");
        // No pass puts two arms in sequence; an `if` with one arm is replaced by the arm.
        prop_assert_eq!(found.matches("if (").count(), found.matches("else").count(), "{}", found);
    }

    /// A slow model computes letter by letter what the marks contain.
    #[test]
    fn marks_follow_the_edits(
        length in 1..40_usize,
        ends in prop::collection::vec(0..41_usize, 2..10),
        withs in prop::collection::vec("[A-Z]{0,3}", 10),
        mark in (0..40_usize, 0..40_usize),
    ) {
        let source: String = ('a'..='z').cycle().take(length).collect();
        let mark = mark.0.min(mark.1).min(length)..mark.0.max(mark.1).min(length);
        let edits = edits(&ends, &withs, length);
        let found = edited(&Candidate { source: source.clone(), marks: vec![mark.clone()] }, &edits);
        let (whole, marked) = model(&source, &edits, &mark);
        prop_assert_eq!(&found.source, &whole);
        let now = found.marks[0].clone();
        prop_assert!(now.start <= now.end && now.end <= whole.len(), "{now:?} of {whole}");
        if !mark.is_empty() {
            prop_assert_eq!(&whole[now], marked, "{:?} of {} by {:?}", mark, source, edits);
        }
    }

    /// Marked text that no edit touches stays the same, though it moves.
    #[test]
    fn marked_text_that_is_not_edited_does_not_change(
        ends in prop::collection::vec(0..41_usize, 2..10),
        withs in prop::collection::vec("[A-Z]{0,3}", 10),
        mark in (0..40_usize, 1..10_usize),
    ) {
        let source: String = ('a'..='z').cycle().take(40).collect();
        let mark = mark.0..(mark.0 + mark.1).min(40);
        let mut edits = edits(&ends, &withs, 40);
        edits.retain(|edit| edit.end <= mark.start || mark.end <= edit.start);
        let found = edited(&Candidate { source: source.clone(), marks: vec![mark.clone()] }, &edits);
        prop_assert_eq!(&found.source[found.marks[0].clone()], &source[mark]);
    }
}

/// Edits between each two of `ends`, which do not overlap, and of which no two begin at one place.
fn edits(ends: &[usize], withs: &[String], length: usize) -> Vec<TextEdit> {
    let mut ends: Vec<usize> = ends.iter().map(|end| *end.min(&length)).collect();
    ends.sort_unstable();
    let pairs = ends.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let all = pairs.zip(withs).map(|((start, end), with)| TextEdit { start, end, with: with.clone() });
    let mut found: Vec<TextEdit> = Vec::new();
    for edit in all {
        // An edit that ends where another inserts could be before or after it.
        if found.last().is_none_or(|last| last.start < edit.start && last.end <= edit.start) {
            found.push(edit);
        }
    }
    found
}

/// `source` with `edits`, and the marked part of it: the letters of the mark that stay, and text that is inserted
/// between its ends or that replaces only its own letters.
fn model(source: &str, edits: &[TextEdit], mark: &Range<usize>) -> (String, String) {
    let (mut whole, mut marked) = (String::new(), String::new());
    for at in 0..=source.len() {
        for edit in edits.iter().filter(|edit| edit.start == at) {
            whole.push_str(&edit.with);
            let is_within = if edit.start == edit.end {
                mark.start < at && at < mark.end
            } else {
                mark.start <= edit.start && edit.end <= mark.end
            };
            if is_within {
                marked.push_str(&edit.with);
            }
        }
        let stays = !edits.iter().any(|edit| (edit.start..edit.end).contains(&at));
        if let Some(letter) = source.get(at..=at).filter(|_| stays) {
            whole.push_str(letter);
            if mark.contains(&at) {
                marked.push_str(letter);
            }
        }
    }
    (whole, marked)
}

/// `source` with the first `text` in it marked.
fn marked(source: &str, text: &str) -> Candidate {
    let start = source.find(text).expect("the source contains it");
    let mark = start..start + text.len();
    Candidate { source: source.into(), marks: Vec::from([mark]) }
}

#[test]
fn a_mark_that_loses_a_part_is_the_rest_of_it() {
    let text = |old: &str, with: &str| {
        let source = "one; two(1, 2); three;";
        let start = source.find(old).unwrap();
        let edit = TextEdit { start, end: start + old.len(), with: with.into() };
        let found = edited(&marked(source, "two(1, 2);"), &[edit]);
        found.source[found.marks[0].clone()].to_string()
    };
    assert_eq!(text("one; ", ""), "two(1, 2);");
    assert_eq!(text(" three;", " and more;"), "two(1, 2);");
    assert_eq!(text("1, ", ""), "two(2);");
    assert_eq!(text("two(1", "f(0"), "f(0, 2);");
    assert_eq!(text("one; two", "x"), "(1, 2);");
    assert_eq!(text("; three", "?"), "two(1, 2)");
    assert_eq!(text("two(1, 2);", "two();"), "two();");
    assert_eq!(text("; two(1, 2); ", "?"), "");
}

#[test]
fn a_marked_statement_never_disappears() {
    // Everything is interesting, so that only the mark keeps anything.
    for kept in ["sum -= 2;", "add(sum);", "total += n;", "return add(sum) + i;", "int i, sum = 0;"] {
        let start = marked(NESTED, kept);
        let found = reduced(&start, |_| true, ANYTHING, 1);
        assert_eq!(reduced(&start, |_| true, ANYTHING, 3), found, "by 3 workers");
        let stayed = found.source[found.marks[0].clone()].trim();
        assert!(stayed.len() > 1, "{kept} is {stayed:?} in {}", found.source);
        assert!(lines_of_code(&found.source) <= 4, "{}", found.source);
    }
}

#[test]
fn a_mark_is_followed_to_the_end() {
    // There are three calls of `key`, and only the marked one counts; the test gets its place.
    let is_key = |candidate: &Candidate| {
        candidate.source.contains("int main(")
            && dense(&candidate.source[candidate.marks[0].clone()]) == "key();"
    };
    for before in ["    key();\n    total", "key();\n                    sum", "key();\n    return add"] {
        let mut start = marked(NESTED, before);
        let call = &mut start.marks[0];
        call.start += before.find("key();").unwrap();
        call.end = call.start + "key();".len();
        let found = reduced(&start, is_key, ANYTHING, 2);
        assert_eq!(dense(&found.source).matches("key();").count(), 1, "{}", found.source);
    }
}

#[test]
fn a_test_that_fails_ends_the_reduction() {
    struct Broken;
    impl InterestingnessTest for Broken {
        fn is_interesting(&self, _: usize, _: &Candidate) -> anyhow::Result<bool> {
            anyhow::bail!("the machine is broken")
        }
        fn is_sound(&self, _: usize, _: &Candidate, _: UbChecks) -> anyhow::Result<bool> {
            Ok(true)
        }
    }
    for workers in [1, 3] {
        let start = Candidate { source: NESTED.into(), marks: Vec::new() };
        let mut engine = Engine::new(&Broken, workers, start, &|_| ()).unwrap();
        assert_eq!(engine.run(SCHEDULE).unwrap_err().to_string(), "the machine is broken");
    }
}

/// A test whose full checks need a call of `init`, which its quick checks do not see.
struct NeedsInit {
    full_checks: Mutex<usize>,
}

impl InterestingnessTest for NeedsInit {
    fn is_interesting(&self, _: usize, candidate: &Candidate) -> anyhow::Result<bool> {
        Ok(has_guarded_key(&candidate.source))
    }
    fn is_sound(&self, _: usize, candidate: &Candidate, checks: UbChecks) -> anyhow::Result<bool> {
        *self.full_checks.lock().unwrap() += usize::from(checks == UbChecks::Full);
        Ok(checks == UbChecks::Quick || dense(&candidate.source).contains("init();"))
    }
}

#[test]
fn a_round_that_fails_the_full_checks_is_repeated_with_them() {
    let source = NESTED.replace("int i, sum = 0;\n", "int i, sum = 0;\n    init();\n");
    let test = NeedsInit { full_checks: Mutex::default() };
    let start = Candidate { source, marks: Vec::new() };
    let found = Engine::new(&test, 1, start, &|_| ()).unwrap().run(SCHEDULE).unwrap();
    assert_eq!(dense(&found.source).matches("init();").count(), 1, "{}", found.source);
    assert!(lines_of_code(&found.source) < 12, "{}", found.source);
}

#[test]
fn after_the_deadline_the_result_is_sound_and_nothing_is_tried() {
    let test = NeedsInit { full_checks: Mutex::default() };
    let source = NESTED.replace("int i, sum = 0;\n", "int i, sum = 0;\n    init();\n");
    let start = Candidate { source, marks: Vec::new() };
    let mut engine = Engine::new(&test, 1, start.clone(), &|_| ()).unwrap();
    engine.stop_at(Some(std::time::Instant::now()));
    assert_eq!(engine.run(SCHEDULE).unwrap(), start);
    assert_eq!((engine.tests, *test.full_checks.lock().unwrap()), (0, 0));
}

#[test]
fn the_reported_progress_only_gets_smaller() {
    let reported = Mutex::new(Vec::new());
    let test = Predicates { interesting: |_: &Candidate| true, sound: ANYTHING, workers: Mutex::default() };
    let start = Candidate { source: NESTED.into(), marks: Vec::new() };
    let observe = |progress| reported.lock().unwrap().push(progress);
    let mut engine = Engine::new(&test, 1, start, &observe).unwrap();
    let found = engine.run(SCHEDULE).unwrap();
    let tests = engine.tests;
    let reported = reported.lock().unwrap();
    assert!(reported.iter().all(|progress| progress.left.is_some()), "{reported:?}");
    assert!(reported.windows(2).all(|pair| pair[0].tests <= pair[1].tests), "{reported:?}");
    assert_eq!(reported.last().unwrap().tests, tests);
    let by_pass: usize = engine.passes.values().map(|(tests, _)| tests).sum();
    assert_eq!(by_pass, tests, "every program is tried by a pass");
    let gone: i64 = engine.passes.values().map(|(_, bytes)| bytes).sum();
    assert_eq!(usize::try_from(gone).unwrap() + found.source.len(), NESTED.len());
}
