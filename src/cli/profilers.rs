//! `recount profilers`: what is installed, and what is missing.

use super::exit::{Exit, Failure};
use crate::model::{Family, ProfilerInfo};
use crate::report::profiler_table;
use crate::toolchain::installed;

pub fn profilers() -> Result<Exit, Failure> {
    let found = installed();
    let usable: Vec<ProfilerInfo> = found.iter().flatten().map(|profiler| profiler.info().clone()).collect();
    print!("{}", profiler_table(&usable));
    for missing in found.iter().filter_map(|profiler| profiler.as_ref().err()) {
        println!("\n{missing}");
    }
    for (family, packages) in [(Family::Gcov, "gcc"), (Family::LlvmCov, "clang llvm")] {
        if !usable.iter().any(|info| info.profiler == family) {
            println!("\nno {} here; install it with `apt-get install {packages}`", family.name());
        }
    }
    Ok(if usable.is_empty() { Exit::NoProfiler } else { Exit::NothingNew })
}
