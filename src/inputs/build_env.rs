//! Runs the compiler, gcov, and foreign programs.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::evaluate::HARNESS;
use crate::model::Termination;
use crate::sys::{Command, CommandOutput, Confinement, Limits, Scratch, Supervisor, run_in_scratch};
use crate::toolchain::compilers_folder;

/// Address space of a program under test.
const MEMORY_MIB: u64 = 4096;

/// Largest file that a search or a replay may write.
const OUTPUT_KIB: u64 = 1 << 20;

/// Limits of the compiler and of gcov.
const TOOL_LIMITS: Limits = Limits { wall: Duration::from_secs(120), cpu_seconds: 120, file_bytes: 1 << 30 };

/// A gcc with its gcov, and the settings for all builds and runs.
#[derive(Clone, Debug)]
pub struct BuildEnv {
    pub compiler: Utf8PathBuf,
    pub gcov: Utf8PathBuf,
    /// The folder for all files.
    pub folder: Utf8PathBuf,
    /// The working directory of the compiler, to which flags are relative.
    pub cwd: Utf8PathBuf,
    /// Our own binary.
    pub binary: Utf8PathBuf,
    /// Whether foreign programs run without a sandbox.
    pub unconfined: bool,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// What is linked with the function: objects, archives, sources, `-l…`.
    pub objects: Vec<String>,
    /// The object file of our harness.
    pub harness: Utf8PathBuf,
}

impl BuildEnv {
    /// Compile the harness.
    pub fn compile_harness(&self) -> Result<()> {
        let source = self.folder.join("harness.c");
        fs_err::write(&source, HARNESS)?;
        let args = ["-O2", "-w", "-fPIC", "-c", source.as_str(), "-o", self.harness.as_str()];
        self.compile(&[], &[], &args).context("our own harness does not compile")
    }

    /// Run the compiler. The error is the compiler's first error message.
    pub(super) fn compile(&self, before: &[&str], own: &[String], after: &[&str]) -> Result<()> {
        let own = own.iter().map(String::as_str);
        let args = before.iter().copied().chain(own).chain(after.iter().copied()).map(String::from).collect();
        let output = run_tool(&self.compiler, args, &self.cwd)?;
        if output.termination == Termination::Exited(0) {
            return Ok(());
        }
        let mut lines = output.stderr.lines();
        let error = lines.clone().find(|line| line.contains("error") || line.contains("undefined"));
        bail!("{}", error.or(lines.next()).unwrap_or("the compiler failed without a message"))
    }

    pub(super) fn run_gcov(&self, args: &[&str], cwd: &Utf8Path) -> Result<String> {
        let args = args.iter().map(ToString::to_string).collect();
        let output = run_tool(&self.gcov, args, cwd)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Run a foreign program in `scratch`, in a sandbox of its own.
    pub(super) fn supervise(&self, scratch: &Scratch, command: &Command) -> Result<CommandOutput> {
        let confinement = Confinement {
            binary: self.binary.clone(),
            memory_mib: MEMORY_MIB,
            output_kib: OUTPUT_KIB,
            scratch: scratch.root.clone(),
            needed: compilers_folder(),
            unconfined: self.unconfined,
        };
        Supervisor::new(confinement).run(command)
    }
}

fn run_tool(program: &Utf8Path, args: Vec<String>, cwd: &Utf8Path) -> Result<CommandOutput> {
    let env = vec![("LC_ALL".into(), "C".into())];
    Ok(run_in_scratch(program.as_str(), args, Some(cwd), env, TOOL_LIMITS)?)
}
