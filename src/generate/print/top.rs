//! How the printer writes what is outside of functions, and the heads of functions.

use std::fmt::Write;

use rand::RngExt;

use super::super::tree::{Function, Inline, Macro, Returns, Role, Storage, Template};
use super::Printer;

/// A jump by `asm goto` to a label, if its operand is not 0.
const JUMP: &str = "#ifdef __aarch64__
#define JUMP(label) \"cbnz %w0, %l[\" #label \"]\"
#else
#define JUMP(label) \"testl %0, %0\\n\\tjnz %l[\" #label \"]\"
#endif";

impl Printer<'_> {
    pub(super) fn program(&mut self) {
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
            _ if is_static => &["inline"],
            Inline::Static | Inline::Always => &["static", "inline"],
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

    pub(super) fn static_variable(&mut self, index: usize) {
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
}
