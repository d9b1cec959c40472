//! Chains of `&&` and `||`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::boolean::BooleanExpr;
use super::ids::{Counter, PointId};
use crate::model::Line;

/// A chain of `&&` and `||` whose test vectors are counted. `!` of a chain within it belongs to it.
#[derive(Clone, Debug)]
pub struct Chain {
    /// How its operands are joined.
    pub tree: BooleanExpr,
    /// In the order of the text.
    pub operands: Vec<PointId>,
    /// The counter of path 0, and the number of paths ([`BooleanExpr::path_steps`]).
    pub first_counter: Counter,
    pub paths: u32,
    /// What the false outcome of each operand adds to the path.
    pub steps: BTreeMap<usize, u32>,
    /// The line of its first character.
    pub line: Line,
    /// Its first byte in the preprocessed text.
    pub offset: usize,
    /// Whether it is the whole condition of a statement or of `?:`.
    pub is_condition: bool,
    /// Whether `__extension__` comes before it. clang begins it there up to version 23, and after that since version 24.
    pub has_prefix: bool,
    /// Whether another decision is inside it, or it is inside another one. To clang up to version 22, a part in `__builtin_expect`
    /// is one.
    pub is_nested: bool,
}

/// A chain, or a part of one, that a macro of the system makes: its operators and both of its ends. Newer versions of clang take it
/// for one condition (`isExprInSystemHeader` in CoverageMappingGen.cpp, LLVM PR 91446).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemChain {
    /// The condition that begins with a `!` before it, if that was typed in the file.
    pub negated: Option<PointId>,
    /// The byte in the preprocessed text of the first parenthesis around it, if that was typed in the file.
    pub bracket: Option<usize>,
    /// Whether clang has a branch for it: it is a condition, or an operand of another chain.
    pub is_tested: bool,
    /// Its operands are among them.
    pub points: Range<PointId>,
    /// The outcomes of operands with which it is true, and those with which it is false.
    pub yes: Vec<(PointId, bool)>,
    pub no: Vec<(PointId, bool)>,
}
