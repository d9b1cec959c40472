//! Programs by Csmith (Yang et al., "Finding and understanding bugs in C compilers", PLDI 2011): each one is generated
//! from its seed when it is needed, and not stored.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use camino::Utf8PathBuf;

use super::sidecar::Sidecar;
use crate::model::Termination;
use crate::sys::{Limits, run_in_scratch};

/// Small functions, so that most programs end soon; no arguments, because there is no input.
const OPTIONS: [&str; 5] = ["--max-funcs", "4", "--max-block-depth", "3", "--no-argc"];

/// Time limit of a program in seconds; some programs never end.
const SECONDS: u64 = 1;

/// An installed Csmith.
#[derive(Debug)]
pub(super) struct Csmith {
    /// Such as `csmith 2.3.0`.
    version: String,
    headers: Utf8PathBuf,
}

impl Csmith {
    pub(super) fn installed() -> Result<Csmith> {
        let remedy = "install it with `apt-get install csmith libcsmith-dev`";
        let output = call(&["--version"]).with_context(|| format!("csmith: not found; {remedy}"))?;
        let version = output.lines().next().unwrap_or("csmith").trim().to_string();
        let folders = ["/usr/include/csmith", "/usr/local/include/csmith"];
        let named = std::env::var("CSMITH_HEADERS").into_iter();
        let folders = named.chain(folders.map(String::from)).map(Utf8PathBuf::from);
        let headers = folders.into_iter().find(|folder| folder.join("csmith.h").is_file());
        let headers = headers.with_context(|| {
            format!("csmith: headers not found; {remedy}, or set CSMITH_HEADERS to their folder")
        })?;
        Ok(Csmith { version, headers })
    }

    pub(super) fn command(&self, seed: u64) -> String {
        format!("{} --seed {seed} {}", self.version, OPTIONS.join(" "))
    }

    /// The flags and the time limit of every program.
    pub(super) fn sidecar(&self) -> Sidecar {
        Sidecar {
            flags: vec![format!("-I{}", self.headers), "-w".into()],
            seconds: Some(SECONDS),
            ..Sidecar::default()
        }
    }
}

/// The text of the program with this `seed`.
pub(super) fn program(seed: u64) -> Result<String> {
    call(&[&["--seed", &seed.to_string()], &OPTIONS[..]].concat())
}

/// The output of Csmith.
fn call(args: &[&str]) -> Result<String> {
    let args = args.iter().map(ToString::to_string).collect();
    let limits = Limits { wall: Duration::from_secs(60), cpu_seconds: 60, file_bytes: 1 << 26 };
    let exit = run_in_scratch("csmith", args, None, vec![("LC_ALL".into(), "C".into())], limits)?;
    ensure!(exit.termination == Termination::Exited(0), "csmith failed: {}", exit.termination);
    String::from_utf8(exit.stdout).context("the output of csmith is not UTF-8")
}
