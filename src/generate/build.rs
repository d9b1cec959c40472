//! Short forms for parts of the tree, and questions about them.

use super::tree::{Expr, Place, Stmt, Thing};

/// The approximate maximum of a variable's value. Only operators such as `+=` exceed it.
pub const USUAL: i64 = 1000;

/// The approximate maximum of an expression's value.
pub fn bound(expr: &Expr) -> i64 {
    match expr {
        Expr::Number(value) => value.abs(),
        Expr::Unary("!", _) | Expr::Logical(..) => 1,
        Expr::Unary(_, a) => bound(a) + 1,
        Expr::Binary(op, a, b) => match (*op, &**b) {
            ("&" | "%", Expr::Number(value)) => *value,
            ("+" | "-" | "|" | "^" | "&", b) => bound(a) + bound(b) + 1,
            ("*", b) => bound(a) * bound(b),
            ("<<", Expr::Number(value)) => bound(a) << value,
            ("/" | "%" | ">>", _) => bound(a),
            _ => 1,
        },
        Expr::Choice(parts) => bound(&parts[1].expr).max(bound(&parts[2].expr)),
        Expr::Literal(parts, _) => bound(&parts[0]).max(bound(&parts[1])),
        Expr::Generic(_, parts) => bound(&parts[0]),
        Expr::ArraySize(_) | Expr::Sizeof(_) => 8,
        Expr::Comma(_, a) | Expr::Block(_, _, a) | Expr::Macro(_, _, a) => bound(a),
        _ => USUAL,
    }
}

pub fn number(value: i64) -> Expr {
    Expr::Number(value)
}

/// The value of a variable.
pub fn read(variable: usize) -> Expr {
    Expr::Read(Place::Variable(variable))
}

/// A binary operator other than `&&` and `||`, with its operands.
pub fn binary(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// `&&` or `||`, with its operands.
pub fn logical(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Logical(op, Box::new([a.into(), b.into()]))
}

/// Replaces a macro's parameters by its arguments.
pub fn substitute(expr: &mut Expr, args: &[Expr]) {
    match expr {
        Expr::Read(Place::Param(index)) => *expr = args[*index].clone(),
        Expr::Assign(_, place, _) | Expr::Bump(_, _, place) => {
            if let Place::Param(index) = place
                && let Expr::Read(target) = &args[*index]
            {
                *place = target.clone();
            }
        }
        _ => {}
    }
}

/// An expression statement.
pub fn expr(expr: Expr) -> Stmt {
    Stmt::Expr(Thing::default(), expr)
}

/// `return value;`
pub fn leave(value: Option<Expr>) -> Stmt {
    Stmt::Return(Thing::default(), value)
}

/// `variable++`
pub fn bump(variable: usize) -> Expr {
    Expr::Bump("++", false, Place::Variable(variable))
}

/// `variable = value`
pub fn assign(variable: usize, value: Expr) -> Expr {
    Expr::Assign("=", Place::Variable(variable), Box::new(value))
}

/// `if (test) then`
pub fn when(test: Expr, then: Stmt) -> Stmt {
    Stmt::If(Thing::default(), test.into(), Box::new(then), None)
}
