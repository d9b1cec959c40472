//! Truth: what really ran, and how often, by counters of our own.
//!
//! The program is instrumented ([`crate::syntax::instrument`]), built without
//! coverage by a compiler of the family under test, since families evaluate
//! arguments in different orders, and run. Only where it does what P did under
//! the profiler are its counters believed. It knows nothing of reports.

mod decisions;
mod line;
mod places;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

pub use decisions::Decided;
pub use line::Admissible;
pub use places::{At, Places};

use crate::model::{Execution, Family, Line, Termination};
use crate::syntax::{
    CounterSlot, Instrumented, Mark, MarkKind, PointId, PointKind, Preprocessed, Program, Traced, instrument,
    without_comments, without_places,
};
use crate::toolchain::{Profiler, Request, SOURCE, Worker, counts_conditions, run_rewritten};

/// What really ran in one program with one input.
#[derive(Clone, Debug)]
pub struct Truth {
    /// What the instrumented program did.
    pub execution: Execution,
    /// The points with their counts.
    pub points: Vec<Counted>,
    /// The marks of each line, in their order on it.
    pub lines: BTreeMap<Line, Vec<Mark>>,
    /// The lines of a macro's arguments, with the line of the macro's name, where the marks are.
    pub arguments: BTreeMap<Line, Line>,
    /// The functions.
    pub functions: Vec<Traced>,
    /// The decisions of more than one condition, where the profiler is asked about conditions.
    pub decisions: Vec<Decided>,
}

/// A point and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Counted {
    /// What is counted.
    pub kind: PointKind,
    /// How often; none where it cannot be counted.
    pub count: Option<u64>,
    /// For what is tested: how often it was true, and how often false.
    pub outcomes: Option<(u64, u64)>,
    /// For a block, and for what holds a call: how often it completed.
    pub completed: Option<u64>,
    /// Whether it holds a statement expression, out of which a jump may lead.
    pub holds_block: bool,
    /// Whether it is a condition that is a number.
    pub constant: bool,
    /// The function that it is in: an index into [`Truth::functions`].
    pub function: usize,
    /// The piece that it is an inner part of.
    pub within: Option<PointId>,
    /// The line of its first token.
    pub line: Option<Line>,
    /// The column of its first token, from 1, where the preprocessor left the line as it was.
    pub column: Option<u32>,
    /// Whether a compiler works it out for itself: it names nothing but constants.
    pub folded: bool,
    /// Whether it is a statement whose value comes from a call that no compiler leaves out.
    pub calls: bool,
    /// Whether it stands on more than one line.
    pub is_long: bool,
}

/// Why a program has no truth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoTruth {
    /// Nobody wants to know: there are no verdicts.
    NotAsked,
    /// It may become several processes or threads, or end without its counters, by this call.
    Processes(&'static str),
    /// The instrumented program does not compile, run or end as it should.
    Failed(String),
    /// The instrumented program does something else than P.
    Differs,
    /// It wrote no counters, or too few.
    Silent,
    /// Behind the preprocessor it is nested too deeply to be read.
    Deep,
}

impl std::fmt::Display for NoTruth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoTruth::Processes(call) => {
                write!(f, "it calls {call}, so it may be several processes or threads, or lose its counters")
            }
            NoTruth::NotAsked => write!(f, "no verdicts are asked for"),
            NoTruth::Failed(reason) => write!(f, "with counters it does not get that far: {reason}"),
            NoTruth::Differs => write!(f, "with counters it does something else"),
            NoTruth::Silent => write!(f, "its counters were not written"),
            NoTruth::Deep => write!(f, "it is nested too deeply"),
        }
    }
}

impl NoTruth {
    /// Whether it is so whatever the compiler.
    pub fn is_plain(&self) -> bool {
        matches!(self, NoTruth::Processes(_))
    }
}

/// Truth, or why there is none.
pub type TruthResult = std::result::Result<Truth, NoTruth>;

/// Calls by which a program becomes several processes or threads, or ends without its counters: its
/// profile is then that of one of them, or of whoever wrote last.
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
pub fn several_processes(program: &Program) -> Option<&'static str> {
    PROCESSES.into_iter().find(|call| !program.in_code(call).is_empty())
}

/// Count what runs in `program`, with the compiler of `profiler`, in all runs that are asked for. A program
/// that may become several processes has truth where it stays one: where nothing on a line that names such a
/// call runs, as in most runs of a shell or an editor.
///
/// # Errors
/// When we or the machine are broken, or on an interrupt.
pub fn tell(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    program: &Program,
    request: &Request<'_>,
) -> Result<TruthResult> {
    let told = counted(profiler, worker, request)?;
    let Some(first) = several_processes(program) else { return Ok(told) };
    Ok(match &told {
        Ok(truth) => match truth.reached(program, profiler.info().profiler) {
            Some(call) => Err(NoTruth::Processes(call)),
            None => told,
        },
        Err(_) => Err(NoTruth::Processes(first)),
    })
}

/// The same for a program that is known to stay one process with one thread.
///
/// # Errors
/// As [`tell`].
pub fn counted(profiler: &dyn Profiler, worker: &mut Worker, request: &Request<'_>) -> Result<TruthResult> {
    let output = worker.extra().into_string();
    let (mut instrumented, mut is_deep) = (None, false);
    let follows = counts_conditions(request.flags);
    // llvm-cov counts the lines of the file, gcov those that `#line` names.
    let own = match profiler.info().profiler {
        Family::Gcov => Cow::Borrowed(request.source),
        Family::LlvmCov => Cow::Owned(without_places(request.source)),
    };
    let (typed, source) = (&*own, without_comments(&own));
    let request = Request { source: &source, ..*request };
    let ran = run_rewritten(profiler, worker, &request, |text| {
        instrumented = instrument(&Preprocessed::new(text, SOURCE).of(typed), &output, follows);
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

/// `told`, if what it tells of did what P did.
pub fn believed(told: TruthResult, p: &Execution) -> TruthResult {
    told.and_then(|truth| if truth.execution == *p { Ok(truth) } else { Err(NoTruth::Differs) })
}

/// More lines are not listed.
const MOST_LINES: Line = 1 << 20;

impl Truth {
    /// The counters in `written`, behind a 1, are native 64-bit integers. None where another process wrote too.
    fn new(execution: Execution, instrumented: Instrumented, written: &[u8]) -> Option<Truth> {
        let counters: Vec<u64> = written
            .chunks_exact(8)
            .map(|bytes| u64::from_ne_bytes(bytes.try_into().expect("eight")))
            .collect();
        let counters = counters.strip_prefix(&[1])?;
        if counters.len() != instrumented.slots.max(1) as usize {
            return None;
        }
        let count = |slot: CounterSlot| counters[slot as usize];
        let sum = |slots: Vec<CounterSlot>| slots.into_iter().map(count).sum();
        let points = instrumented.points.into_iter().map(|point| Counted {
            kind: point.kind,
            count: point.slots.map(sum),
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
        let mut points: Vec<Counted> = points.collect();
        for (line, marks) in &instrumented.lines {
            for mark in marks.iter().filter(|mark| mark.kind != MarkKind::Ends) {
                let point = &mut points[mark.point];
                point.is_long |= point.line.is_some_and(|first| first != *line);
            }
        }
        let decided = |chain| Decided::new(chain, count);
        Some(Truth {
            execution,
            points,
            lines: instrumented.lines,
            arguments: instrumented.arguments,
            functions: instrumented.functions,
            decisions: instrumented.chains.into_iter().map(decided).collect(),
        })
    }

    /// The truth of so many runs of the same program.
    #[must_use]
    fn times(mut self, runs: u64) -> Truth {
        for point in &mut self.points {
            let scale = |count: &mut u64| *count = count.saturating_mul(runs);
            point.count.iter_mut().chain(&mut point.completed).for_each(scale);
            point.outcomes.iter_mut().for_each(|(yes, no)| (scale(yes), scale(no)).1);
        }
        self
    }

    /// The first of [`PROCESSES`] that may have been called: a process that ends without its counters, or becomes
    /// another program, leaves no other trace.
    fn reached(&self, program: &Program, family: Family) -> Option<&'static str> {
        let never = |at: usize| {
            let line = program.line_of(at);
            let right = self.line(line, family).map(|right| right.counts);
            right == Some(BTreeSet::from([0])) || self.is_in_dead_statement(program, line, at)
        };
        PROCESSES.into_iter().find(|call| !program.in_code(call).into_iter().all(never))
    }

    /// Whether the statement that begins last on `line` before byte `at` never ran, and goes on there.
    fn is_in_dead_statement(&self, program: &Program, line: Line, at: usize) -> bool {
        let Some(start) = program.line_start(line) else { return false };
        let begins = |point: &Counted| {
            let is_statement = matches!(point.kind, PointKind::Statement(_)) && point.line == Some(line);
            let column = point.column.filter(|_| is_statement)?;
            Some((start + column as usize - 1, point.count)).filter(|(begin, _)| *begin <= at)
        };
        let last = self.points.iter().filter_map(begins).max_by_key(|(begin, _)| *begin);
        last.is_some_and(|(begin, count)| {
            count == Some(0) && !program.source[begin..at].contains([';', '{', '}', '\\'])
        })
    }

    /// The point with this id.
    pub fn point(&self, id: PointId) -> &Counted {
        &self.points[id]
    }

    /// The admissible counts of each line, sorted; line `n` is at `n - 1`. None where there is no truth, nor for
    /// lines of millions, which no file has but `#line` can name.
    pub fn lines(&self, family: Family) -> Vec<Vec<u64>> {
        let last = self.lines.keys().chain(self.arguments.keys()).max().copied().unwrap_or(0);
        let last = last.min(MOST_LINES);
        let admitted = |line| self.line(line, family).map(|found| found.counts.into_iter().collect());
        (1..=last).map(|line| admitted(line).unwrap_or_default()).collect()
    }

    /// Whether every function of the program is instrumented.
    pub fn is_whole(&self) -> bool {
        self.functions.iter().all(|function| function.counted)
    }
}
