//! `recount merge`: merges the shards of a campaign into one run.

use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::known_flags::KnownFlags;
use super::output::{Exit, Failure, bad_input, print};
use super::report::{Conclusion, conclude};
use crate::journal::{MergeResult, RunFolder, merge as merge_runs};
use crate::report::number_of;

pub fn merge(folders: &[Utf8PathBuf], out: &Utf8Path, flags: &KnownFlags) -> Result<Exit, Failure> {
    let known = flags.read()?;
    let shards: Vec<RunFolder> = folders.iter().cloned().map(RunFolder).collect();
    let folder = RunFolder(out.to_path_buf());
    let merged = merge_runs(&shards, &folder).map_err(bad_input)?;
    let Conclusion { text: report, exit, .. } = conclude(&folder, &known, flags)?;
    let merged = in_words(&merged, shards.len(), out);
    print(&format!("{report}\n{merged}Report: {}\n", folder.report()))?;
    Ok(exit)
}

fn in_words(merged: &MergeResult, runs: usize, out: &Utf8Path) -> String {
    let mut text = format!("Merged {} of {}.\n", number_of(merged.jobs, "job"), number_of(runs, "run"));
    if merged.repeated > 0 {
        let _ = writeln!(text, "{} appeared in more than one run.", number_of(merged.repeated, "record"));
    }
    if merged.missing > 0 {
        let _ = write!(text, "Missing: {}", number_of(merged.missing, "job"));
        // `run --resume` can run missing jobs, but not those of a whole missing shard.
        if merged.absent.is_empty() {
            text.push_str("; `recount run` with the same sources and settings and --out ");
            text.extend([out.as_str(), " --resume does them"]);
        }
        text.push_str(".\n");
    }
    let (shards, are, them) =
        if merged.absent.len() == 1 { ("Shard", "is", "it") } else { ("Shards", "are", "them") };
    if !merged.absent.is_empty() {
        let absent = merged.absent.join(", ");
        let _ =
            writeln!(text, "{shards} {absent} {are} not included; run {them}, then merge all shards again.");
    }
    text
}
