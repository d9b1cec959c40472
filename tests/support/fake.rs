//! A fake profiler, without a compiler or a process. Comments in the program define the report, so that a whole
//! campaign takes milliseconds and its correct result is obvious.
//!
//! A line with a count ends in `//= COUNT`; any other line has no count:
//!
//! - `//= 3`, `//= none`: this count, whatever is deleted;
//! - `//= 3 if 7 else 5`: 3 if line 7 still has its statement, 5 if it is deleted;
//! - `//= 3 if 7|9 else none`: no count if both statements are deleted, otherwise 3;
//! - `//= 0 ran`: the 0 is wrong, and a trap on the line ends the program.
//!
//! A line that begins with `//!` is a directive, one of [`Fake::obey`], [`Fake::extra`], [`Fake::dies`] and [`Fake::print`].

use std::sync::atomic::{AtomicU64, Ordering};

use recount::coverage::Coverage;
use recount::model::{Count, Execution, Family, Line, Outcome, ProfilerInfo, Termination};
use recount::toolchain::{Perturbation, Profile, Profiler, Report, Request, Worker};

/// SIGILL, the signal with which `__builtin_trap` ends a program.
const TRAP: i32 = 4;

/// The fake profiler; `runs` is the number of runs so far.
pub struct Fake {
    info: ProfilerInfo,
    runs: AtomicU64,
}

impl Fake {
    pub fn new(family: Family, compiler: &str) -> Fake {
        let info =
            ProfilerInfo { profiler: family, compiler: compiler.into(), version: "0".into(), tools: vec![] };
        Fake { info, runs: AtomicU64::new(0) }
    }

    /// The outcome that a directive asks for.
    fn obey(directive: &str, lines: &[&str]) -> anyhow::Result<Option<Outcome>> {
        let reason = || "because the program says so".to_string();
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        Ok(match word {
            "compile-error" => Some(Outcome::DoesNotCompile { reason: reason() }),
            // The compiler refuses a variant without the statement on this line.
            "needs" if !has_statement(lines, rest.parse()?) => {
                Some(Outcome::DoesNotCompile { reason: format!("line {rest} is needed") })
            }
            "compiler-crash" => Some(Outcome::CompilerFailed { reason: reason() }),
            "hang" => Some(Outcome::TimedOut { reason: "after 0 s".into() }),
            "hang-without" if !has_statement(lines, rest.parse()?) => {
                Some(Outcome::TimedOut { reason: "after 0 s".into() })
            }
            "flood" => Some(Outcome::OutputCap),
            "die" if !rest.starts_with("each") => Some(Outcome::Died { signal: rest.parse()? }),
            "tool-crash" => Some(Outcome::ToolCrashed { reason: reason() }),
            "no-profile" => Some(Outcome::NoProfile { reason: reason() }),
            "panic" => panic!("the fake panics"),
            "fail" => anyhow::bail!("the fake fails"),
            _ => None,
        })
    }

    /// The number that the `run`th run adds to each positive count: `vary counts`, `vary once RUN`.
    fn extra(directives: &[&str], run: u64) -> u64 {
        let once = format!("vary once {run}");
        if directives.contains(&"vary counts") { run } else { directives.contains(&once.as_str()).into() }
    }

    /// Whether a signal ends the `run`th run: `die each N without LINE`.
    fn dies(directives: &[&str], lines: &[&str], run: u64) -> bool {
        let dies = |directive: &&str| {
            let (nth, line) = directive.strip_prefix("die each ")?.split_once(" without ")?;
            let is_intact = has_statement(lines, line.parse().ok()?);
            Some(!is_intact && (run + 1).is_multiple_of(nth.parse().ok()?))
        };
        directives.iter().filter_map(dies).any(|dies| dies)
    }

    /// The output that a directive asks for.
    fn print(directive: &str, lines: &[&str], nth: u64, request: &Request<'_>) -> String {
        match directive.split_once(' ').unwrap_or((directive, "")) {
            ("vary", "output") => format!("{nth}\n"),
            ("vary", "layout") if request.perturbation == Perturbation::Layout => "elsewhere\n".into(),
            ("vary", "uninitialised") if request.perturbation == Perturbation::Uninitialised => {
                "filled\n".into()
            }
            ("echo", "stdin") => request.input.stdin.clone(),
            ("print", line) if has_statement(lines, line.parse().unwrap_or(0)) => format!("line {line}\n"),
            _ => String::new(),
        }
    }
}

impl Profiler for Fake {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, _: &mut Worker, request: &Request<'_>) -> anyhow::Result<Profile> {
        let nth = self.runs.fetch_add(request.runs.into(), Ordering::SeqCst);
        let all = nth..nth + u64::from(request.runs);
        let lines: Vec<&str> = request.source.lines().collect();
        let directives: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("//! ")).collect();
        let mut stdout = String::new();
        for directive in &directives {
            if let Some(outcome) = Fake::obey(directive, &lines)? {
                return Ok(Err(outcome));
            }
            stdout += &Fake::print(directive, &lines, nth, request);
        }
        if all.clone().any(|run| Fake::dies(&directives, &lines, run)) {
            return Ok(Err(Outcome::Died { signal: 11 }));
        }
        if request.runs > 1 && directives.contains(&"vary output") {
            return Ok(Err(Outcome::NoProfile { reason: "its runs behave differently".into() }));
        }
        let mut coverage = Coverage::default();
        for (number, line) in (1..).zip(&lines) {
            let Some((code, count)) = line.split_once("//= ") else { continue };
            if code.contains("__builtin_trap")
                && (count.ends_with(" ran") || counted(count, &lines) > Some(0))
            {
                return Ok(Err(Outcome::Died { signal: TRAP }));
            }
            if let Some(count) = counted(count, &lines) {
                let each =
                    all.clone().map(|run| if count == 0 { 0 } else { count + Fake::extra(&directives, run) });
                // With this directive the profiler does not add up runs that share a profile.
                let sum = if directives.contains(&"merge max") { each.max() } else { Some(each.sum()) };
                coverage.add_line(number, sum.unwrap_or(0));
            }
        }
        let execution =
            Execution { termination: Termination::Exited(0), stdout: stdout.into_bytes(), may_vary: false };
        Ok(Ok(Report { execution, coverage, dialect: 0 }))
    }

    fn commands(&self, request: &Request<'_>, _: usize) -> Vec<String> {
        vec![format!("profile $1.c with {}", request.input.name)]
    }
}

/// The count that `text` denotes.
fn counted(text: &str, lines: &[&str]) -> Count {
    let text = text.trim().trim_end_matches(" ran");
    let Some((count, rest)) = text.split_once(" if ") else { return text.parse().ok() };
    let (culprits, other) = rest.split_once(" else ").expect("a count has both `if` and `else`");
    let intact = culprits.split('|').any(|line| has_statement(lines, line.parse().expect("a line")));
    if intact { count } else { other }.parse().ok()
}

/// Whether `line` has a statement that is not one of the replacements that `delete` inserts.
fn has_statement(lines: &[&str], line: Line) -> bool {
    let text = lines.get(line as usize - 1).expect("a line of the program");
    let code = text.split("//").next().unwrap_or_default().trim();
    !["", ";", "__asm__(\"\");"].contains(&code)
}
