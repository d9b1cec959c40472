//! The generator of random programs: variables, macros and functions, and the names that are in scope while code is
//! generated.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::expressions::{May, binary, number, read};
use super::tree::{
    Expr, Function, Macro, Mark, Place, Program, Returns, Stmt, Storage, Template, Thing, Variable,
};

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
    lost: Vec<usize>,
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
    /// The global that says whether `longjmp` may be called.
    pub armed: Option<usize>,
    /// How many uses of macros the current expression is nested in, as an argument.
    pub nesting: u32,
    /// Whether the current expression is an index. An index uses no array.
    pub indexing: bool,
    keys: usize,
}

/// A random program.
pub fn draw(rng: &mut ChaCha8Rng) -> Program {
    let mut draw = Draw {
        rng,
        program: Program::default(),
        scope: Scope::default(),
        budget: 0,
        wrote: vec![],
        called: false,
        pure_args: false,
        armed: None,
        nesting: 0,
        indexing: false,
        keys: 0,
    };
    draw.program();
    draw.program
}

impl Draw<'_> {
    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
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

    fn program(&mut self) {
        if self.chance(0.12) {
            self.program.jumps = true;
            let armed = self.global(None, vec![0]);
            self.program.variables[armed].writable = false;
            self.armed = Some(armed);
        }
        for _ in 0..self.rng.random_range(1..4) {
            let first = self.rng.random_range(0..9);
            self.global(None, vec![first]);
        }
        if self.chance(0.6) {
            self.global(Some(4), vec![3, 1, 4, 1]);
        }
        for _ in 0..self.rng.random_range(0..4) {
            self.define();
        }
        let functions = self.rng.random_range(0..5);
        let size = self.rng.random_range(10..30);
        for index in 0..=functions {
            self.budget = size / (functions + 1) + 2;
            self.function(index == functions);
        }
    }

    fn global(&mut self, length: Option<usize>, initial: Vec<i64>) -> usize {
        self.variable("g", Storage::Global, length, initial)
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

    fn globals(&self) -> Vec<usize> {
        let global = |index: &usize| self.program.variables[*index].storage == Storage::Global;
        (0..self.program.variables.len()).filter(global).collect()
    }

    fn define(&mut self) {
        let params = self.rng.random_range(0..4);
        self.scope =
            Scope { visible: self.globals(), params, enclosed: true, void: true, ..Scope::default() };
        self.budget = 4;
        let before = self.wrote.len();
        let (mut assigns, mut effects) = (false, self.chance(0.4));
        let mut template = if params > 0 && self.chance(0.4) {
            effects = true;
            assigns = self.chance(0.5);
            let (mut body, ()) = self.within(|draw, body| {
                if assigns {
                    let value = Box::new(draw.small(2, May::Read));
                    let assign = Expr::Assign("=", Place::Param(0), value);
                    body.push(Stmt::Expr(Thing::default(), assign));
                }
                let count = draw.rng.random_range(1..3);
                draw.fill(body, 1, count);
            });
            body.splice(0..0, std::mem::take(&mut self.scope.head));
            Template::Stmt(Stmt::Do(Thing::default(), Box::new(Stmt::Block(body)), number(0).into()))
        } else {
            let may = if effects { May::Act } else { May::Read };
            Template::Expr(if self.chance(0.7) { self.test(2, may) } else { self.small(2, may) })
        };
        let mut size = 0;
        match &mut template {
            Template::Expr(expr) => expr.walk(&mut |_| size += 1),
            Template::Stmt(stmt) => stmt.walk(&mut |_| size += 1),
        }
        let writes = self.wrote.split_off(before);
        if size > 60 {
            return;
        }
        let name = format!("M{}", self.program.macros.len());
        self.program.macros.push(Macro { name, params, assigns, effects, writes, template });
    }

    fn function(&mut self, is_main: bool) {
        let own_params = if is_main { 0 } else { self.rng.random_range(0..4) };
        let recursive = own_params > 0 && self.chance(0.25);
        let returns = match self.rng.random_range(0..8) {
            0 if !is_main => Returns::Void,
            1..=2 if !is_main => Returns::StaticInt,
            3 => Returns::Implicit,
            _ => Returns::Int,
        };
        let params: Vec<usize> =
            (0..own_params).map(|_| self.variable("p", Storage::Local, None, vec![])).collect();
        for &param in &params {
            self.program.variables[param].steady = true;
        }
        let limit = recursive.then(|| params[0]);
        if let Some(limit) = limit {
            self.program.variables[limit].writable = false;
        }
        let mut visible = self.globals();
        visible.extend(&params);
        let void = returns == Returns::Void;
        self.scope = Scope { visible, own_params, limit, void, ..Scope::default() };
        let mut body = vec![];
        for _ in 0..self.rng.random_range(0..3) {
            self.declare(&mut body, true);
        }
        if let Some(limit) = limit {
            let done = self.way_out();
            let shallow = binary("<", read(limit), number(1));
            body.push(Stmt::If(Thing::default(), shallow.into(), Box::new(done), None));
        }
        for function in 0..self.program.functions.len() {
            if self.chance(if is_main { 0.6 } else { 0.2 }) {
                let call = self.call_of(function, 2);
                body.push(Stmt::Expr(Thing::default(), call));
            }
        }
        let count = self.rng.random_range(2..7);
        self.fill(&mut body, 3, count);
        if is_main && self.program.jumps {
            self.catch(&mut body);
            self.fill(&mut body, 2, 1);
        }
        // Labels of pending jumps are placed before the end, so initialisations may have been skipped.
        self.lose();
        let mut end = vec![];
        if is_main {
            end.push(self.show());
        }
        if !(is_main && self.chance(0.3) || void && self.chance(0.8)) {
            end.push(self.way_out());
        }
        for (key, _) in std::mem::take(&mut self.scope.awaited) {
            body.push(Stmt::Label(Thing::default(), key, Mark::Name, Box::new(Stmt::Empty)));
        }
        body.append(&mut end);
        body.splice(0..0, std::mem::take(&mut self.scope.head));
        let title = if is_main { "main".into() } else { format!("f{}", self.program.functions.len()) };
        let old_style = returns == Returns::Implicit || self.chance(0.15);
        self.program.functions.push(Function {
            title,
            name: Thing::default(),
            brace: Thing::default(),
            returns,
            params,
            old_style,
            volatile: is_main && self.program.jumps,
            recursive,
            body,
        });
    }

    /// A `return`.
    pub fn way_out(&mut self) -> Stmt {
        let value = if self.scope.void { None } else { Some(self.small(2, May::Act)) };
        Stmt::Return(Thing::default(), value)
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
