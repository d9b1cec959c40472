//! The syntax tree of a random program: the subset of C that the generator uses, with a [`Thing`] wherever something is
//! counted.

use std::cell::Cell;

/// Something that is counted. The printer assigns its number.
#[derive(Clone, Debug, Default)]
pub struct Thing(Cell<usize>);

impl Thing {
    /// Its number among the things of the program.
    pub fn id(&self) -> usize {
        self.0.get()
    }

    pub fn set(&self, id: usize) {
        self.0.set(id);
    }
}

/// An expression whose evaluations are counted.
#[derive(Clone, Debug)]
pub struct Operand {
    pub thing: Thing,
    pub expr: Expr,
}

impl From<Expr> for Operand {
    fn from(expr: Expr) -> Operand {
        Operand { thing: Thing::default(), expr }
    }
}

/// A variable, an array element or a macro parameter, which holds a value.
#[derive(Clone, Debug)]
pub enum Place {
    Variable(usize),
    /// An element of an array; the index is masked with the length of the array minus one.
    Element(usize, Box<Expr>),
    /// The same variable as `*&variable`, which makes the compiler give it an address.
    Pointed(usize),
    /// Only in the definition of a macro.
    Param(usize),
}

/// An expression. All values are `int`.
#[derive(Clone, Debug)]
pub enum Expr {
    Number(i64),
    Read(Place),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `&&` or `||`.
    Logical(&'static str, Box<[Operand; 2]>),
    /// `?:`
    Choice(Box<[Operand; 3]>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(&'static str, Place, Box<Expr>),
    /// `++` or `--`; true if the operator precedes its operand.
    Bump(&'static str, bool, Place),
    Call(usize, Vec<Expr>),
    /// `({ ... value; })`
    Block(Vec<Stmt>, Thing, Box<Expr>),
    /// A use of a macro, and its expansion.
    Macro(usize, Vec<Expr>, Box<Expr>),
    /// Adds a value to the checksum.
    Mix(Box<Expr>),
    /// Prints a text, a value and the checksum.
    Show(&'static str, Box<Expr>),
    Exit(i64),
    /// A jump back to the program's [`Stmt::Catch`].
    Longjmp,
    /// `_Generic` with an association that is chosen and one that is not; true if the chosen one is the first.
    Generic(bool, Box<[Expr; 2]>),
    /// `sizeof (char [n])`, which evaluates `n`.
    ArraySize(Box<Expr>),
    /// `sizeof` of an `int`, which evaluates nothing.
    Sizeof(Box<Expr>),
    /// An element of a compound literal.
    Literal(Box<[Expr; 2]>, usize),
    /// Makes a function the handler of a signal.
    Handle(usize),
    /// Raises the signal that a function handles.
    Raise(usize),
}

/// The kind of a label.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A label for `goto`.
    Name,
    Case(i64, i64),
    Default,
}

/// A statement, a label or a declaration.
#[derive(Clone, Debug)]
pub enum Stmt {
    Empty,
    Expr(Thing, Expr),
    /// Variables with their initialisers: none, one, or several for an array.
    Declare(Thing, Vec<(usize, Vec<Expr>)>),
    /// A static variable.
    Static(usize),
    Block(Vec<Stmt>),
    If(Thing, Operand, Box<Stmt>, Option<Box<Stmt>>),
    While(Thing, Operand, Box<Stmt>),
    Do(Thing, Box<Stmt>, Operand),
    For(Thing, Box<For>),
    Switch(Thing, Expr, Box<Stmt>),
    /// The key identifies the label.
    Label(Thing, usize, Mark, Box<Stmt>),
    Goto(Thing, usize),
    Break(Thing),
    Continue(Thing),
    Return(Thing, Option<Expr>),
    /// `if (setjmp(env) == 0) ... else ...`: the statement, its condition, a key like that of a label, and the arms.
    Catch(Thing, Thing, usize, Box<[Stmt; 2]>),
    /// A use of a macro that contains a statement, and its expansion.
    Macro(usize, Vec<Expr>, Box<Stmt>),
    /// `goto *table[value & 1]`: the key of the table, and those of two labels.
    Computed(Thing, usize, Expr, [usize; 2]),
    /// `asm goto`, which jumps if the value is not 0.
    AsmGoto(Thing, Expr, usize),
    /// A block that begins with a variable for which a function is called at the end: the declaration, the variable, its
    /// value, the function and the other statements.
    Cleanup(Thing, usize, Expr, usize, Vec<Stmt>),
    /// Statements between `#if` and `#endif`: those that the preprocessor keeps, and those that it drops.
    Conditional(Vec<Stmt>, Vec<Stmt>),
}

/// The parts of a `for`.
#[derive(Clone, Debug)]
pub struct For {
    pub init: Init,
    pub condition: Option<Operand>,
    pub step: Option<Operand>,
    pub body: Stmt,
}

/// How a `for` begins.
#[derive(Clone, Debug)]
pub enum Init {
    None,
    Expr(Operand),
    Declare(Thing, Vec<(usize, Vec<Expr>)>),
}

/// The storage of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Global,
    Static,
    Local,
}

/// A variable. It is an array if it has a length, which is a power of two.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub storage: Storage,
    pub length: Option<usize>,
    /// The initial values, if the variable is not local.
    pub initial: Vec<i64>,
    /// Whether expressions may assign to it. Only their loops assign to loop counters.
    pub writable: bool,
    /// Whether it has a value at every point of its function.
    pub steady: bool,
    /// The width, if it is a bit-field.
    pub bits: Option<u32>,
    /// Whether it is a parameter that points to an `int`.
    pub pointer: bool,
}

/// The text of a macro.
#[derive(Clone, Debug)]
pub enum Template {
    Expr(Expr),
    Stmt(Stmt),
}

/// A jump that a macro makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    Break,
    Continue,
    /// With a value.
    Return,
}

/// A macro, object-like if it has no parameters.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    pub params: usize,
    /// Whether the first parameter is assigned to.
    pub assigns: bool,
    /// Whether it has effects.
    pub effects: bool,
    /// The variables that it assigns to, except its own variables and its parameters.
    pub writes: Vec<usize>,
    pub jump: Option<Jump>,
    /// The system header that defines it.
    pub header: Option<&'static str>,
    pub template: Template,
}

/// The return type of a function, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Int,
    StaticInt,
    Void,
    /// No type, which means `int`.
    Implicit,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is called.
    Plain,
    /// It ends the program.
    NoReturn,
    /// It is called by a signal.
    Handler,
    /// It is called at the end of a scope.
    Cleanup,
    /// It is called before `main`.
    Constructor,
    /// It is called after `main`.
    Destructor,
}

/// How a function may be inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inline {
    No,
    Static,
    Extern,
    Always,
    /// The semantics of `extern inline` before C99: there is no copy to call.
    Gnu,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    pub title: String,
    pub name: Thing,
    pub brace: Thing,
    pub returns: Returns,
    pub role: Role,
    pub inline: Inline,
    pub params: Vec<usize>,
    /// Whether its parameters are declared between `)` and `{`.
    pub old_style: bool,
    /// Whether its local variables are volatile, because of `setjmp`.
    pub volatile: bool,
    /// Whether the first parameter limits the depth of its recursion.
    pub recursive: bool,
    pub body: Vec<Stmt>,
}

/// A program; its last function is `main`.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub variables: Vec<Variable>,
    pub macros: Vec<Macro>,
    pub functions: Vec<Function>,
    /// Whether it uses `setjmp`.
    pub jumps: bool,
    /// Whether it uses `asm goto`.
    pub asm_goto: bool,
}

/// A function that a walk calls for every expression.
pub type Visit<'a> = &'a mut dyn FnMut(&mut Expr);

impl Place {
    fn walk(&mut self, visit: Visit) {
        if let Place::Element(_, index) = self {
            index.walk(visit);
        }
    }
}

impl Expr {
    /// Visits the expression and all expressions in it, inner ones first.
    pub fn walk(&mut self, visit: Visit) {
        match self {
            Expr::Number(_) | Expr::Exit(_) | Expr::Longjmp | Expr::Handle(_) | Expr::Raise(_) => {}
            Expr::Generic(_, parts) | Expr::Literal(parts, _) => {
                for part in parts.iter_mut() {
                    part.walk(visit);
                }
            }
            Expr::Read(place) | Expr::Bump(_, _, place) => place.walk(visit),
            Expr::Unary(_, a) | Expr::Mix(a) | Expr::Show(_, a) | Expr::ArraySize(a) | Expr::Sizeof(a) => {
                a.walk(visit);
            }
            Expr::Binary(_, a, b) | Expr::Comma(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Logical(_, parts) => {
                for part in parts.iter_mut() {
                    part.expr.walk(visit);
                }
            }
            Expr::Choice(parts) => {
                for part in parts.iter_mut() {
                    part.expr.walk(visit);
                }
            }
            Expr::Assign(_, place, value) => {
                place.walk(visit);
                value.walk(visit);
            }
            Expr::Call(_, args) => {
                for arg in args {
                    arg.walk(visit);
                }
            }
            Expr::Block(body, _, value) => {
                for stmt in body {
                    stmt.walk(visit);
                }
                value.walk(visit);
            }
            Expr::Macro(_, args, body) => {
                for arg in args {
                    arg.walk(visit);
                }
                body.walk(visit);
            }
        }
        visit(self);
    }
}

impl Stmt {
    /// Visits all expressions in the statement.
    pub fn walk(&mut self, visit: Visit) {
        let declared = |list: &mut Vec<(usize, Vec<Expr>)>, visit: Visit| {
            list.iter_mut().flat_map(|(_, init)| init).for_each(|expr| expr.walk(visit));
        };
        match self {
            Stmt::Empty | Stmt::Static(_) | Stmt::Goto(..) | Stmt::Break(_) | Stmt::Continue(_) => {}
            Stmt::Expr(_, expr) | Stmt::Computed(_, _, expr, _) | Stmt::AsmGoto(_, expr, _) => {
                expr.walk(visit);
            }
            Stmt::Cleanup(_, _, value, _, body) => {
                value.walk(visit);
                for stmt in body {
                    stmt.walk(visit);
                }
            }
            Stmt::Declare(_, list) => declared(list, visit),
            Stmt::Block(body) => {
                for stmt in body {
                    stmt.walk(visit);
                }
            }
            Stmt::If(_, condition, then, other) => {
                condition.expr.walk(visit);
                then.walk(visit);
                if let Some(other) = other {
                    other.walk(visit);
                }
            }
            Stmt::While(_, condition, body) | Stmt::Do(_, body, condition) => {
                condition.expr.walk(visit);
                body.walk(visit);
            }
            Stmt::For(_, parts) => {
                match &mut parts.init {
                    Init::None => {}
                    Init::Expr(init) => init.expr.walk(visit),
                    Init::Declare(_, list) => declared(list, visit),
                }
                parts.condition.iter_mut().chain(&mut parts.step).for_each(|part| part.expr.walk(visit));
                parts.body.walk(visit);
            }
            Stmt::Switch(_, value, body) => {
                value.walk(visit);
                body.walk(visit);
            }
            Stmt::Label(_, _, _, body) => body.walk(visit),
            Stmt::Return(_, value) => {
                if let Some(value) = value {
                    value.walk(visit);
                }
            }
            Stmt::Catch(_, _, _, arms) => {
                for arm in arms.iter_mut() {
                    arm.walk(visit);
                }
            }
            Stmt::Macro(_, args, body) => {
                for arg in args {
                    arg.walk(visit);
                }
                body.walk(visit);
            }
            Stmt::Conditional(kept, dropped) => {
                kept.iter_mut().chain(dropped).for_each(|stmt| stmt.walk(visit));
            }
        }
    }
}
