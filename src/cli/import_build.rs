//! stub
use super::exit::{Exit, Failure, bad_input};
use super::import_flags::BuildFlags;

pub fn build(_: &BuildFlags) -> Result<Exit, Failure> {
    Err(bad_input(anyhow::anyhow!("not yet")))
}
