//! How the commands of compilers and coverage tools are run: an interface, and the plain way.

use anyhow::{Context, Result};

use crate::sys::{Command, CommandOutput, CpuTime, run};

/// Runs the commands of one worker.
pub trait Runner: std::fmt::Debug + Send {
    /// Run a command of a compiler's driver.
    fn compile(&mut self, command: &Command) -> Result<CommandOutput>;

    /// Run a command of a coverage tool.
    fn run_tool(&mut self, command: &Command) -> Result<CommandOutput>;

    /// How many commands were answered by processes that were already running.
    fn served(&self) -> usize {
        0
    }

    /// CPU time of the processes that this runner keeps, and of their children.
    fn cpu_time(&self) -> CpuTime {
        CpuTime::default()
    }
}

/// Starts each command as it is written.
#[derive(Debug)]
pub struct PlainRunner;

impl Runner for PlainRunner {
    fn compile(&mut self, command: &Command) -> Result<CommandOutput> {
        self.run_tool(command)
    }

    fn run_tool(&mut self, command: &Command) -> Result<CommandOutput> {
        run(command).with_context(|| format!("failed to run {command}"))
    }
}
