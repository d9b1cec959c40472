//! From a C file to a shared object with probes.

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

use super::Wanted;
use super::evaluate::{HARNESS, Isolation};
use super::search::{Cell, GoalName, Problem, constants, definitions, texts};
use crate::model::{Line, Termination};
use crate::syntax::search::{
    Asked, Condition, Entry, MainProgram, Unsupported, entries, main_program, probe,
};
use crate::syntax::{Preprocessed, Program, without_comments};
use crate::sys::{Command, CommandOutput, Limits, run};

/// What is needed to build and run: a compiler with its gcov, a folder, and our own binary.
#[derive(Clone, Debug)]
pub struct Workshop {
    /// gcc.
    pub compiler: Utf8PathBuf,
    /// Its gcov.
    pub gcov: Utf8PathBuf,
    /// A folder for everything.
    pub folder: Utf8PathBuf,
    /// The folder in which compilers run: what flags are relative to.
    pub cwd: Utf8PathBuf,
    /// Our own binary.
    pub binary: Utf8PathBuf,
    /// Whether foreign programs get limits only.
    pub unconfined: bool,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// What is linked with the function: objects, archives, sources, `-l…`.
    pub objects: Vec<String>,
}

/// A C file that was read.
#[derive(Debug)]
pub struct Source {
    /// Its absolute path.
    pub path: Utf8PathBuf,
    /// Its text behind the preprocessor.
    pub preprocessed: Preprocessed,
    /// Its functions, and those that cannot be called with numbers.
    pub entries: Vec<std::result::Result<Entry, Unsupported>>,
    /// Its main, if it is a program.
    pub program: Option<MainProgram>,
    /// The numbers that it names.
    constants: Vec<f64>,
    /// The texts that it names.
    texts: Vec<String>,
    /// As it was typed.
    typed: Program,
}

/// Something to search inputs for.
#[derive(Clone, Debug)]
pub enum Candidate {
    /// A function.
    Function(Entry),
    /// A whole program.
    Program(MainProgram),
}

/// A shared object, and what is searched with it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The shared object.
    pub library: Utf8PathBuf,
    /// The folder that it is in, which is the search's.
    pub folder: Utf8PathBuf,
    /// What is searched.
    pub problem: Problem,
    /// How runs are kept apart.
    pub isolation: Isolation,
    /// How a whole program gets its numbers.
    pub program: Option<MainProgram>,
}

impl Source {
    /// Whether function `name`, or one of this file that it names, uses memory or streams of the C library.
    fn shares_memory(&self, name: &str) -> bool {
        let functions = &self.typed.functions;
        self.reach(name).into_iter().any(|at| {
            let range = &functions[at].range;
            SHARED.iter().any(|word| self.typed.mentions_within(word, range))
        })
    }

    /// The conditions that a search for inputs of `candidate` covers, as a path numbers them.
    pub fn conditions(&self, candidate: &Candidate, callees: bool) -> Vec<Condition> {
        probe(&self.preprocessed, &self.probed(candidate, callees), Asked::default()).probes.conditions
    }

    /// The functions whose conditions count: the candidate's own, and with `callees` those of all that it names in this file.
    fn probed(&self, candidate: &Candidate, callees: bool) -> Vec<String> {
        let mut names = vec![candidate.name().to_string()];
        if callees {
            names.extend(
                self.reach(candidate.name()).into_iter().map(|at| self.typed.functions[at].name.clone()),
            );
        }
        names
    }

    /// Function `name` and all that it names in this file, and so on.
    fn reach(&self, name: &str) -> Vec<usize> {
        let functions = &self.typed.functions;
        let mut called: Vec<usize> = (0..functions.len()).filter(|at| functions[*at].name == name).collect();
        let mut next = 0;
        while next < called.len() {
            let range = &functions[called[next]].range;
            let more = (0..functions.len()).filter(|at| {
                let name = &functions[*at].name;
                !name.is_empty() && !called.contains(at) && self.typed.mentions_within(name, range)
            });
            let more: Vec<usize> = more.collect();
            called.extend(more);
            next += 1;
        }
        called
    }
}

impl Candidate {
    /// The name of the function.
    pub fn name(&self) -> &str {
        match self {
            Candidate::Function(entry) => &entry.name,
            Candidate::Program(_) => "main",
        }
    }

    /// Its line.
    pub fn line(&self) -> Line {
        self.lines().0
    }

    /// Its first and its last line.
    pub fn lines(&self) -> (Line, Line) {
        match self {
            Candidate::Function(entry) => (entry.line, entry.end),
            Candidate::Program(program) => (program.line, program.end),
        }
    }

    /// The numbers of an input.
    pub fn cells(&self) -> Vec<Cell> {
        let cells = match self {
            Candidate::Function(entry) => entry.cells(),
            Candidate::Program(program) => program.cells(),
        };
        cells.into_iter().map(|(number, label)| Cell { number, label }).collect()
    }
}

/// Words that say that code uses memory or streams of the C library, which a run that is broken off may leave locked.
const SHARED: [&str; 12] = [
    "malloc", "calloc", "realloc", "free", "strdup", "alloca", "FILE", "printf", "puts", "putchar", "setjmp",
    "fork",
];

/// Options of the linker that make a shared object whose memory can be put back and whose calls stay inside.
const LINK: [&str; 13] = [
    "-shared",
    "-Wl,-z,norelro",
    "-Wl,-z,now",
    "-Wl,-Bsymbolic",
    "-Wl,--wrap=exit",
    "-Wl,--wrap=_exit",
    "-Wl,--wrap=abort",
    "-Wl,--wrap=__assert_fail",
    "-Wl,--wrap=sleep",
    "-Wl,--wrap=usleep",
    "-Wl,--wrap=nanosleep",
    "-Wl,--wrap=pause",
    "-Wl,--no-undefined",
];

impl Workshop {
    /// Read `path` and find what inputs can be searched for.
    ///
    /// # Errors
    /// One sentence, when it does not compile.
    pub fn read(&self, path: &Utf8Path) -> Result<Source> {
        let typed = fs_err::read_to_string(path)?;
        let path = path.canonicalize_utf8()?;
        let checked = [&self.flags[..], &["-w", "-fsyntax-only", path.as_str()].map(String::from)].concat();
        self.compile(checked).with_context(|| format!("{path}: it does not compile"))?;
        let output = self.folder.join("p.i");
        let mut args: Vec<String> = self.flags.clone();
        args.extend(["-w", "-E", "-dD", path.as_str(), "-o", output.as_str()].map(String::from));
        self.compile(args).with_context(|| format!("{path}: the preprocessor fails"))?;
        let text = String::from_utf8_lossy(&fs_err::read(&output)?).into_owned();
        let bare = without_comments(&typed);
        let named = constants(&format!("{bare}\n{}", definitions(&text)));
        // The definitions were there for their numbers; behind the preprocessor they would act once more.
        let text: String = text
            .split_inclusive('\n')
            .map(|row| if row.starts_with("#define") || row.starts_with("#undef") { "\n" } else { row })
            .collect();
        let preprocessed = Preprocessed::new(text, path.as_str()).of(&typed);
        let main = main_program(&preprocessed);
        Ok(Source {
            entries: entries(&preprocessed),
            constants: named,
            texts: texts(&bare),
            typed: Program::parse(bare),
            program: main,
            preprocessed,
            path,
        })
    }

    /// The harness, compiled once.
    ///
    /// # Errors
    /// When it does not compile.
    pub fn prepare(&self) -> Result<()> {
        let source = self.folder.join("harness.c");
        fs_err::write(&source, HARNESS)?;
        let object = self.folder.join("harness.o");
        let args = ["-O2", "-w", "-fPIC", "-c", source.as_str(), "-o", object.as_str()];
        self.compile(args.map(String::from).into()).context("our own harness does not compile")?;
        Ok(())
    }

    /// Build `candidate` of `source` with probes; with `is_checked` a run ends where it leaves an array.
    ///
    /// # Errors
    /// One sentence, when it does not compile or link.
    pub fn build(
        &self,
        source: &Source,
        candidate: &Candidate,
        wanted: &Wanted,
        is_checked: bool,
    ) -> Result<Built> {
        let folder = self.folder.join(candidate.name());
        fs_err::create_dir_all(&folder)?;
        let asked = Asked { lines: wanted.goal == GoalName::Lines, returned: wanted.goal == GoalName::True };
        let woven = probe(&source.preprocessed, &source.probed(candidate, wanted.callees), asked);
        let (call, program) = match candidate {
            Candidate::Function(entry) => (entry.call(), None),
            Candidate::Program(program) => (WHOLE.to_string(), Some(program.clone())),
        };
        let rename = if program.is_some() { "#define main recount_main\n" } else { "" };
        let text = format!("{rename}{CALLS}{}\n{call}{POINTER}", woven.source);
        let file = folder.join("probed.c");
        fs_err::write(&file, text)?;
        let library = folder.join("probed.so");
        let mut args: Vec<String> = vec!["-O0".into()];
        args.extend(self.flags.iter().cloned());
        args.extend(["-w", "-fPIC", "-fno-strict-aliasing"].map(String::from));
        if is_checked {
            args.extend(CHECKED.map(String::from));
        }
        args.extend(LINK.map(String::from));
        args.push(file.to_string());
        args.push(self.folder.join("harness.o").to_string());
        args.extend(self.objects.iter().cloned());
        args.extend(["-lm".into(), "-o".into(), library.to_string()]);
        self.compile(args).with_context(|| format!("{}: with probes it does not build", candidate.name()))?;
        let shares = program.is_some() || source.shares_memory(candidate.name());
        let isolation = if shares { Isolation::Fork } else { Isolation::Call };
        let returns = match candidate {
            Candidate::Function(entry) => entry.returns,
            Candidate::Program(_) => None,
        };
        let problem = Problem {
            cells: candidate.cells(),
            probes: woven.probes,
            returns,
            texts: source.texts.clone(),
            constants: source.constants.clone(),
        };
        Ok(Built { library, folder, problem, isolation, program })
    }

    /// Run the compiler; its first error is ours.
    pub(super) fn compile(&self, args: Vec<String>) -> Result<CommandOutput> {
        let exit = self.tool(&self.compiler, args, &self.cwd)?;
        if exit.termination == Termination::Exited(0) {
            return Ok(exit);
        }
        let first = exit.stderr.lines().find(|line| line.contains("error") || line.contains("undefined"));
        bail!("{}", first.or(exit.stderr.lines().next()).unwrap_or("the compiler says nothing"))
    }

    /// Run a tool in `cwd`.
    pub(super) fn tool(
        &self,
        program: &Utf8Path,
        args: Vec<String>,
        cwd: &Utf8Path,
    ) -> Result<CommandOutput> {
        let said = tempfile::Builder::new().prefix("said-").tempdir_in(&self.folder)?;
        let said = Utf8PathBuf::try_from(said.path().to_path_buf())?;
        let limits = Limits { wall: Duration::from_secs(120), cpu_seconds: 120, file_bytes: 1 << 30 };
        Ok(run(&Command {
            program: program.to_string(),
            args,
            cwd: cwd.to_path_buf(),
            env: vec![("LC_ALL".into(), "C".into())],
            clear_env: false,
            stdin: None,
            stdout: said.join("stdout"),
            stderr: said.join("stderr"),
            limits,
        })?)
    }
}

/// What the call uses of the harness.
const CALLS: &str = "\
extern void *recount_array(int, unsigned long);
extern void recount_result(const char *, unsigned long long);
extern void recount_exit(int);
extern int recount_argc(void);
extern char **recount_argv(void);
";

/// An index outside of an array whose length is known ends the run there. What it would overwrite is the frame of the
/// function, or of ours: the run would say what no C program has to, and could end the search.
const CHECKED: [&str; 2] = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"];

/// How a whole program is called.
const WHOLE: &str = "\
static void recount_enter(const unsigned long long *recount_cell)
{
    (void)recount_cell;
    recount_exit(((int (*)(int, char **))recount_main)(recount_argc(), recount_argv()));
}
";

/// How the harness finds the call.
const POINTER: &str = "\nvoid (*const recount_entry)(const unsigned long long *) = recount_enter;\n";
