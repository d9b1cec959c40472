//! Reads the counters that a program compiled by clang writes when it ends: a raw profile (`.profraw`).
//!
//! The format is that of InstrProfData.inc and `RawInstrProfReader` in InstrProfReader.cpp, version 5 (LLVM 11) to 11
//! (LLVM 23 and later), of a little-endian machine with 64 bits. Bitmaps, names and values are not read.

use std::collections::BTreeMap;

use super::llvm_bytes::{Bytes, Malformed, malformed};

/// The first eight bytes: 0xff, `lprofr`, 0x81.
const MAGIC: u64 = 0xff6c_7072_6f66_7281;

/// The lower half of the version; the upper one says what is counted.
const VERSION_BITS: u64 = 0xffff_ffff;
/// The bit of the upper half for counters of one byte, which only say whether code ran.
const SINGLE_BYTE: u64 = 1 << 60;

/// The largest sum of two profiles (`getInstrMaxCountValue`).
const LARGEST_SUM: u64 = u64::MAX - 2;

/// The counters of a program, by the hash of the function's name and the hash of its structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlvmCounts {
    functions: BTreeMap<(u64, u64), Vec<u64>>,
}

/// The counters of one function in a profile (`IndexedInstrProfReader::getInstrProfRecord`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded<'a> {
    Counters(&'a [u64]),
    /// The profile has a function of this name with another structure.
    OtherHash,
    /// The profile has no function of this name.
    Nothing,
}

/// Where the parts of a version of the format are.
struct Layout {
    /// The size of the record of a function, and the place of the number of its counters in it.
    record: (u64, usize),
    /// Whether places of counters are relative to the records.
    is_relative: bool,
}

impl LlvmCounts {
    /// The counters of `function`, with the hash of its structure.
    pub fn of(&self, name_hash: u64, hash: u64) -> Recorded<'_> {
        if let Some(counters) = self.functions.get(&(name_hash, hash)) {
            return Recorded::Counters(counters);
        }
        let mut same_name = self.functions.range((name_hash, 0)..=(name_hash, u64::MAX));
        if same_name.next().is_some() { Recorded::OtherHash } else { Recorded::Nothing }
    }

    /// Every function with its counters, by the hashes of its name and of its structure.
    pub fn functions_mut(&mut self) -> impl Iterator<Item = ((u64, u64), &mut Vec<u64>)> {
        self.functions.iter_mut().map(|(hashes, counters)| (*hashes, counters))
    }

    /// Add a raw profile, as `llvm-profdata merge` does: sums are saturated, and a function whose number of counters
    /// differs from that of an earlier profile is left out (`InstrProfRecord::merge` in InstrProf.cpp).
    /// Processes that share the file append their profiles to it (`RawInstrProfReader::readNextHeader`).
    pub fn add(&mut self, file: &[u8]) -> Result<(), Malformed> {
        profiles(file).into_iter().try_for_each(|profile| self.add_profile(profile))
    }

    fn add_profile(&mut self, profile: &[u8]) -> Result<(), Malformed> {
        for (hashes, counters) in records(profile)? {
            let Some(sums) = self.functions.get_mut(&hashes) else {
                self.functions.insert(hashes, counters);
                continue;
            };
            if sums.len() == counters.len() {
                for (sum, count) in sums.iter_mut().zip(counters) {
                    *sum = sum.saturating_add(count).min(LARGEST_SUM);
                }
            }
        }
        Ok(())
    }

    /// The counters of one of `runs` equal runs. None if a counter is not a multiple of `runs`.
    pub fn of_each(mut self, runs: u64) -> Option<LlvmCounts> {
        for counter in self.functions.values_mut().flatten() {
            if !counter.is_multiple_of(runs) {
                return None;
            }
            *counter /= runs;
        }
        Some(self)
    }
}

/// The raw profiles in a file: each begins with the magic number at a multiple of eight bytes.
fn profiles(file: &[u8]) -> Vec<&[u8]> {
    let words = file.chunks_exact(8).enumerate();
    let begins = |(index, word): (usize, &[u8])| (word == MAGIC.to_le_bytes()).then_some(8 * index);
    // A file that begins in another way is malformed, which the reader of the first profile says.
    let mut starts: Vec<usize> = words.skip(1).filter_map(begins).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    starts.iter().zip(ends).map(|(start, end)| &file[*start..end]).collect()
}

/// The hashes of a function's name and structure, and its counters.
type Record = ((u64, u64), Vec<u64>);

/// The counters of each function in a raw profile.
fn records(profile: &[u8]) -> Result<Vec<Record>, Malformed> {
    let mut bytes = Bytes::new(profile);
    if bytes.u64()? != MAGIC {
        return malformed("the file is no raw profile of a little-endian machine with 64 bits");
    }
    let version = bytes.u64()?;
    if version & SINGLE_BYTE != 0 {
        return malformed("the profile has counters of a single byte");
    }
    let version = version & VERSION_BITS;
    let layout = match version {
        5 | 7 | 8 => Layout { record: (48, 40), is_relative: version == 8 },
        9 | 10 => Layout { record: (64, 48), is_relative: true },
        11 => Layout { record: (72, 56), is_relative: true },
        _ => return malformed(format!("version {version} of the raw profile is unknown")),
    };
    let identifiers = if version >= 7 { bytes.u64()? } else { 0 };
    let (functions, before, counters, _after) = (bytes.u64()?, bytes.u64()?, bytes.u64()?, bytes.u64()?);
    // Sizes and places of bitmaps (from version 9) and of uniform counters (from version 11) come in between.
    let skipped = match version {
        5..=8 => 0,
        9 | 10 => 2,
        _ => 5,
    };
    bytes.take(8 * skipped)?;
    let (_names, mut base) = (bytes.u64()?, bytes.u64()?);
    let rest = match version {
        5..=8 => 2,
        9 => 3,
        _ => 5,
    };
    bytes.take(8 * rest)?;
    bytes.take(identifiers)?;
    let Some(size) = functions.checked_mul(layout.record.0) else {
        return malformed(format!("the profile is said to have {functions} functions"));
    };
    let mut data = Bytes::new(bytes.take(size)?);
    bytes.take(before)?;
    let Some(size) = counters.checked_mul(8) else {
        return malformed(format!("the profile is said to have {counters} counters"));
    };
    let values = bytes.take(size)?;
    let mut found = Vec::new();
    let mut unused = counters;
    while !data.rest.is_empty() {
        let mut record = Bytes::new(data.take(layout.record.0)?);
        let number = Bytes::new(&record.rest[layout.record.1..]).u32()?;
        let (name, hash, place) = (record.u64()?, record.u64()?, record.u64()?);
        // Every function has counters of its own, so a small file cannot ask for much memory.
        let Some(left) = unused.checked_sub(number.into()) else {
            return malformed("the functions have more counters than the profile");
        };
        unused = left;
        let mut own = Bytes::new(values);
        own.take(place.wrapping_sub(base))?;
        let mut own = Bytes::new(own.take(8 * u64::from(number))?);
        let counters = (0..number).map(|_| own.u64()).collect::<Result<Vec<u64>, Malformed>>()?;
        found.push(((name, hash), counters));
        if layout.is_relative {
            base = base.wrapping_sub(layout.record.0);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A raw profile of version 8 with one function, whose name and structure have the hashes 7 and `hash`.
    fn profile(hash: u64, counters: &[u64]) -> Vec<u8> {
        let number = counters.len() as u64;
        let delta = 0_u64.wrapping_sub(8 * number);
        // No binary identifiers, a function, counters, no padding, no names; counters precede the records in memory.
        let header = [MAGIC, 8, 0, 1, 0, number, 0, 0, delta, 0, 1];
        let record = [7, hash, delta, 0, 0, number];
        header.iter().chain(&record).chain(counters).flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn profiles_are_added_up_as_llvm_profdata_does() {
        let mut counts = LlvmCounts::default();
        counts.add(&profile(1, &[u64::MAX - 5, 2])).unwrap();
        counts.add(&profile(1, &[9, 3])).unwrap();
        assert_eq!(counts.of(7, 1), Recorded::Counters(&[u64::MAX - 2, 5]));
        counts.add(&profile(1, &[1, 1, 1])).unwrap();
        assert_eq!(counts.of(7, 1), Recorded::Counters(&[u64::MAX - 2, 5]), "another number of counters");
        assert_eq!(counts.of(7, 2), Recorded::OtherHash);
        assert_eq!(counts.of(8, 1), Recorded::Nothing);
    }

    #[test]
    fn counters_of_equal_runs_are_divided() {
        let mut counts = LlvmCounts::default();
        counts.add(&profile(1, &[4, 0, 6])).unwrap();
        assert_eq!(counts.clone().of_each(2).unwrap().of(7, 1), Recorded::Counters(&[2, 0, 3]));
        assert_eq!(counts.of_each(4), None);
    }

    #[test]
    fn other_files_are_rejected_with_a_sentence() {
        let message = |bytes: &[u8]| LlvmCounts::default().add(bytes).unwrap_err().to_string();
        let whole = profile(1, &[1]);
        assert_eq!(message(&whole[..90]), "48 bytes are missing where 2 are left");
        assert_eq!(
            message(&[b'x'; 99]),
            "the file is no raw profile of a little-endian machine with 64 bits"
        );
        let mut other = whole;
        other[8] = 12;
        assert_eq!(message(&other), "version 12 of the raw profile is unknown");
        other[15] = 0x10;
        assert_eq!(message(&other), "the profile has counters of a single byte");
    }
}
