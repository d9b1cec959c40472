//! The fast lane: the work of the plain commands without the start-up that they repeat.
//!
//! A compiler's driver prints once which commands it would run ([`super::recipe`]); each tool is started once and kept
//! as a fork server ([`crate::sys::ForkServers`]). A link that fails here is repeated with the plain command, whose
//! result counts.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result};
use camino::Utf8PathBuf;
use lru::LruCache;

use super::recipe::{self, Part, Words};
use crate::model::Termination;
use crate::sys::{Command, CommandOutput, ForkServers, find_on_path, run};

/// The maximum number of driver commands whose parts are cached, some ten kilobytes each. With every version there are
/// two or three for each set of flags, and programs of testsuites have many sets.
const RECIPES: NonZeroUsize = NonZeroUsize::new(100).expect("not zero");

/// Runs commands by fork servers.
#[derive(Debug)]
pub struct ForkRunner {
    pub servers: ForkServers,
    recipes: LruCache<(String, Words), Option<Arc<[Part]>>>,
    /// Whether the last program needed more than the short list of libraries; its variants will too.
    needs_all_libraries: bool,
}

impl ForkRunner {
    /// `library` is the compiled [`crate::sys::FORK_SERVER`].
    pub fn new(library: Utf8PathBuf) -> ForkRunner {
        ForkRunner {
            servers: ForkServers::new(library),
            recipes: LruCache::new(RECIPES),
            needs_all_libraries: false,
        }
    }

    /// Run a command of a compiler's driver.
    pub fn compile(&mut self, command: &Command) -> Result<CommandOutput> {
        if let Some(parts) = self.parts(command)?
            && let Some(output) = self.run_parts(command, &parts)?
        {
            return Ok(output);
        }
        run_plain(command)
    }

    /// Run a command of a coverage tool.
    pub fn run_tool(&mut self, command: &Command) -> Result<CommandOutput> {
        let served = self.servers.run(command).context("failed to use a fork server")?;
        served.map_or_else(|| run_plain(command), Ok)
    }

    fn parts(&mut self, command: &Command) -> Result<Option<Arc<[Part]>>> {
        let key = (command.program.clone(), command.args.clone());
        if let Some(known) = self.recipes.get(&key) {
            return Ok(known.clone());
        }
        let parts = parts_of(command)?.map(Arc::from);
        self.recipes.put(key, parts.clone());
        Ok(parts)
    }

    /// The output of the last part that ran; none if the plain command has to be run.
    fn run_parts(&mut self, command: &Command, parts: &[Part]) -> Result<Option<CommandOutput>> {
        let mut last = None;
        for part in parts {
            last = match part {
                Part::Tool(words) => Some(self.run_tool(&with_words(command, words))?),
                Part::Link { short, full } => self.link(command, short, full)?,
            };
            if !last.as_ref().is_some_and(succeeded) {
                break;
            }
        }
        Ok(last)
    }

    fn link(&mut self, command: &Command, short: &Words, full: &Words) -> Result<Option<CommandOutput>> {
        if !self.needs_all_libraries {
            let output = self.run_tool(&with_words(command, short))?;
            if succeeded(&output) {
                return Ok(Some(output));
            }
        }
        let output = self.run_tool(&with_words(command, full))?;
        self.needs_all_libraries = succeeded(&output);
        Ok(self.needs_all_libraries.then_some(output))
    }
}

/// Start the command as it is written.
pub fn run_plain(command: &Command) -> Result<CommandOutput> {
    run(command).with_context(|| format!("failed to run {command}"))
}

fn succeeded(output: &CommandOutput) -> bool {
    output.termination == Termination::Exited(0)
}

fn with_words(command: &Command, words: &Words) -> Command {
    Command { program: words[0].clone(), args: words[1..].to_vec(), ..command.clone() }
}

/// The commands that the driver in `command` would run; none if its output is not understood.
fn parts_of(command: &Command) -> Result<Option<Vec<Part>>> {
    let ask = |args: &[&str], more: &[String]| {
        let args = args.iter().map(ToString::to_string).chain(more.iter().cloned()).collect();
        run_plain(&Command { args, ..command.clone() })
    };
    let (first, second) = (ask(&["-###"], &command.args)?, ask(&["-###"], &command.args)?);
    if !succeeded(&first) || !succeeded(&second) {
        return Ok(None);
    }
    let own = |name: &str| {
        let output = ask(&[&format!("-print-prog-name={name}")], &[]).ok()?;
        let printed = String::from_utf8_lossy(&output.stdout).trim().to_string();
        if printed.contains('/') { Some(printed) } else { on_path(&printed) }
    };
    // GNU gold links one small object in half the time of the default linker.
    let tool = |name: &str| if name == "ld" { on_path("ld.gold").or_else(|| own("ld")) } else { own(name) };
    Ok(recipe::parts(&first.stderr, &second.stderr, tool))
}

fn on_path(name: &str) -> Option<String> {
    find_on_path(name).map(Utf8PathBuf::into_string)
}
