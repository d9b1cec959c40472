//! The command line: flags, dispatch, exit codes.

mod audit;
mod audit_flags;
mod check;
mod claim;
mod claim_answer;
mod claim_flags;
mod filing;
mod flags;
mod import;
mod import_check;
mod import_flags;
mod inputs;
mod inputs_flags;
mod known;
mod known_flags;
mod merge;
mod output;
mod profilers;
mod reduce;
mod reduce_audit;
mod reduce_flags;
mod reduce_targets;
mod report;
mod require_flags;
mod run;
mod runs;
mod setting_flags;
mod setup;
mod values;
mod versions;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::sys::supervise;

pub use flags::{Cli, Command};
pub use output::Exit;

/// Parse the arguments and run the command.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match catch_unwind(AssertUnwindSafe(|| dispatch(cli.command))) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            output::complain(&format!("{:#}", failure.error));
            failure.exit.into()
        }
        // The panic's own message says where it happened.
        Err(_) => Exit::Ours.into(),
    }
}

fn dispatch(command: Command) -> Result<Exit, output::Failure> {
    match command {
        Command::Audit(flags) => audit::audit(&flags),
        Command::Compiler { session, real, args } => {
            std::process::exit(crate::audit::compile_in(&session, &real, args)?)
        }
        Command::Confined { sandbox, words } => {
            std::process::exit(crate::sys::run_confined(&sandbox, &words)?)
        }
        Command::Check(flags) => check::check(&flags),
        Command::Profilers => profilers::profilers(),
        Command::Run(flags) => run::run(&flags),
        Command::Triage { folders, against, known, required } => {
            report::triage(&folders, &against, &known, &required)
        }
        Command::Explain { cluster, folders } => report::explain(&cluster, &folders),
        Command::Report { folders, format, out, known, filing } => {
            filing::report(&folders, format, out.as_deref(), &known, &filing)
        }
        Command::Reduce(flags) => reduce::reduce(&flags),
        Command::Versions(flags) => versions::versions(&flags),
        Command::Claim(flags) => claim::claim(&flags),
        Command::Known { check, file } => known::known(check, file.as_deref()),
        Command::Inputs(flags) => inputs::inputs(&flags),
        Command::Import { from } => import::import(&from),
        Command::Merge { folders, out, known } => merge::merge(&folders, &out, &known),
        Command::Evaluate { errand } => {
            crate::inputs::evaluate(&errand)?;
            Ok(Exit::NothingNew)
        }
        Command::Ask { socket, file } => {
            let is_interesting = crate::reduce::ask(&socket, &file)?;
            Ok(if is_interesting { Exit::NothingNew } else { Exit::News })
        }
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "recount", &mut text);
            output::print(&String::from_utf8_lossy(&text))?;
            Ok(Exit::NothingNew)
        }
        Command::Man { folder } => report::man_pages(&folder),
        Command::Supervise { confinement, layers } => {
            std::process::exit(supervise(&confinement, layers.as_deref())?)
        }
    }
}
