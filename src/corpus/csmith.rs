//! Programs by Csmith (Yang et al., "Finding and understanding bugs in C compilers", PLDI 2011):
//! each from its seed alone, made when it is needed and kept nowhere.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use camino::{Utf8Path, Utf8PathBuf};

use super::{Sidecar, Source, Text};
use crate::model::Termination;
use crate::sys::{Limits, run_in_scratch};

/// Small functions, so that most programs end soon; no arguments, which nobody would give.
const OPTIONS: [&str; 5] = ["--max-funcs", "4", "--max-block-depth", "3", "--no-argc"];

/// Longest run of a program, in seconds: some never end, and none is worth waiting for.
const SECONDS: u64 = 1;

/// A Csmith that is installed.
#[derive(Debug)]
struct Csmith {
    /// As it says itself: `csmith 2.3.0`.
    version: String,
    headers: Utf8PathBuf,
}

/// The programs that `csmith:N` or `csmith:FROM-TO` means; none where `path` is no such thing.
///
/// # Errors
/// Where the numbers make no sense, or Csmith or its headers are not installed.
pub(super) fn programs(path: &Utf8Path) -> Result<Option<Vec<Source>>> {
    let Some(seeds) = path.as_str().strip_prefix("csmith:") else { return Ok(None) };
    let parsed = match seeds.split_once('-') {
        Some((from, to)) => from.parse::<u64>().ok().zip(to.parse::<u64>().ok()),
        None => seeds.parse().ok().map(|to| (1, to)),
    };
    let Some((from, to)) = parsed.filter(|(from, to)| from <= to) else {
        bail!("{path}: say csmith:N for the seeds 1 to N, or csmith:FROM-TO");
    };
    let csmith = Csmith::installed()?;
    let source = |seed: u64| Source {
        id: format!("csmith-{seed}"),
        file: format!("{} --seed {seed} {}", csmith.version, OPTIONS.join(" ")),
        origin: "csmith".into(),
        sidecar: Sidecar {
            flags: vec![format!("-I{}", csmith.headers), "-w".into()],
            seconds: Some(SECONDS),
            ..Sidecar::default()
        },
        text: Text::Csmith(seed),
    };
    Ok(Some((from..=to).map(source).collect()))
}

impl Csmith {
    fn installed() -> Result<Csmith> {
        let remedy = "install it with `apt-get install csmith libcsmith-dev`";
        let said = call(&["--version"]).with_context(|| format!("csmith: not found; {remedy}"))?;
        let version = said.lines().next().unwrap_or("csmith").trim().to_string();
        let folders = ["/usr/include/csmith", "/usr/local/include/csmith"];
        let named = std::env::var("CSMITH_HEADERS").into_iter();
        let folders = named.chain(folders.map(String::from)).map(Utf8PathBuf::from);
        let headers = folders.into_iter().find(|folder| folder.join("csmith.h").is_file());
        let headers = headers.with_context(|| {
            format!("csmith: its headers are not found; {remedy}, or name their folder in CSMITH_HEADERS")
        })?;
        Ok(Csmith { version, headers })
    }
}

/// The program of `seed`.
pub(super) fn program(seed: u64) -> Result<String> {
    call(&[&["--seed", &seed.to_string()], &OPTIONS[..]].concat())
}

/// What Csmith prints; it leaves a file where it stands.
fn call(args: &[&str]) -> Result<String> {
    let args = args.iter().map(ToString::to_string).collect();
    let limits = Limits { wall: Duration::from_secs(60), cpu_seconds: 60, file_bytes: 1 << 26 };
    let exit = run_in_scratch("csmith", args, None, vec![("LC_ALL".into(), "C".into())], limits)?;
    ensure!(exit.termination == Termination::Exited(0), "csmith ended with {:?}", exit.termination);
    String::from_utf8(exit.stdout).context("csmith printed something that is not UTF-8")
}
