//! Decodes the coverage mapping of one function (`RawCoverageMappingReader` in CoverageMappingReader.cpp): numbers of
//! files, expressions, and for each file its regions.

use std::sync::Arc;

use super::llvm_bytes::{Bytes, Malformed, malformed};
use super::llvm_mapping::{Counter, Expression, FunctionMapping, MappingRegion, RegionKind};
use crate::model::Line;

/// The bits of an encoded counter that say what it is; of an encoded expansion the third bit is set.
const TAG_BITS: u32 = 2;
const KIND_BITS: u32 = 3;
/// Set in the column of the end of a gap.
const GAP: u32 = 1 << 31;
/// More lines than any source file has; mappings have lines of files, which `#line` does not change.
const MOST_LINES: Line = 1 << 22;
/// More nested expansions of macros than clang accepts.
const DEEPEST_EXPANSION: usize = 1000;

/// The mapping of the function `name`, whose hashes are `(of the name, of the function)`. `module` has the names of
/// files of its module.
pub fn function(
    encoded: &[u8],
    name: &str,
    (name_hash, hash): (u64, u64),
    module: &[Arc<str>],
) -> Result<FunctionMapping, Malformed> {
    let mut bytes = Bytes::new(encoded);
    let mut files = Vec::new();
    for _ in 0..bytes.count()? {
        let index = bytes.leb128_u32()?;
        let Some(file) = module.get(index as usize) else {
            return malformed(format!("{name} refers to file {index} of {}", module.len()));
        };
        files.push(file.clone());
    }
    let none = Expression { is_difference: true, left: Counter::Zero, right: Counter::Zero };
    let mut expressions = vec![none; bytes.count()?];
    for index in 0..expressions.len() {
        let left = counter(bytes.leb128_u32()?, &mut expressions)?;
        let right = counter(bytes.leb128_u32()?, &mut expressions)?;
        (expressions[index].left, expressions[index].right) = (left, right);
    }
    let mut regions = Vec::new();
    for file in 0..files.len() {
        let file = u32::try_from(file).or_else(|_| malformed("a function has too many files"))?;
        let mut line = 0;
        for _ in 0..bytes.count()? {
            regions.push(region(&mut bytes, &mut expressions, &mut line, (file, files.len()))?);
        }
    }
    count_expansions(&mut regions, files.len());
    Ok(FunctionMapping { name: name.to_string(), name_hash, hash, files, regions, expressions })
}

/// `decodeCounter`. The kind of an expression is part of each reference to it.
fn counter(encoded: u32, expressions: &mut [Expression]) -> Result<Counter, Malformed> {
    let index = encoded >> TAG_BITS;
    Ok(match encoded & ((1 << TAG_BITS) - 1) {
        0 => Counter::Zero,
        1 => Counter::Counter(index),
        tag => {
            let Some(expression) = expressions.get_mut(index as usize) else {
                return malformed(format!(
                    "an expression has the number {index}, there are {}",
                    expressions.len()
                ));
            };
            expression.is_difference = tag == 2;
            Counter::Expression(index)
        }
    })
}

/// `readMappingRegionsSubArray`: the next region of file number `file` of `files`. `line` is where the one before begins.
fn region(
    bytes: &mut Bytes<'_>,
    expressions: &mut [Expression],
    line: &mut Line,
    (file, files): (u32, usize),
) -> Result<MappingRegion, Malformed> {
    let encoded = bytes.leb128_u32()?;
    let is_counter = encoded & ((1 << TAG_BITS) - 1) != 0;
    let is_expansion = !is_counter && encoded & (1 << TAG_BITS) != 0;
    let number = encoded >> KIND_BITS;
    let mut kind = match number {
        _ if is_counter => RegionKind::Code,
        _ if is_expansion => RegionKind::Expansion,
        0 => RegionKind::Code,
        2 => RegionKind::Skipped,
        4 => RegionKind::Branch,
        5 => RegionKind::Decision,
        6 => RegionKind::Condition,
        other => return malformed(format!("a region has the unknown kind {other}")),
    };
    let expanded_file = if is_expansion { number } else { 0 };
    if expanded_file as usize >= files {
        return malformed(format!("an expansion refers to file {expanded_file} of {files}"));
    }
    let (mut own, mut other) = (counter(if is_counter { encoded } else { 0 }, expressions)?, Counter::Zero);
    if kind.is_branch() {
        own = counter(bytes.leb128_u32()?, expressions)?;
        other = counter(bytes.leb128_u32()?, expressions)?;
    }
    // A condition: its number and those of the next ones. A decision: a place in the bitmap, and how many conditions.
    let parameters = match kind {
        RegionKind::Condition => 3,
        RegionKind::Decision => 2,
        _ => 0,
    };
    for _ in 0..parameters {
        bytes.leb128()?;
    }
    let (below, mut column) = (bytes.leb128_u32()?, bytes.leb128_u32()?);
    let (height, mut end_column) = (bytes.leb128_u32()?, bytes.leb128_u32()?);
    if end_column & GAP != 0 {
        kind = RegionKind::Gap;
        end_column &= !GAP;
    }
    if (column, end_column) == (0, 0) {
        (column, end_column) = (1, u32::MAX);
    }
    let (start, end) = (line.saturating_add(below), line.saturating_add(below).saturating_add(height));
    if end > MOST_LINES {
        return malformed(format!("a region ends at line {end}"));
    }
    *line = start;
    if (start, column) > (end, end_column) {
        return malformed(format!("a region from {start}:{column} ends at {end}:{end_column}"));
    }
    Ok(MappingRegion {
        kind,
        file,
        start: (start, column),
        end: (end, end_column),
        counter: own,
        false_counter: other,
        expanded_file,
    })
}

/// An expansion has the counter of the first region in its file, whatever its kind: end of
/// `RawCoverageMappingReader::read`, which repeats this until nested expansions have theirs.
fn count_expansions(regions: &mut [MappingRegion], files: usize) {
    for _ in 0..files.min(DEEPEST_EXPANSION) {
        let mut expansions: Vec<Option<usize>> = vec![None; files];
        for (index, region) in regions.iter().enumerate() {
            if region.kind == RegionKind::Expansion {
                expansions[region.expanded_file as usize] = Some(index);
            }
        }
        let mut changed = false;
        for index in 0..regions.len() {
            let (file, counter) = (regions[index].file as usize, regions[index].counter);
            if let Some(expansion) = expansions[file].take() {
                changed |= regions[expansion].counter != counter;
                regions[expansion].counter = counter;
            }
        }
        if !changed {
            break;
        }
    }
}
