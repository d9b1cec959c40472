//! The gcc with which the input search builds.

use anyhow::anyhow;
use camino::Utf8PathBuf;

use super::exit::{Failure, bad_input, no_profiler};
use super::setup::own_binary;
use crate::inputs::BuildEnv;
use crate::toolchain::select;

/// An environment in `folder`, with the gcc and the gcov of `profiler`.
pub fn build_env(profiler: &str, folder: Utf8PathBuf, unconfined: bool) -> Result<BuildEnv, Failure> {
    let found = select(&[profiler.to_string()]).map_err(bad_input)?;
    let tools = found.iter().find_map(|found| Some((found.compiler()?, found.reader()?)));
    let Some((compiler, gcov)) = tools else {
        return Err(no_profiler(anyhow!(
            "{profiler}: the input search needs a gcc with its gcov, such as gcc-12"
        )));
    };
    Ok(BuildEnv {
        compiler: compiler.to_path_buf(),
        gcov: gcov.to_path_buf(),
        harness: folder.join("harness.o"),
        folder,
        cwd: Utf8PathBuf::try_from(std::env::current_dir()?)?,
        binary: own_binary(),
        unconfined,
        flags: Vec::new(),
        objects: Vec::new(),
    })
}
