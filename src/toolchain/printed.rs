//! What the tools of a profiler print about a recorded profile, and the report on each of its files.

use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::coverage::{
    Coverage, GcovNotes, LlvmCounts, LlvmData, LlvmMapping, Malformed, NotesError, Unreadable, View,
    gcov_json, gcov_text, lcov, llvm_json, totals,
};

/// A profile that a build and its runs left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// clang: the program, or one of its objects. gcc: the notes of the unit (`.gcno`).
    pub object: Utf8PathBuf,
    /// clang: more programs whose report is added.
    pub others: Vec<Utf8PathBuf>,
    /// clang: the raw profiles of the program. gcc: the data of the unit (`.gcda`), next to its notes; none if it never ran.
    pub data: Vec<Utf8PathBuf>,
    /// clang: what [`Profiler::merge`](super::Profiler::merge) made of them.
    pub merged: Utf8PathBuf,
}

/// What the tools print about a profile.
#[derive(Debug)]
pub enum Printed {
    Gcov(GcovPrinted),
    LlvmCov(LlvmPrinted),
}

#[derive(Debug)]
pub struct GcovPrinted {
    pub json: Vec<u8>,
    /// With the blocks of each line.
    pub text: String,
    /// The totals of each file; empty if they were not asked for.
    pub summary: String,
    pub graphs: Result<Arc<GcovNotes>, NotesError>,
}

#[derive(Debug)]
pub struct LlvmPrinted {
    pub tracefile: String,
    pub json: Vec<u8>,
    pub data: Result<(LlvmMapping, LlvmCounts), Malformed>,
    /// The major version of llvm-cov.
    pub version: u32,
}

impl Printed {
    /// The report on the file that the profiler knows by `name`.
    ///
    /// # Errors
    /// The report has an unexpected format, or does not contain the file.
    pub fn report(&self, name: &str) -> Result<Coverage, Unreadable> {
        match self {
            Printed::Gcov(printed) => printed.report(name),
            Printed::LlvmCov(printed) => printed.report(name),
        }
    }
}

impl GcovPrinted {
    pub(super) fn report(&self, name: &str) -> Result<Coverage, Unreadable> {
        let mut coverage = gcov_json::read(&self.json, name)?;
        let ours = gcov_text::section(&self.text, name);
        coverage.blocks = gcov_text::blocks(ours);
        coverage.totals.extend(totals::of_gcov(&self.summary, name));
        // The text ends with the file, and `#line` may name lines past its end.
        let last = gcov_text::last_line(ours);
        let past = coverage.counted().filter(|(line, _)| Some(*line) > last);
        let any = past.map(|(line, _)| (line, (0, u64::MAX)));
        let lines = gcov_text::lines(ours).into_iter().chain(any).collect();
        coverage.views.push(View { name: "text", lines });
        coverage.graphs = Some(self.graphs.clone());
        Ok(coverage)
    }
}

impl LlvmPrinted {
    /// The counts of the lines of a file, without what they are derived from.
    ///
    /// # Errors
    /// As for [`Printed::report`].
    pub fn lines(&self, path: &str) -> Result<Coverage, Unreadable> {
        lcov::read(&self.tracefile, path)
    }

    pub(super) fn report(&self, path: &str) -> Result<Coverage, Unreadable> {
        let mut coverage = lcov::read(&self.tracefile, path)?;
        let parts = llvm_json::read(&self.json, path)?;
        let derived = llvm_json::lines_from_segments(&parts.segments, self.version);
        let lines = derived.counted().map(|(line, count)| (line, (count, unclamped(count)))).collect();
        (coverage.segments, coverage.regions) = (parts.segments, parts.regions);
        (coverage.tested, coverage.decisions) = (parts.tested, parts.decisions);
        coverage.totals.extend(parts.totals);
        coverage.views.push(View { name: "segments", lines });
        let of = |(mapping, counts): &(LlvmMapping, LlvmCounts)| {
            let (mapping, counts) = (mapping.clone(), counts.clone());
            Arc::new(LlvmData { mapping, counts, file: path.into(), version: self.version })
        };
        // A format that is unknown here is no reason to do without the report.
        coverage.mapping = Some(self.data.as_ref().map(of).map_err(Clone::clone));
        Ok(coverage)
    }
}

/// The largest count that `count` in llvm-cov's JSON can represent.
fn unclamped(count: u64) -> u64 {
    if count == llvm_json::LARGEST { u64::MAX } else { count }
}
