//! Points: the pieces of a program whose runs are counted, and where they stand.
//!
//! Every token belongs to the innermost piece that holds it, so a line's points
//! are those of its tokens. A piece is a statement, a condition, an operand of
//! `&&` or `||`, an arm of `?:`, a step of a `for`, a label, a `case`, a block's
//! opening brace, or a function's head.

use std::collections::BTreeMap;

use super::StatementKind;
use super::boolean::BooleanExpr;
use crate::model::Line;

/// Index of a counter in the instrumented program.
pub type Slot = u32;

/// Index of a point in [`Instrumented::points`].
pub type PointId = usize;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// Entries of a function.
    Entry,
    /// Entries of a block by its opening brace.
    Block,
    /// Starts of a statement.
    Statement(StatementKind),
    /// Passages of a declaration without an initialiser, which needs no code.
    Silent,
    /// Evaluations of the condition of `if`, of a loop or of `?:`.
    Condition,
    /// Evaluations of an operand of `&&` or `||`.
    Operand,
    /// Evaluations of an arm of `?:`.
    Arm,
    /// Evaluations of the first part of a `for`.
    Init,
    /// Evaluations of the step of a `for`.
    Step,
    /// Arrivals at a label.
    Label,
    /// Arrivals at a `case` or `default`.
    Case,
}

/// One point.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Point {
    /// What is counted.
    pub kind: PointKind,
    /// Its count is the sum of these; none where it cannot be counted.
    pub slots: Option<Vec<Slot>>,
    /// For what is tested: how often it was true, and how often false.
    pub outcomes: Option<(Slot, Slot)>,
    /// For a block, and for what holds a call: how often it completed, as the sum of these.
    pub completed: Option<Vec<Slot>>,
    /// Whether it holds a statement expression, out of which a jump may lead.
    pub holds_block: bool,
    /// For a condition that is a number: the number. The compiler folds it.
    pub constant: bool,
    /// The function that it is in: an index into [`Instrumented::functions`].
    pub function: usize,
    /// The piece that it is an inner part of: none for a statement, which only follows others.
    pub within: Option<PointId>,
    /// The line of its first token, if that is ours.
    pub line: Option<Line>,
    /// The column of its first token, from 1, where the preprocessor left the line as it was.
    pub column: Option<u32>,
    /// Whether a compiler works it out for itself: it names nothing but constants.
    pub folded: bool,
    /// Whether it is a statement whose value comes from a call that no compiler leaves out.
    pub calls: bool,
}

/// A token, or a run of tokens, of a piece on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The piece.
    pub point: PointId,
    /// Whether the piece begins with it.
    pub begins: bool,
    /// What it is.
    pub kind: MarkKind,
}

/// What stands on a line for a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Code: a name, a number, a keyword, an operator. Punctuation is none, nor are `else`, `&&`,
    /// `||`, `?` and `:`, which no piece has for itself.
    Code,
    /// The brace that opens the block.
    Opens,
    /// The brace that closes it.
    Closes,
    /// A parenthesis or bracket that closes, or a brace of a `switch`: no code, but a line that
    /// begins with it begins in the middle of the piece.
    Ends,
    /// An operand that a compiler works out for itself, so that no code is made for it.
    Folded,
}

/// A function of the program as instrumented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Its first and last line, in our file.
    pub lines: (Line, Line),
    /// Whether it is instrumented; the parser may have stumbled in it.
    pub counted: bool,
}

/// A chain of `&&` and `||` whose test vectors are counted.
#[derive(Clone, Debug)]
pub struct Chain {
    /// How its operands are joined.
    pub tree: BooleanExpr,
    /// Its operands, in the order of the text.
    pub operands: Vec<PointId>,
    /// The counter of path 0; there are `2 << operands` of them.
    pub slot: u32,
    /// The line and column of its first character, from 1.
    pub start: (Line, u32),
    /// Whether all of it stands on that line.
    pub is_on_one_line: bool,
}

/// A program with counters.
#[derive(Debug)]
pub struct Instrumented {
    /// The text to compile, preprocessed.
    pub source: String,
    /// The number of counters.
    pub slots: u32,
    /// The points.
    pub points: Vec<Point>,
    /// The marks of each line, in their order on it.
    pub lines: BTreeMap<Line, Vec<Mark>>,
    /// The lines of a macro's arguments, with the line of the macro's name, where the marks are.
    pub arguments: BTreeMap<Line, Line>,
    /// The functions, in source order; one that is nested stands behind the one around it.
    pub functions: Vec<Traced>,
    /// The chains of `&&` and `||` that are followed.
    pub chains: Vec<Chain>,
}
