//! Reader of the JSON of `llvm-cov export` (CoverageExporterJson.cpp): segments and regions, which explain the line counts,
//! the counts derived from them, and branches.
//!
//! `version` is 2.0.1 from LLVM 11 to 19, with keys added in between, 3.0.1 in 21 and 3.1.0 since 22. The keys that are
//! read here are in all of them.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::expansion::{Expanded, expansions};
use super::{Conditions, Coverage, Region, RegionKind, Segment, Tested, Unreadable, only_file, totals};
use crate::model::{Line, is_same_path};

#[derive(Deserialize)]
struct Root {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
    functions: Vec<Function>,
    #[serde(default)]
    totals: Value,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    segments: Vec<(Line, u32, u64, bool, bool, bool)>,
    #[serde(default)]
    summary: Value,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    filenames: Vec<String>,
    regions: Vec<RegionEntry>,
    #[serde(default)]
    branches: Vec<BranchEntry>,
    #[serde(default)]
    mcdc_records: Vec<Vec<Value>>,
}

/// Start line and column, end line and column, count, file, expanded file, kind.
type RegionEntry = (Line, u32, Line, u32, u64, u32, u32, u32);

/// Start line and column, end line and column, how often true and false, file, expanded file, kind: since LLVM 12. Only
/// the first seven are read; later versions add more.
type BranchEntry = Vec<u64>;

/// Reads an MC/DC record, which exists since LLVM 18: start line and column, end line and column, since LLVM 20 how often
/// it was true and false, file, since LLVM 20 expanded file, kind, for each condition whether it is covered. Vectors may
/// follow.
fn conditions(record: &[Value], is_ours: impl Fn(u32) -> bool) -> Option<Conditions> {
    let at = record.iter().position(Value::is_array)?;
    let number = |index: usize| record.get(index)?.as_u64();
    let file = number(if at > 6 { 6 } else { 4 })?;
    if number(at.checked_sub(1)?)? != RegionKind::Decision as u64 || !is_ours(u32::try_from(file).ok()?) {
        return None;
    }
    let shown = record[at].as_array()?.iter().map(Value::as_bool).collect::<Option<Vec<bool>>>()?;
    let (line, column) = (u32::try_from(number(0)?).ok()?, u32::try_from(number(1)?).ok()?);
    let vectors = record.get(at + 1).and_then(Value::as_array).map(|all| all.iter().map(vector).collect());
    // A vector that cannot be read is as bad as a decision that cannot.
    let vectors: Option<Option<Vec<_>>> = vectors;
    let vectors = match vectors {
        Some(vectors) => Some(vectors?),
        None => None,
    };
    let covered = Conditions::covered_of(&shown);
    Some(Conditions { line, column: Some(column), shown, covered, vectors })
}

/// A test vector: the value of each condition, and the outcome.
fn vector(entry: &Value) -> Option<(Vec<Option<bool>>, bool)> {
    let values = entry.get("conditions")?.as_array()?.iter();
    let values = values.map(|value| match value {
        Value::Null => Some(None),
        value => value.as_bool().map(Some),
    });
    Some((values.collect::<Option<_>>()?, entry.get("result")?.as_bool()?))
}

/// Segments, regions, branches and decisions of the file at `path`; no line counts.
pub fn read(text: &[u8], path: &str) -> Result<Coverage, Unreadable> {
    let root: Root = serde_json::from_slice(text).map_err(|error| Unreadable::Format(error.to_string()))?;
    let missing = || Unreadable::FileMissing(path.to_string());
    let data = root.data.into_iter().next().ok_or_else(missing)?;
    let others =
        data.files.iter().filter(|file| !is_same_path(&file.filename, path)).map(|file| &file.summary);
    let others: Vec<&Value> = others.collect();
    let file = only_file(data.files.iter(), |file| &file.filename, path)?;
    let totals = totals::of_llvm_cov(&file.summary, &data.totals, &others);
    let segments = file.segments.iter().map(|&(line, column, count, has_count, is_entry, is_gap)| Segment {
        line,
        column,
        count,
        has_count,
        is_entry,
        is_gap,
    });
    let (mut regions, mut tested, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
    for function in data.functions {
        let is_ours =
            |file: u32| function.filenames.get(file as usize).is_some_and(|name| is_same_path(name, path));
        let expanded = function.regions.iter().filter(|region| region.7 == RegionKind::Expansion as u32);
        let expanded = expanded.map(|(line, column, _, _, _, file, text, _)| Expanded {
            file: *file,
            name: (*line, *column),
            text: *text,
        });
        let expansions = expansions(function.filenames.len(), expanded);
        let name: Arc<str> = function.name.into();
        let ours = function.regions.into_iter().filter(|region| is_ours(region.5));
        let region = |(l1, c1, l2, c2, count, file, _, kind): RegionEntry| {
            let unknown = || Unreadable::Format(format!("{kind} is no kind of a region"));
            let kind = RegionKind::numbered(kind).ok_or_else(unknown)?;
            let expansion = expansions[file as usize].0.clone();
            Ok(Region { start: (l1, c1), end: (l2, c2), count, kind, expansion, function: Arc::clone(&name) })
        };
        regions.extend(ours.map(region).collect::<Result<Vec<_>, Unreadable>>()?);
        let ours = function.branches.iter().filter_map(|branch| {
            let [l1, c1, l2, c2, yes, no, file, ..] = branch[..] else { return None };
            let at = |line, column| Some((Line::try_from(line).ok()?, u32::try_from(column).ok()?));
            let file = u32::try_from(file).ok().filter(|file| is_ours(*file))?;
            let expansion = expansions[file as usize].0.clone();
            Some(Tested { start: at(l1, c1)?, end: at(l2, c2)?, yes, no, expansion })
        });
        tested.extend(ours);
        decisions.extend(function.mcdc_records.iter().filter_map(|record| conditions(record, is_ours)));
    }
    Ok(Coverage { segments: segments.collect(), regions, tested, decisions, totals, ..Coverage::default() })
}

/// The largest number in the JSON: larger ones are cut to it (`clamp_uint64_to_int64`).
pub const LARGEST: u64 = i64::MAX.unsigned_abs();

/// The first version by whose rule skipped text at the beginning of a line does not hide other regions on it.
const COUNTS_AFTER_SKIPPED: u32 = 18;

/// Line counts as llvm-cov derives them from segments (`LineCoverageStats` in CoverageMapping.cpp): the largest of the
/// count of the wrapping segment and those of the regions that begin on the line, except gaps. By the rule of early
/// versions, a line that begins with a skipped region has no count, whatever else begins on it.
pub fn lines_from_segments(segments: &[Segment], version: u32) -> Coverage {
    let strict = version < COUNTS_AFTER_SKIPPED;
    let mut coverage = Coverage::default();
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return coverage };
    let mut wrapping: Option<&Segment> = None;
    let mut rest = segments;
    for line in first.line..=last.line {
        let here = &rest[..rest.partition_point(|segment| segment.line <= line)];
        rest = &rest[here.len()..];
        let entries =
            || here.iter().filter(|segment| segment.has_count && segment.is_entry && !segment.is_gap);
        let skipped = here.first().is_some_and(|segment| !segment.has_count && segment.is_entry);
        let counted = here.iter().any(|segment| segment.has_count && segment.is_entry);
        let wrapped = wrapping.is_some_and(|segment| segment.has_count);
        let mapped = !skipped && (wrapped || entries().next().is_some()) || !strict && counted;
        if mapped {
            let around = wrapping.map_or(0, |segment| segment.count);
            let count = entries().map(|segment| segment.count).fold(around, u64::max);
            coverage.add_line(line, count);
        }
        wrapping = here.last().or(wrapping);
    }
    coverage
}
