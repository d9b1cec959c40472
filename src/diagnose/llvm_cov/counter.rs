//! Counters and expressions: why a region or a branch has a wrong count where it begins.

use std::collections::BTreeSet;

use super::construct::{counts, name};
use super::departure::{Departure, Kind};
use super::facts::{Facts, Position};
use super::runtime::is_called_by_runtime;
use crate::coverage::{Counter, FunctionMapping, MappingRegion, RegionKind, without_file};
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer, Metric};
use crate::replay::llvm_cov::CountedRegion;
use crate::replay::{CheckedNumber, tests_at};
use crate::syntax::{PointId, PointKind, has_unevaluated, local_lists};

/// A count that a counter or an expression gives some code.
#[derive(Clone, Copy)]
pub(super) struct Counted<'b> {
    pub function: &'b FunctionMapping,
    pub counter: Counter,
    /// Where the code begins.
    pub at: Position,
    /// Where it ends: what control does before that matters.
    pub until: Position,
    pub shown: u64,
    pub right: &'b BTreeSet<u64>,
}

impl Facts<'_> {
    /// Why the counter or expression of `counted` gives a wrong count.
    pub(super) fn wrong_counter(&self, counted: Counted<'_>) -> Cause {
        let Counted { function, counter, .. } = counted;
        if counter == Counter::Zero {
            return self.wrong_zero(counted);
        }
        self.wrong_operand(function, counter).unwrap_or_else(|| self.wrong_expression(counted))
    }

    /// The diagnosis of a counter that `counter` is derived from, if one is wrong.
    pub(super) fn wrong_operand(&self, function: &FunctionMapping, counter: Counter) -> Option<Cause> {
        // If the entries of the function are not counted, nothing in it is.
        let mut leaves = BTreeSet::from([0]);
        Self::leaves(function, counter, &mut leaves);
        let is_wrong = |leaf: &u32| {
            self.owned(function, *leaf).is_some_and(|(_, right)| {
                self.value(function, Counter::Counter(*leaf)).is_some_and(|value| !right.contains(&value))
            })
        };
        let leaf = leaves.into_iter().find(is_wrong)?;
        Some(self.wrong_leaf(function, leaf))
    }

    fn leaves(function: &FunctionMapping, counter: Counter, into: &mut BTreeSet<u32>) {
        let mut stack = vec![counter];
        let mut seen = BTreeSet::new();
        while let Some(counter) = stack.pop() {
            match counter {
                Counter::Zero => {}
                Counter::Counter(index) => _ = into.insert(index),
                Counter::Expression(index) => {
                    if let Some(of) = function.expressions.get(index as usize).filter(|_| seen.insert(index))
                    {
                        stack.extend([of.left, of.right]);
                    }
                }
            }
        }
    }

    /// A counter whose value is zero, from which `counter` is derived: the only one, or one without a place of its own.
    fn uncounted_leaf(&self, function: &FunctionMapping, counter: Counter) -> Option<u32> {
        let mut leaves = BTreeSet::new();
        Self::leaves(function, counter, &mut leaves);
        leaves.into_iter().find(|leaf| {
            let alone = Counter::Counter(*leaf);
            (counter == alone || self.owned(function, *leaf).is_none())
                && self.value(function, alone) == Some(0)
        })
    }

    /// Where the counter `index` counts, and the counts that it may have there: in the regions and branches that have it
    /// alone. None if they are unknown.
    fn owned(&self, function: &FunctionMapping, index: u32) -> Option<(Position, BTreeSet<u64>)> {
        let counter = Counter::Counter(index);
        let of_kind = |kind| {
            let ours = self.regions(function);
            ours.filter(move |region| region.kind == kind && self.mapped(region).counter == counter)
        };
        let known = |region: &CountedRegion| Some((region.start, self.right(region)?));
        let mut counted: Vec<(Position, BTreeSet<u64>)> =
            of_kind(RegionKind::Code).filter_map(known).collect();
        if counted.is_empty() {
            // Code that begins with a macro begins with its expansion.
            counted = of_kind(RegionKind::Expansion).filter_map(known).collect();
        }
        if index == 0 {
            // The first region is the body; clang also gives the entry counter to parts that it folds.
            counted.truncate(1);
        }
        let Some((first, _)) = counted.first() else {
            let has = |region: &&MappingRegion| [region.counter, region.false_counter].contains(&counter);
            let ours = function.regions.iter().filter(|region| self.is_ours(function, region.file));
            let branch = ours.filter(|region| region.kind.is_branch()).find(has)?;
            return Some((branch.start, self.outcomes(function, branch, branch.counter == counter)?));
        };
        // A region has the counter of the code with which it begins, and so have others in it: then it is the one that is counted.
        let is_around = |region: &CountedRegion| region.start < *first && region.end > *first;
        if of_kind(RegionKind::Code).any(is_around) {
            return None;
        }
        Some((*first, counted.iter().flat_map(|(_, right)| right).copied().collect()))
    }

    /// The counts that one outcome of a branch may have.
    pub(super) fn outcomes(
        &self,
        function: &FunctionMapping,
        region: &MappingRegion,
        is_true: bool,
    ) -> Option<BTreeSet<u64>> {
        let expansions = function.expansions();
        let (expansion, _) = expansions.get(region.file as usize)?;
        let tests = tests_at(self.truth, expansion, region.start, Some(self.data.version))?;
        let outcomes = tests.into_iter().flatten().map(|(yes, no)| if is_true { yes } else { no });
        Some(outcomes.collect()).filter(|counts: &BTreeSet<u64>| !counts.is_empty())
    }

    /// The counter `index` of `function` has a value that is not the count of its code.
    fn wrong_leaf(&self, function: &FunctionMapping, index: u32) -> Cause {
        let entry = self.owned(function, 0).filter(|(_, right)| {
            self.value(function, Counter::Counter(0)).is_some_and(|value| !right.contains(&value))
        });
        let (index, (at, right)) = match entry {
            Some(entry) => (0, entry),
            None => (index, self.owned(function, index).unwrap_or_default()),
        };
        let value = self.value(function, Counter::Counter(index)).unwrap_or(0);
        let point = self.point_at(at);
        let kind = point.map(|point| self.truth.point(point).kind);
        let evidence = format!(
            "Counter #{index} of `{}` is {value}; its code ran {}.",
            without_file(&function.name),
            times(counts(&right))
        );
        let is_less = right.iter().all(|count| *count > value);
        if index == 0 {
            let function = point.map(|id| &self.truth.functions[self.truth.point(id).function]);
            let mechanism = match self.truth.processes.len() {
                0 | 1 if is_less && self.has_late_code() => "runs-after-profile",
                // The program itself never enters the function that often.
                0 | 1 if value > 0 && !is_less && function.is_some_and(is_called_by_runtime) => {
                    "runtime-calls"
                }
                0 | 1 => "counter/own/function",
                _ => "counter/process/function",
            };
            let element = self.element_at("entry counter of the function", at);
            return Cause::new(Layer::Counter, mechanism, element, evidence);
        }
        if let Some(list) = self.list_around(at).filter(|_| value == 0) {
            let element = self.element_at("initialiser", list);
            let evidence = format!("{evidence} The initialiser around it is stored as a constant.");
            return Cause::new(Layer::Counter, "constant-initialiser", element, evidence);
        }
        let operand = self.counted_part(function, index).filter(|_| value == 0);
        if let Some(operand) = operand.filter(|id| self.is_foldable(*id)) {
            return self.folded(operand, &evidence);
        }
        let mechanism = format!("counter/own/{}", kind.map_or("text", name));
        Cause::new(Layer::Counter, &mechanism, self.element_at(&format!("counter #{index}"), at), evidence)
    }

    /// Whether a part of the expression of `id` is constant: clang evaluates a condition without code only then.
    fn is_foldable(&self, id: PointId) -> bool {
        let root = self.truth.root(id);
        let mut parts = self.truth.points.iter().enumerate().skip(root);
        parts.any(|(part, point)| point.may_be_evaluated() && self.truth.root(part) == root)
    }

    /// The fault that clang evaluates the expression around `operand` and generates no code that increments its counters.
    fn folded(&self, operand: PointId, evidence: &str) -> Cause {
        let is_part = |id: &PointId| is_part_of_expression(self.truth.point(*id).kind);
        let chain = std::iter::successors(Some(operand), |id| self.truth.point(*id).within.filter(is_part));
        let first = chain.last().unwrap_or(operand);
        let element = self.element("condition folded", first);
        let evidence = format!("{evidence} clang generates no code that increments it.");
        Cause::new(Layer::Counter, "folded-condition", element, evidence)
    }

    /// Where the outermost list of values in braces begins with which a function initialises a variable and which contains the
    /// code at `position`.
    fn list_around(&self, (line, column): Position) -> Option<Position> {
        let offset = self.program.line_start(line)? + (column as usize).saturating_sub(1);
        let lists = local_lists(self.program);
        let list = lists.iter().filter(|list| list.contains(&offset)).min_by_key(|list| list.start)?;
        let line = self.program.line_of(list.start);
        let column = list.start - self.program.line_start(line)? + 1;
        Some((line, u32::try_from(column).ok()?))
    }

    /// The fault that no code is emitted for the decision at `position`: it is in an initialiser that is stored as a constant, and its
    /// conditions have no counts either.
    pub(super) fn stored_decision(&self, position: Position) -> Option<Cause> {
        let list = self.list_around(position)?;
        let is_uncounted = |number: &CheckedNumber| {
            let is_wrong = number.right.as_ref().is_ok_and(|right| !right.contains(&0));
            (number.metric, number.line, number.count) == (Metric::Branch, position.0, Some(0)) && is_wrong
        };
        let evidence =
            "The branches of the decision are 0, and the initialiser around it is stored as a constant.";
        let element = self.element_at("initialiser", list);
        let cause = Cause::new(Layer::Counter, "constant-initialiser", element, evidence.into());
        Some(cause).filter(|_| self.numbers.iter().any(is_uncounted))
    }

    /// The operand or arm that begins a region or a branch with the counter `index`.
    fn counted_part(&self, function: &FunctionMapping, index: u32) -> Option<PointId> {
        let counter = Counter::Counter(index);
        let has = |region: &&MappingRegion| {
            self.is_ours(function, region.file) && [region.counter, region.false_counter].contains(&counter)
        };
        let at = function.regions.iter().filter(has).filter_map(|region| self.point_at(region.start));
        at.filter(|id| is_part_of_expression(self.truth.point(*id).kind)).min()
    }

    /// Whether `region` is code whose count is always zero.
    fn is_constant_zero(&self, region: &CountedRegion) -> bool {
        region.kind == RegionKind::Code && self.mapped(region).counter == Counter::Zero
    }

    /// The count is always zero, but the code ran: clang takes the code before it for one that never completes.
    fn wrong_zero(&self, counted: Counted<'_>) -> Cause {
        let Counted { function, at, right, .. } = counted;
        if let Some(found) = self.count_of_decision(counted) {
            return found;
        }
        // All code up to the next label has the count zero: the first of it follows the construct responsible.
        let is_zero = |region: &&CountedRegion| self.is_constant_zero(region) && region.start <= at;
        let zeros = self.regions(function).filter(is_zero);
        let ran = |region: &CountedRegion| {
            self.right(region).is_some_and(|right| !right.contains(&0)) && region.end >= at
        };
        let first = zeros.filter(|region| ran(region)).map(|region| region.start).min().unwrap_or(at);
        let before = self.offset(first).and_then(|offset| self.before(offset));
        // All regions of a function that clang does not emit have the count zero: then nothing of it is before them.
        let inside = self.point_at(first).map(|id| self.truth.point(id).function);
        let before = before.filter(|(_, token)| Some(self.truth.point(token.point).function) == inside);
        let statement = before.map(|(_, token)| self.truth.root(token.point));
        let kind = statement.map(|id| self.truth.point(id).kind);
        let has_unevaluated = statement.is_some_and(|id| self.holds_unevaluated(id, first));
        let evidence = format!(
            "The region at {}:{} has the constant count 0, but it ran {}: clang takes the code before it for code that does not complete.",
            first.0,
            first.1,
            times(counts(right))
        );
        let element = match statement {
            Some(id) => self.element(name(self.truth.point(id).kind), id),
            None => self.element_at("region", first),
        };
        if has_unevaluated {
            return Cause::new(Layer::Mapping, "unevaluated-code", element, evidence);
        }
        // It may be the rest of a region that is wrong from an earlier place on.
        let around = self.regions(function).filter(|region| is_zero(region) && at < region.end);
        let outer = around.filter(|region| region.start < at).max_by_key(|region| region.start);
        let token = self.typed(at, (at.0, at.1 + 1)).first();
        let of_outer = outer.zip(token).map(|(outer, (_, token))| self.wrong_extent(outer, at, token));
        of_outer.filter(Cause::is_understood).unwrap_or_else(|| {
            let mechanism = format!("mapping/zero/{}", kind.map_or("text", name));
            Cause::new(Layer::Mapping, &mechanism, element, evidence)
        })
    }

    /// Whether an operand or an association that is never evaluated, which is code for clang, is in the statement `id`, which ends before
    /// `next`.
    pub(super) fn holds_unevaluated(&self, id: PointId, next: Position) -> bool {
        let begins = self.span(id).and_then(|span| Some((span.line, span.column?)));
        let is_typed = begins.is_some_and(|begins| has_unevaluated(self.text_between(begins, next)));
        let mut parts = self.truth.points.iter().enumerate().skip(id + 1);
        is_typed
            || parts.any(|(part, point)| {
                let is_uncounted = point.is_unevaluated() || point.count.is_none() && !point.is_alternative;
                point.kind == PointKind::Arm && is_uncounted && self.truth.root(part) == id
            })
    }

    /// The fault that an empty region in a decision has the count zero, although another region that begins there has a counter.
    fn count_of_decision(&self, counted: Counted<'_>) -> Option<Cause> {
        let Counted { function, at, right, .. } = counted;
        let here =
            || self.regions(function).filter(|region| region.kind == RegionKind::Code && region.start == at);
        let zero = here().find(|region| region.start == region.end && self.is_constant_zero(region))?;
        let file = self.mapped(zero).file;
        let decision = function.regions.iter().find(|decision| {
            (decision.kind, decision.file) == (RegionKind::Decision, file)
                && decision.start <= at
                && at < decision.end
        })?;
        if here().all(|region| self.is_constant_zero(region)) {
            return None;
        }
        let ((line, column), (from, first)) = (at, decision.start);
        let evidence = format!(
            "The empty region at {line}:{column} has the constant count 0, but it ran {}; it is in the decision from {from}:{first}.",
            times(counts(right))
        );
        let element = self.element_at("region", at);
        Some(Cause::new(Layer::Mapping, "count-of-decision", element, evidence))
    }

    /// The fault that there is no region of code with the extent of the decision that `is_it` finds: clang takes that for one
    /// (`isRegionAlreadyAdded`).
    pub(super) fn replaced_by_decision(
        &self,
        is_it: impl Fn(&FunctionMapping, &MappingRegion) -> bool,
    ) -> Option<Cause> {
        let found = self.data.mapping.functions.iter().find_map(|function| {
            let is_replaced = |decision: &&MappingRegion| {
                let is_code = |region: &MappingRegion| {
                    region.kind == RegionKind::Code
                        && (region.file, region.start, region.end)
                            == (decision.file, decision.start, decision.end)
                };
                decision.kind == RegionKind::Decision
                    && decision.start < decision.end
                    && is_it(function, decision)
                    && !function.regions.iter().any(is_code)
            };
            function.regions.iter().find(is_replaced)
        })?;
        let ((line, column), (last, end)) = (found.start, found.end);
        let evidence =
            format!("The text from {line}:{column} to {last}:{end} has a decision and no region of code.");
        let element = self.element_at("decision", found.start);
        Some(Cause::new(Layer::Mapping, "count-of-decision", element, evidence))
    }

    /// The diagnosis of the first region before that of `counted` whose count is always zero although it ran: what clang derives
    /// after it begins with this zero.
    fn wrong_zero_before(&self, counted: Counted<'_>) -> Option<Cause> {
        let Counted { function, at, .. } = counted;
        let ran = |region: &&CountedRegion| {
            self.is_constant_zero(region)
                && region.start < at
                && self.right(region).is_some_and(|right| !right.contains(&0))
        };
        let zero = self.regions(function).filter(ran).min_by_key(|region| region.start)?;
        let right = self.right(zero)?;
        let (start, end) = (zero.start, zero.end);
        let found = self.wrong_zero(Counted { at: start, until: end, shown: 0, right: &right, ..counted });
        Some(found).filter(Cause::is_understood)
    }

    /// All counters are right, and the expression of them is wrong: control left or came back where it assumes that it does
    /// not.
    fn wrong_expression(&self, counted: Counted<'_>) -> Cause {
        let Counted { function, counter, at, shown, right, .. } = counted;
        let formula = function.formula(counter);
        let evidence = format!(
            "The code at {}:{} has the count {formula} = {}, but it ran {}, although the counters are right.",
            at.0,
            at.1,
            shown.cast_signed(),
            times(counts(right))
        );
        if let Some(found) = self.departure_for(counted) {
            return self.departed(found, Some(at), &evidence);
        }
        if let Some(found) = self.wrong_zero_before(counted) {
            return found;
        }
        if let Some(index) = self.uncounted_leaf(function, counter).filter(|_| shown == 0)
            && let Some(operand) = self.point_at(at).filter(|id| self.is_foldable(*id))
        {
            let evidence = format!(
                "Counter #{index} of `{}`, from which {formula} is derived, is 0.",
                without_file(&function.name)
            );
            return self.folded(operand, &evidence);
        }
        let mechanism = format!("mapping/expression/{}", self.construct_at(at));
        Cause::new(Layer::Mapping, &mechanism, self.element_at(&formula, at), evidence)
    }

    /// The departure that makes the count of `counted` wrong: one before it, or in a loop around it.
    pub(super) fn departure_for(&self, counted: Counted<'_>) -> Option<&Departure> {
        let Counted { at, until, shown, right, .. } = counted;
        // What begins after the name of a macro may begin with white space.
        let next = self.tokens.partition_point(|(position, _)| *position < at);
        let (_, next) = self.tokens.get(next)?;
        let function = self.truth.point(self.point_at(at).unwrap_or(next.point)).function;
        // In a definition the last expansion counts: each of them has a token there.
        let until = if self.truth.directives.contains(&at.0) { until.max((at.0, at.1 + 1)) } else { until };
        let offset = match self.typed(at, until).iter().map(|(_, token)| token.offset).max() {
            Some(last) => last,
            None => self.offset(at).unwrap_or(next.offset),
        };
        let loops: Vec<(usize, usize)> = (0..self.truth.points.len())
            .filter(|id| self.truth.point(*id).function == function && self.truth.point(*id).kind.is_loop())
            .filter_map(|id| self.extent(id))
            .filter(|(first, last)| *first <= offset && offset <= *last)
            .collect();
        let reaches = |found: &&Departure| {
            let in_loop =
                loops.iter().any(|(first, last)| *first <= found.span.first && found.span.first <= *last);
            // What leaves makes derived counts too high, and what comes back too low.
            let shown = shown.cast_signed();
            let is_low = shown < 0 || right.iter().all(|right| shown < right.cast_signed());
            let is_high = shown >= 0 && right.iter().all(|right| shown > right.cast_signed());
            let has_sign = found.adds() && !is_high || found.removes() && !is_low;
            found.function == function && has_sign && (found.span.first <= offset || in_loop)
        };
        let differences: Vec<u64> =
            right.iter().map(|right| (shown.cast_signed() - right.cast_signed()).unsigned_abs()).collect();
        let rank = |found: &&Departure| {
            let is_exact = found.times.is_some_and(|times| differences.contains(&times));
            (!is_exact, self.is_assumed_to_return(found), offset.abs_diff(found.span.first))
        };
        self.departures.iter().filter(reaches).min_by_key(rank)
    }

    /// Whether `found` is a call that clang does not know not to return: that calls return is assumed on purpose.
    pub(super) fn is_assumed_to_return(&self, found: &Departure) -> bool {
        found.kind == Kind::NoReturn && !self.truth.point(found.point).is_said_to_end
    }
}

/// Whether a constant expression may contain parts of this kind: clang then generates no code for them.
fn is_part_of_expression(kind: PointKind) -> bool {
    matches!(kind, PointKind::Operand | PointKind::Arm)
}
