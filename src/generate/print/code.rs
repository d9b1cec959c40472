//! How the printer writes statements and expressions.

use rand::RngExt;

use super::super::tree::{Expr, Init, Mark, Place, Stmt, Thing};
use super::{Printer, precedence, strength};

impl Printer<'_> {
    /// Prints a statement that consists of `texts` and a semicolon.
    fn word(&mut self, thing: &Thing, texts: &[&str]) {
        self.here(thing);
        self.tokens(texts);
        self.token(";");
        self.end();
    }

    /// Prints a statement, label or declaration, with its `;`.
    #[allow(clippy::too_many_lines, reason = "an arm a kind of statement")]
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Empty => {
                self.token(";");
                self.end();
            }
            Stmt::Expr(thing, expr) => {
                self.here(thing);
                self.expr(expr, 0);
                self.token(";");
                self.end();
            }
            Stmt::Declare(thing, list) => {
                if list.iter().any(|(_, initial)| !initial.is_empty()) {
                    self.here(thing);
                }
                self.declared(list);
                self.token(";");
                self.end();
            }
            Stmt::Static(index) => {
                self.token("static");
                self.static_variable(*index);
            }
            Stmt::Block(body) => self.braces(body),
            Stmt::If(thing, condition, then, other) => {
                self.here(thing);
                self.token("if");
                self.condition(condition);
                self.arms(then, other.as_deref());
            }
            Stmt::While(thing, condition, body) => {
                self.here(thing);
                self.token("while");
                self.condition(condition);
                self.arm(body, false);
            }
            Stmt::Do(thing, body, condition) => {
                self.here(thing);
                self.token("do");
                self.arm(body, false);
                if self.last == "}" {
                    self.newline = self.chance(self.layout.brace);
                }
                self.token("while");
                self.condition(condition);
                self.token(";");
                self.end();
            }
            Stmt::For(thing, parts) => {
                self.here(thing);
                self.tokens(&["for", "("]);
                match &parts.init {
                    Init::None => {}
                    Init::Expr(init) => {
                        self.here(&init.thing);
                        self.expr(&init.expr, 0);
                    }
                    Init::Declare(thing, list) => {
                        self.here(thing);
                        self.declared(list);
                    }
                }
                for (part, after) in [(&parts.condition, ";"), (&parts.step, ";")] {
                    self.token(after);
                    if let Some(part) = part {
                        self.here(&part.thing);
                        self.expr(&part.expr, 0);
                    }
                }
                self.token(")");
                self.arm(&parts.body, false);
            }
            Stmt::Switch(thing, value, body) => {
                self.here(thing);
                self.tokens(&["switch", "("]);
                self.expr(value, 0);
                self.token(")");
                self.arm(body, false);
            }
            Stmt::Label(thing, key, mark, body) => {
                self.here(thing);
                match mark {
                    Mark::Name => self.token(&format!("L{key}:")),
                    Mark::Case(low, high) if low < high => {
                        self.tokens(&["case", &low.to_string(), "...", &high.to_string(), ":"]);
                    }
                    Mark::Case(low, _) => self.tokens(&["case", &format!("{low}:")]),
                    Mark::Default => self.token("default:"),
                }
                self.newline = self.chance(0.5);
                self.stmt(body);
            }
            Stmt::Goto(thing, key) => self.word(thing, &["goto", &format!("L{key}")]),
            Stmt::Break(thing) => self.word(thing, &["break"]),
            Stmt::Continue(thing) => self.word(thing, &["continue"]),
            Stmt::Return(thing, None) => self.word(thing, &["return"]),
            Stmt::Return(thing, Some(value)) => {
                self.here(thing);
                self.token("return");
                self.expr(value, 0);
                self.token(";");
                self.end();
            }
            Stmt::Catch(thing, condition, _, arms) => {
                self.here(thing);
                self.token("if");
                self.here(condition);
                self.token("(");
                self.glued = true;
                self.tokens(&["setjmp", "(", "env", ")", "==", "0", ")"]);
                self.arms(&arms[0], Some(&arms[1]));
            }
            Stmt::Macro(index, args, body) => {
                self.expand(*index, args, &mut |printer| printer.stmt(body));
                self.token(";");
                self.end();
            }
            Stmt::Computed(thing, table, value, [one, other]) => {
                self.tokens(&["{", "static", "void", "*", "const", &format!("t{table}"), "[", "2", "]"]);
                self.tokens(&["=", "{", "&&", &format!("L{one}"), ",", "&&", &format!("L{other}"), "}", ";"]);
                self.end();
                self.here(thing);
                self.tokens(&["goto", "*", &format!("t{table}"), "["]);
                // The parser cannot read the target, so ground truth has no parts of it.
                let unrecorded = std::mem::replace(&mut self.unrecorded, true);
                self.expr(value, 9);
                self.unrecorded = unrecorded;
                self.tokens(&["&", "1", "]", ";"]);
                self.end();
                self.token("}");
                self.end();
            }
            Stmt::AsmGoto(thing, value, key) => {
                let label = format!("L{key}");
                self.here(thing);
                self.tokens(&["asm", "goto", "(", "JUMP", "(", &label, ")", ":", ":", "\"r\"", "("]);
                self.expr(value, 0);
                self.tokens(&[")", ":", "\"cc\"", ":", &label, ")", ";"]);
                self.end();
            }
            Stmt::Cleanup(thing, variable, value, function, body) => {
                let program = self.program;
                let (name, function) =
                    (&program.variables[*variable].name, &program.functions[*function].title);
                self.token("{");
                self.depth += 1;
                self.end();
                self.here(thing);
                self.tokens(&[
                    "int",
                    name,
                    "__attribute__",
                    "(",
                    "(",
                    "cleanup",
                    "(",
                    function,
                    ")",
                    ")",
                    ")",
                ]);
                self.token("=");
                self.expr(value, 2);
                self.token(";");
                self.end();
                self.rest_of_block(body);
            }
            Stmt::Conditional(kept, dropped) => self.conditional(kept, dropped),
        }
    }

    fn conditional(&mut self, kept: &[Stmt], dropped: &[Stmt]) {
        let (if_kept, opening) = match self.rng.random_range(0..4) {
            0 => (false, "#if 0"),
            1 => (false, "#ifdef ABSENT"),
            2 => (true, "#ifndef ABSENT"),
            _ => (true, "#if 1"),
        };
        self.directive(opening);
        for first in [true, false] {
            if if_kept == first {
                for stmt in kept {
                    self.stmt(stmt);
                }
            } else {
                self.unrecorded = true;
                for stmt in dropped {
                    self.stmt(stmt);
                }
                self.unrecorded = false;
            }
            self.directive(if first { "#else" } else { "#endif" });
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Variable(variable) => {
                let variable = &self.program.variables[*variable];
                if variable.pointer {
                    self.token("*");
                    self.glued = true;
                }
                if variable.bits.is_some() {
                    self.token(&format!("bits.{}", variable.name));
                } else {
                    self.token(&variable.name);
                }
            }
            Place::Pointed(variable) => {
                let variable = &self.program.variables[*variable];
                self.token("*");
                if !variable.pointer {
                    self.token("&");
                }
                self.token(&variable.name);
            }
            Place::Element(variable, index) => {
                let variable = &self.program.variables[*variable];
                self.tokens(&[&variable.name, "["]);
                self.expr(index, 9);
                let mask = variable.length.expect("an array") - 1;
                self.tokens(&["&", &mask.to_string(), "]"]);
            }
            Place::Param(index) => {
                self.token("(");
                self.glued = true;
                self.tokens(&[["a", "b", "c"][*index], ")"]);
            }
        }
    }

    /// Prints an expression, in parentheses if its precedence is lower than `least`.
    pub(super) fn expr(&mut self, expr: &Expr, least: u8) {
        if precedence(expr) < least || self.chance(self.layout.parentheses / 2.0) {
            self.token("(");
            self.glued = true;
            self.bare(expr);
            self.token(")");
        } else {
            self.bare(expr);
        }
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each kind of expression")]
    fn bare(&mut self, expr: &Expr) {
        match expr {
            Expr::Number(value) => self.token(&value.to_string()),
            Expr::Read(place) => self.place(place),
            Expr::Unary(op, a) => {
                self.token(op);
                self.expr(a, 14);
            }
            Expr::Binary(op, a, b) => {
                // clang warns about `a < b < c` without parentheses.
                self.expr(a, strength(op) + u8::from(strength(op) == 10));
                self.token(op);
                self.expr(b, strength(op) + 1);
            }
            Expr::Logical(op, parts) => {
                self.here(&parts[0].thing);
                self.expr(&parts[0].expr, strength(op));
                self.token(op);
                self.here(&parts[1].thing);
                self.expr(&parts[1].expr, strength(op) + 1);
            }
            Expr::Choice(parts) => {
                for (part, (least, after)) in parts.iter().zip([(4, "?"), (0, ":"), (3, "")]) {
                    self.here(&part.thing);
                    self.expr(&part.expr, least);
                    if !after.is_empty() {
                        self.token(after);
                    }
                }
            }
            Expr::Comma(a, b) => {
                self.expr(a, 1);
                self.token(",");
                self.expr(b, 2);
            }
            Expr::Assign(op, place, value) => {
                self.place(place);
                self.token(op);
                self.expr(value, 2);
            }
            Expr::Bump(op, true, place) => {
                self.token(op);
                self.place(place);
            }
            Expr::Bump(op, false, place) => {
                let is_pointed = matches!(place, Place::Pointed(_));
                if is_pointed {
                    self.token("(");
                }
                self.place(place);
                if is_pointed {
                    self.token(")");
                }
                self.token(op);
            }
            Expr::Call(function, args) => {
                self.tokens(&[&self.program.functions[*function].title, "("]);
                self.list(args);
                self.token(")");
            }
            Expr::Block(body, thing, value) => {
                self.token("(");
                self.glued = true;
                self.token("{");
                self.depth += 1;
                self.end();
                for stmt in body {
                    self.stmt(stmt);
                }
                self.here(thing);
                self.expr(value, 0);
                self.token(";");
                self.depth -= 1;
                self.end();
                self.tokens(&["}", ")"]);
            }
            Expr::Macro(index, args, body) => {
                self.expand(*index, args, &mut |printer| printer.expr(body, 0));
            }
            Expr::Mix(value) => {
                self.tokens(&["sum", "=", "sum", "*", "31u", "+", "(unsigned)", "("]);
                self.expr(value, 0);
                self.token(")");
            }
            Expr::Show(words, value) => {
                self.tokens(&["printf", "(", &format!("\"{words} %d %u\\n\""), ","]);
                self.expr(value, 2);
                self.tokens(&[",", "sum", ")"]);
            }
            Expr::Exit(status) => self.tokens(&["exit", "(", &status.to_string(), ")"]),
            Expr::Longjmp => self.tokens(&["longjmp", "(", "env", ",", "1", ")"]),
            Expr::Generic(first, parts) => {
                self.tokens(&["_Generic", "(", "1", ","]);
                for index in [usize::from(!first), usize::from(*first)] {
                    self.tokens(&[["int", "default"][index], ":"]);
                    let unrecorded = self.unrecorded;
                    self.unrecorded |= index == 1;
                    self.expr(&parts[index], 2);
                    self.unrecorded = unrecorded;
                    if index == usize::from(!first) {
                        self.token(",");
                    }
                }
                self.token(")");
            }
            Expr::ArraySize(length) => {
                self.tokens(&["(", "int", ")", "sizeof", "(", "char", "["]);
                self.expr(length, 0);
                self.tokens(&["]", ")"]);
            }
            Expr::Sizeof(value) => {
                self.tokens(&["(", "int", ")", "sizeof", "("]);
                let unrecorded = std::mem::replace(&mut self.unrecorded, true);
                self.expr(value, 0);
                self.unrecorded = unrecorded;
                self.token(")");
            }
            Expr::Literal(parts, index) => {
                self.tokens(&["(", "(", "int", "[", "2", "]", ")", "{"]);
                self.list(&parts[..]);
                self.tokens(&["}", ")", "[", &index.to_string(), "]"]);
            }
            Expr::Handle(function) => {
                self.tokens(&["signal", "(", "SIGUSR1", ",", &self.program.functions[*function].title, ")"]);
            }
            Expr::Raise(_) => self.tokens(&["raise", "(", "SIGUSR1", ")"]),
        }
    }
}
