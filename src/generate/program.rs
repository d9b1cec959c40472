//! The generator of random programs: variables, macros and functions.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::config::MakeSettings;

use super::build::{binary, expr, leave, number, read, when};
use super::draw::{Draw, May, Scope};
use super::tree::{
    Expr, Function, Inline, Jump, Macro, Mark, Place, Program, Returns, Role, Stmt, Storage, Template, Thing,
};

/// A random program.
pub fn draw(rng: &mut ChaCha8Rng, settings: &MakeSettings) -> Program {
    let mut draw = Draw {
        rng,
        settings,
        program: Program::default(),
        scope: Scope::default(),
        budget: 0,
        wrote: vec![],
        called: false,
        pure_args: false,
        armed: None,
        nesting: 0,
        indexing: false,
        noreturn: None,
        handler: None,
        cleanup: None,
        keys: 0,
    };
    draw.program();
    draw.program
}

impl Draw<'_> {
    fn program(&mut self) {
        if self.percent(self.settings.setjmp) {
            self.program.jumps = true;
            let armed = self.global(None, vec![0]);
            self.program.variables[armed].writable = false;
            self.armed = Some(armed);
        }
        for _ in 0..self.rng.random_range(1..4) {
            let first = self.rng.random_range(0..9);
            self.global(None, vec![first]);
        }
        if self.chance(0.6) {
            self.global(Some(4), vec![3, 1, 4, 1]);
        }
        for _ in 0..3 {
            if self.percent(self.settings.bit_fields) {
                let first = self.rng.random_range(0..2);
                let variable = self.global(None, vec![first]);
                self.program.variables[variable].bits = Some(self.rng.random_range(1..8));
            }
        }
        self.system_macros();
        if self.percent(self.settings.macros) {
            for _ in 0..self.rng.random_range(1..5) {
                self.define();
            }
        }
        self.special_functions();
        let lines = i32::try_from(self.settings.lines).unwrap_or(i32::MAX);
        let functions = self.rng.random_range(0..(lines / 24).max(1));
        let size = self.rng.random_range(lines / 12..(lines / 4).max(lines / 12 + 1));
        for index in 0..=functions {
            self.budget = size / (functions + 1) + 2;
            self.function(index == functions);
        }
    }

    fn global(&mut self, length: Option<usize>, initial: Vec<i64>) -> usize {
        self.variable("g", Storage::Global, length, initial)
    }

    fn define(&mut self) {
        let params = self.rng.random_range(0..4);
        self.scope =
            Scope { visible: self.globals(), params, enclosed: true, void: true, ..Scope::default() };
        self.budget = 4;
        let before = self.wrote.len();
        let (mut assigns, mut effects) = (false, self.chance(0.4));
        let mut template = if params > 0 && self.chance(0.4) {
            effects = true;
            assigns = self.chance(0.5);
            let (mut body, ()) = self.within(|draw, body| {
                if assigns {
                    let value = Box::new(draw.small(2, May::Read));
                    let assign = Expr::Assign("=", Place::Param(0), value);
                    body.push(Stmt::Expr(Thing::default(), assign));
                }
                let count = draw.rng.random_range(1..3);
                draw.fill(body, 1, count);
            });
            body.splice(0..0, std::mem::take(&mut self.scope.head));
            Template::Stmt(Stmt::Do(Thing::default(), Box::new(Stmt::Block(body)), number(0).into()))
        } else {
            let may = if effects { May::Act } else { May::Read };
            Template::Expr(if self.chance(0.7) { self.test(2, may) } else { self.small(2, may) })
        };
        let mut size = 0;
        match &mut template {
            Template::Expr(expr) => expr.walk(&mut |_| size += 1),
            Template::Stmt(stmt) => stmt.walk(&mut |_| size += 1),
        }
        let writes = self.wrote.split_off(before);
        if size > 60 {
            return;
        }
        let name = format!("M{}", self.program.macros.len());
        let mut jump = None;
        if let Template::Stmt(stmt) = &mut template
            && self.percent(self.settings.macro_jumps)
        {
            jump = Some(self.one(&[Jump::Break, Jump::Continue, Jump::Return, Jump::Return]));
            let leave = match jump {
                Some(Jump::Break) => Stmt::Break(Thing::default()),
                Some(Jump::Continue) => Stmt::Continue(Thing::default()),
                _ => leave(Some(number(1))),
            };
            let test = self.test(1, May::Read);
            let body = std::mem::replace(stmt, Stmt::Empty);
            let body = if self.chance(0.5) { vec![body, leave] } else { vec![leave] };
            *stmt = when(test, Stmt::Block(body));
        }
        self.program.macros.push(Macro {
            name,
            params,
            assigns,
            effects,
            writes,
            jump,
            header: None,
            template,
        });
    }

    fn function(&mut self, is_main: bool) {
        let own_params = if is_main { 0 } else { self.rng.random_range(0..4) };
        let recursive = own_params > 0 && self.chance(0.25);
        let returns = match self.rng.random_range(0..8) {
            0 if !is_main => Returns::Void,
            1..=2 if !is_main => Returns::StaticInt,
            3 if self.percent(self.settings.implicit_int) => Returns::Implicit,
            _ => Returns::Int,
        };
        let params: Vec<usize> =
            (0..own_params).map(|_| self.variable("p", Storage::Local, None, vec![])).collect();
        for &param in &params {
            self.program.variables[param].steady = true;
        }
        let limit = recursive.then(|| params[0]);
        if let Some(limit) = limit {
            self.program.variables[limit].writable = false;
        }
        let mut visible = self.globals();
        visible.extend(&params);
        let void = returns == Returns::Void;
        self.scope = Scope { visible, own_params, limit, void, ..Scope::default() };
        let mut body = vec![];
        for _ in 0..self.rng.random_range(0..3) {
            self.declare(&mut body, true);
        }
        if let Some(limit) = limit {
            let done = self.way_out();
            let shallow = binary("<", read(limit), number(1));
            body.push(Stmt::If(Thing::default(), shallow.into(), Box::new(done), None));
        }
        for function in 0..self.program.functions.len() {
            if self.program.functions[function].role == Role::Plain
                && self.chance(if is_main { 0.6 } else { 0.2 })
            {
                let call = self.call_of(function, 2);
                body.push(Stmt::Expr(Thing::default(), call));
            }
        }
        let count = self.rng.random_range(2..7);
        self.fill(&mut body, 3, count);
        if is_main && self.program.jumps {
            self.catch(&mut body);
            self.fill(&mut body, 2, 1);
        }
        // Labels of pending jumps are placed before the end, so initialisations may have been skipped.
        self.lose();
        let mut end = vec![];
        if is_main {
            end.push(self.show());
        }
        if !(is_main && self.chance(0.3) || void && self.chance(0.8)) {
            end.push(self.way_out());
        }
        for (key, _) in std::mem::take(&mut self.scope.awaited) {
            body.push(Stmt::Label(Thing::default(), key, Mark::Name, Box::new(Stmt::Empty)));
        }
        body.append(&mut end);
        if let Some(handler) = self.handler.filter(|_| is_main) {
            body.insert(0, expr(Expr::Handle(handler)));
        }
        body.splice(0..0, std::mem::take(&mut self.scope.head));
        let title = if is_main { "main".into() } else { format!("f{}", self.program.functions.len()) };
        let inline =
            if is_main || returns == Returns::Implicit { Inline::No } else { self.inline(recursive) };
        let old_style = returns == Returns::Implicit || self.chance(0.15);
        self.program.functions.push(Function {
            title,
            name: Thing::default(),
            brace: Thing::default(),
            returns,
            role: Role::Plain,
            inline,
            params,
            old_style,
            volatile: is_main && self.program.jumps,
            recursive,
            body,
        });
    }

    /// How the function whose body was generated may be inlined.
    fn inline(&mut self, recursive: bool) -> Inline {
        if !self.percent(self.settings.inline) {
            Inline::No
        } else if recursive || self.scope.rigid {
            self.one(&[Inline::Static, Inline::Extern])
        } else {
            self.one(&[Inline::Static, Inline::Extern, Inline::Always, Inline::Always, Inline::Gnu])
        }
    }

    /// A `return`.
    pub fn way_out(&mut self) -> Stmt {
        let value = if self.scope.void { None } else { Some(self.small(2, May::Act)) };
        Stmt::Return(Thing::default(), value)
    }
}
