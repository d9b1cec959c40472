//! Wrong counts of functions, branches and regions.

use std::collections::BTreeSet;

use super::construct::{counts, name};
use super::counter::Counted;
use super::departure::{Departure, Kind};
use super::facts::{Facts, Position};
use crate::coverage::{
    Counter, Crash, FunctionMapping, LlvmMapping, MappingRegion, RegionKind, without_file,
};
use crate::diagnose::construct::times;
use crate::diagnose::decision::decision;
use crate::model::{Cause, Count, Family, Layer, Line, Symptom};
use crate::replay::llvm_cov::CountedRegion;
use crate::replay::{CheckedNumber, What};
use crate::syntax::{Leaving, PointId, PointKind, StatementKind};
use crate::truth::CountedPoint;

impl Facts<'_> {
    /// The diagnosis of a symptom that is not the count of a line.
    pub(super) fn number(&self, symptom: &Symptom) -> Cause {
        let is_it = |number: &&CheckedNumber| {
            (number.metric, number.line, number.count) == (symptom.metric, symptom.line, symptom.reported)
                && number.is_wrong()
                && !number.is_gap()
        };
        let alike: Vec<&CheckedNumber> = self.numbers.iter().filter(is_it).collect();
        // The symptom is the first one that is wrong about whether anything ran, if one is.
        let found = alike.iter().find(|number| number.is_wrong_about_execution()).or(alike.first());
        let Some(found) = found else { return Self::unlisted(symptom) };
        let right: BTreeSet<u64> = found.right.iter().flatten().copied().collect();
        let line = found.line;
        if let What::Region { start, .. } | What::Outcome { start, .. } = &found.what
            && let Some(point) = self.truth.unevaluated_at(*start)
        {
            let evidence =
                format!("The operand at {}:{} is never evaluated, but mapped like code.", start.0, start.1);
            let element = self.element("operand", point);
            return Cause::new(Layer::Mapping, "unevaluated-code", element, evidence);
        }
        match &found.what {
            What::Region { start, end, kind } => self.wrong_region(*start, *end, *kind, &right),
            What::Outcome { start, end, is_true } => {
                self.wrong_outcome(*start, *end, *is_true, found.count, &right)
            }
            What::Code(column) => self.wrong_code((line, *column), &right),
            What::RegionAt(column) => self.missing("region", (line, *column), &right),
            What::GapBefore(column) | What::GapAt(column) => self.missing("gap", (line, *column), &right),
            What::ExpansionAt(column) => self.missing("expansion", (line, *column), &right),
            What::TestAt(column) => self.missing("branch", (line, *column), &right),
            What::Function(name) => self.wrong_function(without_file(name), symptom, &right),
            What::Condition { decision: at, .. }
            | What::Decision { decision: at, .. }
            | What::Vector { decision: at, .. } => {
                if let Some(crash) = self.crash {
                    return self.crashed(crash);
                }
                let exchanged = || {
                    let start = (line, at.column?);
                    self.decisions_at_one_place(&self.data.mapping, |function, region| {
                        region.start == start && self.is_ours(function, region.file)
                    })
                };
                let stored = || self.stored_decision((line, at.column?));
                let found = self.wrong_entries(line).or_else(exchanged).or_else(stored);
                let found = found.or_else(|| self.unrecorded_chain(symptom));
                found.unwrap_or_else(|| decision(self.truth, Family::LlvmCov, symptom))
            }
            What::Branch(_) | What::Path { .. } | What::Paths { .. } => Self::unlisted(symptom),
        }
    }

    /// The fault that made llvm-cov crash.
    fn crashed(&self, crash: &Crash) -> Cause {
        let mapping = crash.mapping.as_deref();
        let exchanged = mapping.and_then(|mapping| self.decisions_at_one_place(mapping, |_, _| true));
        let cause = exchanged.unwrap_or_else(|| {
            Cause::new(Layer::Report, "report/mcdc/crash", "the report".into(), String::new())
        });
        let evidence = format!("{} {}.", cause.evidence, crash.reason).trim_start().into();
        Cause { evidence, ..cause }
    }

    /// The fault that two decisions in `mapping` that `admits` accepts, one in the other, have one extent: that of a macro or of its
    /// argument.
    fn decisions_at_one_place(
        &self,
        mapping: &LlvmMapping,
        admits: impl Fn(&FunctionMapping, &MappingRegion) -> bool,
    ) -> Option<Cause> {
        let is_here = |function: &FunctionMapping, region: &MappingRegion| {
            region.kind == RegionKind::Decision && admits(function, region)
        };
        let again = mapping.functions.iter().find_map(|function| {
            let mut extents = BTreeSet::new();
            let mut decisions = function.regions.iter().filter(|region| is_here(function, region));
            decisions.find(|region| !extents.insert((region.file, region.start, region.end)))
        })?;
        let ((line, column), (last, end)) = (again.start, again.end);
        let evidence = format!("Two decisions have the extent from {line}:{column} to {last}:{end}.");
        let element = self.element_at("decisions", again.start);
        Some(Cause::new(Layer::Mapping, "decisions-at-one-place", element, evidence))
    }

    /// A number that is not among those of the replayed report.
    fn unlisted(symptom: &Symptom) -> Cause {
        let metric = symptom.metric.name();
        let mechanism = format!("report/{metric}/condition");
        let element = format!("{metric} on line {}", symptom.line);
        let evidence = format!("The {metric} on line {} is wrong.", symptom.line);
        Cause::new(Layer::Report, &mechanism, element, evidence)
    }

    fn wrong_region(&self, start: Position, end: Position, kind: RegionKind, right: &BTreeSet<u64>) -> Cause {
        let same = self.replay.regions.iter().filter(|region| {
            (region.start, region.end, region.kind) == (start, end, kind) && !right.contains(&region.count)
        });
        // The expansions of a macro have regions at the same place, and some of them may be right.
        let is_right = |region: &&CountedRegion| self.wrong_start(region).is_none();
        let Some(region) = same.min_by_key(is_right) else {
            let element = self.element_at("region", start);
            let evidence = "The replay of the report does not have the region.".into();
            return Cause::new(Layer::Report, "report/region/differs", element, evidence);
        };
        if !right.is_empty() {
            return self.wrong_count(region, right);
        }
        let element = self.element_at("region", start);
        let evidence = format!(
            "The region that begins at {}:{} ends at {}:{}, where the code that it begins with does not end.",
            start.0, start.1, end.0, end.1
        );
        if let Some(found) = self.begins_in_body(region) {
            return found;
        }
        if let Some(jump) = self.divided_jump(start, end) {
            let evidence = format!("{evidence} The {} on line {} is in it.", jump.0, jump.1);
            return Cause::new(Layer::Mapping, "region-left-open", element, evidence);
        }
        let inside = self.named_jump_before(end).filter(|jump| self.offset(start) <= Some(jump.span.first));
        if let Some(found) = inside {
            return self.departed(found, Some(start), &evidence);
        }
        let mechanism = format!("mapping/end/{}", self.construct_at(start));
        Cause::new(Layer::Mapping, &mechanism, element, evidence)
    }

    /// The kind and the line of a jump between two positions whose value has arms or operands: clang may begin a region after those,
    /// and the jump ends only that (`terminateRegion`).
    pub(super) fn divided_jump(&self, start: Position, end: Position) -> Option<(&'static str, Line)> {
        let function = self.truth.point(self.point_at(start)?).function;
        let is_inside = |id: &PointId| {
            let first = self.span(*id).and_then(|span| Some((span.line, span.column?)));
            first.is_some_and(|first| start <= first && first < end)
        };
        let is_divided = |id: &PointId| {
            let point = self.truth.point(*id);
            let mut parts = self.truth.points[id + 1..].iter().take_while(|part| part.within.is_some());
            let is_arm = |part: &CountedPoint| matches!(part.kind, PointKind::Arm | PointKind::Operand);
            // The region after an arm of the initialisation begins only with the body of the loop.
            let may_divide = point.leaving == Leaving::Jump || point.kind == PointKind::Init;
            point.function == function && may_divide && parts.any(is_arm)
        };
        let jump = (0..self.truth.points.len()).filter(is_divided).find(is_inside)?;
        Some((name(self.truth.point(jump).kind), self.span(jump)?.line))
    }

    fn wrong_outcome(
        &self,
        start: Position,
        end: Position,
        is_true: bool,
        count: Count,
        right: &BTreeSet<u64>,
    ) -> Cause {
        let is_it = |function: &FunctionMapping, region: &MappingRegion| {
            region.kind.is_branch()
                && (region.start, region.end) == (start, end)
                && self.is_ours(function, region.file)
        };
        let counter_of = |region: &MappingRegion| if is_true { region.counter } else { region.false_counter };
        let shown = |function: &FunctionMapping, region: &MappingRegion| {
            self.value(function, counter_of(region)).filter(|shown| Some(*shown) == count)
        };
        let mut same = Vec::new();
        for function in &self.data.mapping.functions {
            for region in function.regions.iter().filter(|region| is_it(function, region)) {
                same.extend(shown(function, region).map(|shown| (function, region, shown)));
            }
        }
        // The expansions of a macro have branches at the same place, and some of them may be right.
        let is_right = |(function, region, shown): &(&FunctionMapping, &MappingRegion, u64)| {
            self.outcomes(function, region, is_true).is_some_and(|right| right.contains(shown))
        };
        if let Some((function, region, shown)) = same.iter().copied().min_by_key(is_right) {
            let counter = counter_of(region);
            let uncounted = || self.uncounted_chain(start, &function.formula(counter));
            if let Some(found) = self.folded_switch(counter, start).or_else(uncounted) {
                return found;
            }
            let mut found =
                self.wrong_counter(Counted { function, counter, at: start, until: end, shown, right });
            // The outcome of a test is a count of its own, even if no code has it.
            found.mechanism = found.mechanism.replace("mapping/zero/", "mapping/outcome/");
            // One that is taken for constant has no counter, and the entries of its function may be wrong.
            let entries =
                || same.iter().find_map(|(function, ..)| self.wrong_operand(function, Counter::Counter(0)));
            return if found.is_understood() { found } else { entries().unwrap_or(found) };
        }
        let element = self.element_at("branch", start);
        let evidence = "The replay of the report does not have the branch.".into();
        Cause::new(Layer::Report, "report/branch/differs", element, evidence)
    }

    /// The fault that an outcome of a `switch` without `default`, whose value is the constant at `start`, is always zero.
    fn folded_switch(&self, counter: Counter, start: Position) -> Option<Cause> {
        let point = self.point_at(start).filter(|_| counter == Counter::Zero)?;
        if self.truth.point(point).kind != PointKind::Statement(StatementKind::Switch) {
            return None;
        }
        let evidence = format!(
            "An outcome of the `switch` at {}:{} has the constant count 0: its value is taken for a truth value.",
            start.0, start.1
        );
        Some(Cause::new(Layer::Mapping, "folded-switch", self.element("switch", point), evidence))
    }

    /// The diagnosis of the entry counter of the function around `line`, if that is wrong.
    fn wrong_entries(&self, line: Line) -> Option<Cause> {
        let holds = |function: &&FunctionMapping| {
            let body = function.regions.first().filter(|body| self.is_ours(function, body.file));
            body.is_some_and(|body| body.start.0 <= line && line <= body.end.0)
        };
        let function = self.data.mapping.functions.iter().find(holds)?;
        self.wrong_operand(function, Counter::Counter(0))
    }

    /// The code at `at` is in a segment with another count.
    fn wrong_code(&self, at: Position, right: &BTreeSet<u64>) -> Cause {
        let here = self.typed(at, (at.0, at.1 + 1));
        let is_wrong = |token: &&crate::syntax::PointToken| {
            self.reached(token).is_some_and(|counts| !counts.is_disjoint(right))
        };
        let token = here.iter().map(|(_, token)| *token).find(is_wrong);
        let (Some(region), Some(token)) = (self.region_at(at), token) else {
            return self.missing("region", at, right);
        };
        self.wrong_at(region, at, token)
    }

    /// No region or branch begins at `at`.
    fn missing(&self, what: &str, at: Position, right: &BTreeSet<u64>) -> Cause {
        let construct = self.construct_at(at);
        let element = self.element_at(&format!("{what} of the {construct}"), at);
        let evidence =
            format!("No {what} begins at {}:{}; the code there ran {}.", at.0, at.1, times(counts(right)));
        if let Some(found) = self.named_jump_before(at) {
            return self.departed(found, Some(at), &evidence);
        }
        if let Some(found) = self.late_start(at, right) {
            return found;
        }
        if let Some(found) = self.replaced_by_decision(|_, decision| decision.start == at) {
            return found;
        }
        // A region that begins too early has the count of the code here already.
        let around = self.region_at(at).map(|index| &self.replay.combined[index]);
        let early = around.and_then(|around| self.parts(around).find_map(|part| self.begins_in_body(part)));
        if let Some(found) = early {
            return found;
        }
        Cause::new(Layer::Missing, &format!("missing/{what}/{construct}"), element, evidence)
    }

    /// The last jump in the function before `at` whose count clang adds to that of another statement: where two counts are
    /// equal by mistake, no region begins or ends.
    fn named_jump_before(&self, at: Position) -> Option<&Departure> {
        let offset = self.offset(at)?;
        let token = self.before(offset).map(|(_, token)| self.truth.point(token.point).function);
        let is_it = |found: &&Departure| {
            found.kind == Kind::NamedJump && Some(found.function) == token && found.span.first < offset
        };
        self.departures.iter().filter(is_it).max_by_key(|found| found.span.first)
    }

    fn wrong_function(&self, function: &str, symptom: &Symptom, right: &BTreeSet<u64>) -> Cause {
        let is_first = |region: &&crate::replay::llvm_cov::CountedRegion| {
            region.kind == RegionKind::Code && region.start.0 == symptom.line && region.index == 0
        };
        if let Some(region) = self.replay.regions.iter().find(is_first).filter(|_| symptom.reported.is_some())
        {
            // The region of the body has the first counter.
            if self.mapped(region).counter == Counter::Counter(0) {
                return self.wrong_count(region, right);
            }
            let ((line, column), formula) =
                (region.start, self.function(region).formula(self.mapped(region).counter));
            let evidence = format!(
                "The first region of `{function}`, at {line}:{column}, is not its body and has the count {formula} = {}.",
                region.count
            );
            let element = format!("function {function}");
            return Cause::new(Layer::Report, "count-of-first-region", element, evidence);
        }
        let element = format!("function {function}");
        let evidence = format!("The report does not list `{function}`, which ran {}.", times(counts(right)));
        let (layer, mechanism) = match symptom.reported {
            None => (Layer::Missing, "missing/function/function"),
            Some(_) => (Layer::Report, "report/function/differs"),
        };
        Cause::new(layer, mechanism, element, evidence)
    }

    /// The construct of a point in one word.
    pub(super) fn kind_name(&self, id: usize) -> &'static str {
        name(self.truth.point(id).kind)
    }
}
