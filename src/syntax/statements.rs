//! Statements, their kinds, and the facts about them that follow from the syntax.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tree_sitter::Node;

use crate::model::{Line, named_enum};

/// Index of a statement in [`super::Program::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StatementId(u32);

impl StatementId {
    pub(super) fn new(index: usize) -> StatementId {
        StatementId(u32::try_from(index).expect("fewer than 2^32 statements"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

named_enum! {
    pub enum StatementKind {
        /// An expression followed by `;`.
        Expression = "expression",
        /// A call followed by `;`.
        Call = "call",
        /// `;`
        Empty = "empty",
        /// A declaration in a block.
        Declaration = "declaration",
        /// `{ … }` that is not a function's body.
        Block = "block",
        /// `if`, with its `else`.
        If = "if",
        /// `switch`
        Switch = "switch",
        /// `case` or `default` with the statements up to the next one.
        Case = "case",
        /// `while`
        While = "while",
        /// `do … while`
        Do = "do",
        /// `for`
        For = "for",
        /// `return`
        Return = "return",
        /// `break`
        Break = "break",
        /// `continue`
        Continue = "continue",
        /// `goto`
        Goto = "goto",
        /// `break` or `continue` with the name of the statement that it is about (C2y; WG14 N3355).
        NamedJump = "named jump",
        /// A label with the statement after it.
        Labeled = "label",
        /// Assembly.
        Asm = "asm",
    }
}

impl StatementKind {
    /// Whether it contains no other statement.
    pub fn is_simple(self) -> bool {
        matches!(self, StatementKind::Expression | StatementKind::Call | StatementKind::Asm) || self.is_jump()
    }

    /// Whether it contains statements and control may leave it at its end: a block, a branch, a loop.
    pub fn is_compound(self) -> bool {
        use StatementKind::{Block, Do, For, If, Switch, While};
        matches!(self, Block | Do | For | If | Switch | While)
    }

    pub fn is_loop(self) -> bool {
        matches!(self, StatementKind::While | StatementKind::Do | StatementKind::For)
    }

    /// Whether control never reaches the code after it.
    pub fn is_jump(self) -> bool {
        use StatementKind::{Break, Continue, Goto, NamedJump, Return};
        matches!(self, Return | Break | Continue | Goto | NamedJump)
    }

    pub(super) fn of(node: Node<'_>) -> Option<StatementKind> {
        Some(match node.kind() {
            "expression_statement" => match node.named_child(0).map(|child| child.kind()) {
                None => StatementKind::Empty,
                Some("call_expression") => StatementKind::Call,
                Some("gnu_asm_expression") => StatementKind::Asm,
                Some(_) => StatementKind::Expression,
            },
            "declaration" | "type_definition" => StatementKind::Declaration,
            "compound_statement" => StatementKind::Block,
            "if_statement" => StatementKind::If,
            "switch_statement" => StatementKind::Switch,
            "case_statement" => StatementKind::Case,
            "while_statement" => StatementKind::While,
            "do_statement" => StatementKind::Do,
            "for_statement" => StatementKind::For,
            "return_statement" => StatementKind::Return,
            "break_statement" => StatementKind::Break,
            "continue_statement" => StatementKind::Continue,
            "goto_statement" => StatementKind::Goto,
            "labeled_statement" => StatementKind::Labeled,
            _ => return None,
        })
    }
}

/// The place of a statement, which decides what may replace it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// In a sequence: it may be replaced by nothing.
    Item,
    /// In a sequence, after code that the parser did not fully understand: `;` is safe.
    Unsure,
    /// After a label or `case`, where a statement is required.
    AfterLabel,
    /// The arm of an `if` or the body of a loop or `switch`, where a statement is required.
    Body,
    /// A function's body, or another part that cannot be replaced.
    #[default]
    Fixed,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the syntax")]
pub struct Statement {
    pub kind: StatementKind,
    /// Its bytes, without leading or trailing space.
    pub range: Range<usize>,
    /// Its first and last line.
    pub lines: (Line, Line),
    pub slot: Slot,
    /// The innermost statement that contains it.
    pub parent: Option<StatementId>,
    /// The sequence that it is an item of: an index into [`super::Program::groups`].
    pub group: Option<usize>,
    /// Whether the parser failed inside or around it.
    pub broken: bool,
    /// Whether a preprocessor directive or a nested function is inside it.
    pub directive: bool,
    /// Labels that it defines.
    pub labels: Vec<String>,
    /// Whether it is between `#if` and `#endif`, so that it may not be compiled.
    pub conditional: bool,
    /// Whether it contains a `case` of a `switch` outside of it.
    pub foreign_case: bool,
    /// The names that it declares, if it is a declaration that may be removed when they are unused.
    pub declares: Option<Vec<String>>,
}

/// A sequence of statements: the items of a block, or the statements after a `case`.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The items, declarations included.
    pub items: Vec<StatementId>,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name; empty where the parser did not find one.
    pub name: String,
    /// Its bytes, from the declaration to the closing brace.
    pub range: Range<usize>,
    /// Whether the parser does not understand a part of it.
    pub has_errors: bool,
    pub is_static: bool,
}
