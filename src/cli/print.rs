//! Printing to standard output, which may be closed early, as by `recount … | head`, and to standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use anyhow::Result;

use crate::report::visible;

/// Print `text`. A closed pipe is not an error. On a terminal, control characters are made visible; a file or a pipe
/// gets every byte.
pub fn print(text: &str) -> Result<()> {
    let text = if std::io::stdout().is_terminal() { visible(text) } else { text.into() };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Print a message to standard error.
pub fn complain(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(std::io::stderr(), "recount: {}", visible(text));
}
