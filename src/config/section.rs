//! The sections of the settings. Each is declared once, for the merged settings and for the settings as typed.

use serde::{Deserialize, Serialize};

/// Declare a section, and its form in a file, in which every key is optional and unknown keys are refused.
macro_rules! section {
    ($(#[$about:meta])* pub struct $merged:ident, $typed:ident {
        $($(#[$detail:meta])* $key:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $merged { $($(#[$detail])* pub $key: $type,)+ }

        $(#[$about])*
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $typed { $(pub $key: Option<$type>,)+ }
    };
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
