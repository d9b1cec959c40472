//! Lines with a block whose code is elsewhere: gcc gave the block the location of a label, a jump, an arm or a scope that is not
//! what runs there.

use super::conditions::has_operator;
use super::lines::WrongLine;
use super::paths::reaches;
use crate::diagnose::construct::times;
use crate::model::{Cause, Layer, Line};
use crate::replay::gcov::{BlockRef, LineCopy, ListedBlock, SolvedEdge};
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind};
use crate::truth::CountedPoint;

impl WrongLine<'_, '_> {
    /// A block that the line owns, for the fault that none of them is that of the line's code.
    fn some_block(&self) -> Option<(BlockRef, i64)> {
        let owned = self.elements.copies.iter().flat_map(|copy| &copy.owned);
        let listed = self.elements.copies.iter().flat_map(|copy| &copy.listed);
        owned.chain(listed).next().map(|block| (block.place, block.count))
    }

    pub(super) fn begins(&self) -> impl Iterator<Item = PointKind> {
        let truth = self.blocks.case.truth;
        truth.begun(self.line).into_iter().map(|id| truth.point(id).kind)
    }

    /// The last label of a block or `switch` has no statement, so it is on the block after that.
    pub(super) fn label_on_join_block(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_no_statement = |id| match truth.point(id).kind {
            PointKind::Block => truth.point(id).last.is_none(),
            kind => kind == PointKind::Silent || truth.point(id).is_idle,
        };
        let ends_block = |label| truth.points.iter().any(|point| point.last == Some(label));
        let is_empty_end = |id: &PointId| {
            let point = truth.point(*id);
            point.kind.is_label() && point.last.is_none_or(is_no_statement) && ends_block(*id)
        };
        let begun = truth.begun(self.line);
        let label = begun.iter().copied().find(is_empty_end)?;
        // With other code before it, the line lacks the executions of that block, which belongs to a later line.
        let is_low = self.right.iter().all(|right| *right > self.count);
        let is_later = |block: &&ListedBlock| is_low && !self.is_last_line(block.place);
        let joined = || self.elements.blocks().find(is_later).map(|block| (block.place, block.count));
        let (place, count) = if begun.first() == Some(&label) { self.some_block()? } else { joined()? };
        let mut all = self.elements.blocks();
        if all.any(|block| self.right.contains(&block.count)) {
            return None;
        }
        let evidence = format!(
            "The label has no statement; {}, where other paths join, has its line and runs {}.",
            self.blocks.name(place),
            times(count)
        );
        Some(Cause::new(Layer::Mapping, "label-on-join-block", self.blocks.name(place), evidence))
    }

    /// A label whose address is taken is never reached, so its block was removed, and the label is on the block before it.
    pub(super) fn label_of_removed_block(&self) -> Option<Cause> {
        let (truth, program) = (self.blocks.case.truth, self.blocks.case.program);
        let label = truth.begun(self.line).first().copied()?;
        let text = program.source.lines().nth(self.line as usize - 1)?;
        // A brace or other code may be before it.
        let before = text.split(':').next().unwrap_or_default().trim_end();
        let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_address = |at: usize| {
            let before = program.source[..at].trim_end().strip_suffix("&&").map(str::trim_end);
            // After an operand, `&&` is the operator.
            before.is_some_and(|before| before.ends_with(['(', '{', ',', '=', '-', '?', ':', '*', '&', '|']))
        };
        let is_taken = || program.in_code(name).into_iter().any(is_address);
        let is_one = truth.point(label).kind == PointKind::Label
            && self.right.iter().all(|right| *right == 0)
            && !name.is_empty()
            && is_taken();
        let (place, count) = self.some_block().filter(|_| is_one)?;
        let evidence = format!(
            "The address of `{name}` is taken, and nothing jumps to it; {} lists its line and runs {}.",
            self.blocks.name(place),
            times(count)
        );
        Some(Cause::new(Layer::Mapping, "label-of-removed-block", format!("label {name}"), evidence))
    }

    /// The prediction that gcc makes of each `continue` has no location of its own and gets that of the scope around, so the
    /// block of the `continue` lists the line on which the scope begins.
    pub(super) fn continue_predictor(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_continue = |kind: PointKind| kind == PointKind::Statement(StatementKind::Continue);
        let has_continue =
            |line: Line| truth.begun(line).into_iter().any(|id| is_continue(truth.point(id).kind));
        truth.tokens(self.line).iter().find(|token| token.kind == TokenKind::OpeningBrace)?;
        if self.elements.copies.iter().any(|copy| !copy.owned.is_empty()) {
            return None;
        }
        let listed = || self.elements.copies.iter().flat_map(|copy| &copy.listed);
        // The prediction is just before the jump.
        let is_of_continue = |block: &&ListedBlock| {
            let lines: Vec<Line> = self.blocks.lines_of(block.place).collect();
            lines.windows(2).any(|pair| pair[0] == self.line && has_continue(pair[1]))
        };
        let block = listed().find(is_of_continue)?;
        // A line that owns no block has the sum of all blocks that list it.
        let others: Vec<i64> =
            listed().filter(|block| !is_of_continue(block)).map(|block| block.count).collect();
        if !others.is_empty() && !self.is_right(Some(others.iter().sum())) {
            return None;
        }
        let name = self.blocks.name(block.place);
        let evidence = format!(
            "{name}, which runs {}, has a `continue`; the prediction of it is located at line {}.",
            times(block.count),
            self.line
        );
        Some(Cause::new(
            Layer::Mapping,
            "continue-predictor",
            format!("scope on line {}", self.line),
            evidence,
        ))
    }

    /// Jumps that leave a scope share a block, which has the line of one of them.
    pub(super) fn merged_jump(&self) -> Option<Cause> {
        // A line that has the block has the executions of the other jumps too.
        let is_low = self.right.iter().all(|right| *right > self.count);
        let block = self.elements.blocks().find(|block| self.is_merged(block.place)).filter(|_| !is_low)?;
        Some(self.merged(block.place, block.count))
    }

    /// The same of the block `place`, which a jump on the line leads to, and whose other entries are counted.
    pub(super) fn shared_jump(&self, place: BlockRef) -> Option<Cause> {
        let solved = &self.blocks.replay.solved[&place.function];
        let is_here = |edge: &SolvedEdge| {
            let mut lines = self.blocks.lines_of(BlockRef { block: edge.from, ..place }).peekable();
            lines.peek().is_some() && lines.all(|line| line == self.line)
        };
        let is_shared = self.is_merged(place)
            && solved.entering(place.block).any(is_here)
            && solved.leaving(place.block).filter(|edge| !edge.is_fake).count() == 1;
        is_shared.then(|| self.merged(place, solved.blocks[place.block]))
    }

    /// Whether jumps on this line and on another one lead to the block.
    pub(super) fn is_merged(&self, place: BlockRef) -> bool {
        let truth = self.blocks.case.truth;
        let is_jump =
            |id: PointId| matches!(truth.point(id).kind, PointKind::Statement(kind) if kind.is_jump());
        let has_jump = |line: Line| truth.begun(line).into_iter().any(is_jump);
        let mut entering = self.blocks.replay.solved[&place.function].entering(place.block);
        has_jump(self.line)
            && entering.any(|edge| {
                let mut lines = self.blocks.lines_of(BlockRef { block: edge.from, ..place });
                lines.any(|line| line != self.line && has_jump(line))
            })
    }

    fn merged(&self, place: BlockRef, count: i64) -> Cause {
        let name = self.blocks.name(place);
        let evidence = format!(
            "{name} has the line of a jump, but runs {}: other jumps that leave the scope lead to it too.",
            times(count)
        );
        Cause::new(Layer::Mapping, "merged-jump", name, evidence)
    }

    /// The condition of `?:` is constant, and the arm that gcc chose is located at the `:`, on a line of the other arm.
    pub(super) fn chosen_at_operator(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_arm = |id: &PointId| truth.point(*id).kind == PointKind::Arm;
        let arm_of =
            |token: &PointToken| std::iter::once(token.point).chain(truth.around(token.point)).find(is_arm);
        let whole = truth.point(truth.tokens(self.line).iter().find_map(arm_of)?).within?;
        let is_constant = |point: &CountedPoint| {
            point.kind == PointKind::Condition && point.within == Some(whole) && point.may_be_evaluated()
        };
        let is_chosen = truth.point(whole).count.is_some_and(|whole| whole.cast_signed() == self.count);
        let (place, count) =
            self.some_block().filter(|_| is_chosen && truth.points.iter().any(is_constant))?;
        let name = self.blocks.name(place);
        let evidence = format!(
            "The condition of the expression is constant; {name} has the other arm, runs {}, and has the line of the operator.",
            times(count)
        );
        Some(Cause::new(Layer::Mapping, "test-at-operator", name, evidence))
    }

    /// gcc made another expression of a conditional one: no block tests its condition, so both arms run, or a line with only
    /// an operator and a constant has the whole expression.
    pub(super) fn folded_conditional(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let arm = truth.begun(self.line).into_iter().find(|id| truth.point(*id).kind == PointKind::Arm)?;
        let (place, count) = self.some_block()?;
        let whole = truth.point(arm).within?;
        let has_tests = |whole: PointId| {
            self.blocks.tests().iter().any(|test| {
                let choice = self.blocks.choice_of(test.condition);
                choice.is_some_and(|condition| truth.point(condition).within == Some(whole))
            })
        };
        let runs_always =
            |whole: PointId| truth.point(whole).count.is_some_and(|whole| whole.cast_signed() == count);
        // An arm that is another conditional expression may be folded with the one around it.
        let around = std::iter::successors(Some(whole), |id| {
            let outer = truth.point(*id);
            outer.within.filter(|_| outer.kind == PointKind::Arm)
        });
        if !around.take_while(|whole| !has_tests(*whole)).any(runs_always) {
            return None;
        }
        // The first operand of `a ?: b` is the condition, and no arm.
        let is_arm = |point: &&CountedPoint| point.kind == PointKind::Arm && point.within == Some(whole);
        let is_short = truth.points.iter().filter(is_arm).count() == 1;
        let is_at_operator = truth.point(arm).folded || is_short;
        let mechanism = if is_at_operator { "test-at-operator" } else { "folded-conditional" };
        let name = self.blocks.name(place);
        let evidence = if is_at_operator {
            format!(
                "{name} has the line of the operator and runs {}, as often as the whole expression.",
                times(count)
            )
        } else {
            format!("No block tests the condition of the expression; {name} runs {}.", times(count))
        };
        Some(Cause::new(Layer::Mapping, mechanism, name, evidence))
    }

    /// The value of `a && b` or `a || b` is located at the operator, on a line that begins with the other operand: the line has
    /// the count of the whole expression.
    pub(super) fn result_at_operator(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let first = truth.point(*truth.begun(self.line).first()?);
        let whole = truth.point(first.within.filter(|_| first.kind == PointKind::Operand)?);
        let (place, _) = self.some_block().filter(|_| has_operator(truth, self.line))?;
        let is_whole = whole.count.is_some_and(|whole| whole.cast_signed() == self.count);
        if !is_whole || !self.is_right(first.count.map(u64::cast_signed)) {
            return None;
        }
        let name = self.blocks.name(place);
        let evidence =
            format!("{name} has the value of the whole expression, and is located at its operator.");
        Some(Cause::new(Layer::Mapping, "test-at-operator", name, evidence))
    }

    /// An assignment of a conditional expression is in the blocks of its arms, of which the line has some only.
    pub(super) fn assignment_in_arms(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_statement = |id: &usize| matches!(truth.point(*id).kind, PointKind::Statement(_));
        let root = truth.root(truth.begun(self.line).into_iter().find(is_statement)?);
        let tests = self.blocks.tests().iter();
        let mut of_statement =
            tests.filter(|test| truth.root(test.condition) == root && self.blocks.is_choice(test.condition));
        let (test, arm) = of_statement.find_map(|test| {
            let solved = &self.blocks.replay.solved[&test.block.function];
            let is_next = |place: BlockRef| {
                place.function == test.block.function
                    && solved.leaving(test.block.block).any(|way| !way.is_fake && way.to == place.block)
            };
            let total = solved.blocks[test.block.block];
            let fits = |copy: &&LineCopy| {
                copy.owned.iter().all(|block| is_next(block.place))
                    && self.is_right(Some(self.count - copy.count + total))
            };
            let copy = self.elements.copies.iter().filter(|copy| !copy.owned.is_empty()).find(fits)?;
            Some((test, copy.owned[0].place))
        })?;
        let evidence = format!(
            "The assignment is in both blocks after {}, the test of the conditional expression; only {} has its line.",
            self.blocks.name(test.block),
            self.blocks.name(arm)
        );
        Some(Cause::new(Layer::Mapping, "assignment-in-arms", self.blocks.name(arm), evidence))
    }

    /// The end of a scope is located at its beginning, or at the condition before it.
    pub(super) fn scope_exit(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        let is_brace = |kind: TokenKind| kind == TokenKind::OpeningBrace;
        let begins_scope = |line: Line| truth.tokens(line).iter().any(|token| is_brace(token.kind));
        let has_brace = begins_scope(self.line) || begins_scope(self.line + 1);
        let is_head = self.begins().any(|kind| {
            matches!(kind, PointKind::Block | PointKind::Condition | PointKind::Operand)
                || matches!(kind, PointKind::Statement(StatementKind::If | StatementKind::Block))
        });
        let (place, _) = self.some_block().filter(|_| has_brace || is_head)?;
        let solved = &self.blocks.replay.solved[&place.function];
        // All ways to the block come from lines after this one.
        let is_later = |edge: &SolvedEdge| {
            let from = BlockRef { block: edge.from, ..place };
            // The scope may be in a loop, but control enters it from above.
            self.blocks.lines_of(from).min().is_some_and(|line| line > self.line)
                && (begins_scope(self.line) || !reaches(solved, place.block, edge.from, None))
        };
        let mut entering = solved.entering(place.block).peekable();
        let is_exit = entering.peek().is_some() && entering.all(is_later);
        let evidence = format!("{} is entered from later lines only.", self.blocks.name(place));
        let element = self.blocks.name(place);
        is_exit.then(|| Cause::new(Layer::Mapping, "scope-exit-location", element, evidence))
    }

    /// Control does not come to the tests of an arm that changes nothing.
    pub(super) fn arm_without_effect(&self) -> Option<Cause> {
        let is_less = self.right.iter().all(|right| *right > self.count);
        if is_less { self.blocks.idle_arm(self.line) } else { None }
    }

    /// A `return` begins on the line, and its value on a later one, where the block is that sets the result.
    pub(super) fn return_at_value(&self) -> Option<Cause> {
        let truth = self.blocks.case.truth;
        if self.right.iter().any(|right| *right <= self.count) {
            return None;
        }
        let code_of = |id: PointId, tokens: &[PointToken]| {
            let is_its = |token: &&PointToken| token.kind == TokenKind::Code && truth.root(token.point) == id;
            tokens.iter().filter(is_its).count()
        };
        // Only its keyword is on the line.
        let is_divided = |id: &PointId| {
            truth.point(*id).kind == PointKind::Statement(StatementKind::Return)
                && code_of(*id, truth.tokens(self.line)) == 1
        };
        let found = truth.begun(self.line).into_iter().find(is_divided)?;
        let count = truth.point(found).count?.cast_signed();
        let later = truth.lines.range(self.line + 1..).filter(|(_, tokens)| code_of(found, tokens) > 0);
        let (at, block) = later.map(|(line, _)| *line).find_map(|line| {
            let elements = self.blocks.replay.elements(line).ok()?;
            Some((line, elements.blocks().find(|block| block.count == count)?.place))
        })?;
        let evidence = format!(
            "{} sets the result of the `return` on line {} and is located at its value on line {at}.",
            self.blocks.name(block),
            self.line
        );
        Some(Cause::new(Layer::Mapping, "return-at-value", self.blocks.name(block), evidence))
    }
}
