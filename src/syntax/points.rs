//! Points: the parts of a program whose runs are counted, and where they are.
//!
//! A point is a statement, a condition, an operand of `&&` or `||`, an arm of `?:`, the first part or the step of a `for`,
//! a label, a `case`, the opening brace of a block, or the head of a function. Every token belongs to the innermost point
//! that contains it, so the points of a line are those of its tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::chain::{Chain, SystemChain};
pub use super::ids::{Counter, PointId};
use super::{LevelId, StatementKind};
use crate::model::Line;

/// The event that a point counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// Entries of a function.
    #[default]
    Entry,
    /// Entries of a block by its opening brace.
    Block,
    /// Starts of a statement.
    Statement(StatementKind),
    /// Executions of a declaration without an initialiser, which needs no code.
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

/// The place of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementPlace {
    /// The statement or label that it is directly inside; a function's body is its [`PointKind::Entry`].
    pub outer: PointId,
    /// The statement before it in a sequence; none for the first one, and for the body of a loop or an arm.
    pub before: Option<PointId>,
    /// Whether nothing is between the two, such as the declaration of a type or an assertion, which have no points.
    pub is_next: bool,
}

/// Where the outcomes of an operand of `&&` or `||` lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The point that the chain is, or that it is directly in. A chain in another one, or in the opposite of one, is a part of it.
    pub chain: PointId,
    pub yes: Way,
    pub no: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To another operand of the chain.
    Operand(PointId),
    /// Out of the chain, which has this value.
    Value(bool),
}

impl Ways {
    /// Each outcome and its way.
    pub fn each(self) -> [(bool, Way); 2] {
        [(true, self.yes), (false, self.no)]
    }
}

/// How control leaves a statement, which decides where clang's regions begin and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// At its end, if at all: the region around it continues.
    #[default]
    AtEnd,
    /// It may be left inside an expression, or by a jump that clang does not follow.
    Unclear,
    /// A label is in it, or it is or contains a `switch`: a region begins after it, perhaps without a gap.
    Joined,
    /// By a jump inside it: a gap and a region follow.
    Divided,
    /// By a call that does not return in an arm of `?:`, which newer versions of clang take for a jump inside it.
    Chosen,
    /// It is a jump, or a call that does not return: the region around it ends with it.
    Jump,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Point {
    pub kind: PointKind,
    /// Its count is the sum of these; none if it cannot be counted.
    pub counters: Option<Vec<Counter>>,
    /// For a condition or operand: how often it was true, and how often false.
    pub outcomes: Option<(Counter, Counter)>,
    /// For an arm of `?:`: whether control comes to it where the condition is false.
    pub is_alternative: bool,
    /// Whether the first counter of `outcomes` counts the evaluations, those that were false too: `a` in `a ?: b` has a value that
    /// is used.
    pub counts_evaluations: bool,
    /// For a block, and for a point with a call in it: how often it completed, as the sum of these.
    pub completed: Option<Vec<Counter>>,
    /// Whether a statement expression is in it, which a jump may leave.
    pub holds_block: bool,
    /// Whether several calls or statement expressions are in it: control may leave it between two of them.
    pub has_several_exits: bool,
    /// Whether it is a condition that is a number, or an operand that the compiler folds.
    pub constant: bool,
    /// The function that it is in: an index into [`Instrumented::functions`].
    pub function: usize,
    /// The point that it is a part of; none for a statement.
    pub within: Option<PointId>,
    /// The line of its first token, if that is in our file.
    pub line: Option<Line>,
    /// Which inclusion of our file its first token is in.
    pub inclusion: u32,
    /// Whether a compiler folds it: it names nothing but constants.
    pub folded: bool,
    /// For an operand: whether it has effects, and a constant value, which gcc does not test: `(a++, 1)`, or `(a = 1)`.
    pub is_settled: bool,
    /// For a condition, an operand or a `switch`: whether clang may evaluate it, or its value.
    pub is_evaluable: bool,
    /// For a condition or operand: whether it compares something with itself, or chooses between equal arms: a compiler folds it,
    /// unless it may be a NaN.
    pub is_pointless: bool,
    /// For a condition or operand: whether it is `a && b`, `a || b` or the opposite, whose operands are tested.
    pub is_chain: bool,
    /// For an operand: whether its operands are conditions of its decision: a chain, also in `__builtin_expect`.
    pub is_part: bool,
    /// For an operand to the right of `&&` or `||`: the first operand to the left of it.
    pub left: Option<PointId>,
    /// For the same operand: the bytes of that side with its parentheses, and those of the side to the right if that is a chain.
    pub left_side: Option<Range<usize>>,
    pub right_side: Option<Range<usize>>,
    /// For an operand of `&&` or `||` that is no chain: where its outcomes lead.
    pub ways: Option<Ways>,
    /// For a condition or operand: whether the operands of a chain in it may be tested in its place, as since version 23 of clang
    /// those of a chain in `__builtin_expect`.
    pub may_be_chain: bool,
    /// For an operand: whether its value is that of a `?:`, below `!` and parentheses.
    pub is_choice: bool,
    /// Whether a pragma, an attribute or `__extension__` comes before its first token. To clang, the statement begins there, and
    /// the condition of a statement after the `__extension__` since version 24.
    pub has_prefix: bool,
    /// Whether it is a statement, or a part of one, for which every compiler generates code of its own.
    pub has_code: bool,
    /// Whether it is a statement that changes nothing, or a part of one: gcc generates no code for it.
    pub is_idle: bool,
    /// Whether it is the condition of an `if` or a loop that decides which code runs next.
    pub decides: bool,
    /// Whether it is a condition that no compiler folds.
    pub is_open: bool,
    /// Whether it has a value of which gcc may make a branch although it is no condition.
    pub has_tested_value: bool,
    /// Whether it has a `_Generic`, whose expressions are not counted, and one of which may be evaluated.
    pub has_generic: bool,
    /// Whether gcc has more code for it that may run at other times: the change of an `_Atomic` in a loop, or at the head of a `for`
    /// the call of a function for `__attribute__((cleanup))`, to which control comes from each jump out of the loop.
    pub may_repeat: bool,
    /// Whether control leaves it for one of several places that are no outcomes: `goto *p`, `asm goto`, a `switch` with cases in a
    /// system header.
    pub is_open_jump: bool,
    /// Whether it is a call of a function that never returns by its declaration, for which clang begins no region.
    pub is_said_to_end: bool,
    /// For a block: whether it declares an array whose size may be computed, for which gcc saves the stack at its brace.
    pub saves_stack: bool,
    /// For a block, a `switch`, a label and a `case`: the last statement directly inside it.
    pub last: Option<PointId>,
    /// Its place among statements; none for a part of a statement and for the block of a statement expression.
    pub place: Option<StatementPlace>,
    /// For a statement in a sequence: how control leaves it.
    pub leaving: Leaving,
    /// For a `case`: the `switch` that selects it.
    pub switch: Option<PointId>,
    /// Whether it is a `default`.
    pub is_default: bool,
    /// For a label and a `case`: how often control fell into it from the statement before, as the sum of these.
    pub fallen: Option<Vec<Counter>>,
}

/// A token, or a run of tokens, of a point on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointToken {
    pub point: PointId,
    /// Whether the point begins with it.
    pub begins: bool,
    pub kind: TokenKind,
    /// Its column on that line, from 1; none if it is not known.
    pub column: Option<u32>,
    /// Its first byte in the preprocessed text.
    pub offset: usize,
    /// The macro that it went through; none for code outside of macros.
    pub origin: TokenOrigin,
    pub value: ValueStart,
    /// Whether `#` or `##` made it, and this is where clang places it in the definition.
    pub is_made: bool,
}

/// Whether clang sees an expression begin with a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueStart {
    #[default]
    No,
    Yes,
    /// An expansion begins with it too, and this is its place in the definition, or the name in code.
    OfExpansion,
}

impl PointToken {
    /// Whether an expansion begins with it, it may begin a value, and this is its place in the definition, or the name in code.
    pub fn leads(&self) -> bool {
        self.value == ValueStart::OfExpansion
    }
}

/// The text of a macro in one expansion of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpansionText {
    /// The places of the names of the macros around it, and of parameters in their place, from the outermost to its own: those
    /// inside its function, so none if the text contains that as a whole. Each is in the file of its text, which need not be ours.
    pub names: Vec<(Line, u32)>,
    /// Whether the last of them is in another file.
    pub is_named_elsewhere: bool,
    /// Those of the macros around that function.
    pub outside: Vec<(Line, u32)>,
    /// Where its first token or parameter was typed, and where its last one. None if none of it is in our file.
    pub extent: Option<((Line, u32), (Line, u32))>,
    /// Whether it takes the place of a parameter.
    pub is_argument: bool,
    /// Whether a text around it does.
    pub is_in_argument: bool,
}

/// The role of a token of [`Instrumented::typed`] in the expansion of a macro.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenOrigin {
    /// It is not from a macro.
    #[default]
    Code,
    /// It is the first token of an expansion, at the macro's name.
    Expansion,
    /// It was typed among the arguments of a macro that is named in the definition of this expansion, or in code. A macro may use
    /// an argument several times.
    Argument(Option<LevelId>),
    /// It was typed in the definition of a macro, and belongs to this expansion of it. Or a point begins with it in an
    /// argument, and this is the parameter that it takes the place of.
    Body(LevelId),
}

impl TokenOrigin {
    /// Whether it was typed among the arguments of a macro.
    pub fn is_argument(self) -> bool {
        matches!(self, TokenOrigin::Argument(_))
    }

    /// The expansion in whose definition the token was typed.
    pub fn body(self) -> Option<LevelId> {
        match self {
            TokenOrigin::Body(level) => Some(level),
            TokenOrigin::Argument(body) => body,
            TokenOrigin::Code | TokenOrigin::Expansion => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a number, a keyword, an operator.
    Code,
    /// The opening brace of the block.
    OpeningBrace,
    /// The closing brace of the block.
    ClosingBrace,
    /// A closing parenthesis or bracket, or a brace of a `switch`: no code, but a line that begins with it begins inside
    /// the point.
    Closing,
    /// An operand that the compiler folds, so that it generates no code for it.
    Folded,
    /// No code of its own, but a line that begins with it has the count of the point: `;`, `,`, `(`, `else`, and `&&`, `||`,
    /// `?` and `:` before the operand or arm that the point is.
    Punctuation,
}

/// No line of a file: the first one is 1.
pub const NO_LINES: (Line, Line) = (0, 0);

/// A function of the program as instrumented.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct InstrumentedFunction {
    /// Its first and last line, in our file. If it is in other files as a whole, and names a macro of ours, there is no such line.
    pub lines: (Line, Line),
    /// The line of its name.
    pub name_line: Option<Line>,
    /// Whether a part of it is in another file.
    pub is_divided: bool,
    /// Whether it has no attribute and is not `inline`, so that compilers do not inline it or leave it out.
    pub is_plain: bool,
    /// Whether other files can call it.
    pub is_external: bool,
    /// Whether gcc inlines it before it inserts counters, and folds the conditions that constant arguments decide.
    pub is_inlined: bool,
    /// Whether gcc optimises it although the program is compiled without optimisation: the attribute or the pragma `optimize`.
    pub is_optimised: bool,
    /// Whether gcc may make branches in it that are no conditions of its body: of variables with the attribute `cleanup`, to test
    /// which way control left their scope, and of the sizes of arrays in its head, in `typeof` and in `offsetof`, of complex
    /// numbers, of what the attribute `assume` states.
    pub has_hidden_tests: bool,
    /// Why its points are not counted: what is not understood, and the text around it. None if they are counted.
    pub refusal: Option<String>,
    /// Its name, which may be empty.
    pub name: String,
    /// Its bytes in the preprocessed program, head and body.
    pub range: Range<usize>,
    /// The chains in it that come from macros of the system, none inside another one.
    pub system_chains: Vec<SystemChain>,
}

impl InstrumentedFunction {
    /// Whether its points are counted.
    pub fn is_counted(&self) -> bool {
        self.refusal.is_none()
    }

    /// Whether it is in other files as a whole.
    pub fn is_elsewhere(&self) -> bool {
        self.lines == NO_LINES
    }

    /// Its name, and why its points are not counted.
    pub fn refused(&self) -> Option<(String, String)> {
        Some((self.name.clone(), self.refusal.clone()?))
    }
}

impl Point {
    /// Whether it is certainly not evaluated, although compilers may count it: a part of the operand of `sizeof`.
    pub fn is_unevaluated(&self) -> bool {
        self.counters.as_ref().is_some_and(Vec::is_empty)
    }
}

impl PointKind {
    pub fn is_loop(self) -> bool {
        matches!(self, PointKind::Statement(kind) if kind.is_loop())
    }

    /// Whether it is a label or a `case`.
    pub fn is_label(self) -> bool {
        matches!(self, PointKind::Label | PointKind::Case)
    }
}

impl Instrumented {
    /// Take it for possible that gcc makes branches in each function that are no conditions of the source.
    pub fn expect_hidden_tests(&mut self) {
        self.functions.iter_mut().for_each(|function| function.has_hidden_tests = true);
    }

    /// Do not count the functions with these names.
    pub fn leave_out(&mut self, names: &BTreeSet<String>) {
        let is_left_out = |function: &InstrumentedFunction| names.contains(&function.name);
        let ranges: Vec<Range<usize>> = self
            .functions
            .iter()
            .filter(|function| is_left_out(function))
            .map(|found| found.range.clone())
            .collect();
        self.inserts.retain(|(offset, _)| !ranges.iter().any(|range| range.contains(offset)));
        // A nested function is a part of the one that contains it.
        let is_inside = |function: &InstrumentedFunction| {
            ranges.iter().any(|range| range.contains(&function.range.start))
        };
        for function in self.functions.iter_mut().filter(|function| is_inside(function)) {
            function.refusal.get_or_insert_with(|| "its code is not the same with counters".into());
        }
        let is_counted = |point: &Point| self.functions[point.function].is_counted();
        let points = &mut self.points;
        self.chains.retain(|chain| chain.operands.iter().all(|operand| is_counted(&points[*operand])));
        // The points stay: a line with code that is not counted has no ground truth.
        for point in points.iter_mut().filter(|point| !is_counted(point)) {
            (point.counters, point.outcomes, point.completed, point.fallen) = (None, None, None, None);
        }
    }
}

/// A program with counters.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The preprocessed program.
    pub(crate) text: String,
    /// The same without the parentheses that the parser does not see, where it has any: an insertion could be on the wrong
    /// side of them.
    pub(crate) bare_text: Option<String>,
    /// What is inserted into it, and where, in order.
    pub inserts: Vec<(usize, String)>,
    /// The number of counters.
    pub counters: u32,
    pub points: Vec<Point>,
    /// The tokens of each line, in their order in the preprocessed text; those of an outer point first.
    pub lines: BTreeMap<Line, Vec<PointToken>>,
    /// The tokens on rows of other files of functions that name a macro of ours, in the order of the text. Each has the line on which it
    /// was typed if that is in our file.
    pub elsewhere: Vec<(Option<Line>, PointToken)>,
    /// The tokens by the lines on which they were typed, in the order of their columns: llvm-cov counts these. The first
    /// token of an expansion is also at the macro's name.
    pub typed: BTreeMap<Line, Vec<PointToken>>,
    /// The points that begin in the expansion of a macro after its first token, by the position at which the macro's name was
    /// typed. llvm-cov has the regions of a macro of the system there, and those of a label that ends after the expansion.
    pub inner_points: BTreeMap<(Line, u32), BTreeSet<PointId>>,
    /// The text of each expansion, without those with a name that is not in our file.
    pub expansions: BTreeMap<LevelId, ExpansionText>,
    /// The lines of definitions that a function expands where there is no point: in the value of a `case`, in the
    /// initialiser of a static variable. llvm-cov counts some of these expansions.
    pub partial_definitions: BTreeSet<Line>,
    /// The lines of tests and statement expressions in the initialisers of static variables: compilers evaluate them, and they
    /// have no points. llvm-cov has regions there.
    pub evaluated_lines: BTreeSet<Line>,
    /// If our file is included several times: the inclusions in which a line has text that is in a function.
    pub inclusions: BTreeMap<Line, BTreeSet<u32>>,
    /// The lines of our file with directives of the preprocessor.
    pub directives: BTreeSet<Line>,
    /// The lines of our file on which nothing but comments was typed.
    pub blank_lines: BTreeSet<Line>,
    /// The places in our file of the names of macros that the compiler or its command line defines, except those like `__LINE__`.
    pub compiler_names: BTreeSet<(Line, u32)>,
    /// Whether macros of our file may be expanded in other files, and where is not known.
    pub is_expanded_elsewhere: bool,
    /// In source order; a nested function follows the one that contains it.
    pub functions: Vec<InstrumentedFunction>,
    pub chains: Vec<Chain>,
    /// Whether the vectors of chains are counted.
    pub has_vectors: bool,
}
