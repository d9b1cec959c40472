//! Rare features, each of which can be disabled.

use rand::RngExt;

use super::build::{binary, expr, logical, number, when};
use super::draw::{Draw, May, Scope};
use super::tree::{
    Expr, Function, Inline, Macro, Operand, Place, Returns, Role, Stmt, Storage, Template, Thing,
};

impl Draw<'_> {
    /// An expression with a rare feature, or none.
    pub fn rare_expr(&mut self, depth: u32, may: May) -> Option<Expr> {
        let act = may == May::Act;
        let settings = self.settings;
        match self.rng.random_range(0..10) {
            0 if self.percent(settings.generic) => {
                let parts = [self.small(depth, may), self.small(depth, May::Read.min(may))];
                Some(Expr::Generic(self.chance(0.5), Box::new(parts)))
            }
            1 if act && self.percent(settings.arrays_of_variable_length) => {
                let length = binary("+", binary("&", self.small(depth, may), number(7)), number(1));
                Some(Expr::ArraySize(Box::new(length)))
            }
            2 if act && self.percent(settings.sizeof) => {
                let written = self.wrote.len();
                let value = self.call(depth).unwrap_or_else(|| number(1));
                self.wrote.truncate(written);
                Some(Expr::Sizeof(Box::new(value)))
            }
            3..=4 if self.percent(settings.compound_literals) => {
                let first = self.small(depth, may);
                let parts = [first, number(self.rng.random_range(0..9))];
                Some(Expr::Literal(Box::new(parts), self.rng.random_range(0..2)))
            }
            5..=6 if act && !self.scope.enclosed && self.percent(settings.noreturn) => {
                self.guarded_end(depth)
            }
            _ => None,
        }
    }

    /// An expression one of whose operands is a call that does not return, and is rarely evaluated.
    fn guarded_end(&mut self, depth: u32) -> Option<Expr> {
        let function = self.noreturn?;
        let value = self.small(depth.min(1), May::Read);
        let rare = number(self.rng.random_range(0..300));
        let call = self.call_of(function, 0);
        let call = match self.program.functions[function].returns {
            Returns::Void => Expr::Comma(Box::new(call), Box::new(number(0))),
            _ => call,
        };
        Some(match self.rng.random_range(0..4) {
            0 => logical("||", binary("!=", value, rare), call),
            1 => logical("&&", binary("==", value, rare), call),
            2 => {
                let other = self.expr(depth, May::Read);
                Expr::Choice(Box::new([binary("==", value, rare), call, other].map(Operand::from)))
            }
            _ => {
                let other = self.expr(depth, May::Read);
                Expr::Choice(Box::new([binary("!=", value, rare), other, call].map(Operand::from)))
            }
        })
    }

    /// A statement that ends the program.
    pub fn ending_call(&mut self) -> Stmt {
        let calls = self.chance(0.7);
        match self.noreturn {
            Some(function) if calls => expr(self.call_of(function, 1)),
            _ => expr(Expr::Exit(self.rng.random_range(0..200))),
        }
    }

    /// A simple statement with a rare feature, or none.
    pub fn rare_simple(&mut self) -> Option<Stmt> {
        let settings = self.settings;
        let jumps = !self.scope.enclosed && self.scope.region.is_empty();
        match self.rng.random_range(0..6) {
            0 if jumps && self.percent(settings.computed_goto) => {
                let keys = [self.awaited(), self.awaited()];
                self.scope.rigid = true;
                let (table, value) = (self.key(), self.small(2, May::Act));
                Some(Stmt::Computed(Thing::default(), table, value, keys))
            }
            1 if jumps && self.percent(settings.asm_goto) => {
                let key = self.awaited();
                self.program.asm_goto = true;
                self.scope.rigid = true;
                Some(Stmt::AsmGoto(Thing::default(), self.test(2, May::Read), key))
            }
            2 if !self.scope.enclosed => Some(expr(Expr::Raise(self.handler?))),
            _ => None,
        }
    }

    /// The key of a new label after this place.
    fn awaited(&mut self) -> usize {
        let key = self.key();
        self.scope.awaited.push((key, self.scope.region.clone()));
        key
    }

    /// A statement with other statements and a rare feature, or none.
    pub fn rare_stmt(&mut self, depth: u32) -> Option<Stmt> {
        let function = self.cleanup?;
        if self.scope.enclosed || !self.percent(self.settings.cleanup) {
            return None;
        }
        let value = self.small(2, May::Act);
        let variable = self.variable("x", Storage::Local, None, vec![]);
        let unlabelled = std::mem::replace(&mut self.scope.unlabelled, true);
        let count = self.rng.random_range(1..4);
        let (body, ()) = self.region(|draw| {
            draw.within(|draw, body| {
                draw.scope.visible.push(variable);
                draw.fill(body, depth - 1, count);
            })
        });
        self.scope.unlabelled = unlabelled;
        self.called = true;
        Some(Stmt::Cleanup(Thing::default(), variable, value, function, body))
    }

    /// Defines the macros of system headers.
    pub fn system_macros(&mut self) {
        if !self.percent(self.settings.system_macros) {
            return;
        }
        let [a, b] = [0, 1].map(|index| Expr::Read(Place::Param(index)));
        for (name, op) in [("MIN", "<"), ("MAX", ">")] {
            let parts = [binary(op, a.clone(), b.clone()), a.clone(), b.clone()].map(Operand::from);
            self.system_macro(name, "sys/param.h", 2, Expr::Choice(Box::new(parts)));
        }
        let status = binary(">>", binary("&", a, number(0xff00)), number(8));
        self.system_macro("WEXITSTATUS", "sys/wait.h", 1, status);
    }

    fn system_macro(&mut self, name: &str, header: &'static str, params: usize, body: Expr) {
        self.program.macros.push(Macro {
            name: name.into(),
            params,
            assigns: false,
            effects: false,
            writes: vec![],
            jump: None,
            header: Some(header),
            template: Template::Expr(body),
        });
    }

    /// Defines the functions that have a role.
    pub fn special_functions(&mut self) {
        let settings = self.settings;
        let roles = [
            (settings.noreturn, Role::NoReturn),
            (settings.signals, Role::Handler),
            (settings.cleanup, Role::Cleanup),
            (settings.constructors, Role::Constructor),
            (settings.constructors, Role::Destructor),
        ];
        for (percent, role) in roles {
            if !self.percent(percent) {
                continue;
            }
            let index = self.special_function(role);
            match role {
                Role::NoReturn => self.noreturn = Some(index),
                Role::Handler => self.handler = Some(index),
                Role::Cleanup => self.cleanup = Some(index),
                Role::Plain | Role::Constructor | Role::Destructor => {}
            }
        }
    }

    /// Defines a function with this role; returns its index.
    fn special_function(&mut self, role: Role) -> usize {
        let has_param = matches!(role, Role::NoReturn | Role::Handler | Role::Cleanup);
        let mut params = vec![];
        if has_param {
            let param = self.variable("p", Storage::Local, None, vec![]);
            let variable = &mut self.program.variables[param];
            (variable.steady, variable.writable) = (true, false);
            variable.pointer = role == Role::Cleanup;
            params.push(param);
        }
        let mut visible = self.globals();
        visible.extend(&params);
        self.scope = Scope { visible, enclosed: true, void: true, ..Scope::default() };
        self.budget = 4;
        let mut body = vec![];
        let count = self.rng.random_range(1..4);
        self.fill(&mut body, 2, count);
        let (shown, value) = (self.show(), Expr::Exit(self.rng.random_range(0..200)));
        let mut returns = Returns::Void;
        if role == Role::NoReturn {
            body.push(shown);
            if self.chance(0.3) {
                body.push(when(number(1), expr(value.clone())));
            }
            body.push(expr(value));
            returns = self.one(&[Returns::Void, Returns::Int]);
        }
        body.splice(0..0, std::mem::take(&mut self.scope.head));
        let index = self.program.functions.len();
        self.program.functions.push(Function {
            title: format!("f{index}"),
            name: Thing::default(),
            brace: Thing::default(),
            returns,
            role,
            inline: Inline::No,
            params,
            old_style: false,
            volatile: false,
            recursive: false,
            body,
        });
        index
    }
}
