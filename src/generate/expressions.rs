//! Random expressions. They do not depend on the order in which a compiler evaluates operands that C leaves unordered:
//! if one operand has side effects, the others do not depend on them.

use rand::RngExt;

use super::build::{USUAL, binary, bound, logical, number, read, substitute};
use super::draw::{Draw, May};
use super::tree::{Expr, Jump, Operand, Place, Returns, Role, Stmt, Storage, Template, Thing};

impl Draw<'_> {
    /// An expression whose value fits in a variable.
    pub fn small(&mut self, depth: u32, may: May) -> Expr {
        let expr = self.expr(depth, may);
        if bound(&expr) > USUAL { binary("&", expr, number(255)) } else { expr }
    }

    /// An expression for a condition.
    pub fn test(&mut self, depth: u32, may: May) -> Expr {
        match self.rng.random_range(0..6) {
            0..=2 => self.logical(depth, may),
            3..=4 => self.comparison(depth, may),
            _ => self.expr(depth, may),
        }
    }

    fn logical(&mut self, depth: u32, may: May) -> Expr {
        let deeper = depth.saturating_sub(1);
        let op = self.one(&["&&", "||"]);
        let (left, right) = (self.test_or_less(deeper, may), self.test_or_less(deeper, may));
        logical(op, left, right)
    }

    fn test_or_less(&mut self, depth: u32, may: May) -> Expr {
        if depth > 0 && self.chance(0.5) { self.test(depth, may) } else { self.comparison(depth, may) }
    }

    fn comparison(&mut self, depth: u32, may: May) -> Expr {
        let (a, b) = self.pair(depth.saturating_sub(1), may);
        let op = self.one(&["<", ">", "<=", ">=", "==", "!="]);
        binary(op, a, b)
    }

    /// Two operands, which C may evaluate in any order.
    fn pair(&mut self, depth: u32, may: May) -> (Expr, Expr) {
        let a = self.expr(depth, may);
        let b = match &a {
            _ if may < May::Act => self.expr(depth, may),
            Expr::Call(..) if self.pure_args => self.expr(depth, May::ReadLocals),
            Expr::Read(_) | Expr::Number(_) => self.expr(depth, May::Read),
            _ => number(self.rng.random_range(0..20)),
        };
        if self.chance(0.5) { (a, b) } else { (b, a) }
    }

    pub fn expr(&mut self, depth: u32, may: May) -> Expr {
        let expr = self.any_expr(depth, may);
        // This prevents overflow in sums and products.
        if bound(&expr) > 1 << 20 { binary("&", expr, number(1023)) } else { expr }
    }

    fn any_expr(&mut self, depth: u32, may: May) -> Expr {
        if depth == 0 || may == May::Const || self.chance(0.1) {
            return self.leaf(may);
        }
        let deeper = depth - 1;
        let act = may == May::Act;
        if let Some(expr) = self.rare_expr(deeper, may) {
            return expr;
        }
        match self.rng.random_range(0..24) {
            0..=3 => self.logical(depth, may),
            4..=6 => {
                let condition = self.test(deeper, may);
                let (a, b) = (self.expr(deeper, may), self.expr(deeper, may));
                Expr::Choice(Box::new([condition, a, b].map(Operand::from)))
            }
            7 => Expr::Unary("!", Box::new(self.expr(deeper, may))),
            8 => {
                let op = self.one(&["-", "~"]);
                Expr::Unary(op, Box::new(self.expr(deeper, may)))
            }
            9 => self.comparison(depth, may),
            10..=11 if act => {
                let left = self.effect(deeper);
                Expr::Comma(Box::new(left), Box::new(self.expr(deeper, may)))
            }
            12..=13 if act => self.effect(depth),
            14..=15 if act => self.call(deeper).unwrap_or_else(|| self.leaf(may)),
            16..=17 if act && self.percent(self.settings.statement_expressions) => self.block(deeper),
            18..=20 => self.expr_macro(may).unwrap_or_else(|| self.arithmetic(deeper, may)),
            _ => self.arithmetic(deeper, may),
        }
    }

    fn leaf(&mut self, may: May) -> Expr {
        let mut variables = self.readable(may);
        if self.indexing {
            variables.retain(|variable| self.program.variables[*variable].length.is_none());
        }
        if may >= May::Read && self.scope.params > 0 && self.chance(0.6) {
            Expr::Read(Place::Param(self.rng.random_range(0..self.scope.params)))
        } else if variables.is_empty() || self.chance(0.25) {
            number(self.rng.random_range(0..12))
        } else {
            let variable = self.one(&variables);
            Expr::Read(self.place(variable, may.min(May::Read)))
        }
    }

    /// The place `variable`, or a random element of it if it is an array.
    fn place(&mut self, variable: usize, may: May) -> Place {
        if self.program.variables[variable].length.is_some() {
            let depth = self.rng.random_range(0..2);
            self.indexing = true;
            let index = self.expr(depth, may);
            self.indexing = false;
            Place::Element(variable, Box::new(index))
        } else if self.program.variables[variable].storage == Storage::Local
            && self.percent(self.settings.addresses)
        {
            Place::Pointed(variable)
        } else {
            Place::Variable(variable)
        }
    }

    fn arithmetic(&mut self, depth: u32, may: May) -> Expr {
        let (a, b) = self.pair(depth, may);
        let amount = self.rng.random_range(1..4);
        match self.rng.random_range(0..9) {
            0..=2 => binary("+", a, b),
            3 => binary("-", a, b),
            4 => binary("*", a, b),
            5 => {
                let op = self.one(&["&", "|", "^"]);
                binary(op, a, b)
            }
            6 => {
                let op = self.one(&["/", "%"]);
                binary(op, a, binary("+", binary("&", b, number(7)), number(1)))
            }
            7 => binary("%", a, number(amount + 2)),
            _ => {
                let op = self.one(&["<<", ">>"]);
                binary(op, binary("&", a, number(255)), number(amount))
            }
        }
    }

    /// An assignment, or `++` or `--`.
    pub fn effect(&mut self, depth: u32) -> Expr {
        if self.chance(0.3)
            && let Some(variable) = self.target(self.wrote.len())
        {
            let place = self.place(variable, May::Read);
            let op = self.one(&["++", "--"]);
            return Expr::Bump(op, self.chance(0.5), place);
        }
        let before = self.wrote.len();
        let called = std::mem::take(&mut self.called);
        let value = self.small(depth, May::Act);
        let plain = self.wrote.len() == before && !self.called;
        self.called |= called;
        let Some(variable) = self.target(before) else { return value };
        let calm = if plain { May::Read } else { May::Const };
        let local = self.program.variables[variable].storage == Storage::Local;
        let op = if !(plain || local) || bound(&value) > 300 {
            "="
        } else {
            self.one(&["=", "=", "+=", "-=", "|="])
        };
        let place = self.place(variable, calm);
        Expr::Assign(op, place, Box::new(value))
    }

    /// A variable to which no assignment was generated after number `since` in `wrote`.
    fn target(&mut self, since: usize) -> Option<usize> {
        let fresh = |variable: &usize| {
            self.program.variables[*variable].writable && !self.wrote[since..].contains(variable)
        };
        let variables: Vec<usize> = self.readable(May::Read).into_iter().filter(fresh).collect();
        if variables.is_empty() {
            return None;
        }
        let variable = self.one(&variables);
        self.wrote.push(variable);
        Some(variable)
    }

    /// A call, if there is a function to call.
    pub fn call(&mut self, depth: u32) -> Option<Expr> {
        if self.scope.enclosed {
            return None;
        }
        let current = self.program.functions.len();
        let callable = |(index, returns): (usize, bool)| returns.then_some(index);
        let known =
            self.program.functions.iter().map(|f| f.returns != Returns::Void && f.role == Role::Plain);
        let mut choice: Vec<usize> = known.enumerate().filter_map(callable).collect();
        if self.scope.limit.is_some() && !self.scope.void {
            choice.push(current);
        }
        if choice.is_empty() {
            return None;
        }
        let function = self.one(&choice);
        Some(self.call_of(function, depth))
    }

    /// A call of the function with this index.
    pub fn call_of(&mut self, function: usize, depth: u32) -> Expr {
        let (params, recursive) = match self.program.functions.get(function) {
            Some(known) => (known.params.len(), known.recursive),
            None => (self.scope.own_params, true),
        };
        let limit = self.scope.limit.filter(|_| function == self.program.functions.len());
        let mut args: Vec<Expr> = (0..params).map(|_| self.small(depth, May::Read)).collect();
        let skip = usize::from(recursive);
        if params > skip && self.chance(0.25) {
            // One argument has side effects, and the others are numbers.
            args.fill_with(|| number(7));
            let at = self.rng.random_range(skip..params);
            args[at] = self.small(depth, May::Act);
            self.pure_args = false;
        } else {
            self.pure_args = true;
        }
        if recursive {
            args[0] = match limit {
                Some(own) => binary("-", read(own), number(1)),
                None => number(self.rng.random_range(0..4)),
            };
        }
        self.called = true;
        Expr::Call(function, args)
    }

    /// A statement expression.
    fn block(&mut self, depth: u32) -> Expr {
        if self.budget < 2 {
            return self.effect(depth);
        }
        self.called = true;
        let head = self.scope.enclosed.then(|| std::mem::take(&mut self.scope.head));
        let count = self.rng.random_range(1..4);
        let (mut body, value) = self.region(|draw| {
            draw.within(|draw, body| {
                draw.fill(body, 1, count);
                draw.small(depth.min(2), May::Act)
            })
        });
        if let Some(outer) = head {
            let own = std::mem::replace(&mut self.scope.head, outer);
            body.splice(0..0, own);
        }
        Expr::Block(body, Thing::default(), Box::new(value))
    }

    /// A use of a macro that is an expression.
    fn expr_macro(&mut self, may: May) -> Option<Expr> {
        // Nested expansions in arguments would grow too large.
        if may < May::Read || self.nesting > 1 {
            return None;
        }
        let fits = |at: &usize| {
            let definition = &self.program.macros[*at];
            matches!(definition.template, Template::Expr(_)) && (may == May::Act || !definition.effects)
        };
        let choice: Vec<usize> = (0..self.program.macros.len()).filter(fits).collect();
        if choice.is_empty() {
            return None;
        }
        let index = self.one(&choice);
        let args = self.macro_args(index)?;
        self.wrote.extend(self.program.macros[index].writes.clone());
        let Template::Expr(mut body) = self.program.macros[index].template.clone() else { return None };
        body.walk(&mut |expr| substitute(expr, &args));
        self.called |= self.program.macros[index].effects;
        Some(Expr::Macro(index, args, Box::new(body)))
    }

    /// A use of a macro that is a statement.
    pub fn stmt_macro(&mut self) -> Option<Stmt> {
        let scope = &self.scope;
        let fits = |jump: Option<Jump>| match jump {
            None => true,
            Some(Jump::Break) => scope.breaks,
            Some(Jump::Continue) => scope.continues,
            Some(Jump::Return) => !scope.enclosed && !scope.void,
        };
        let is_stmt = |at: &usize| {
            let definition = &self.program.macros[*at];
            matches!(definition.template, Template::Stmt(_)) && fits(definition.jump)
        };
        let choice: Vec<usize> = (0..self.program.macros.len()).filter(is_stmt).collect();
        if choice.is_empty() {
            return None;
        }
        let index = self.one(&choice);
        let args = self.macro_args(index)?;
        self.wrote.extend(self.program.macros[index].writes.clone());
        let Template::Stmt(mut body) = self.program.macros[index].template.clone() else { return None };
        body.walk(&mut |expr| substitute(expr, &args));
        Some(Stmt::Macro(index, args, Box::new(body)))
    }

    fn macro_args(&mut self, index: usize) -> Option<Vec<Expr>> {
        let (params, assigns) = (self.program.macros[index].params, self.program.macros[index].assigns);
        self.nesting += 1;
        let depth = 3 - self.nesting;
        let mut args: Vec<Expr> = (0..params).map(|_| self.small(depth, May::Read)).collect();
        self.nesting -= 1;
        if assigns {
            let plain = |variable: &usize| {
                let variable = &self.program.variables[*variable];
                variable.writable
                    && variable.length.is_none()
                    && !variable.pointer
                    && variable.storage == Storage::Local
            };
            let locals: Vec<usize> = self.readable(May::ReadLocals).into_iter().filter(plain).collect();
            if locals.is_empty() {
                return None;
            }
            let target = self.one(&locals);
            self.wrote.push(target);
            args[0] = read(target);
        }
        Some(args)
    }
}
