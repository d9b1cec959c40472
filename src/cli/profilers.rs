//! `recount profilers`: the installed profilers, the missing packages, and the layers of the sandbox.

use std::fmt::Write;

use super::output::{Exit, Failure, print};
use super::setup::own_binary;
use crate::model::{Family, ProfilerInfo};
use crate::report::{profiler_table, table};
use crate::sys::{Confinement, ScratchRoot, Supervisor};
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
                writeln!(out, "\nno {} found; install it with `apt-get install {packages}`", family.name());
        }
    }
    let _ = write!(out, "\n{}", sandbox_table()?);
    print(&out)?;
    Ok(if usable.is_empty() { Exit::NoProfiler } else { Exit::NothingNew })
}

/// A table of the sandbox's layers, and whether each works on this machine.
fn sandbox_table() -> anyhow::Result<String> {
    let scratch = ScratchRoot::new()?;
    let confinement = Confinement {
        binary: own_binary(),
        memory_mib: 64,
        output_kib: 64,
        scratch: scratch.path().join("w0"),
        needed: None,
        unconfined: false,
    };
    let mut supervisor = Supervisor::new(confinement);
    let rows = supervisor.layers()?.iter().map(|layer| {
        let state = layer.unavailable.as_ref().map_or_else(|| "yes".into(), |reason| format!("no: {reason}"));
        let (name, prevents) = (layer.name.name(), layer.name.prevents());
        vec![name.to_string(), prevents.to_string(), state]
    });
    Ok(table(&["sandbox layer", "prevents", "works here"], &[], rows))
}
