//! Whether a jump leaves a statement, so that clang counts what follows it by a region of its own.

use tree_sitter::Node;

use super::super::StatementKind;
use super::super::cases::is_switch;
use super::super::nodes::NodeExt;
use super::instrumenter::{Instrumenter, children};
use super::names::ENDS;

/// What `break` and `continue` inside a statement lead to: something around it, or a part of it.
#[derive(Clone, Copy, Default)]
struct Inside {
    breakable: bool,
    continuable: bool,
}

impl Instrumenter<'_> {
    /// Whether the count of what follows the statement `node` differs from that of what is before it, for clang: an `if`
    /// or a loop contains a jump out of it, or it is a jump or a `switch` (`CounterCoverageMappingBuilder` in
    /// CoverageMappingGen.cpp gives what follows the sum of the ways out). The region that begins in a block continues after
    /// it. Jumps in expressions, and calls of functions that only the program knows not to return, are not followed.
    pub(super) fn is_left(&self, node: Node<'_>) -> bool {
        match self.kind(node) {
            Some(StatementKind::If | StatementKind::While | StatementKind::Do | StatementKind::For) => {
                self.has_jump(node, Inside::default())
            }
            Some(StatementKind::Block | StatementKind::Labeled | StatementKind::Case) => {
                let last = node.elements().into_iter().rfind(|inner| !inner.is_extra());
                last.is_some_and(|last| self.is_left(last))
            }
            Some(StatementKind::Switch) => true,
            Some(StatementKind::Call) => self.ends_program(node),
            Some(kind) => kind.is_jump() && !self.is_computed(node),
            None => false,
        }
    }

    fn kind(&self, node: Node<'_>) -> Option<StatementKind> {
        let kind = StatementKind::of(node)?;
        let is_switch = is_switch(&self.program.text[node.start_byte()..]);
        Some(if is_switch { StatementKind::Switch } else { kind })
    }

    /// Whether `node` is `goto *p`, after which clang begins no region: a fault of its own.
    fn is_computed(&self, node: Node<'_>) -> bool {
        node.text(&self.program.text).trim_start_matches("goto").trim_start().starts_with('*')
    }

    /// Whether the statement `node` calls a function of the library that ends the program.
    fn ends_program(&self, node: Node<'_>) -> bool {
        let callee = node.named_child(0).and_then(|call| call.field("function"));
        let name = callee.map(|callee| callee.text(self.masked));
        name.is_some_and(|name| ENDS.contains(&name) && !self.names.is_own(name))
    }

    fn has_jump(&self, node: Node<'_>, inside: Inside) -> bool {
        let inside = match self.kind(node) {
            Some(StatementKind::Break) => return !inside.breakable,
            Some(StatementKind::Continue) => return !inside.continuable,
            Some(StatementKind::Call) => return self.ends_program(node),
            Some(kind) if kind.is_jump() => return !self.is_computed(node),
            Some(StatementKind::While | StatementKind::Do | StatementKind::For) => {
                Inside { breakable: true, continuable: true }
            }
            Some(StatementKind::Switch) => Inside { breakable: true, ..inside },
            Some(StatementKind::If | StatementKind::Block | StatementKind::Labeled | StatementKind::Case) => {
                inside
            }
            None if node.kind() == "else_clause" => inside,
            _ => return false,
        };
        children(node).into_iter().any(|inner| self.has_jump(inner, inside))
    }
}
