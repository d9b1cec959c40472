//! Standard output that may go away, as in `recount … | head`.

use std::io::{ErrorKind, IsTerminal, Write};

use anyhow::Result;

use crate::report::visible;

/// Print `text`; a reader that has gone is no error. A terminal gets it so that it acts on nothing in it; a file
/// or a pipe gets every byte.
pub fn print(text: &str) -> Result<()> {
    let text = if std::io::stdout().is_terminal() { visible(text) } else { text.into() };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Say on standard error what went wrong.
pub fn complain(text: &str) {
    // A closed one must not end anything.
    let _ = writeln!(std::io::stderr(), "recount: {}", visible(text));
}
