//! How the interpreter evaluates expressions.

use std::fmt::Write;

use super::super::tree::{Expr, Operand, Place, Storage};
use super::{Flow, Leave, Machine, holds};

/// The value as an `int`; rejects the program if it overflows.
fn int(value: i64) -> Flow<i64> {
    i32::try_from(value).map(i64::from).map_err(|_| Leave::Reject)
}

impl Machine<'_> {
    pub(super) fn cell(&mut self, variable: usize) -> &mut Option<Vec<i64>> {
        match self.program.variables[variable].storage {
            Storage::Local => &mut self.frames.last_mut().expect("main runs")[variable],
            Storage::Global | Storage::Static => &mut self.globals[variable],
        }
    }

    /// The variable of a place, and the index in it.
    fn place(&mut self, place: &Place) -> Flow<(usize, usize)> {
        match place {
            Place::Variable(variable) | Place::Pointed(variable) => Ok((*variable, 0)),
            Place::Element(variable, index) => {
                let length = self.program.variables[*variable].length.expect("an array");
                let index = self.eval(index)? & (i64::try_from(length).expect("small") - 1);
                Ok((*variable, usize::try_from(index).expect("masked")))
            }
            Place::Param(_) => Err(Leave::Reject),
        }
    }

    pub(super) fn load(&mut self, (variable, index): (usize, usize)) -> Flow<i64> {
        self.cell(variable).as_ref().and_then(|values| values.get(index).copied()).ok_or(Leave::Reject)
    }

    fn store(&mut self, (variable, index): (usize, usize), value: i64) -> Flow<i64> {
        let mut value = int(value)?;
        if let Some(bits) = self.program.variables[variable].bits {
            value &= (1 << bits) - 1;
        }
        let values = self.cell(variable).get_or_insert_with(|| vec![0]);
        *values.get_mut(index).ok_or(Leave::Reject)? = value;
        Ok(value)
    }

    pub(super) fn operand(&mut self, operand: &Operand) -> Flow<i64> {
        self.count(&operand.thing);
        self.eval(&operand.expr)
    }

    pub(super) fn holds_true(&mut self, operand: &Operand) -> Flow<bool> {
        Ok(self.operand(operand)? != 0)
    }

    pub(super) fn eval(&mut self, expr: &Expr) -> Flow<i64> {
        match expr {
            Expr::Number(value) => Ok(*value),
            Expr::Read(place) => {
                let at = self.place(place)?;
                self.load(at)
            }
            Expr::Unary(op, a) => {
                let a = self.eval(a)?;
                int(match *op {
                    "!" => i64::from(a == 0),
                    "~" => !a,
                    "-" => -a,
                    _ => unreachable!("{op}"),
                })
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                binary(op, a, b)
            }
            Expr::Logical(op, parts) => {
                let short = *op == "||";
                let left = self.holds_true(&parts[0])?;
                Ok(i64::from(if left == short { short } else { self.holds_true(&parts[1])? }))
            }
            Expr::Choice(parts) => {
                let arm = if self.holds_true(&parts[0])? { 1 } else { 2 };
                self.operand(&parts[arm])
            }
            Expr::Comma(a, b) => {
                self.eval(a)?;
                self.eval(b)
            }
            Expr::Assign(op, place, value) => {
                let at = self.place(place)?;
                let value = self.eval(value)?;
                let value = match op.strip_suffix('=').expect("an assignment") {
                    "" => value,
                    op => binary(op, self.load(at)?, value)?,
                };
                self.store(at, value)
            }
            Expr::Bump(op, prefix, place) => {
                let at = self.place(place)?;
                let old = self.load(at)?;
                let new = self.store(at, if *op == "++" { old + 1 } else { old - 1 })?;
                Ok(if *prefix { new } else { old })
            }
            Expr::Call(function, args) => {
                let args = args.iter().map(|arg| self.eval(arg)).collect::<Flow<Vec<i64>>>()?;
                self.call(*function, &args)
            }
            Expr::Block(body, thing, value) => {
                let mut seek = None;
                loop {
                    let result = self.all(body, &mut seek).and_then(|()| {
                        self.count(thing);
                        self.eval(value)
                    });
                    match result {
                        Err(Leave::Goto(key)) if body.iter().any(|stmt| holds(stmt, key)) => {
                            seek = Some(key);
                        }
                        result => break result,
                    }
                }
            }
            Expr::Macro(_, _, body) => self.eval(body),
            Expr::Mix(value) => {
                // The conversion to `unsigned` wraps.
                let value = self.eval(value)?.rem_euclid(1 << 32);
                let value = u32::try_from(value).expect("wrapped");
                self.checksum = self.checksum.wrapping_mul(31).wrapping_add(value);
                Ok(0)
            }
            Expr::Show(words, value) => {
                let value = self.eval(value)?;
                let checksum = self.checksum;
                writeln!(self.stdout, "{words} {value} {checksum}").expect("memory");
                Ok(0)
            }
            Expr::Exit(status) => Err(Leave::Exit(*status)),
            Expr::Longjmp => Err(Leave::Longjmp),
            Expr::Generic(_, parts) => self.eval(&parts[0]),
            Expr::ArraySize(length) => self.eval(length),
            Expr::Sizeof(_) => Ok(4),
            Expr::Literal(parts, index) => {
                let values = [self.eval(&parts[0])?, self.eval(&parts[1])?];
                Ok(values[*index])
            }
            Expr::Handle(_) => Ok(0),
            Expr::Raise(function) => self.call(*function, &[10]),
        }
    }
}
fn binary(op: &str, a: i64, b: i64) -> Flow<i64> {
    int(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a.checked_div(b).ok_or(Leave::Reject)?,
        "%" => a.checked_rem(b).ok_or(Leave::Reject)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a << b,
        ">>" => a >> b,
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        _ => unreachable!("{op}"),
    })
}
