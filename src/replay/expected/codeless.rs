//! The points of a line for which gcc may generate no code there: the line may have the count of its other parts alone.

use super::gcov::Arrivals;
use crate::syntax::{PointId, PointKind, PointToken, StatementKind};
use crate::truth::CountedPoint;

impl Arrivals<'_> {
    /// gcc generates no code for a statement that changes nothing, for a declaration without a value, for a constant arm whose
    /// operation it folds, for a test that it folds, nor for a `case` before another label (`cleanup_dead_labels` in tree-cfg.cc).
    pub(super) fn may_lack_code(&self, id: PointId) -> bool {
        let point = self.point(id);
        let is_constant_arm = || point.kind == PointKind::Arm && (point.constant || point.folded);
        let is_label_only = || point.kind == PointKind::Case && self.precedes_label(id);
        self.is_keyword(id)
            || point.is_idle
            || point.kind == PointKind::Silent
            || point.is_pointless
            || is_constant_arm()
            || is_label_only()
            || self.is_last_label(id)
            || self.is_before_operator(id)
            || self.is_folded_test(id)
    }

    /// Whether gcc may fold the test that `id` is, that it is a part of or that it begins: a part of the test is constant.
    fn is_folded_test(&self, id: PointId) -> bool {
        let is_statement = matches!(self.point(id).kind, PointKind::Statement(kind) if kind.is_compound());
        let is_test = matches!(self.point(id).kind, PointKind::Condition | PointKind::Operand);
        let root = self.truth.root(id);
        // The parts of a statement follow it, but the test of a `do` follows the body.
        let mut parts = self.truth.points[root + 1..].iter().take_while(|point| point.within.is_some());
        let is_folded = |point: &CountedPoint| {
            matches!(point.kind, PointKind::Condition | PointKind::Operand) && point.may_be_evaluated()
        };
        is_folded(self.point(id)) || (is_statement || is_test) && parts.any(is_folded)
    }

    /// Whether nothing of the statement `id` is on the line but its keyword, which has no code. The value of a `switch` is no part of
    /// its own.
    fn is_keyword(&self, id: PointId) -> bool {
        use StatementKind::{Do, For, If, While};
        let is_tested = matches!(self.point(id).kind, PointKind::Statement(If | While | Do | For));
        // The test of a `do` follows its body.
        let is_part = |part: &CountedPoint| part.within == Some(id) && part.line == Some(self.line);
        is_tested && !self.truth.points[id + 1..].iter().any(is_part)
    }

    /// Whether the line has nothing of the statement `id` but its first name: gcc locates the code at the operator, which is on a later
    /// line. Of a declaration, the type is before the name.
    fn is_before_operator(&self, id: PointId) -> bool {
        use StatementKind::{Declaration, Expression};
        let most = match self.point(id).kind {
            PointKind::Statement(Expression) => 1,
            PointKind::Statement(Declaration) => 2,
            _ => return false,
        };
        let is_part = |token: &&PointToken| self.truth.root(token.point) == id;
        self.point(id).is_long && self.truth.tokens(self.line).iter().filter(is_part).count() <= most
    }

    /// Whether `id` is a label after which nothing is on the line but labels and braces.
    fn is_last_label(&self, id: PointId) -> bool {
        if !self.point(id).kind.is_label() {
            return false;
        }
        let first_in = |id: &PointId| self.truth.first_in(*id);
        let is_later = |id: &PointId| self.point(*id).line > Some(self.line);
        let has_code = |id: &PointId| {
            let kind = self.point(*id).kind;
            !kind.is_label() && kind != PointKind::Block
        };
        let mut inside = std::iter::successors(first_in(&id), first_in);
        inside.find(|id| is_later(id) || has_code(id)).is_some_and(|id| is_later(&id))
    }

    /// Whether the first statement after the `case` `id` begins with a label of its own.
    fn precedes_label(&self, id: PointId) -> bool {
        self.truth.first_in(id).is_some_and(|first| self.point(first).kind == PointKind::Label)
    }
}
