//! Ground truth: how often each part of a program ran, by counters that recount inserts.
//!
//! The program is instrumented ([`crate::syntax::instrument`]), built without coverage, and run. The compiler is one of
//! the family under test, since families evaluate arguments in different orders. The counters are used only if the
//! instrumented program behaves like the program under the profiler. This module does not depend on reports.

mod decisions;
mod line;
mod places;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

pub use decisions::EvaluatedDecision;
pub use line::Admissible;
pub use places::PointIndex;

use crate::model::{Execution, Family, Line, Termination};
use crate::syntax::{
    Counter, Instrumented, InstrumentedFunction, PointId, PointKind, PointToken, Preprocessed, Program,
    TokenKind, instrument, without_comments, without_places,
};
use crate::toolchain::{Profiler, Request, SOURCE, Worker, counts_conditions, run_rewritten};

/// Ground truth of one program with one input.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The execution of the instrumented program.
    pub execution: Execution,
    pub points: Vec<CountedPoint>,
    /// The tokens of each line, in their order on it.
    pub lines: BTreeMap<Line, Vec<PointToken>>,
    /// The lines that contain arguments of a macro, each with the line of the macro's name, where their tokens are.
    pub arguments: BTreeMap<Line, Line>,
    pub functions: Vec<InstrumentedFunction>,
    /// The decisions of more than one condition, if the profiler is asked for conditions.
    pub decisions: Vec<EvaluatedDecision>,
}

/// A [`Point`](crate::syntax::Point) with counts in place of its counters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct CountedPoint {
    pub kind: PointKind,
    /// None where it cannot be counted.
    pub count: Option<u64>,
    /// For a condition or operand: how often it was true, and how often false.
    pub outcomes: Option<(u64, u64)>,
    /// For a block, and for a point with a call in it: how often it completed.
    pub completed: Option<u64>,
    /// Whether a statement expression is in it, which a jump may leave.
    pub holds_block: bool,
    /// Whether it is a condition that is a number, or an operand that the compiler folds.
    pub constant: bool,
    /// The function that it is in: an index into [`Truth::functions`].
    pub function: usize,
    /// The point that it is a part of.
    pub within: Option<PointId>,
    /// The line of its first token.
    pub line: Option<Line>,
    /// The column of its first token, from 1, where the preprocessor did not change the line.
    pub column: Option<u32>,
    /// Whether a compiler folds it: it names nothing but constants.
    pub folded: bool,
    /// Whether it is a statement whose value comes from a call that no compiler optimises away.
    pub calls: bool,
    /// Whether it is on more than one line.
    pub is_long: bool,
}

/// Why a program has no ground truth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum NoTruth {
    /// Verdicts are disabled.
    #[error("verdicts are disabled")]
    NotAsked,
    /// It may become several processes or threads, or end without its counters, by this call.
    #[error("the program calls {0}, which may start a process or thread, or lose the counters")]
    Processes(&'static str),
    /// The instrumented program does not compile, run or end normally.
    #[error("the instrumented program failed: {0}")]
    Failed(String),
    /// The instrumented program behaves differently from the program.
    #[error("the instrumented program behaves differently")]
    Differs,
    /// It wrote no counters, or too few.
    #[error("the instrumented program wrote no counters")]
    Silent,
    /// The preprocessed text is nested too deeply to be parsed.
    #[error("the program is nested too deeply")]
    Deep,
}

impl NoTruth {
    /// Whether the reason is the same for every compiler.
    pub fn is_independent_of_compiler(&self) -> bool {
        matches!(self, NoTruth::Processes(_))
    }
}

pub type TruthResult = std::result::Result<Truth, NoTruth>;

/// Calls by which a program becomes several processes or threads, or ends without its counters. Its profile is then
/// that of one process, or of the last one that wrote it.
const PROCESSES: [&str; 20] = [
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
    "daemon",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "posix_spawn",
    "posix_spawnp",
    "popen",
    "system",
    "_exit",
    "_Exit",
    "quick_exit",
    "fexecve",
];

/// The first call in `program` by which it may become several processes.
pub fn process_call(program: &Program) -> Option<&'static str> {
    PROCESSES.into_iter().find(|call| !program.in_code(call).is_empty())
}

/// Measure the ground truth of all requested runs of `program`, with the compiler of `profiler`. A program that may
/// start processes has ground truth only if no statement with such a call runs; in most runs of a shell or an editor
/// none does.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn measure(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    program: &Program,
    request: &Request<'_>,
) -> Result<TruthResult> {
    let truth = measure_single_process(profiler, worker, request)?;
    let reached = match (&truth, process_call(program)) {
        (_, None) => None,
        (Ok(truth), Some(_)) => truth.reached(program, profiler.info().profiler),
        (Err(_), call) => call,
    };
    Ok(reached.map_or(truth, |call| Err(NoTruth::Processes(call))))
}

/// [`measure`] for a program that is known to be one process with one thread.
///
/// # Errors
/// As [`measure`].
pub fn measure_single_process(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
) -> Result<TruthResult> {
    let output = worker.extra().into_string();
    let (mut instrumented, mut is_deep) = (None, false);
    let with_vectors = counts_conditions(request.flags);
    // llvm-cov counts the lines of the file, gcov those that `#line` names.
    let own = match profiler.info().profiler {
        Family::Gcov => Cow::Borrowed(request.source),
        Family::LlvmCov => Cow::Owned(without_places(request.source)),
    };
    let (typed, source) = (&*own, without_comments(&own));
    let request = Request { source: &source, ..*request };
    let ran = run_rewritten(profiler, worker, &request, |text| {
        instrumented = instrument(&Preprocessed::new(text, SOURCE).of(typed), &output, with_vectors);
        is_deep = instrumented.is_none();
        instrumented.as_ref().map_or_else(String::new, |found| found.source.clone())
    })?;
    if is_deep {
        return Ok(Err(NoTruth::Deep));
    }
    Ok(match (ran, instrumented) {
        (Ok(run), Some(instrumented)) if matches!(run.execution.termination, Termination::Exited(_)) => {
            let once = Truth::new(run.execution, instrumented, &run.written);
            once.map(|truth| truth.times(request.runs.into())).ok_or(NoTruth::Silent)
        }
        (Ok(_), _) => Err(NoTruth::Silent),
        (Err(outcome), _) => {
            let reason = outcome.reason().map_or_else(String::new, |reason| format!(", {reason}"));
            Err(NoTruth::Failed(format!("{}{reason}", outcome.name())))
        }
    })
}

/// `truth`, if its program behaved like the program under the profiler.
pub fn require_execution(truth: TruthResult, expected: &Execution) -> TruthResult {
    truth.and_then(|truth| if truth.execution == *expected { Ok(truth) } else { Err(NoTruth::Differs) })
}

/// The largest line number for which admissible counts are listed.
const MOST_LINES: Line = 1 << 20;

impl Truth {
    /// `written` has a 1 and then the counters, as native 64-bit integers. None if another process wrote too.
    fn new(execution: Execution, instrumented: Instrumented, written: &[u8]) -> Option<Truth> {
        let counters: Vec<u64> = written
            .chunks_exact(8)
            .map(|bytes| u64::from_ne_bytes(bytes.try_into().expect("eight")))
            .collect();
        let counters = counters.strip_prefix(&[1])?;
        if counters.len() != instrumented.counters.max(1) as usize {
            return None;
        }
        let count = |counter: Counter| counters[counter as usize];
        let sum = |counters: Vec<Counter>| counters.into_iter().map(count).sum();
        let points = instrumented.points.into_iter().map(|point| CountedPoint {
            kind: point.kind,
            count: point.counters.map(sum),
            outcomes: point.outcomes.map(|(yes, no)| (count(yes), count(no))),
            completed: point.completed.map(sum),
            holds_block: point.holds_block,
            constant: point.constant,
            function: point.function,
            within: point.within,
            line: point.line,
            column: point.column,
            folded: point.folded,
            calls: point.calls,
            is_long: false,
        });
        let mut points: Vec<CountedPoint> = points.collect();
        for (line, tokens) in &instrumented.lines {
            for token in tokens.iter().filter(|token| token.kind != TokenKind::Closing) {
                let point = &mut points[token.point];
                point.is_long |= point.line.is_some_and(|first| first != *line);
            }
        }
        let evaluated = |chain| EvaluatedDecision::new(chain, count);
        Some(Truth {
            execution,
            points,
            lines: instrumented.lines,
            arguments: instrumented.arguments,
            functions: instrumented.functions,
            decisions: instrumented.chains.into_iter().map(evaluated).collect(),
        })
    }

    /// The ground truth of `runs` runs of the same program.
    #[must_use]
    fn times(mut self, runs: u64) -> Truth {
        for point in &mut self.points {
            let scale = |count: &mut u64| *count = count.saturating_mul(runs);
            point.count.iter_mut().chain(&mut point.completed).for_each(scale);
            point.outcomes.iter_mut().for_each(|(yes, no)| (scale(yes), scale(no)).1);
        }
        self
    }

    /// The first of [`PROCESSES`] that may have been called. A process that ends without its counters, or becomes another
    /// program, leaves no other trace.
    fn reached(&self, program: &Program, family: Family) -> Option<&'static str> {
        let never = |at: usize| {
            let line = program.line_of(at);
            let right = self.line(line, family).map(|right| right.counts);
            right == Some(BTreeSet::from([0])) || self.is_in_dead_statement(program, line, at)
        };
        PROCESSES.into_iter().find(|call| !program.in_code(call).into_iter().all(never))
    }

    /// Whether the last statement that begins on `line` before byte `at` never ran, and continues there.
    fn is_in_dead_statement(&self, program: &Program, line: Line, at: usize) -> bool {
        let Some(start) = program.line_start(line) else { return false };
        let begins = |point: &CountedPoint| {
            let is_statement = matches!(point.kind, PointKind::Statement(_)) && point.line == Some(line);
            let column = point.column.filter(|_| is_statement)?;
            Some((start + column as usize - 1, point.count)).filter(|(begin, _)| *begin <= at)
        };
        let last = self.points.iter().filter_map(begins).max_by_key(|(begin, _)| *begin);
        last.is_some_and(|(begin, count)| {
            count == Some(0) && !program.source[begin..at].contains([';', '{', '}', '\\'])
        })
    }

    pub fn point(&self, id: PointId) -> &CountedPoint {
        &self.points[id]
    }

    /// The admissible counts of each line, sorted; line `n` is at `n - 1`. Empty where there is no
    /// ground truth, and for line numbers in the millions, which only `#line` can produce.
    pub fn lines(&self, family: Family) -> Vec<Vec<u64>> {
        let last = self.lines.keys().chain(self.arguments.keys()).max().copied().unwrap_or(0);
        let last = last.min(MOST_LINES);
        let admitted = |line| self.line(line, family).map(|found| found.counts.into_iter().collect());
        (1..=last).map(|line| admitted(line).unwrap_or_default()).collect()
    }

    /// Whether every function of the program is instrumented.
    pub fn is_whole(&self) -> bool {
        self.functions.iter().all(|function| function.is_counted)
    }
}
