//! Commands in the place of other commands: with the streams, the folder and the signals of the caller.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

/// Become `program`. Returns only if that fails.
pub fn become_program(program: &str, args: &[String]) -> io::Error {
    let error = Command::new(program).args(args).exec();
    io::Error::new(error.kind(), format!("start {program}: {error}"))
}

/// Run `program` with our streams and folder to its end; its exit code, which is 1 after a signal.
pub fn run_in_place(program: &str, args: &[String]) -> io::Result<i32> {
    let status = Command::new(program).args(args).status();
    let status = status.map_err(|error| io::Error::new(error.kind(), format!("start {program}: {error}")))?;
    Ok(status.code().unwrap_or(1))
}

/// What `program` prints with `args`.
pub fn output_of(program: &str, args: &[String]) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&ran(program, args)?.stdout).into_owned())
}

/// The same without output; whether it ended with 0, and its standard error.
pub fn run_quietly(program: &str, args: &[String]) -> io::Result<(bool, String)> {
    let output = ran(program, args)?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

fn ran(program: &str, args: &[String]) -> io::Result<Output> {
    let output = Command::new(program).args(args).output();
    output.map_err(|error| io::Error::new(error.kind(), format!("start {program}: {error}")))
}
