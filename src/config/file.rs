//! Settings as typed: a TOML file in which every key is optional and unknown keys are refused; and settings as merged.

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::RelationName;

/// Declare a section, and its form in a file, in which every key is optional and unknown keys are refused. `=>` names
/// the form of a nested section.
macro_rules! section {
    ($(#[$about:meta])* pub struct $merged:ident, $typed:ident {
        $($(#[$detail:meta])* $key:ident: $type:ty $(=> $nested:ident)?,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $merged { $($(#[$detail])* pub $key: $type,)+ }

        $(#[$about])*
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $typed { $(pub $key: typed!($type $(=> $nested)?),)+ }
    };
}

macro_rules! typed {
    ($type:ty => $nested:ident) => { $nested };
    ($type:ty) => { Option<$type> };
}

/// The statement that is inserted where deletion would leave a branch empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filler {
    /// An empty assembly statement, which no compiler folds.
    Opaque,
    /// `;`, which gcc merges with the condition above it.
    Empty,
}

/// Which unexecuted statements may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Only statements that share no line with code that ran.
    Careful,
    /// Every statement that has a line with the count 0 (Cod, Algorithm 1, line 15).
    Published,
}

section! {
    /// How unexecuted statements are chosen and deleted.
    pub struct DeleteSettings, Delete {
        /// The number of variants of a program, without those that isolation makes.
        variants: usize,
        filler: Filler,
        choice: Choice,
    }
}

section! {
    /// How programs are rewritten.
    pub struct RewriteSettings, Rewrite {
        /// The number of variants for a program and a relation, without those that isolation makes.
        variants: usize,
        /// Mutated copies of each program, which are profiled in addition.
        mutants: usize,
        /// Whether each program is first rewritten with one statement on each line.
        normalise: bool,
    }
}

section! {
    /// The search for inputs.
    pub struct InputSettings, Inputs {
        /// The maximum number of inputs for a program or function; 0 disables the search.
        most: usize,
    }
}

section! {
    /// What the programs of `make:SEED` contain. Numbers other than `lines` are percentages of the places where a feature
    /// can occur; 0 disables it.
    pub struct MakeSettings, Make {
        /// The maximum number of lines of a program.
        lines: usize,
        /// Programs that define macros.
        macros: u32,
        /// Macros with statements that also contain a jump.
        macro_jumps: u32,
        /// Programs in which the arguments of a macro may be on several lines.
        broken_arguments: u32,
        /// Programs that use macros of system headers.
        system_macros: u32,
        /// Statement expressions.
        statement_expressions: u32,
        /// A `default` at the end of a `switch` with nothing after it.
        empty_cases: u32,
        /// A function that ends the program, and operands that call it.
        noreturn: u32,
        /// `goto *`.
        computed_goto: u32,
        /// `asm goto`.
        asm_goto: u32,
        /// Programs that call `setjmp`.
        setjmp: u32,
        /// Variables with the attribute `cleanup`.
        cleanup: u32,
        /// Functions that are `inline` in one of five ways.
        inline: u32,
        /// `_Generic`.
        generic: u32,
        /// `sizeof` of arrays of variable length.
        arrays_of_variable_length: u32,
        /// `sizeof` of calls.
        sizeof: u32,
        /// Compound literals.
        compound_literals: u32,
        /// Bit-fields.
        bit_fields: u32,
        /// Uses of local variables through their address.
        addresses: u32,
        /// Programs with a constructor or destructor.
        constructors: u32,
        /// Programs that raise a signal and handle it.
        signals: u32,
        /// Functions without a return type.
        implicit_int: u32,
    }
}

section! {
    /// How two profilers are compared.
    pub struct PeerSettings, Peer {
        /// Whether a line is reported as a difference if only one of them counts it.
        weak: bool,
    }
}

section! {
    /// How differences are explained.
    pub struct TriageSettings, Triage {
        /// Whether each difference is isolated and confirmed.
        isolate: bool,
        /// Whether rules label artefacts and conventions.
        rules: bool,
        /// The maximum number of profiles that isolation makes in one job.
        tests: usize,
        /// Whether the ground truth of every program is proved, and not only where a report contradicts it.
        #[serde(default)]
        prove_all: bool,
    }
}

section! {
    /// The reduction of new clusters at the end of a campaign.
    pub struct ReduceSettings, Reduce {
        /// The time that it may take, in wall-clock seconds; 0 disables it.
        seconds: u64,
    }
}

section! {
    /// Limits on compilers, tools and programs.
    pub struct LimitSettings, Limits {
        /// Time limit of one call of a compiler or tool, in wall-clock seconds.
        compile_seconds: u64,
        /// Time limit of one run of a program, in wall-clock seconds.
        run_seconds: u64,
        /// Limit on the address space of a program, in MiB.
        memory_mib: u64,
        /// Limit on the size of each file that a program writes, in KiB.
        output_kib: u64,
        /// Whether programs run without a sandbox, under these limits only. Not in the journal.
        #[serde(default, skip_serializing)]
        unconfined: bool,
    }
}

/// How the commands of a profile are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Keep compilers and tools running between programs, where that works.
    Fast,
    /// Start every command as a person would type it.
    #[default]
    Plain,
}

section! {
    /// All settings on which the result of a campaign depends, and how to run it. They are in the journal's header, apart
    /// from those that do not change the result, and a resumed campaign must have the same.
    pub struct Settings, File {
        seed: u64,
        /// Names of profilers as typed; `toolchain` resolves them.
        profilers: Vec<String>,
        relations: Vec<RelationName>,
        /// Workers, at least 1. Not in the journal.
        #[serde(default = "one", skip_serializing)]
        jobs: usize,
        /// Not in the journal.
        #[serde(default, skip_serializing)]
        lane: Lane,
        /// One in this many profiles is made in both lanes and compared. Not in the journal.
        #[serde(default, skip_serializing)]
        lanes_compared: u64,
        /// Compiler flags for every program, after its own.
        flags: Vec<String>,
        /// Whether conditions (MC/DC) and paths are counted too, if the profiler supports it.
        conditions: bool,
        limits: LimitSettings => Limits,
        delete: DeleteSettings => Delete,
        rewrite: RewriteSettings => Rewrite,
        inputs: InputSettings => Inputs,
        make: MakeSettings => Make,
        peer: PeerSettings => Peer,
        triage: TriageSettings => Triage,
        /// Not in the journal.
        #[serde(default = "no_reduction", skip_serializing)]
        reduce: ReduceSettings => Reduce,
    }
}

fn no_reduction() -> ReduceSettings {
    ReduceSettings { seconds: 0 }
}

fn one() -> usize {
    1
}

/// Parse `text`, the contents of `path`; an error names the line, and gives the `hint`.
pub fn parse_toml<T: DeserializeOwned>(text: &str, path: &Utf8Path, hint: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        anyhow!("{path}:{line}: {} ({hint})", without_types(error.message()))
    })
}

/// `message` of the parser, which names types of Rust, in words.
fn without_types(message: &str) -> String {
    let words = [
        ("expected usize", "expected a whole number"),
        ("expected u64", "expected a whole number"),
        ("expected u32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
    ];
    words.iter().fold(message.to_string(), |message, (of_rust, plain)| message.replace(of_rust, plain))
}

impl File {
    pub fn read(path: &Utf8Path) -> Result<File> {
        let text = fs_err::read_to_string(path).context("failed to read the settings")?;
        File::parse(&text, path)
    }

    /// Parse `text`, the contents of `path`.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<File> {
        parse_toml(text, path, "configs/quick.toml lists every key")
    }

    /// This file with programs normalised, if the user `asked` for it.
    #[must_use]
    pub fn normalised(mut self, asked: bool) -> File {
        self.rewrite.normalise = asked.then_some(true).or(self.rewrite.normalise);
        self
    }
}
