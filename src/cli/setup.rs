//! Prepares the parts that commands need: profilers, workers, and the gcc of the input search.

use anyhow::{Context, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::output::{Exit, Failure, bad_input, complain, no_profiler};
use super::setting_flags::SettingFlags;
use crate::config::Settings;
use crate::corpus::Source;
use crate::inputs::BuildEnv;
use crate::model::{Finding, Line, RelationName};
use crate::sys::ScratchRoot;
use crate::toolchain::{Probed, Worker, first_with_conditions, select};

/// The profilers that the settings name. If a named profiler is not installed, the exit code is 2 (the user's mistake).
/// If the default finds none, it is 3.
pub fn profilers(settings: &Settings) -> Result<Vec<Probed>, Failure> {
    let by_default = settings.profilers == Settings::quick().profilers;
    let found = select(&settings.profilers).map_err(|error| Failure {
        error,
        exit: if by_default { Exit::NoProfiler } else { Exit::BadInput },
    })?;
    let Some(first) = found.first() else {
        return Err(no_profiler(anyhow!(
            "no usable profiler found; `recount profilers` lists the packages to install"
        )));
    };
    let family = first.info().profiler;
    let is_alone = found.iter().all(|profiler| profiler.info().profiler == family);
    if settings.relations == [RelationName::Peer] && is_alone {
        return Err(bad_input(anyhow!(
            "the relation peer compares gcov with llvm-cov, but only {} is selected; add a profiler of the other family with --profiler",
            family.name()
        )));
    }
    Ok(found)
}

/// Say which of the `profilers` count no conditions, if the user asked for them.
pub fn note_conditions(profilers: &[Probed], settings: &Settings) {
    for info in profilers.iter().map(|profiler| profiler.info()).filter(|_| settings.conditions) {
        if let Some(first) = first_with_conditions(info.profiler, info.major()) {
            let compiler = &info.compiler;
            complain(&format!(
                "{compiler} counts no conditions, so --conditions has no effect with it; versions from {first} on count them"
            ));
        }
    }
}

/// The profilers that --profiler names; without that flag, every installed one.
pub fn profilers_or_all(typed: &SettingFlags, settings: &Settings) -> Result<Vec<Probed>, Failure> {
    if typed.profilers.is_empty() {
        return select(&["all".to_string()]).map_err(no_profiler);
    }
    profilers(settings)
}

/// The profiler under which `finding` was found.
pub fn profiler_of(finding: &Finding) -> Result<Probed, Failure> {
    let Finding { compiler, version, .. } = finding;
    let found = select(std::slice::from_ref(compiler)).and_then(|mut found| found.pop().context("not found"));
    found.map_err(|error| {
        no_profiler(
            error.context(format!("the finding needs {compiler} ({version}), which is not usable here")),
        )
    })
}

/// The kernel's link to the running binary, which stays right when the file is replaced.
pub fn own_binary() -> Utf8PathBuf {
    Utf8PathBuf::from("/proc/self/exe")
}

/// `number` workers, and the scratch folder that they live in, which is removed with the returned value.
pub fn new_workers(number: usize, settings: &Settings) -> Result<(ScratchRoot, Vec<Worker>), Failure> {
    let scratch = ScratchRoot::new()?;
    let folder = |index| scratch.path().join(format!("w{index}"));
    let worker = |index| Worker::new(folder(index), own_binary(), settings.limits.clone());
    let workers = (0..number).map(worker).collect();
    Ok((scratch, workers))
}

pub fn new_worker(settings: &Settings) -> Result<(ScratchRoot, Worker), Failure> {
    let (scratch, mut workers) = new_workers(1, settings)?;
    Ok((scratch, workers.remove(0)))
}

/// An environment for the input search in `folder`, with the gcc and the gcov of `profiler`.
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

/// Fail unless the program `source`, which is `file`, has the line `line`.
pub fn require_line(source: &Source, file: &Utf8Path, line: Line) -> Result<(), Failure> {
    let lines = source.read().map_err(bad_input)?.lines().count();
    if line == 0 || line as usize > lines {
        return Err(bad_input(anyhow!("{file}:{line}: there is no such line; the file has {lines} lines")));
    }
    Ok(())
}
