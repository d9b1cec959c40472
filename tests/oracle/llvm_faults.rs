//! Faults in the mapping and the counters from which llvm-cov makes its report.

use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use recount::coverage::{Coverage, LlvmData, MappingRegion, RegionKind};
use recount::model::{Line, is_same_path};
use recount::replay::llvm_cov::replay_data;

use super::fault::{ALTERATIONS, Fault, Layer};
use super::real_tool::Altered;

/// The report that llvm-cov makes of `data`, with that. The conditions, which the replay lacks, are those of `report`.
pub fn replayed(data: &LlvmData, report: &Coverage) -> Coverage {
    let mut found = replay_data(data).coverage;
    found.mapping = Some(Ok(Arc::new(data.clone())));
    found.decisions.clone_from(&report.decisions);
    found
}

/// A changed region, given the source and the other regions of the function; none if the change is impossible there.
type Change = fn(&MappingRegion, &Source<'_>, &[MappingRegion], &mut ChaCha8Rng) -> Option<MappingRegion>;

const CHANGES: [(&str, Change); 6] = [
    ("starts a token later", |region, source, _, _| {
        moved(region, source.token_after(region.start)?, region.end)
    }),
    ("starts a line later", |region, source, _, _| {
        moved(region, source.start_of(region.start.0 + 1)?, region.end)
    }),
    ("ends a line earlier", |region, source, _, _| {
        moved(region, region.start, source.end_of(region.end.0.checked_sub(1)?)?)
    }),
    ("ends a line later", |region, source, _, _| {
        moved(region, region.start, source.end_of(region.end.0 + 1)?)
    }),
    ("expression of another", |region, _, others, random| {
        let is_other =
            |other: &&MappingRegion| other.counter != region.counter && other.kind != RegionKind::Decision;
        let other = others.iter().filter(is_other).collect::<Vec<_>>();
        Some(MappingRegion { counter: other.choose(random)?.counter, ..region.clone() })
    }),
    ("kind", |region, _, _, random| {
        use RegionKind::{Code, Expansion, Gap, Skipped};
        let kinds = [Code, Skipped, Gap].into_iter().filter(|kind| *kind != region.kind);
        let kind = *kinds.collect::<Vec<_>>().choose(random)?;
        matches!(region.kind, Code | Expansion | Gap).then(|| MappingRegion { kind, ..region.clone() })
    }),
];

/// `most` faults of each kind.
pub fn in_mapping(
    data: &LlvmData,
    (report, text): (&Coverage, &str),
    most: usize,
    random: &mut ChaCha8Rng,
) -> Vec<Fault> {
    let source = Source { lines: text.lines().collect() };
    let mut faults = Vec::new();
    let mut add = |layer, kind, data: &LlvmData, altered: Option<Altered>| {
        faults.push(Fault { layer, kind, report: replayed(data, report), altered });
    };
    let mut counts = data.counts.clone();
    let counters: Vec<(usize, usize, u64)> = (0..)
        .zip(counts.functions_mut())
        .flat_map(|(function, (_, counters))| {
            counters.iter().enumerate().map(|(index, count)| (function, index, *count)).collect::<Vec<_>>()
        })
        .collect();
    for (kind, alter) in ALTERATIONS {
        for (function, index, count) in counters.sample(random, most) {
            let neighbours = counters.iter().filter(|other| other.0 == *function && other.2 != *count);
            let neighbour = neighbours.map(|other| other.2).next().unwrap_or(*count);
            let mut data = data.clone();
            let Some(((name_hash, hash), all)) = data.counts.functions_mut().nth(*function) else { continue };
            let value = alter(*count, neighbour);
            all[*index] = value;
            let mut functions = data.mapping.functions.iter();
            let altered = functions.find(|found| found.name_hash == name_hash).map(|found| Altered::Region {
                function: found.name.clone(),
                hash,
                index: *index,
                value,
            });
            add(Layer::Counter, kind, &data, altered);
        }
    }
    let functions = data.mapping.functions.iter().enumerate();
    let regions: Vec<(usize, usize)> = functions
        .flat_map(|(index, function)| {
            let is_ours =
                |region: &MappingRegion| is_same_path(&function.files[region.file as usize], &data.file);
            let all = function.regions.iter().enumerate();
            all.filter(move |(_, region)| is_ours(region)).map(move |(region, _)| (index, region))
        })
        .collect();
    for (kind, change) in CHANGES {
        for (function, index) in regions.sample(random, most) {
            let others = &data.mapping.functions[*function].regions;
            let Some(changed) = change(&others[*index], &source, others, random) else { continue };
            let mut data = data.clone();
            data.mapping.functions[*function].regions[*index] = changed;
            add(Layer::Mapping, kind, &data, None);
        }
    }
    for (function, index) in regions.sample(random, most) {
        let mut data = data.clone();
        data.mapping.functions[*function].regions.remove(*index);
        add(Layer::Removed, "region", &data, None);
    }
    faults
}

/// The region with other boundaries, if it has an extent with them.
fn moved(region: &MappingRegion, start: (Line, u32), end: (Line, u32)) -> Option<MappingRegion> {
    let is_text = matches!(region.kind, RegionKind::Code | RegionKind::Gap | RegionKind::Expansion);
    (is_text && start < end).then(|| MappingRegion { start, end, ..region.clone() })
}

/// The text of the program, with columns as clang counts them: bytes from 1.
struct Source<'a> {
    lines: Vec<&'a str>,
}

impl Source<'_> {
    fn line(&self, line: Line) -> Option<&str> {
        self.lines.get((line as usize).checked_sub(1)?).copied()
    }

    /// The first character of `line` that is no space.
    fn start_of(&self, line: Line) -> Option<(Line, u32)> {
        let text = self.line(line)?;
        Some((line, u32::try_from(text.len() - text.trim_start().len()).ok()? + 1))
    }

    /// The position after the last character of `line`.
    fn end_of(&self, line: Line) -> Option<(Line, u32)> {
        Some((line, u32::try_from(self.line(line)?.len()).ok()? + 1))
    }

    /// The start of the token that follows the one at a position.
    fn token_after(&self, (line, column): (Line, u32)) -> Option<(Line, u32)> {
        let rest = self.line(line)?.get(column as usize - 1..)?;
        let is_word = |found: char| found.is_alphanumeric() || found == '_';
        let word = rest.find(|found| !is_word(found)).unwrap_or(rest.len());
        let token = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let spaces = rest[token..].len() - rest[token..].trim_start().len();
        if token + spaces == rest.len() {
            return self.start_of(line + 1);
        }
        Some((line, column + u32::try_from(token + spaces).ok()?))
    }
}
