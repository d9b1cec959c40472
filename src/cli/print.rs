//! Standard output that may go away, as in `recount … | head`.

use std::io::{ErrorKind, Write};

use anyhow::Result;

/// Print `text`; a reader that has gone is no error.
pub fn print(text: &str) -> Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
