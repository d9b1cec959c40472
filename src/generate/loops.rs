//! Random loops. Each loop is limited by a counter of its own. The counter is declared at the head of the function, so
//! that it has a value even if a jump enters the loop.

use rand::RngExt;

use super::build::{assign, binary, bump, expr, logical, number, read, when};
use super::draw::{Draw, May};
use super::tree::{Expr, For, Init, Operand, Place, Stmt, Storage, Thing};

impl Draw<'_> {
    /// The body of a loop.
    fn body(&mut self, depth: u32, first: Option<Stmt>) -> Stmt {
        let body = self.leaving(true, true, |draw| draw.arm(depth));
        match (first, body) {
            (None, body) => body,
            (Some(first), Stmt::Block(mut body)) => {
                body.insert(0, first);
                Stmt::Block(body)
            }
            (Some(first), body) => Stmt::Block(vec![first, body]),
        }
    }

    /// A condition that ends the loop when `bounded` is false, or perhaps earlier.
    fn ending(&mut self, bounded: Expr) -> Operand {
        let test = match self.rng.random_range(0..6) {
            0..=2 => bounded,
            3..=4 => {
                let other = self.leaving(false, false, |draw| draw.test(2, May::Act));
                if self.chance(0.5) { logical("&&", bounded, other) } else { logical("&&", other, bounded) }
            }
            _ => Expr::Unary("!", Box::new(Expr::Unary("!", Box::new(bounded)))),
        };
        test.into()
    }

    /// A new counter; usually with a statement that sets it to 0.
    fn reset(&mut self, out: &mut Vec<Stmt>) -> usize {
        let counter = self.counter();
        if self.chance(0.7) {
            out.push(expr(assign(counter, number(0))));
        }
        counter
    }

    fn turns(&mut self) -> Expr {
        number(self.rng.random_range(1..7))
    }

    pub fn repeat_while(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let (counter, turns) = (self.reset(out), self.turns());
        let (condition, first) = if self.chance(0.6) {
            (self.ending(binary("<", bump(counter), turns)), None)
        } else {
            let first = expr(bump(counter));
            (self.ending(binary("<", read(counter), turns)), Some(first))
        };
        let body = self.body(depth, first);
        out.push(Stmt::While(Thing::default(), condition, Box::new(body)));
    }

    pub fn repeat_do(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let (counter, turns) = (self.reset(out), self.turns());
        let body = self.body(depth, None);
        let next = Expr::Bump("++", true, Place::Variable(counter));
        // If an earlier operand is false, the loop ends too, so every further iteration increments the counter.
        let condition = self.ending(binary("<", next, turns));
        out.push(Stmt::Do(Thing::default(), Box::new(body), condition));
    }

    pub fn repeat_for(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let turns = self.turns();
        let thing = Thing::default();
        if self.chance(0.35) {
            let parts = self.region(|draw| draw.declaring_for(turns, depth));
            return out.push(Stmt::For(thing, Box::new(parts)));
        }
        let counter = self.counter();
        let beside = |draw: &mut Self, expr: Expr| {
            if draw.chance(0.3) {
                let other = draw.leaving(false, false, |draw| draw.effect(2));
                Expr::Comma(Box::new(expr), Box::new(other))
            } else {
                expr
            }
        };
        let init = if self.chance(0.7) {
            Init::Expr(beside(self, assign(counter, number(0))).into())
        } else {
            Init::None
        };
        let (condition, step, first) = match self.rng.random_range(0..5) {
            // for (...;;) { if (k++ >= n) break; ... }
            0 => {
                let over = when(binary(">=", bump(counter), turns), Stmt::Break(Thing::default()));
                (None, None, Some(over))
            }
            // for (...; k++ < n;)
            1 => (Some(self.ending(binary("<", bump(counter), turns))), None, None),
            // for (...;; k++) { if (k >= n) break; ... }
            2 => {
                let over = when(binary(">=", read(counter), turns), Stmt::Break(Thing::default()));
                (None, Some(beside(self, bump(counter)).into()), Some(over))
            }
            _ => {
                let condition = self.ending(binary("<", read(counter), turns));
                (Some(condition), Some(beside(self, bump(counter)).into()), None)
            }
        };
        let body = self.body(depth, first);
        out.push(Stmt::For(thing, Box::new(For { init, condition, step, body })));
    }

    fn declaring_for(&mut self, turns: Expr, depth: u32) -> For {
        let visible = self.scope.visible.clone();
        let counter = self.variable("i", Storage::Local, None, vec![]);
        self.program.variables[counter].writable = false;
        let mut list = vec![(counter, vec![number(0)])];
        if self.chance(0.3) {
            let value = self.leaving(false, false, |draw| draw.small(2, May::Act));
            let other = self.variable("j", Storage::Local, None, vec![]);
            list.push((other, vec![value]));
            self.scope.visible.push(other);
        }
        self.scope.visible.push(counter);
        let condition = self.ending(binary("<", read(counter), turns));
        let mut step = bump(counter);
        if self.chance(0.3) {
            let effect = self.leaving(false, false, |draw| draw.effect(1));
            step = Expr::Comma(Box::new(effect), Box::new(step));
        }
        let body = self.body(depth, None);
        self.restore(visible);
        let init = Init::Declare(Thing::default(), list);
        For { init, condition: Some(condition), step: Some(step.into()), body }
    }
}
