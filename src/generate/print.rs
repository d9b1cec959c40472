//! The printer: prints a program as C in a random layout, and records the line on which each thing begins.

mod code;
mod gap;
mod layout;

use std::fmt::Write;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::config::MakeSettings;

use super::tree::{
    Expr, Function, Inline, Macro, Operand, Place, Program, Returns, Role, Stmt, Storage, Template, Thing,
};
use layout::Layout;

/// A program as text.
pub struct Printed {
    pub source: String,
    /// The line of each thing; 0 if it has no line of its own.
    pub lines: Vec<u32>,
}

/// A jump by `asm goto` to a label, if its operand is not 0.
const JUMP: &str = "#ifdef __aarch64__
#define JUMP(label) \"cbnz %w0, %l[\" #label \"]\"
#else
#define JUMP(label) \"testl %0, %0\\n\\tjnz %l[\" #label \"]\"
#endif";

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
        Expr::Unary(..) | Expr::Bump(_, true, _) | Expr::ArraySize(_) | Expr::Sizeof(_) => 14,
        Expr::Read(Place::Pointed(_)) => 14,
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

/// Whether an `else` after the statement would belong to it.
fn open(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::If(_, _, _, None) => true,
        Stmt::If(_, _, _, Some(body))
        | Stmt::While(_, _, body)
        | Stmt::Label(_, _, _, body)
        | Stmt::Switch(_, _, body) => open(body),
        Stmt::For(_, parts) => open(&parts.body),
        Stmt::Catch(_, _, _, arms) => open(&arms[1]),
        _ => false,
    }
}

/// Whether a `;` after the statement is another statement: it is a macro that contains no `do`.
fn is_unfinished(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Macro(_, _, body) => !matches!(**body, Stmt::Do(..)),
        Stmt::If(_, _, body, None)
        | Stmt::If(_, _, _, Some(body))
        | Stmt::While(_, _, body)
        | Stmt::Label(_, _, _, body)
        | Stmt::Switch(_, _, body) => is_unfinished(body),
        Stmt::For(_, parts) => is_unfinished(&parts.body),
        Stmt::Catch(_, _, _, arms) => is_unfinished(&arms[1]),
        _ => false,
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

    fn program(&mut self) {
        let program = self.program;
        self.directive("#include <stdio.h>");
        self.directive("#include <stdlib.h>");
        self.headers();
        for definition in program.macros.iter().filter(|definition| definition.header.is_none()) {
            self.define(definition);
        }
        if program.jumps {
            self.directive("static jmp_buf env;");
        }
        self.directive("static unsigned sum = 1;");
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.storage == Storage::Global && variable.bits.is_none() {
                self.static_variable(index);
            }
        }
        self.bit_fields();
        // If all functions have prototypes, the order of the functions is random.
        let mut order: Vec<usize> = (0..program.functions.len()).collect();
        let explicit = program
            .functions
            .iter()
            .rev()
            .skip(1)
            .all(|f| f.returns != Returns::Implicit && f.role == Role::Plain && f.inline == Inline::No);
        if explicit && self.chance(0.4) {
            for (index, _) in program.functions.iter().enumerate().rev().skip(1) {
                self.prototype(index);
            }
            order.rotate_left(self.rng.random_range(0..program.functions.len()));
        }
        for index in order {
            self.function(index);
        }
        self.out.push('\n');
    }

    fn headers(&mut self) {
        let program = self.program;
        if program.jumps {
            self.directive("#include <setjmp.h>");
        }
        let mut headers: Vec<&str> =
            program.macros.iter().filter_map(|definition| definition.header).collect();
        headers.dedup();
        for header in headers {
            self.directive(&format!("#include <{header}>"));
        }
        if program.functions.iter().any(|function| function.role == Role::Handler) {
            self.directive("#include <signal.h>");
        }
        if program.asm_goto {
            for line in JUMP.lines() {
                self.directive(line);
            }
        }
    }

    /// The struct that contains all bit-fields.
    fn bit_fields(&mut self) {
        let program = self.program;
        let fields = program.variables.iter().filter_map(|variable| Some((variable, variable.bits?)));
        let fields: Vec<_> = fields.collect();
        if fields.is_empty() {
            return;
        }
        self.tokens(&["static", "struct", "{"]);
        for (variable, bits) in &fields {
            self.tokens(&["unsigned", &variable.name, ":", &bits.to_string(), ";"]);
        }
        let values: Vec<String> =
            fields.iter().map(|(variable, _)| variable.initial[0].to_string()).collect();
        self.tokens(&["}", "bits", "=", &format!("{{ {} }}", values.join(", ")), ";"]);
        self.end();
    }

    fn define(&mut self, definition: &Macro) {
        let params = ["a", "b", "c"][..definition.params].join(", ");
        let params = if params.is_empty() { params } else { format!("({params})") };
        write!(self.out, "#define {}{params} ", definition.name).expect("memory");
        self.last = "#define".into();
        (self.defining, self.unrecorded, self.newline) = (true, true, false);
        self.glued = true;
        match &definition.template {
            Template::Expr(expr) => {
                self.token("(");
                self.expr(expr, 0);
                self.token(")");
            }
            Template::Stmt(stmt) => {
                self.stmt(stmt);
                if self.out.ends_with(';') {
                    self.out.pop();
                }
            }
        }
        (self.defining, self.unrecorded) = (false, false);
        self.out.push('\n');
        self.line += 1;
        self.newline = true;
    }

    /// Prints the return type of a function.
    fn returned(&mut self, returns: Returns) {
        match returns {
            Returns::Int => self.token("int"),
            Returns::StaticInt => self.tokens(&["static", "int"]),
            Returns::Void => self.token("void"),
            Returns::Implicit => {}
        }
    }

    /// Prints what precedes the return type of a function.
    fn attributes(&mut self, function: &Function) {
        let is_static = function.returns == Returns::StaticInt;
        let attribute = match function.role {
            Role::NoReturn => "noreturn",
            Role::Constructor => "constructor",
            Role::Destructor => "destructor",
            Role::Plain | Role::Handler | Role::Cleanup => "",
        };
        if !attribute.is_empty() {
            self.token(&format!("__attribute__ (({attribute}))"));
        }
        let words: &[&str] = match function.inline {
            Inline::No => &[],
            Inline::Static | Inline::Always if is_static => &["inline"],
            Inline::Static | Inline::Always => &["static", "inline"],
            Inline::Extern | Inline::Gnu if is_static => &["inline"],
            Inline::Extern | Inline::Gnu => &["extern", "inline"],
        };
        self.tokens(words);
        match function.inline {
            Inline::Always => self.token("__attribute__ ((always_inline))"),
            Inline::Gnu if !is_static => self.token("__attribute__ ((gnu_inline, always_inline))"),
            Inline::No | Inline::Static | Inline::Extern | Inline::Gnu => {}
        }
    }

    fn prototype(&mut self, index: usize) {
        let function = &self.program.functions[index];
        self.returned(function.returns);
        self.tokens(&[&function.title, "("]);
        if !function.old_style {
            self.token(&vec!["int"; function.params.len()].join(", "));
        }
        self.tokens(&[")", ";"]);
        self.newline = true;
    }

    fn function(&mut self, index: usize) {
        let program = self.program;
        let function = &program.functions[index];
        self.newline = true;
        self.attributes(function);
        self.returned(function.returns);
        self.here(&function.name);
        self.tokens(&[&function.title, "("]);
        for (at, &param) in function.params.iter().enumerate() {
            if at > 0 {
                self.token(",");
            }
            if !function.old_style {
                self.token("int");
            }
            if program.variables[param].pointer {
                self.token("*");
            }
            self.token(&program.variables[param].name);
        }
        if function.params.is_empty() && !function.old_style {
            self.token("void");
        }
        self.token(")");
        // Without a type, parameters need no declaration either.
        if function.old_style && function.returns != Returns::Implicit {
            for &param in &function.params {
                self.end();
                self.tokens(&["int", &program.variables[param].name, ";"]);
            }
        }
        self.newline = self.chance(self.layout.brace.max(0.2));
        self.here(&function.brace);
        self.volatile = function.volatile;
        self.braces(&function.body);
        if self.lines[function.brace.id()] == self.lines[function.name.id()] {
            self.lines[function.brace.id()] = 0;
        }
        self.newline = true;
    }

    fn static_variable(&mut self, index: usize) {
        let variable = &self.program.variables[index];
        self.tokens(&["int", &variable.name]);
        if let Some(length) = variable.length {
            let values: Vec<String> = variable.initial.iter().map(ToString::to_string).collect();
            self.tokens(&["[", &length.to_string(), "]", "=", &format!("{{ {} }}", values.join(", "))]);
        } else {
            self.tokens(&["=", &variable.initial[0].to_string()]);
        }
        self.token(";");
        self.end();
    }

    fn braces(&mut self, body: &[Stmt]) {
        self.token("{");
        self.depth += 1;
        self.end();
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
