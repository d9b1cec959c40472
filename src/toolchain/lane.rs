//! The fast lane: the same work as the plain commands, without what they do over and over.
//!
//! A compiler's driver is asked once what it would run ([`super::recipe`]); each tool is started
//! once and kept as a fork server ([`crate::sys::ForkServers`]). What a tool refuses here the plain
//! commands are asked again, and their word counts. Now and then a profile is made both ways, and a difference between the lanes
//! stops the fast one for good.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use lru::LruCache;

use super::Probed;
use super::recipe::{self, Part, Words};
use crate::model::Ending;
use crate::sys::{Command, CpuTime, Exit, FORK_SERVER, ForkServers, Limits, SHARED_FOLDER, lock, run};

/// Most commands of compilers' drivers that a worker knows by heart, some ten kilobytes each. With every version there are
/// two or three for each set of flags, and programs of testsuites have many sets.
const RECIPES: NonZeroUsize = NonZeroUsize::new(100).expect("more than none");

/// What the fast lanes of all workers share.
#[derive(Debug)]
pub struct FastLane {
    /// [`FORK_SERVER`], compiled.
    library: Utf8PathBuf,
    compared: u64,
    stopped: Mutex<Option<String>>,
}

impl FastLane {
    /// A fast lane whose pieces are kept below `root`, where the workers' scratch folders are; one of `compared` profiles is made in the plain lane
    /// too. None where no compiler of `profilers` makes the pieces.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn prepare(root: &Utf8Path, profilers: &[Probed], compared: u64) -> Result<Option<Arc<FastLane>>> {
        let folder = root.join(SHARED_FOLDER);
        fs_err::create_dir_all(&folder)?;
        let library = folder.join("forkserver.so");
        fs_err::write(folder.join("forkserver.c"), FORK_SERVER)?;
        for compiler in profilers.iter().filter_map(|profiler| profiler.compiler()) {
            let args = ["-O2", "-shared", "-fPIC", "forkserver.c", "-o", library.as_str()];
            let command = Command {
                program: compiler.to_string(),
                args: args.map(String::from).into(),
                cwd: folder.clone(),
                env: vec![("LC_ALL".into(), "C".into())],
                clear_env: false,
                stdin: None,
                stdout: folder.join("forkserver.out"),
                stderr: folder.join("forkserver.err"),
                limits: Limits { wall: Duration::from_secs(60), cpu_seconds: 60, file_bytes: 1 << 24 },
            };
            if run(&command)?.ending == Ending::Exited(0) {
                return Ok(Some(Arc::new(FastLane { library, compared, stopped: Mutex::new(None) })));
            }
        }
        Ok(None)
    }

    /// Why it was stopped, if it was.
    pub fn stopped(&self) -> Option<String> {
        lock(&self.stopped).clone()
    }

    /// Stop it for all workers; the first reason stays.
    pub(super) fn stop(&self, reason: String) {
        lock(&self.stopped).get_or_insert(reason);
    }

    /// Whether the profile of `source` is one of those that are made in both lanes.
    pub(super) fn compares(&self, source: &str) -> bool {
        let hash = blake3::hash(source.as_bytes());
        u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
            .is_multiple_of(self.compared.max(1))
    }
}

/// The fast lane of one worker.
#[derive(Debug)]
pub(super) struct WorkerLane {
    pub(super) shared: Arc<FastLane>,
    servers: ForkServers,
    recipes: LruCache<(String, Words), Option<Arc<[Part]>>>,
    /// Whether the last program needed more than the short list of libraries; its variants will too.
    needs_all: bool,
}

impl WorkerLane {
    pub(super) fn new(shared: Arc<FastLane>) -> WorkerLane {
        let servers = ForkServers::new(shared.library.clone());
        WorkerLane { shared, servers, recipes: LruCache::new(RECIPES), needs_all: false }
    }

    pub(super) fn served(&self) -> usize {
        self.servers.served()
    }

    pub(super) fn running(&self) -> CpuTime {
        self.servers.running()
    }

    /// The plain `command` of a compiler's driver: its last step, or the one that failed. None where it
    /// cannot be done here.
    pub(super) fn compile(&mut self, command: &Command) -> Result<Option<Exit>> {
        let key = (command.program.clone(), command.args.clone());
        let parts = if let Some(known) = self.recipes.get(&key) {
            known.clone()
        } else {
            let made = made(command)?.map(Arc::from);
            self.recipes.put(key, made.clone());
            made
        };
        let Some(parts) = parts else { return Ok(None) };
        let mut last = None;
        for part in parts.iter() {
            last = match part {
                Part::Tool(words) => Some(self.tool(&with(command, words))?),
                Part::Link { short, full } => self.link(command, short, full)?,
            };
            if !last.as_ref().is_some_and(succeeded) {
                break;
            }
        }
        Ok(last)
    }

    fn link(&mut self, command: &Command, short: &Words, full: &Words) -> Result<Option<Exit>> {
        if !self.needs_all {
            let exit = self.tool(&with(command, short))?;
            if succeeded(&exit) {
                return Ok(Some(exit));
            }
        }
        let exit = self.tool(&with(command, full))?;
        self.needs_all = succeeded(&exit);
        Ok(self.needs_all.then_some(exit))
    }

    /// The `command` of a tool.
    pub(super) fn tool(&mut self, command: &Command) -> Result<Exit> {
        let served = self.servers.run(command).context("failed to use a fork server")?;
        served.map_or_else(|| run(command).with_context(|| format!("failed to run {command}")), Ok)
    }
}

fn succeeded(exit: &Exit) -> bool {
    exit.ending == Ending::Exited(0)
}

/// `command` with other words.
fn with(command: &Command, words: &Words) -> Command {
    Command { program: words[0].clone(), args: words[1..].to_vec(), ..command.clone() }
}

/// What the driver called by `command` would run; none where that is not understood.
fn made(command: &Command) -> Result<Option<Vec<Part>>> {
    let ask = |args: &[&str], more: &[String]| {
        let mut args: Words = args.iter().map(ToString::to_string).collect();
        args.extend(more.iter().cloned());
        run(&Command { args, ..command.clone() }).with_context(|| format!("failed to run {command}"))
    };
    let said = || ask(&["-###"], &command.args);
    let (first, second) = (said()?, said()?);
    if first.ending != Ending::Exited(0) || second.ending != Ending::Exited(0) {
        return Ok(None);
    }
    let own = |name: &str| {
        let exit = ask(&[&format!("-print-prog-name={name}")], &[]).ok()?;
        let printed = String::from_utf8_lossy(&exit.stdout).trim().to_string();
        if printed.contains('/') { Some(printed) } else { on_path(&printed) }
    };
    // GNU gold links one small object in half the time of the default.
    let tool = |name: &str| if name == "ld" { on_path("ld.gold").or_else(|| own("ld")) } else { own(name) };
    Ok(recipe::parts(&first.stderr, &second.stderr, tool))
}

fn on_path(name: &str) -> Option<String> {
    let path = std::env::var("PATH").ok()?;
    let found = path.split(':').map(|folder| Utf8Path::new(folder).join(name)).find(|path| path.is_file());
    found.map(Utf8PathBuf::into_string)
}
