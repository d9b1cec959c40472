//! Random statements, except loops.

use rand::RngExt;

use super::build::{assign, binary, bump, expr, logical, number, read, when};
use super::draw::{Draw, May};
use super::tree::{Expr, Mark, Returns, Role, Stmt, Storage, Thing};

/// Texts that a program prints. Some of them look like code.
const WORDS: [&str; 4] = ["n", "sum:", "if (a && b) {", "// ? :"];

/// Whether the statement can follow a label, or be an arm without braces.
fn labelable(stmt: &Stmt) -> bool {
    !matches!(stmt, Stmt::Declare(..) | Stmt::Static(_) | Stmt::Conditional(..))
}

impl Draw<'_> {
    /// Adds `count` random statements to `out`, perhaps followed by a jump.
    pub fn fill(&mut self, out: &mut Vec<Stmt>, depth: u32, count: u32) {
        for _ in 0..count {
            self.next(out, depth, 0.12);
        }
        if (!self.scope.region.is_empty() || depth < 3)
            && self.chance(0.1)
            && let Some(jump) = self.jump()
        {
            out.push(jump);
        }
    }

    /// Adds one or a few statements, perhaps with labels; `case` is the probability of a `case` label.
    fn next(&mut self, out: &mut Vec<Stmt>, depth: u32, case: f64) {
        let marks = self.marks(case);
        let start = out.len();
        self.any(out, depth);
        if marks.is_empty() {
            return;
        }
        if out.get(start).is_none_or(|first| !labelable(first)) {
            out.insert(start, Stmt::Empty);
        }
        for (key, mark) in marks {
            let body = std::mem::replace(&mut out[start], Stmt::Empty);
            out[start] = Stmt::Label(Thing::default(), key, mark, Box::new(body));
        }
    }

    /// Random labels; `case` is the probability of a `case` label.
    fn marks(&mut self, case: f64) -> Vec<(usize, Mark)> {
        let mut marks = vec![];
        for at in (0..self.scope.awaited.len()).rev() {
            if !self.scope.enclosed
                && !self.scope.unlabelled
                && self.scope.awaited[at].1.starts_with(&self.scope.region)
                && self.chance(0.3)
            {
                marks.push((self.scope.awaited.remove(at).0, Mark::Name));
            }
        }
        if !self.scope.enclosed && !self.scope.unlabelled && self.chance(0.05) {
            let key = self.key();
            self.scope.placed.push((key, self.scope.region.clone()));
            marks.push((key, Mark::Name));
        }
        let mut likely = case;
        while (self.scope.default || !self.scope.cases.is_empty()) && self.chance(likely) {
            let value = self.scope.cases.pop();
            let mark = match value {
                None => Mark::Default,
                Some(value) if self.scope.default && self.chance(0.2) => {
                    self.scope.cases.push(value);
                    Mark::Default
                }
                Some(value) => {
                    let next = self.scope.cases.iter().position(|&other| other == value + 1);
                    let range = next.filter(|_| self.chance(0.2)).map(|at| self.scope.cases.remove(at));
                    Mark::Case(value, range.unwrap_or(value))
                }
            };
            if matches!(mark, Mark::Default) {
                self.scope.default = false;
            }
            marks.push((self.key(), mark));
            likely = 0.3;
        }
        if !marks.is_empty() {
            self.lose();
        }
        marks
    }

    fn any(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        self.budget -= 1;
        if depth == 0 || self.budget <= 0 || self.chance(0.4) {
            return self.simple(out);
        }
        if let Some(stmt) = self.rare_stmt(depth) {
            return out.push(stmt);
        }
        match self.rng.random_range(0..13) {
            0..=3 => {
                let chain = self.branch(depth);
                out.push(chain);
            }
            4..=5 => self.repeat_while(out, depth),
            6 => self.repeat_do(out, depth),
            7..=9 => self.repeat_for(out, depth),
            10..=11 => self.switch(out, depth),
            _ => {
                let block = self.within(|draw, body| draw.fill(body, depth - 1, 2)).0;
                out.push(Stmt::Block(block));
            }
        }
    }

    fn simple(&mut self, out: &mut Vec<Stmt>) {
        if let Some(stmt) = self.rare_simple() {
            return out.push(stmt);
        }
        match self.rng.random_range(0..20) {
            0..=4 => {
                let effect = self.effect(2);
                out.push(expr(effect));
            }
            5 => {
                let value = self.small(2, May::Read);
                out.push(expr(Expr::Mix(Box::new(value))));
            }
            6 => {
                let show = self.show();
                out.push(show);
            }
            7..=8 => self.declare(out, false),
            9..=11 => {
                let call = self.called_for_effect();
                out.push(call);
            }
            12..=13 => {
                let stmt = self.stmt_macro().unwrap_or(Stmt::Empty);
                out.push(stmt);
            }
            14 => {
                let test = self.test(2, May::Act);
                out.push(expr(test));
            }
            15 if !self.scope.enclosed => self.conditional(out),
            16 => out.push(Stmt::Empty),
            _ => {
                let jump = self.guarded_jump();
                out.push(jump);
            }
        }
    }

    /// A statement that prints a text, a value and the checksum.
    pub fn show(&mut self) -> Stmt {
        let (words, value) = (self.one(&WORDS), self.small(2, May::Read));
        expr(Expr::Show(words, Box::new(value)))
    }

    fn called_for_effect(&mut self) -> Stmt {
        let void = |at: &usize| {
            let function = &self.program.functions[*at];
            function.returns == Returns::Void && function.role == Role::Plain
        };
        let voids: Vec<usize> = (0..self.program.functions.len()).filter(void).collect();
        if !self.scope.enclosed && !voids.is_empty() && self.chance(0.5) {
            let function = self.one(&voids);
            return expr(self.call_of(function, 1));
        }
        match self.call(2) {
            Some(call) => expr(call),
            None => expr(self.effect(2)),
        }
    }

    /// Declares one to three variables. At the head of a function they are steady.
    pub fn declare(&mut self, out: &mut Vec<Stmt>, steady: bool) {
        if !self.scope.enclosed && self.chance(0.1) {
            let first = self.rng.random_range(0..9);
            let variable = self.variable("s", Storage::Static, None, vec![first]);
            self.scope.visible.push(variable);
            return out.push(Stmt::Static(variable));
        }
        let late = self.chance(0.15);
        let mut list = vec![];
        for _ in 0..self.one(&[1, 1, 1, 2, 3]) {
            let (length, initial) = if late || self.chance(0.8) {
                (None, vec![self.small(2, May::Act)])
            } else {
                (Some(2), vec![self.small(1, May::Read), self.small(1, May::Read)])
            };
            let variable = self.variable("x", Storage::Local, length, vec![]);
            self.program.variables[variable].steady = steady;
            if !late {
                self.scope.visible.push(variable);
            }
            list.push((variable, initial));
        }
        if !late {
            return out.push(Stmt::Declare(Thing::default(), list));
        }
        let bare = list.iter().map(|(variable, _)| (*variable, vec![])).collect();
        out.push(Stmt::Declare(Thing::default(), bare));
        for (variable, initial) in list {
            self.scope.visible.push(variable);
            out.extend(initial.into_iter().map(|value| expr(assign(variable, value))));
        }
    }

    fn conditional(&mut self, out: &mut Vec<Stmt>) {
        let mut kept = vec![];
        self.fill(&mut kept, 1, 1);
        let enclosed = std::mem::replace(&mut self.scope.enclosed, true);
        let head = self.scope.head.len();
        let dropped = self.within(|draw, body| draw.fill(body, 1, 1)).0;
        self.scope.head.truncate(head);
        self.scope.enclosed = enclosed;
        out.push(Stmt::Conditional(kept, dropped));
    }

    /// A random jump, if any is allowed here.
    fn jump(&mut self) -> Option<Stmt> {
        let thing = Thing::default();
        match self.rng.random_range(0..8) {
            0..=2 if self.scope.breaks => Some(Stmt::Break(thing)),
            3..=4 if self.scope.continues => Some(Stmt::Continue(thing)),
            _ if self.scope.enclosed => None,
            5..=6 => {
                let key = self.key();
                self.scope.awaited.push((key, self.scope.region.clone()));
                Some(Stmt::Goto(thing, key))
            }
            7 => Some(self.way_out()),
            _ => None,
        }
    }

    fn guarded_jump(&mut self) -> Stmt {
        let enclosed = self.scope.enclosed;
        if let Some(armed) = self.armed.filter(|_| !enclosed && self.rng.random_bool(0.5)) {
            let test = self.test(1, May::Read);
            let body = vec![expr(assign(armed, number(0))), expr(Expr::Longjmp)];
            return when(logical("&&", read(armed), test), Stmt::Block(body));
        }
        let back = |(_, region): &&(usize, Vec<usize>)| self.scope.region.starts_with(region);
        let labels: Vec<usize> = self.scope.placed.iter().filter(back).map(|(key, _)| *key).collect();
        if !labels.is_empty() && !enclosed && self.chance(0.5) {
            let (key, counter) = (self.one(&labels), self.counter());
            let limit = self.rng.random_range(1..4);
            let test = logical("&&", binary("<", bump(counter), number(limit)), self.test(1, May::Read));
            return when(test, Stmt::Goto(Thing::default(), key));
        }
        if !enclosed && self.chance(0.1) {
            let test = binary("==", self.small(2, May::Read), number(self.rng.random_range(0..20)));
            let end = self.ending_call();
            return when(test, end);
        }
        match self.jump() {
            Some(jump) => {
                let test = self.test(2, May::Act);
                when(test, jump)
            }
            None => expr(self.effect(2)),
        }
    }

    /// An arm of an `if` or the body of a loop, with or without braces.
    pub fn arm(&mut self, depth: u32) -> Stmt {
        let count = self.one(&[1, 1, 1, 2, 3]);
        let mut body = self.within(|draw, body| draw.fill(body, depth - 1, count)).0;
        match body.pop() {
            Some(only) if body.is_empty() && labelable(&only) && self.chance(0.6) => only,
            Some(last) => {
                body.push(last);
                Stmt::Block(body)
            }
            None => Stmt::Empty,
        }
    }

    fn branch(&mut self, depth: u32) -> Stmt {
        let test = self.test(3, May::Act);
        let then = self.arm(depth);
        let other = match self.rng.random_range(0..10) {
            0..=3 => None,
            4..=6 => {
                self.budget -= 1;
                Some(if self.budget > 0 { self.branch(depth) } else { Stmt::Empty })
            }
            _ => Some(self.arm(depth)),
        };
        Stmt::If(Thing::default(), test.into(), Box::new(then), other.map(Box::new))
    }

    fn switch(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let value = self.leaving(false, false, |draw| draw.small(2, May::Act));
        let value = if self.chance(0.5) { binary("&", value, number(7)) } else { value };
        let mut cases: Vec<i64> = (0..8).collect();
        for at in (1..cases.len()).rev() {
            let other = self.rng.random_range(0..=at);
            cases.swap(at, other);
        }
        let default = self.chance(0.7);
        let before = std::mem::replace(&mut self.scope.cases, cases);
        let default_before = std::mem::replace(&mut self.scope.default, default);
        let continues = self.scope.continues;
        let groups = self.rng.random_range(1..5);
        let body = self.leaving(true, continues, |draw| {
            draw.within(|draw, body| {
                if draw.chance(0.1) {
                    draw.simple(body);
                }
                for _ in 0..groups {
                    draw.next(body, depth - 1, 1.0);
                    if draw.chance(0.5) {
                        body.push(Stmt::Break(Thing::default()));
                    }
                }
                if draw.scope.default && draw.percent(draw.settings.empty_cases) {
                    draw.scope.default = false;
                    draw.lose();
                    let key = draw.key();
                    let end = if draw.chance(0.5) { Stmt::Empty } else { Stmt::Break(Thing::default()) };
                    body.push(Stmt::Label(Thing::default(), key, Mark::Default, Box::new(end)));
                }
            })
            .0
        });
        (self.scope.cases, self.scope.default) = (before, default_before);
        let body = match <[Stmt; 1]>::try_from(body) {
            Ok([only]) if labelable(&only) => only,
            Ok([only]) => Stmt::Block(vec![only]),
            Err(body) => Stmt::Block(body),
        };
        out.push(Stmt::Switch(Thing::default(), value, Box::new(body)));
    }

    /// Adds the program's only `setjmp`, in `main`.
    pub fn catch(&mut self, out: &mut Vec<Stmt>) {
        let Some(armed) = self.armed else { return };
        let mut then = vec![expr(assign(armed, number(1)))];
        then.extend(self.within(|draw, body| draw.fill(body, 2, 3)).0);
        then.push(expr(assign(armed, number(0))));
        let other = self.arm(2);
        let key = self.key();
        let arms = Box::new([Stmt::Block(then), other]);
        out.push(Stmt::Catch(Thing::default(), Thing::default(), key, arms));
        out.push(expr(assign(armed, number(0))));
    }
}
