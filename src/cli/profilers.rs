//! `recount profilers`: what is installed, and what is missing.

use std::fmt::Write;

use super::exit::{Exit, Failure, ours};
use super::print::print;
use crate::model::{Family, ProfilerInfo};
use crate::report::profiler_table;
use crate::toolchain::installed;

pub fn profilers() -> Result<Exit, Failure> {
    let found = installed();
    let usable: Vec<ProfilerInfo> = found.iter().flatten().map(|profiler| profiler.info().clone()).collect();
    let mut out = profiler_table(&usable);
    for missing in found.iter().filter_map(|profiler| profiler.as_ref().err()) {
        let _ = writeln!(out, "\n{missing}");
    }
    for (family, packages) in [(Family::Gcov, "gcc"), (Family::LlvmCov, "clang llvm")] {
        if !usable.iter().any(|info| info.profiler == family) {
            let _ =
                writeln!(out, "\nno {} here; install it with `apt-get install {packages}`", family.name());
        }
    }
    print(&out).map_err(ours)?;
    Ok(if usable.is_empty() { Exit::NoProfiler } else { Exit::NothingNew })
}
