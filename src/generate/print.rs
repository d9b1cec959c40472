//! The printer: prints a program as C in a random layout, and records the line on which each thing begins.

mod code;
mod gap;
mod layout;
mod top;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::config::MakeSettings;

use super::tree::{Expr, Operand, Place, Program, Stmt, Thing};
use layout::Layout;

/// A program as text.
pub struct Printed {
    pub source: String,
    /// The line of each thing; 0 if it has no line of its own.
    pub lines: Vec<u32>,
}

#[allow(clippy::struct_excessive_bools, reason = "the layout before the next token")]
struct Printer<'p> {
    program: &'p Program,
    rng: &'p mut ChaCha8Rng,
    layout: Layout,
    out: String,
    line: u32,
    depth: usize,
    lines: Vec<u32>,
    /// Things that begin with the next token.
    pending: Vec<usize>,
    last: String,
    /// Whether the next token must follow on the same line.
    glued: bool,
    /// Whether a new line precedes the next token.
    newline: bool,
    /// Whether no line may be broken, because the tokens belong to a use of a macro.
    held: bool,
    /// Whether arguments of macros may be on several lines.
    broken: bool,
    /// Whether things are not recorded, because they are in arguments of macros or in dropped code.
    unrecorded: bool,
    /// Whether nothing is printed, because the tokens are the expansion of a macro.
    muted: bool,
    /// Whether a macro's definition is being printed.
    defining: bool,
    volatile: bool,
}

/// Prints a program.
pub fn print(program: &Program, rng: &mut ChaCha8Rng, settings: &MakeSettings) -> Printed {
    let layout = Layout::draw(rng);
    let broken = rng.random_bool(f64::from(settings.broken_arguments.min(100)) / 100.0);
    let mut printer = Printer {
        program,
        rng,
        layout,
        out: String::new(),
        line: 1,
        depth: 0,
        lines: vec![0],
        pending: vec![],
        last: String::new(),
        glued: false,
        newline: false,
        held: false,
        broken,
        unrecorded: false,
        muted: false,
        defining: false,
        volatile: false,
    };
    printer.program();
    Printed { source: printer.out, lines: printer.lines }
}

/// How tightly an expression binds.
fn precedence(expr: &Expr) -> u8 {
    match expr {
        Expr::Comma(..) => 1,
        Expr::Assign(..) | Expr::Mix(_) => 2,
        Expr::Choice(_) => 3,
        Expr::Logical(op, _) | Expr::Binary(op, ..) => strength(op),
        Expr::Unary(..)
        | Expr::Bump(_, true, _)
        | Expr::ArraySize(_)
        | Expr::Sizeof(_)
        | Expr::Read(Place::Pointed(_)) => 14,
        Expr::Number(value) if *value < 0 => 14,
        _ => 15,
    }
}

fn strength(op: &str) -> u8 {
    match op {
        "||" => 4,
        "&&" => 5,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" => 9,
        "<" | ">" | "<=" | ">=" => 10,
        "<<" | ">>" => 11,
        "+" | "-" => 12,
        _ => 13,
    }
}

/// The statement that ends `stmt`, if it ends with another one.
fn tail(stmt: &Stmt) -> Option<&Stmt> {
    match stmt {
        Stmt::If(_, _, _, Some(body))
        | Stmt::If(_, _, body, None)
        | Stmt::While(_, _, body)
        | Stmt::Label(_, _, _, body)
        | Stmt::Switch(_, _, body) => Some(body),
        Stmt::For(_, parts) => Some(&parts.body),
        Stmt::Catch(_, _, _, arms) => Some(&arms[1]),
        _ => None,
    }
}

/// Whether an `else` after the statement would belong to it.
fn open(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(_, _, _, None)) || tail(stmt).is_some_and(open)
}

/// Whether a `;` after the statement is another statement: it is a macro that contains no `do`.
fn is_unfinished(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Macro(_, _, body) => !matches!(**body, Stmt::Do(..)),
        _ => tail(stmt).is_some_and(is_unfinished),
    }
}

impl Printer<'_> {
    fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Records that `thing` begins with the next token.
    fn here(&mut self, thing: &Thing) {
        if !self.unrecorded {
            let id = self.lines.len();
            thing.set(id);
            self.lines.push(0);
            self.pending.push(id);
        }
    }

    fn token(&mut self, text: &str) {
        if !self.muted {
            self.gap(text);
            self.out.push_str(text);
            text.clone_into(&mut self.last);
        }
        self.glued = false;
        for id in self.pending.drain(..) {
            self.lines[id] = self.line;
        }
    }

    fn tokens(&mut self, texts: &[&str]) {
        for text in texts {
            self.token(text);
        }
    }

    /// Ends a statement or a brace: a new line usually follows.
    fn end(&mut self) {
        self.newline = !self.rng.random_bool(self.layout.join);
    }

    fn braces(&mut self, body: &[Stmt]) {
        self.token("{");
        self.depth += 1;
        self.end();
        self.rest_of_block(body);
    }

    /// The last statements of a block, and its closing brace.
    fn rest_of_block(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
        self.depth -= 1;
        self.token("}");
        self.end();
    }

    /// The body of a loop, or an arm of `if`.
    fn arm(&mut self, body: &Stmt, braces: bool) {
        if let Stmt::Block(body) = body {
            self.newline = self.chance(self.layout.brace);
            self.braces(body);
        } else if braces || is_unfinished(body) {
            self.braces(std::slice::from_ref(body));
        } else {
            self.end();
            self.depth += 1;
            self.stmt(body);
            self.depth -= 1;
        }
    }

    /// Both arms of an `if`.
    fn arms(&mut self, then: &Stmt, other: Option<&Stmt>) {
        self.arm(then, other.is_some() && open(then));
        if let Some(other) = other {
            if self.last == "}" {
                self.newline = self.chance(self.layout.brace);
            }
            self.token("else");
            if matches!(other, Stmt::If(..)) { self.stmt(other) } else { self.arm(other, false) }
        }
    }

    /// Prints a condition in parentheses.
    fn condition(&mut self, condition: &Operand) {
        self.here(&condition.thing);
        self.token("(");
        self.glued = true;
        self.expr(&condition.expr, 0);
        self.token(")");
    }

    fn declared(&mut self, list: &[(usize, Vec<Expr>)]) {
        if self.volatile && !self.defining && !self.muted {
            self.token("volatile");
        }
        self.token("int");
        for (at, (variable, initial)) in list.iter().enumerate() {
            if at > 0 {
                self.token(",");
            }
            let variable = &self.program.variables[*variable];
            self.token(&variable.name);
            if let Some(length) = variable.length {
                self.tokens(&["[", &length.to_string(), "]", "=", "{"]);
                self.list(initial);
                self.token("}");
            } else if let Some(initial) = initial.first() {
                self.token("=");
                self.expr(initial, 2);
            }
        }
    }

    fn list(&mut self, list: &[Expr]) {
        for (at, expr) in list.iter().enumerate() {
            if at > 0 {
                self.token(",");
            }
            self.expr(expr, 2);
        }
    }

    /// Prints a use of a macro: its name and arguments on one line. Everything in `expansion` is recorded on that line.
    fn expand(&mut self, index: usize, args: &[Expr], expansion: &mut dyn FnMut(&mut Self)) {
        let definition = &self.program.macros[index];
        let mut line = self.line;
        if !self.muted {
            self.token(&definition.name);
            line = self.line;
            let (held, unrecorded) = (self.held, self.unrecorded);
            (self.held, self.unrecorded) = (!self.broken, true);
            if definition.params > 0 {
                self.token("(");
                self.list(args);
                self.token(")");
            }
            (self.held, self.unrecorded) = (held, unrecorded);
        }
        let state = (self.muted, self.newline, self.glued, self.depth);
        self.muted = true;
        // The expansion is on the line of the name, also if arguments are on other lines.
        let end = std::mem::replace(&mut self.line, line);
        expansion(self);
        self.line = end;
        (self.muted, self.newline, self.glued, self.depth) = state;
    }
}
