//! The interpreter: walks the tree by the rules of C, and counts.
//!
//! A jump returns from the walk up to the function or statement expression that contains its label. That is walked
//! again in search of the label, and nothing runs or counts until the label is found.

mod value;

use super::tree::{Expr, For, Init, Mark, Program, Returns, Role, Stmt, Thing};

/// The number of steps after which a program is rejected.
const STEPS: u64 = 30_000;

/// The result of running a program.
pub struct Ran {
    pub stdout: String,
    pub status: i32,
    /// For each thing, how often it ran.
    pub counts: Vec<u64>,
}

/// How control leaves a statement or an expression other than at its end.
enum Leave {
    Break,
    Continue,
    Return(i64),
    Goto(usize),
    Exit(i64),
    Longjmp,
    /// The program is rejected: it runs too long, overflows, or reads a variable without a value.
    Reject,
}

type Flow<T> = Result<T, Leave>;

/// The key of the label that is searched for; none while statements run.
type Seek = Option<usize>;

struct Machine<'p> {
    program: &'p Program,
    counts: Vec<u64>,
    /// Values of globals and statics.
    globals: Vec<Option<Vec<i64>>>,
    /// The values of the local variables of each active call; none before they are initialised.
    frames: Vec<Vec<Option<Vec<i64>>>>,
    checksum: u32,
    stdout: String,
    steps: u64,
    /// The key of the `setjmp` in `main`, once it was called.
    landing: Option<usize>,
}

/// Runs a program with `things` counted things; none if it is rejected.
pub fn run(program: &Program, things: usize) -> Option<Ran> {
    let mut machine = Machine {
        program,
        counts: vec![0; things],
        globals: program.variables.iter().map(|v| Some(v.initial.clone())).collect(),
        frames: vec![],
        checksum: 1,
        stdout: String::new(),
        steps: 0,
        landing: None,
    };
    machine.call_all(Role::Constructor)?;
    let (Ok(status) | Err(Leave::Exit(status))) = machine.call(program.functions.len() - 1, &[]) else {
        return None;
    };
    machine.call_all(Role::Destructor)?;
    let Machine { stdout, counts, .. } = machine;
    Some(Ran { stdout, status: i32::try_from(status & 255).ok()?, counts })
}

/// Whether `stmt` contains the label `key`, at a place that `goto` or `switch` can reach.
fn holds(stmt: &Stmt, key: usize) -> bool {
    match stmt {
        Stmt::Label(_, own, _, body) => *own == key || holds(body, key),
        Stmt::Block(body) | Stmt::Conditional(body, _) => body.iter().any(|stmt| holds(stmt, key)),
        Stmt::If(_, _, then, other) => {
            holds(then, key) || other.as_ref().is_some_and(|other| holds(other, key))
        }
        Stmt::While(_, _, body) | Stmt::Do(_, body, _) | Stmt::Switch(_, _, body) => holds(body, key),
        Stmt::For(_, parts) => holds(&parts.body, key),
        Stmt::Catch(_, _, own, arms) => *own == key || arms.iter().any(|arm| holds(arm, key)),
        _ => false,
    }
}

/// The first label in the body of a `switch` that is `wanted`; labels of inner switches are ignored.
fn case(stmt: &Stmt, wanted: &dyn Fn(&Mark) -> bool) -> Option<usize> {
    match stmt {
        Stmt::Label(_, key, mark, body) => {
            if wanted(mark) {
                Some(*key)
            } else {
                case(body, wanted)
            }
        }
        Stmt::Block(body) | Stmt::Conditional(body, _) => body.iter().find_map(|stmt| case(stmt, wanted)),
        Stmt::If(_, _, then, other) => {
            case(then, wanted).or_else(|| other.as_ref().and_then(|other| case(other, wanted)))
        }
        Stmt::While(_, _, body) | Stmt::Do(_, body, _) => case(body, wanted),
        Stmt::For(_, parts) => case(&parts.body, wanted),
        Stmt::Catch(_, _, _, arms) => arms.iter().find_map(|arm| case(arm, wanted)),
        _ => None,
    }
}

impl Machine<'_> {
    fn count(&mut self, thing: &Thing) {
        self.counts[thing.id()] += 1;
    }

    fn step(&mut self) -> Flow<()> {
        self.steps += 1;
        if self.steps > STEPS || self.frames.len() > 50 { Err(Leave::Reject) } else { Ok(()) }
    }

    /// Calls the functions of this role, which have no parameters.
    fn call_all(&mut self, role: Role) -> Option<()> {
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            if function.role == role {
                self.call(index, &[]).ok()?;
            }
        }
        Some(())
    }

    fn call(&mut self, index: usize, args: &[i64]) -> Flow<i64> {
        let program = self.program;
        let function = &program.functions[index];
        let is_main = index + 1 == program.functions.len();
        let mut frame = vec![None; program.variables.len()];
        for (&param, &arg) in function.params.iter().zip(args) {
            frame[param] = Some(vec![arg]);
        }
        self.frames.push(frame);
        let depth = self.frames.len();
        self.step()?;
        self.count(&function.name);
        self.count(&function.brace);
        let mut seek = None;
        let result = loop {
            let left = self.all(&function.body, &mut seek);
            assert_eq!(seek, None, "no such label");
            match left {
                Ok(()) if function.returns == Returns::Void || is_main => break 0,
                Err(Leave::Return(value)) => break value,
                Err(Leave::Goto(key)) => seek = Some(key),
                Err(Leave::Longjmp) if is_main => {
                    seek = Some(self.landing.ok_or(Leave::Reject)?);
                    self.frames.truncate(depth);
                }
                Ok(()) => return Err(Leave::Reject),
                Err(leave) => return Err(leave),
            }
        };
        self.frames.pop();
        Ok(result)
    }

    fn all(&mut self, body: &[Stmt], seek: &mut Seek) -> Flow<()> {
        body.iter().try_for_each(|stmt| self.run(stmt, seek))
    }

    #[allow(clippy::too_many_lines, clippy::single_match_else, reason = "an arm a kind of statement")]
    fn run(&mut self, stmt: &Stmt, seek: &mut Seek) -> Flow<()> {
        if let Some(key) = *seek {
            if let Stmt::Declare(_, list) = stmt {
                // A jump skips the declaration, so its variables have no values.
                for (variable, _) in list {
                    *self.cell(*variable) = None;
                }
            }
            if !holds(stmt, key) {
                return Ok(());
            }
        } else {
            self.step()?;
        }
        let running = seek.is_none();
        match stmt {
            Stmt::Empty | Stmt::Static(_) => {}
            Stmt::Expr(thing, expr) => {
                self.count(thing);
                self.eval(expr)?;
            }
            Stmt::Declare(thing, list) => self.declare(thing, list)?,
            Stmt::Block(body) | Stmt::Conditional(body, _) => self.all(body, seek)?,
            Stmt::If(thing, condition, then, other) => {
                let first = match *seek {
                    Some(key) => holds(then, key),
                    None => {
                        self.count(thing);
                        self.holds_true(condition)?
                    }
                };
                if first {
                    self.run(then, seek)?;
                } else if let Some(other) = other {
                    self.run(other, seek)?;
                }
            }
            Stmt::While(thing, condition, body) => {
                if running {
                    self.count(thing);
                }
                while seek.is_some() || self.holds_true(condition)? {
                    if !self.turn(body, seek)? {
                        break;
                    }
                }
            }
            Stmt::Do(thing, body, condition) => {
                if running {
                    self.count(thing);
                }
                while self.turn(body, seek)? && self.holds_true(condition)? {}
            }
            Stmt::For(thing, parts) => {
                if running {
                    self.count(thing);
                }
                self.run_for(parts, seek)?;
            }
            Stmt::Switch(thing, value, body) => {
                if running {
                    self.count(thing);
                    let value = self.eval(value)?;
                    *seek = case(
                        body,
                        &|mark| matches!(mark, Mark::Case(low, high) if (*low..=*high).contains(&value)),
                    )
                    .or_else(|| case(body, &|mark| matches!(mark, Mark::Default)));
                }
                if seek.is_some() {
                    match self.run(body, seek) {
                        Err(Leave::Break) => {}
                        left => left?,
                    }
                }
            }
            Stmt::Label(thing, own, _, body) => {
                if *seek == Some(*own) {
                    *seek = None;
                }
                if seek.is_none() {
                    self.count(thing);
                }
                self.run(body, seek)?;
            }
            Stmt::Goto(thing, key) => {
                self.count(thing);
                return Err(Leave::Goto(*key));
            }
            Stmt::Break(thing) => {
                self.count(thing);
                return Err(Leave::Break);
            }
            Stmt::Continue(thing) => {
                self.count(thing);
                return Err(Leave::Continue);
            }
            Stmt::Return(thing, value) => {
                self.count(thing);
                let value = value.as_ref().map_or(Ok(0), |value| self.eval(value))?;
                return Err(Leave::Return(value));
            }
            Stmt::Catch(thing, condition, own, arms) => {
                let arm = match *seek {
                    None => {
                        self.count(thing);
                        self.count(condition);
                        self.landing = Some(*own);
                        &arms[0]
                    }
                    Some(key) if key == *own => {
                        *seek = None;
                        &arms[1]
                    }
                    Some(key) => arms.iter().find(|arm| holds(arm, key)).ok_or(Leave::Reject)?,
                };
                self.run(arm, seek)?;
            }
            Stmt::Macro(_, _, body) => self.run(body, seek)?,
            Stmt::Computed(thing, _, value, keys) => {
                self.count(thing);
                let second = self.eval(value)? & 1 == 1;
                return Err(Leave::Goto(keys[usize::from(second)]));
            }
            Stmt::AsmGoto(thing, value, key) => {
                self.count(thing);
                if self.eval(value)? != 0 {
                    return Err(Leave::Goto(*key));
                }
            }
            Stmt::Cleanup(thing, variable, value, function, body) => {
                self.count(thing);
                let value = self.eval(value)?;
                *self.cell(*variable) = Some(vec![value]);
                let left = self.all(body, seek);
                if !matches!(left, Err(Leave::Exit(_) | Leave::Longjmp | Leave::Reject)) {
                    let value = self.load((*variable, 0))?;
                    self.call(*function, &[value])?;
                }
                left?;
            }
        }
        Ok(())
    }

    fn run_for(&mut self, parts: &For, seek: &mut Seek) -> Flow<()> {
        if seek.is_none() {
            match &parts.init {
                Init::None => {}
                Init::Expr(init) => {
                    self.operand(init)?;
                }
                Init::Declare(thing, list) => self.declare(thing, list)?,
            }
        }
        loop {
            if let (None, Some(condition)) = (*seek, &parts.condition)
                && !self.holds_true(condition)?
            {
                return Ok(());
            }
            if !self.turn(&parts.body, seek)? {
                return Ok(());
            }
            if let Some(step) = &parts.step {
                self.operand(step)?;
            }
        }
    }

    /// Runs the body of a loop once; returns whether the loop continues.
    fn turn(&mut self, body: &Stmt, seek: &mut Seek) -> Flow<bool> {
        self.step()?;
        match self.run(body, seek) {
            Ok(()) | Err(Leave::Continue) => Ok(true),
            Err(Leave::Break) => Ok(false),
            Err(leave) => Err(leave),
        }
    }

    fn declare(&mut self, thing: &Thing, list: &[(usize, Vec<Expr>)]) -> Flow<()> {
        if list.iter().any(|(_, initial)| !initial.is_empty()) {
            self.count(thing);
        }
        for (variable, initial) in list {
            let values = initial.iter().map(|expr| self.eval(expr)).collect::<Flow<Vec<i64>>>()?;
            *self.cell(*variable) = (!values.is_empty()).then_some(values);
        }
        Ok(())
    }
}
