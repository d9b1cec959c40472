//! The report of the real tool on an altered profile: it must be the one that the replay makes of the fault.

use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use recount::coverage::{Coverage, gcov_json, lcov, llvm_json};
use recount::model::Family;
use recount::toolchain::Probed;

use super::gcno::{BlockLines, with_lines};
use super::support::Temp;

/// Tags of records in `.gcda` files (`GCOV_TAG_FUNCTION` and `GCOV_TAG_FOR_COUNTER (GCOV_COUNTER_ARCS)`).
const FUNCTION: u32 = 0x0100_0000;
const ARC_COUNTERS: u32 = 0x01a1_0000;

/// A change of the files of a profile.
#[derive(Clone, Debug)]
pub enum Altered {
    /// The lines of blocks.
    Lines(Vec<BlockLines>),
    /// By the number of the function, and the place among its counters.
    Arc { function: u32, index: usize, value: i64 },
    /// By the name of the function as in the profile and the hash of its structure.
    Region { function: String, hash: u64, index: usize, value: u64 },
}

/// The files of a profile.
pub struct Files {
    kept: Temp,
    /// The path of the source, which llvm-cov reports.
    source: Utf8PathBuf,
}

impl Files {
    /// Keep the files of the last profile that a worker made in `folder`.
    pub fn keep(folder: &Utf8Path, family: Family) -> Files {
        let kept = Temp::new();
        let names = match family {
            Family::Gcov => ["p.gcno", "p.gcda"],
            Family::LlvmCov => ["p", "p.profdata"],
        };
        for name in names {
            fs_err::copy(folder.join(name), kept.at(name)).unwrap();
        }
        Files { kept, source: folder.join("p.c") }
    }

    /// The report of the tools of `profiler` on the profile with a counter `altered`.
    pub fn report(&self, profiler: &Probed, altered: &Altered) -> Result<Coverage, String> {
        match altered {
            Altered::Arc { function, index, value } => {
                let data = fs_err::read(self.kept.at("p.gcda")).unwrap();
                let data = with_arc(&data, profiler.info().major() >= 12, (*function, *index), *value);
                fs_err::write(self.kept.at("p.gcda"), data).unwrap();
                self.gcov(profiler)
            }
            Altered::Lines(changed) => {
                let notes = fs_err::read(self.kept.at("p.gcno")).unwrap();
                let notes = with_lines(&notes, profiler.info().major() >= 12, changed);
                fs_err::write(self.kept.at("p.gcno"), notes).unwrap();
                self.gcov(profiler)
            }
            Altered::Region { function, hash, index, value } => {
                let [profdata, cov] = ["llvm-profdata", "llvm-cov"].map(|name| tool(profiler, name));
                let text = self.run(&profdata, &["merge", "--text", "p.profdata", "-o", "-"]);
                let text = with_region(&String::from_utf8(text).unwrap(), (function, *hash, *index), *value);
                fs_err::write(self.kept.at("p.proftext"), text).unwrap();
                self.run(&profdata, &["merge", "p.proftext", "-o", "p.profdata"]);
                let tracefile = self.run(&cov, &["export", "-format=lcov", "-instr-profile=p.profdata", "p"]);
                let json = self.run(&cov, &["export", "-instr-profile=p.profdata", "p"]);
                let mut report = lcov::read(&String::from_utf8_lossy(&tracefile), self.source.as_str())
                    .map_err(|error| error.to_string())?;
                let parts =
                    llvm_json::read(&json, self.source.as_str()).map_err(|error| error.to_string())?;
                (report.regions, report.tested) = (parts.regions, parts.tested);
                Ok(report)
            }
        }
    }

    fn gcov(&self, profiler: &Probed) -> Result<Coverage, String> {
        let args = ["--json-format", "--stdout", "--branch-probabilities", "p.gcda"];
        let printed = self.run(profiler.reader().expect("gcov"), &args);
        gcov_json::read(&printed, "p.c").map_err(|error| error.to_string())
    }

    fn run(&self, tool: &Utf8Path, args: &[&str]) -> Vec<u8> {
        let mut command = Command::new(tool);
        command.args(args).current_dir(self.kept.root()).stdin(Stdio::null()).stderr(Stdio::null());
        command.output().unwrap().stdout
    }
}

/// `report` as the tools print it: the largest number of llvm-cov's JSON is 2^63 - 1.
pub fn printed(report: &Coverage) -> Coverage {
    let mut report = report.clone();
    let cut = |count: &mut u64| *count = (*count).min(i64::MAX.unsigned_abs());
    report.regions.iter_mut().for_each(|region| cut(&mut region.count));
    report.tested.iter_mut().for_each(|branch| [&mut branch.yes, &mut branch.no].into_iter().for_each(cut));
    report
}

/// The tool of clang with this name: `clang-14` has `llvm-cov-14`.
fn tool(profiler: &Probed, name: &str) -> Utf8PathBuf {
    let clang = profiler.compiler().expect("clang");
    let with_version = clang.file_name().unwrap_or_default().replace("clang", name);
    let versioned = clang.with_file_name(with_version);
    if versioned.exists() { versioned } else { clang.with_file_name(name) }
}

/// The contents of a `.gcda` file with another value of a counter. Counters that are all zero have no values there, only a
/// negative length. Since gcc 12 lengths are in bytes, and a checksum follows the stamp.
fn with_arc(data: &[u8], in_bytes: bool, (function, index): (u32, usize), value: i64) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(data[at..at + 4].try_into().unwrap());
    let mut at = if in_bytes { 16 } else { 12 };
    let mut out = data[..at].to_vec();
    let mut current = None;
    while at + 8 <= data.len() {
        let (tag, length) = (word(at), word(at + 4).cast_signed());
        let size = length.unsigned_abs() as usize * if in_bytes { 1 } else { 4 };
        let body = if length < 0 { vec![0; size] } else { data[at + 8..at + 8 + size].to_vec() };
        let next = at + 8 + if length < 0 { 0 } else { size };
        if tag == FUNCTION && length > 0 {
            current = Some(word(at + 8));
        }
        if tag == ARC_COUNTERS && current == Some(function) {
            let mut body = body;
            body[8 * index..8 * index + 8].copy_from_slice(&value.to_le_bytes());
            out.extend(tag.to_le_bytes());
            out.extend(length.unsigned_abs().to_le_bytes());
            out.extend(body);
        } else {
            out.extend(&data[at..next]);
        }
        at = next;
    }
    out.extend(&data[at.min(data.len())..]);
    out
}

/// The text of a profile with another value of a counter: after the name of a function come its hash, the number of its
/// counters, and their values, with comments in between.
fn with_region(text: &str, (function, hash, index): (&str, u64, usize), value: u64) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let hash = hash.to_string();
    let found = (0..lines.len()).find(|at| lines[*at] == function && lines.get(at + 2) == Some(&hash));
    let name = found.expect("the profile has the function");
    // Name, comment, hash, comment, number, comment.
    lines[name + 6 + index] = value.to_string();
    lines.join("\n") + "\n"
}
