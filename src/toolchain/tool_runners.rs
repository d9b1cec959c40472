//! The state that the workers of a run share about running tools: whether there is a fast lane, and whether it agrees
//! with the plain commands. A sample of its profiles is compared. After a difference, all workers use the plain
//! commands only.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::fork_runner::ForkRunner;
use super::request::Profile;
use crate::config::{Lane, Settings};
use crate::model::{Outcome, Termination};
use crate::sys::{Command, FORK_SERVER, Limits, SHARED_FOLDER, lock, run};

/// How the workers of one run execute compilers and coverage tools.
#[derive(Debug, Default)]
pub struct ToolRunners {
    /// [`FORK_SERVER`], compiled; none if there are only the plain commands.
    library: Option<Utf8PathBuf>,
    /// One in this many exploratory profiles is compared with the plain commands.
    compared: u64,
    /// The folder for a program on which the lanes disagree.
    evidence: Utf8PathBuf,
    disagreement: OnceLock<()>,
    message: Mutex<Option<String>>,
}

impl ToolRunners {
    /// Prepare the lane that `settings` select in `root`, which is the parent of the workers' scratch folders. The
    /// first of `compilers` that can builds the fork server. A program on which the lanes disagree is written below
    /// `evidence`.
    ///
    /// # Errors
    /// When `root` cannot be written.
    pub fn new<'a>(
        settings: &Settings,
        root: &Utf8Path,
        evidence: &Utf8Path,
        compilers: impl IntoIterator<Item = &'a Utf8Path>,
    ) -> Result<Arc<ToolRunners>> {
        let (compared, evidence) = (settings.lanes_compared.max(1), evidence.to_path_buf());
        let mut runners = ToolRunners { compared, evidence, ..ToolRunners::default() };
        if settings.lane == Lane::Fast {
            let folder = &root.join(SHARED_FOLDER);
            fs_err::create_dir_all(folder)?;
            fs_err::write(folder.join("forkserver.c"), FORK_SERVER)?;
            let library = folder.join("forkserver.so");
            let args = ["-shared", "-fPIC", "forkserver.c", "-o", library.as_str()].map(String::from);
            let limits = Limits { wall: Duration::from_secs(60), cpu_seconds: 60, file_bytes: 1 << 24 };
            let env = vec![("LC_ALL".into(), "C".into())];
            let plain = Command { env, ..Command::within(folder, "", args.into(), limits) };
            for compiler in compilers {
                let command = Command { program: compiler.to_string(), ..plain.clone() };
                if run(&command)?.termination == Termination::Exited(0) {
                    runners.library = Some(library);
                    break;
                }
            }
        }
        Ok(Arc::new(runners))
    }

    /// A runner for exploratory profiles; none if there are only the plain commands.
    pub(super) fn fork_runner(&self) -> Option<ForkRunner> {
        self.library.clone().map(ForkRunner::new)
    }

    /// Whether exploratory profiles are made differently from confirming ones.
    pub(super) fn has_fast_lane(&self) -> bool {
        self.library.is_some() && self.disagreement.get().is_none()
    }

    /// Whether an exploratory profile of `source` is compared with the plain commands. One in which a tool left
    /// nothing readable always is.
    pub(super) fn compares(&self, source: &str, profile: &Profile) -> bool {
        let hash = blake3::hash(source.as_bytes());
        let number = u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"));
        let is_unreadable = match profile {
            Ok(report) => report.coverage.crash.is_some(),
            Err(outcome) => matches!(outcome, Outcome::NoProfile { .. } | Outcome::ToolCrashed { .. }),
        };
        self.has_fast_lane() && (is_unreadable || number.is_multiple_of(self.compared))
    }

    /// Use only the plain commands from now on. The program and both profiles are kept.
    pub(super) fn disagree(
        &self,
        compiler: &str,
        source: &str,
        fast: &Profile,
        plain: &Profile,
    ) -> Result<()> {
        if self.disagreement.set(()).is_err() {
            return Ok(());
        }
        let hash = &blake3::hash(source.as_bytes()).to_hex()[..16];
        let folder = self.evidence.join(format!("lanes-differ-{hash}-{compiler}"));
        fs_err::create_dir_all(&folder)?;
        fs_err::write(folder.join("program.c"), source)?;
        for (name, profile) in [("fast.txt", fast), ("plain.txt", plain)] {
            fs_err::write(folder.join(name), format!("{profile:#?}\n"))?;
        }
        *lock(&self.message) = Some(format!(
            "the fast lane and the plain commands report different profiles of a program under {compiler}. \
             The fast lane is now off; the plain commands are used. The program and both profiles are in \
             {folder}; compare fast.txt with plain.txt"
        ));
        Ok(())
    }

    /// The message about a disagreement, which is returned once.
    pub fn take_message(&self) -> Option<String> {
        lock(&self.message).take()
    }
}
