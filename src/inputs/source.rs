//! A C file, and the functions and programs in it that can be run with numbers.

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};

use super::build_env::BuildEnv;
use super::search::{constants, definitions, texts};
use crate::model::Line;
use crate::syntax::search::{
    Cell, Condition, Entry, MainProgram, ProbeOptions, Unsupported, entries, main_program, probe,
};
use crate::syntax::{Function, Preprocessed, Program, without_comments};

#[derive(Debug)]
pub struct Source {
    /// Its absolute path.
    pub path: Utf8PathBuf,
    pub(super) preprocessed: Preprocessed,
    /// Its functions, and those that cannot be called with numbers.
    pub entries: Vec<std::result::Result<Entry, Unsupported>>,
    /// Its `main`, if it has one.
    pub program: Option<MainProgram>,
    /// Numbers in it and in its macros.
    pub(super) constants: Vec<f64>,
    /// Strings in it.
    pub(super) texts: Vec<String>,
    /// The file as it is written, without comments.
    written: Program,
}

/// A function or a program for which inputs can be searched.
#[derive(Clone, Debug)]
pub enum Candidate {
    Function(Entry),
    Program(MainProgram),
}

impl Candidate {
    /// The name of the function.
    pub fn name(&self) -> &str {
        match self {
            Candidate::Function(entry) => &entry.name,
            Candidate::Program(_) => "main",
        }
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
        match self {
            Candidate::Function(entry) => entry.cells(),
            Candidate::Program(program) => program.cells(),
        }
    }
}

/// Names that show that code uses memory or streams of the C library. An interrupted run may leave these locked.
const SHARED: [&str; 12] = [
    "malloc", "calloc", "realloc", "free", "strdup", "alloca", "FILE", "printf", "puts", "putchar", "setjmp",
    "fork",
];

impl Source {
    /// Read `path`. The error says why it does not compile.
    pub fn read(env: &BuildEnv, path: &Utf8Path) -> Result<Source> {
        let written = fs_err::read_to_string(path)?;
        let path = path.canonicalize_utf8()?;
        env.compile(&[], &env.flags, &["-w", "-fsyntax-only", path.as_str()])
            .with_context(|| format!("{path}: does not compile"))?;
        let output = env.folder.join("p.i");
        env.compile(&[], &env.flags, &["-w", "-E", "-dD", path.as_str(), "-o", output.as_str()])
            .with_context(|| format!("{path}: the preprocessor fails"))?;
        let text = String::from_utf8_lossy(&fs_err::read(&output)?).into_owned();
        let bare = without_comments(&written);
        let constants = constants(&format!("{bare}\n{}", definitions(&text)));
        let preprocessed = Preprocessed::new(text, path.as_str()).of(&written);
        Ok(Source {
            entries: entries(&preprocessed),
            program: main_program(&preprocessed),
            constants,
            texts: texts(&bare),
            written: Program::parse(bare),
            preprocessed,
            path,
        })
    }

    /// Whether function `name`, or a function of this file that it calls, uses memory or streams of the C library.
    pub(super) fn shares_memory(&self, name: &str) -> bool {
        self.reachable(name)
            .into_iter()
            .any(|function| SHARED.iter().any(|word| self.written.mentions_within(word, &function.range)))
    }

    /// The conditions that a search for inputs of `candidate` covers, as a path numbers them.
    pub fn conditions(&self, candidate: &Candidate, callees: bool) -> Vec<Condition> {
        let names = self.probed(candidate, callees);
        probe(&self.preprocessed, &names, ProbeOptions::default()).1.conditions
    }

    /// The functions whose conditions are covered: the candidate's own, and with `callees` all that it calls in this file.
    pub(super) fn probed(&self, candidate: &Candidate, callees: bool) -> Vec<String> {
        let mut names = vec![candidate.name().to_string()];
        if callees {
            let reachable = self.reachable(candidate.name());
            names.extend(reachable.into_iter().map(|function| function.name.clone()));
        }
        names
    }

    /// Function `name` and the functions of this file that it mentions, directly or not.
    fn reachable(&self, name: &str) -> Vec<&Function> {
        let functions = &self.written.functions;
        let mut found: Vec<&Function> = functions.iter().filter(|function| function.name == name).collect();
        let mut next = 0;
        while let Some(caller) = found.get(next) {
            let is_called = |function: &&Function| {
                !function.name.is_empty()
                    && !found.contains(function)
                    && self.written.mentions_within(&function.name, &caller.range)
            };
            let called: Vec<&Function> = functions.iter().filter(is_called).collect();
            found.extend(called);
            next += 1;
        }
        found
    }
}
