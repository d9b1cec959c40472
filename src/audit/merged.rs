//! The one merged profile that most projects use with llvm-cov: what merging the profiles of several programs, and reporting on
//! all of their units at once, changes. Functions of a header whose text depends on macros differ from unit to unit.
//!
//! `llvm-profdata merge` adds up counters of functions with the same name and the same structure, and `llvm-cov` takes such functions
//! of several programs for one (`CoverageMapping::loadFunctionRecord` in CoverageMapping.cpp).

use std::collections::BTreeMap;

use anyhow::Result;

use super::result::{FileAudit, Merged, MergedLine};
use super::test_run::TestRun;
use crate::toolchain::{Printed, Profiler, Recorded, Worker};

/// Compare the report of the merged profile of `run` with the reports in `files`; none if no program left a profile.
pub fn merged(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    run: &TestRun,
    files: &BTreeMap<String, FileAudit>,
) -> Result<Option<Merged>> {
    let profiled = run.profiled()?.into_values();
    let (programs, data): (Vec<_>, Vec<_>) = profiled.map(|found| (found.programs, found.profiles)).unzip();
    let (programs, mut data) = (programs.concat(), data.concat());
    let [first, others @ ..] = &programs[..] else { return Ok(None) };
    data.sort();
    let merged = run.session.data.join("all.profdata");
    if profiler.merge(worker, &data, &merged)?.is_err() {
        return Ok(None);
    }
    let recorded = Recorded { object: first.clone(), others: others.to_vec(), data, merged };
    let Ok(Printed::LlvmCov(printed)) = profiler.printed(worker, &recorded)? else { return Ok(None) };
    let mut found = Merged { programs: programs.len(), ..Merged::default() };
    for (name, file) in files {
        // A file without code in the programs that ran has no report.
        let Ok(report) = printed.lines(run.session.tree.join(name).as_str()) else { continue };
        for (line, audited) in &file.lines {
            found.lines += 1;
            let merged = report.line(*line);
            if merged != audited.reported {
                let (file, separate) = (name.clone(), audited.reported);
                found.differing.push(MergedLine { file, line: *line, merged, separate });
            }
        }
    }
    Ok(Some(found))
}
