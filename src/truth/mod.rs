//! Ground truth: how often each part of a program ran, by counters that recount inserts.
//!
//! The program is instrumented ([`crate::syntax::instrument`]), built without coverage, and run. The compiler is one of
//! the family under test, since families evaluate arguments in different orders. The counters are used only if the
//! instrumented program behaves like the program under the profiler and [`prove`] shows that it is the program. This
//! module does not depend on reports.

mod arcs;
mod assembly;
mod decisions;
mod expansions;
mod frames;
mod generated;
mod llvm_text;
mod lost;
mod no_truth;
mod partial;
mod places;
mod positions;
mod processes;
mod proof;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;

pub use arcs::{ArcTrace, TakenArc, arc_trace};
pub use decisions::{EvaluatedDecision, Vector};
pub use generated::GeneratedCode;
pub use no_truth::NoTruth;
pub use processes::{EXEC, Process, RunCounters, process_call};
pub use proof::{Proof, prove, prove_unit};

use crate::model::{Execution, Line, Termination};
use crate::syntax::{
    Chain, Counter, ExpansionText, Instrumented, InstrumentedFunction, LevelId, Point, PointId, PointToken,
    TokenKind, instrument,
};
use crate::toolchain::{
    Profiler, Request, Worker, counts_conditions, has_threads, makes_hidden_tests, may_race, run_rewritten,
};
use expansions::{expansion_names, inner_names, makers, points_of_bodies};
use partial::PartialTruths;
use processes::{points_of_exec, sum};
use texts::Texts;

/// Ground truth of one program with one input.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Truth {
    /// The execution of the instrumented program.
    pub execution: Execution,
    pub points: Vec<CountedPoint>,
    /// The tokens of each line, in their order on it.
    pub lines: BTreeMap<Line, Vec<PointToken>>,
    /// [`Instrumented::elsewhere`].
    pub elsewhere: Vec<(Option<Line>, PointToken)>,
    /// The tokens by the lines on which they were typed, in the order of their columns.
    pub typed: BTreeMap<Line, Vec<PointToken>>,
    /// [`Instrumented::inner_points`].
    pub inner_points: BTreeMap<(Line, u32), BTreeSet<PointId>>,
    /// [`Instrumented::expansions`].
    pub expansions: BTreeMap<LevelId, ExpansionText>,
    /// The points with a token in the text of each expansion.
    pub points_of_bodies: BTreeMap<LevelId, BTreeSet<PointId>>,
    /// The names of each expansion, and of the parameters in their place.
    pub expansion_names: BTreeSet<Vec<(Line, u32)>>,
    /// The names of the macros around each function that is in a text as a whole.
    pub makers: BTreeSet<Vec<(Line, u32)>>,
    /// The places of the names of macros that are in another macro, or in its arguments.
    pub inner_names: BTreeSet<(Line, u32)>,
    /// [`Instrumented::partial_definitions`].
    pub partial_definitions: BTreeSet<Line>,
    /// [`Instrumented::evaluated_lines`].
    pub evaluated_lines: BTreeSet<Line>,
    /// The lines with directives of the preprocessor, where macros may be defined.
    pub directives: BTreeSet<Line>,
    /// The lines on which nothing but comments was typed.
    pub blank_lines: BTreeSet<Line>,
    /// [`Instrumented::compiler_names`].
    pub compiler_names: BTreeSet<(Line, u32)>,
    /// [`Instrumented::is_expanded_elsewhere`].
    pub is_expanded_elsewhere: bool,
    /// Whether the file is included by others.
    pub is_included: bool,
    pub functions: Vec<InstrumentedFunction>,
    /// The inclusions of the file that have code.
    pub inclusions: BTreeSet<u32>,
    /// [`Instrumented::inclusions`].
    pub inclusions_of: BTreeMap<Line, BTreeSet<u32>>,
    /// The decisions of more than one condition, if the profiler is asked for conditions.
    pub decisions: Vec<EvaluatedDecision>,
    /// Whether the profiler is asked for conditions.
    pub has_vectors: bool,
    pub processes: Vec<Process>,
    /// What gcc generates of the program without coverage, if that is known.
    pub generated: Option<GeneratedCode>,
    /// The arcs that the run took, in their order, if gcc counts paths and that is known.
    pub arcs: Option<Arc<ArcTrace>>,
    /// Whether threads of the program may race on the profiler's counters.
    pub may_race: bool,
    /// What a profile may have of it; none for a single process whose exit handlers ran.
    pub(crate) partial: Option<Box<PartialTruths<Truth>>>,
    /// The functions in which a process ran whose exit handlers did not.
    pub(crate) left_functions: BTreeSet<usize>,
}

/// A [`Point`] with counts in place of its counters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct CountedPoint {
    /// What the syntax says of it. Its counters are not meant by the names of the counts below.
    point: Point,
    /// None where it cannot be counted.
    pub count: Option<u64>,
    /// For a condition or operand: how often it was true, and how often false.
    pub outcomes: Option<(u64, u64)>,
    /// For a block, and for a point with a call in it: how often it completed.
    pub completed: Option<u64>,
    /// For a label and a `case`: how often control fell into it from the statement before.
    pub fallen: Option<u64>,
    /// Whether it, or a part of it, is on more than one line.
    pub is_long: bool,
}

impl CountedPoint {
    pub fn new(point: Point, count: Option<u64>) -> CountedPoint {
        CountedPoint { point, count, outcomes: None, completed: None, fallen: None, is_long: false }
    }
}

impl std::ops::Deref for CountedPoint {
    type Target = Point;

    fn deref(&self) -> &Point {
        &self.point
    }
}

pub type TruthResult = std::result::Result<Truth, NoTruth>;

/// Measure the ground truth of all requested runs of the program in `request`, with the compiler of `profiler`.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn measure(profiler: &dyn Profiler, worker: &mut Worker, request: &Request<'_>) -> Result<TruthResult> {
    let mut truth = measure_changed(profiler, worker, request, &|_| ())?;
    if let Ok(truth) = &mut truth {
        truth.generated = GeneratedCode::of(profiler, worker, request)?;
        truth.arcs =
            arc_trace(profiler, worker, request, &truth.execution, truth.processes.len())?.map(Arc::new);
    }
    Ok(truth)
}

/// [`measure`] without the functions `left_out`, which have no ground truth, and without the code that the compiler generates:
/// that of another version may differ.
///
/// # Errors
/// As for [`measure`].
pub fn measure_without(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    left_out: &BTreeSet<String>,
) -> Result<TruthResult> {
    measure_changed(profiler, worker, request, &|found| found.leave_out(left_out))
}

/// [`measure`], with `change` made to the instrumented program: tests make mistakes in it.
///
/// # Errors
/// As for [`measure`].
pub fn measure_changed(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    change: &dyn Fn(&mut Instrumented),
) -> Result<TruthResult> {
    let output = worker.extra().into_string();
    let (mut instrumented, mut is_deep) = (None, false);
    let with_vectors = counts_conditions(request.flags);
    let texts = match Texts::of(profiler, request) {
        Ok(texts) => texts,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(call) = frames::walking_call(&texts.program).or_else(|| frames::walking_call(&texts.typed)) {
        return Ok(Err(NoTruth::Frames(call)));
    }
    let request = Request { source: &texts.program, ..*request };
    let ran = run_rewritten(profiler, worker, &request, |text| {
        instrumented = instrument(&texts.preprocessed(text), with_vectors);
        is_deep = instrumented.is_none();
        instrumented.iter_mut().for_each(change);
        if makes_hidden_tests(request.flags) {
            instrumented.iter_mut().for_each(Instrumented::expect_hidden_tests);
        }
        instrumented.as_ref().map_or_else(String::new, |found| {
            let has_threads = has_threads(request.source, request.flags);
            found.source(&output, has_threads, profiler.info().profiler)
        })
    })?;
    if is_deep {
        return Ok(Err(NoTruth::Deep));
    }
    Ok(match (ran, instrumented) {
        (Ok(run), Some(instrumented)) if matches!(run.execution.termination, Termination::Exited(_)) => {
            let once = Truth::new(run.execution, &instrumented, &run.written);
            let may_race = may_race(request.source, request.flags);
            let is_included = request.file.is_some();
            once.map(|truth| Truth { is_included, may_race, ..truth.times(request.runs.into()) })
                .ok_or(NoTruth::Silent)
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

/// The functions with code that the `counters` of a process count.
fn functions_that_ran(instrumented: &Instrumented, counters: &[u64]) -> BTreeSet<usize> {
    let ran = |point: &&Point| point.counters.iter().flatten().any(|counter| counters[*counter as usize] > 0);
    instrumented.points.iter().filter(ran).map(|point| point.function).collect()
}

impl Truth {
    /// `written` is what the processes of the program wrote. None if it is incomplete.
    fn new(execution: Execution, instrumented: &Instrumented, written: &[u8]) -> Option<Truth> {
        let number = instrumented.counters as usize;
        let processes = processes::processes(written, number)?;
        let mut truth = Truth::with_counters(
            execution,
            instrumented,
            &sum(processes.iter().map(|process| &process.own[..]), number),
        );
        if processes.len() > 1 || !processes[0].has_exited {
            let left = processes.iter().filter(|process| !process.has_exited);
            let left = sum(left.map(|process| &process.own[..]), number);
            truth.left_functions = functions_that_ran(instrumented, &left);
            let truth_of =
                |counters: Vec<u64>| Truth::with_counters(truth.execution.clone(), instrumented, &counters);
            let of_exec = points_of_exec(instrumented);
            let executes = |process: &Process| {
                let own = (!of_exec.is_empty()).then(|| truth_of(process.own.clone()));
                own.is_some_and(|own| of_exec.iter().any(|id| own.point(*id).lost() > 0))
            };
            truth.partial = Some(Box::new(PartialTruths::of(&processes, truth_of, executes)));
        }
        truth.processes = processes;
        Some(truth)
    }

    /// The ground truth of a file of a package from the counters of a run of its tests. With processes that the profiler may
    /// lose or count twice, it has the partial counts that this leads to.
    pub fn of_run(instrumented: &Instrumented, counters: &RunCounters) -> Truth {
        let execution =
            Execution { termination: Termination::Exited(0), stdout: Vec::new(), may_vary: false };
        let number = instrumented.counters as usize;
        let RunCounters { exited, inherited, left } = counters;
        let truth_of = |counters: Vec<u64>| Truth::with_counters(execution.clone(), instrumented, &counters);
        let mut truth = truth_of(sum([&exited[..], left], number));
        let ran = |counters: &[u64]| counters.iter().any(|count| *count > 0);
        if ran(left) || ran(inherited) {
            truth.left_functions = functions_that_ran(instrumented, left);
            let with_inherited = truth_of(sum([&exited[..], inherited], number));
            let each = vec![with_inherited.clone()];
            let exited_alone = truth_of(exited.clone());
            truth.partial = Some(Box::new(PartialTruths {
                written: exited_alone.clone(),
                exited: exited_alone,
                with_inherited,
                each,
            }));
            let process = |own: &[u64], inherited: &[u64], has_exited| Process {
                id: 0,
                parent: 0,
                has_exited,
                own: own.to_vec(),
                inherited: inherited.to_vec(),
            };
            truth.processes = vec![process(exited, inherited, true)];
            truth.processes.extend(ran(left).then(|| process(left, &[], false)));
            if !ran(left) {
                truth.processes.push(process(&[], inherited, true));
            }
        }
        truth
    }

    fn with_counters(execution: Execution, instrumented: &Instrumented, counters: &[u64]) -> Truth {
        let count = |counter: Counter| counters[counter as usize];
        let sum = |counters: &Vec<Counter>| counters.iter().map(|counter| count(*counter)).sum();
        let points = instrumented.points.iter().map(|point| CountedPoint {
            outcomes: point.outcomes.and_then(|(yes, no)| {
                let others = if point.counts_evaluations { count(no) } else { 0 };
                Some((count(yes).checked_sub(others)?, count(no)))
            }),
            completed: point.completed.as_ref().map(sum),
            fallen: point.fallen.as_ref().map(sum),
            ..CountedPoint::new(point.clone(), point.counters.as_ref().map(sum))
        });
        let mut points: Vec<CountedPoint> = points.collect();
        for (line, tokens) in &instrumented.lines {
            for token in tokens
                .iter()
                .filter(|token| !matches!(token.kind, TokenKind::Closing | TokenKind::Punctuation))
            {
                let mut at = Some(token.point);
                while let Some(id) = at {
                    let point = &mut points[id];
                    point.is_long |= point.line.is_some_and(|first| first != *line);
                    at = point.within;
                }
            }
        }
        let evaluated = |chain: &Chain| EvaluatedDecision::new(chain.clone(), count);
        let placed = points.iter().filter(|point| point.line.is_some());
        Truth {
            execution,
            inclusions: placed.map(|point| point.inclusion).collect(),
            inclusions_of: instrumented.inclusions.clone(),
            points,
            lines: instrumented.lines.clone(),
            elsewhere: instrumented.elsewhere.clone(),
            typed: instrumented.typed.clone(),
            inner_points: instrumented.inner_points.clone(),
            expansions: instrumented.expansions.clone(),
            inner_names: inner_names(instrumented),
            makers: makers(instrumented),
            points_of_bodies: points_of_bodies(instrumented),
            expansion_names: expansion_names(instrumented),
            partial_definitions: instrumented.partial_definitions.clone(),
            evaluated_lines: instrumented.evaluated_lines.clone(),
            directives: instrumented.directives.clone(),
            blank_lines: instrumented.blank_lines.clone(),
            compiler_names: instrumented.compiler_names.clone(),
            is_expanded_elsewhere: instrumented.is_expanded_elsewhere,
            arcs: None,
            is_included: false,
            functions: instrumented.functions.clone(),
            decisions: instrumented.chains.iter().map(evaluated).collect(),
            has_vectors: instrumented.has_vectors,
            processes: Vec::new(),
            generated: None,
            may_race: false,
            partial: None,
            left_functions: BTreeSet::new(),
        }
    }

    /// The ground truth of `runs` runs of the same program.
    #[must_use]
    fn times(mut self, runs: u64) -> Truth {
        for point in &mut self.points {
            let scale = |count: &mut u64| *count = count.saturating_mul(runs);
            point.count.iter_mut().chain(&mut point.completed).chain(&mut point.fallen).for_each(scale);
            point.outcomes.iter_mut().for_each(|(yes, no)| (scale(yes), scale(no)).1);
        }
        self.partial = self.partial.map(|partial| Box::new(partial.map(|one| one.times(runs))));
        self
    }

    pub fn point(&self, id: PointId) -> &CountedPoint {
        &self.points[id]
    }

    /// Whether every function of the program is instrumented.
    pub fn is_whole(&self) -> bool {
        self.functions.iter().all(InstrumentedFunction::is_counted)
    }
}
