//! The state of the generator, and what is in scope while code is generated.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::config::MakeSettings;

use super::build::number;
use super::tree::{Program, Stmt, Storage, Thing, Variable};

/// What an expression may do. Each level includes the levels before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum May {
    /// Numbers only.
    Const,
    /// Read local variables, which no call can change.
    ReadLocals,
    Read,
    /// Assign, call, jump.
    Act,
}

/// The key of a label, and the regions that contain it, or that contain the jump to it. A region is a statement
/// expression or a `for` with a declaration: a jump may leave it, but not enter it.
pub type Labelled = (usize, Vec<usize>);

/// The state of the generator at one point of the program.
#[allow(clippy::struct_excessive_bools, reason = "what is allowed is independent")]
#[derive(Default)]
pub struct Scope {
    /// Variables that have a value.
    pub visible: Vec<usize>,
    /// Variables whose initialisation a jump may have skipped.
    pub lost: Vec<usize>,
    /// The number of parameters of the macro that is being defined.
    pub params: usize,
    /// The number of parameters of the current function.
    pub own_params: usize,
    /// The parameter that limits the recursion.
    pub limit: Option<usize>,
    pub void: bool,
    /// Whether the code is in a macro's definition or is dropped by the preprocessor: then it has no labels, calls,
    /// `goto` or `return`.
    pub enclosed: bool,
    /// Whether the code has no labels, because a jump to one would end the scope of a variable.
    pub unlabelled: bool,
    /// Whether it has a jump that prevents inlining.
    pub rigid: bool,
    /// Declarations of loop counters, which are printed at the head of the function.
    pub head: Vec<Stmt>,
    pub breaks: bool,
    pub continues: bool,
    /// Values for which the `switch` has no `case` yet, and whether it can still get a `default`.
    pub cases: Vec<i64>,
    pub default: bool,
    pub region: Vec<usize>,
    /// Jumps whose label is not placed yet.
    pub awaited: Vec<Labelled>,
    /// Labels that a backward jump can use.
    pub placed: Vec<Labelled>,
}

/// The generator of one program.
pub struct Draw<'r> {
    pub rng: &'r mut ChaCha8Rng,
    pub settings: &'r MakeSettings,
    pub program: Program,
    pub scope: Scope,
    /// The number of statements that may still be generated.
    pub budget: i32,
    /// The targets of the assignments so far, in order.
    pub wrote: Vec<usize>,
    /// Whether code that may change globals was generated.
    pub called: bool,
    /// Whether the arguments of the last call have no effects.
    pub pure_args: bool,
    /// The functions that end the program, and those that handle a signal or the end of a scope.
    pub noreturn: Option<usize>,
    pub handler: Option<usize>,
    pub cleanup: Option<usize>,
    /// The global that says whether `longjmp` may be called.
    pub armed: Option<usize>,
    /// How many uses of macros the current expression is nested in, as an argument.
    pub nesting: u32,
    /// Whether the current expression is an index. An index uses no array.
    pub indexing: bool,
    pub keys: usize,
}

impl Draw<'_> {
    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Returns true with this probability in percent.
    pub fn percent(&mut self, probability: u32) -> bool {
        self.chance(f64::from(probability.min(100)) / 100.0)
    }

    /// A random element of `of`.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.rng.random_range(0..of.len())].clone()
    }

    /// A unique number.
    pub fn key(&mut self) -> usize {
        self.keys += 1;
        self.keys
    }

    /// A new variable, which is not visible yet.
    pub fn variable(
        &mut self,
        prefix: &str,
        storage: Storage,
        length: Option<usize>,
        initial: Vec<i64>,
    ) -> usize {
        let index = self.program.variables.len();
        self.program.variables.push(Variable {
            name: format!("{prefix}{index}"),
            storage,
            length,
            initial,
            writable: true,
            steady: storage != Storage::Local,
            bits: None,
            pointer: false,
        });
        index
    }

    /// A new loop counter.
    pub fn counter(&mut self) -> usize {
        let counter = self.variable("k", Storage::Local, None, vec![]);
        let variable = &mut self.program.variables[counter];
        (variable.writable, variable.steady) = (false, true);
        self.scope.head.push(Stmt::Declare(Thing::default(), vec![(counter, vec![number(0)])]));
        self.scope.visible.push(counter);
        counter
    }

    /// The variables that an expression may read.
    pub fn readable(&self, may: May) -> Vec<usize> {
        let local = |variable: usize| self.program.variables[variable].storage == Storage::Local;
        let visible = self.scope.visible.iter().copied();
        visible.filter(|&variable| may >= May::Read || may == May::ReadLocals && local(variable)).collect()
    }

    pub fn globals(&self) -> Vec<usize> {
        let global = |index: &usize| self.program.variables[*index].storage == Storage::Global;
        (0..self.program.variables.len()).filter(global).collect()
    }

    /// Generates the content of a block.
    pub fn within<T>(&mut self, fill: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> T) -> (Vec<Stmt>, T) {
        let visible = self.scope.visible.clone();
        let mut body = vec![];
        let result = fill(self, &mut body);
        self.restore(visible);
        (body, result)
    }

    /// Restores the variables that were visible before a block, except those that were lost in it.
    pub fn restore(&mut self, visible: Vec<usize>) {
        let lost = &self.scope.lost;
        self.scope.visible = visible.into_iter().filter(|variable| !lost.contains(variable)).collect();
    }

    /// Generates a region, which jumps cannot enter.
    pub fn region<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> T {
        let cases = std::mem::take(&mut self.scope.cases);
        let default = std::mem::take(&mut self.scope.default);
        let region = self.key();
        self.scope.region.push(region);
        let result = fill(self);
        self.scope.region.pop();
        (self.scope.cases, self.scope.default) = (cases, default);
        result
    }

    /// Generates code in which `break` and `continue` are allowed or not.
    pub fn leaving<T>(&mut self, breaks: bool, continues: bool, fill: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.scope.breaks, self.scope.continues);
        (self.scope.breaks, self.scope.continues) = (breaks, continues);
        let result = fill(self);
        (self.scope.breaks, self.scope.continues) = before;
        result
    }

    /// Removes the variables whose initialisation a jump to this place may have skipped.
    pub fn lose(&mut self) {
        let steady = |variable: &usize| self.program.variables[*variable].steady;
        let (kept, lost) = self.scope.visible.iter().partition(|variable| steady(variable));
        self.scope.visible = kept;
        self.scope.lost.extend::<Vec<usize>>(lost);
    }
}
