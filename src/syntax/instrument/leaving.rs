//! How control leaves a statement, which decides where clang's regions begin and end.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::cases::is_switch;
use super::super::nodes::NodeExt;
use super::super::points::Leaving;
use super::super::unevaluated::is_unevaluated;
use super::constants::logical;
use super::instrumenter::{Instrumenter, children};
use super::names::is_computed_goto;

/// What `break` and `continue` inside a statement lead to: something around it, or a part of it.
#[derive(Clone, Copy)]
struct Inside {
    /// The offset at which the statement begins.
    start: usize,
    breakable: bool,
    continuable: bool,
}

impl Inside {
    fn of(node: Node<'_>) -> Inside {
        Inside { start: node.start_byte(), breakable: false, continuable: false }
    }
}

/// What a statement may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    /// A jump out of it.
    Jump,
    /// A label or a `switch`, whose end has a counter of its own.
    Label,
    /// An arm of `?:` that calls a function which does not return.
    Arm,
}

impl Instrumenter<'_> {
    /// How control leaves the statement `node`, for clang. An `if` or a loop with a jump out of it or a label in it, and a
    /// `switch`, give what follows them the sum of the ways out (`CounterCoverageMappingBuilder` in CoverageMappingGen.cpp). The region that
    /// begins in a block continues after it. Jumps in expressions are not followed, nor is `goto *p`, after which clang begins
    /// no region: a fault of its own.
    pub(super) fn leaving(&self, node: Node<'_>) -> Leaving {
        let leaving = match self.kind(node) {
            Some(StatementKind::If | StatementKind::While | StatementKind::Do | StatementKind::For) => {
                let contains = |sought: Sought| self.contains(node, Inside::of(node), sought);
                match () {
                    () if contains(Sought::Jump) => Leaving::Divided,
                    () if contains(Sought::Label) => Leaving::Joined,
                    () if contains(Sought::Arm) => Leaving::Chosen,
                    () => Leaving::AtEnd,
                }
            }
            Some(StatementKind::Block | StatementKind::Labeled | StatementKind::Case) => {
                let last = node.elements().into_iter().rfind(|inner| !inner.is_extra());
                return last.map_or(Leaving::AtEnd, |last| self.leaving(last));
            }
            Some(StatementKind::Switch) => Leaving::Joined,
            Some(StatementKind::Call) if self.never_returns(node) => Leaving::Jump,
            Some(kind) if kind.is_jump() && !self.is_computed(node) => Leaving::Jump,
            Some(StatementKind::Call | StatementKind::Expression | StatementKind::Declaration) => {
                match self.endless_arm(node) {
                    Some(choice) if self.is_last(choice, node) => Leaving::Chosen,
                    // The region begins with the code after it in the statement.
                    Some(_) => Leaving::Unclear,
                    None => Leaving::AtEnd,
                }
            }
            _ => Leaving::AtEnd,
        };
        if leaving == Leaving::AtEnd && self.names.may_leave(node) { Leaving::Unclear } else { leaving }
    }

    /// The kind of the statement `node`, which is another one for the parser where [`as_labels`](super::super::cases::as_labels) or
    /// [`Plain`](super::super::plain::Plain) replaced a word.
    pub(super) fn kind(&self, node: Node<'_>) -> Option<StatementKind> {
        let text = &self.program.text[node.start_byte()..];
        Some(match StatementKind::of(node)? {
            _ if is_switch(text) => StatementKind::Switch,
            StatementKind::Goto if !text.starts_with("goto") => StatementKind::NamedJump,
            kind => kind,
        })
    }

    /// Whether `node` is `goto *p`.
    fn is_computed(&self, node: Node<'_>) -> bool {
        is_computed_goto(node.text(&self.program.text))
    }

    /// Whether the statement `node` calls a function that does not return.
    fn never_returns(&self, node: Node<'_>) -> bool {
        node.named_child(0).is_some_and(|call| self.calls_endless(call))
    }

    /// Whether the statement `node` calls a function that does not return by a declaration that clang does not heed.
    pub(super) fn is_said_to_end(&self, node: Node<'_>) -> bool {
        self.callee(node).is_some_and(|callee| self.names.is_said_to_end(callee))
    }

    /// What the statement `node` calls.
    fn callee<'a>(&'a self, node: Node<'_>) -> Option<&'a str> {
        let callee = node.named_child(0).and_then(|call| call.field("function"));
        callee.map(|callee| callee.text(self.masked))
    }

    /// The statement that `jump` names.
    fn target<'t>(&self, jump: Node<'t>) -> Option<Node<'t>> {
        let name = jump.field("label")?.text(self.masked);
        let mut inner = jump;
        while let Some(outer) = inner.parent() {
            let is_its = outer.field("label").is_some_and(|label| label.text(self.masked) == name);
            if outer.kind() == "labeled_statement" && is_its {
                return Some(inner);
            }
            inner = outer;
        }
        None
    }

    /// Whether `node`, a part of the statement `inside`, is or contains what is `sought`.
    fn contains(&self, node: Node<'_>, inside: Inside, sought: Sought) -> bool {
        let is_jump = sought == Sought::Jump;
        let inside = match self.kind(node) {
            Some(StatementKind::Break) => return is_jump && !inside.breakable,
            Some(StatementKind::Continue) => return is_jump && !inside.continuable,
            Some(StatementKind::Call) if is_jump => return self.never_returns(node),
            Some(StatementKind::Call | StatementKind::Expression | StatementKind::Declaration) => {
                return sought == Sought::Arm && self.endless_arm(node).is_some();
            }
            Some(StatementKind::Switch | StatementKind::Labeled | StatementKind::Case)
                if sought == Sought::Label =>
            {
                return true;
            }
            Some(StatementKind::NamedJump) => {
                return is_jump && self.target(node).is_none_or(|target| target.start_byte() < inside.start);
            }
            Some(kind) if kind.is_jump() => return is_jump && !self.is_computed(node),
            Some(kind) if kind.is_loop() => Inside { breakable: true, continuable: true, ..inside },
            Some(StatementKind::Switch) => Inside { breakable: true, ..inside },
            Some(StatementKind::If | StatementKind::Block | StatementKind::Labeled | StatementKind::Case) => {
                inside
            }
            None if node.kind() == "else_clause" => inside,
            _ => return false,
        };
        children(node).into_iter().any(|inner| self.contains(inner, inside, sought))
    }

    /// The last `?:` in `node` with an arm that calls a function which does not return, outside of chains of `&&` and `||`
    /// (`VisitAbstractConditionalOperator`).
    fn endless_arm<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            _ if self.is_apart(node) => None,
            "conditional_expression" => {
                let mut arms = ["consequence", "alternative"].into_iter().filter_map(|arm| node.field(arm));
                arms.any(|arm| self.is_endless(arm)).then_some(node)
            }
            _ => children(node).into_iter().rev().find_map(|inner| self.endless_arm(inner)),
        }
    }

    /// Whether no code follows `inner` in `outer`.
    fn is_last(&self, inner: Node<'_>, outer: Node<'_>) -> bool {
        let rest = &self.masked[inner.end_byte()..outer.end_byte()];
        rest.chars().all(|sign| sign.is_whitespace() || matches!(sign, ')' | ']' | '}' | ';'))
    }

    /// Whether the expression `node` calls a function that does not return, or has an arm that does.
    fn is_endless(&self, node: Node<'_>) -> bool {
        match node.kind() {
            _ if self.is_apart(node) => false,
            "conditional_expression" => self.endless_arm(node).is_some(),
            "call_expression" if self.calls_endless(node) => true,
            _ => children(node).into_iter().any(|inner| self.is_endless(inner)),
        }
    }

    /// Whether a call in `node` does not decide whether the expression around it returns, for clang: it is in a chain, or in a block.
    fn is_apart(&self, node: Node<'_>) -> bool {
        logical(node).is_some() || is_unevaluated(node, self.masked) || node.kind() == "compound_statement"
    }

    fn calls_endless(&self, call: Node<'_>) -> bool {
        call.field("function").is_some_and(|callee| self.names.never_returns(callee.text(self.masked)))
    }
}
