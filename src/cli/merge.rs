//! `recount merge`: the shards of a campaign become one run.

use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::KnownFlags;
use super::print::print;
use super::run::settle;
use crate::journal::{RunFolder, merge as put_together};

pub fn merge(folders: &[Utf8PathBuf], out: &Utf8Path, flags: &KnownFlags) -> Result<Exit, Failure> {
    let known = flags.read()?;
    let parts: Vec<RunFolder> = folders.iter().cloned().map(RunFolder).collect();
    let folder = RunFolder(out.to_path_buf());
    let merged = put_together(&parts, &folder).map_err(bad_input)?;
    let settled = settle(&folder, &known, flags).map_err(ours)?;
    let mut said = format!("\n{} jobs of {} runs.\n", merged.jobs, parts.len());
    if merged.repeated > 0 {
        writeln!(said, "{} of their records are of jobs that another run has too.", merged.repeated)
            .map_err(ours)?;
    }
    if merged.missing > 0 {
        // The merged run knows nothing of the jobs of other shards.
        let how = merged.absent.is_empty().then(|| {
            format!("; recount run with the same sources, settings and --out {out} --resume does them")
        });
        let how = how.unwrap_or_default();
        writeln!(said, "{} jobs are missing{how}.", merged.missing).map_err(ours)?;
    }
    if !merged.absent.is_empty() {
        let (shards, them) = match merged.absent.as_slice() {
            [one] => (format!("Shard {one} is"), "it"),
            several => (format!("Shards {} are", several.join(", ")), "them"),
        };
        writeln!(said, "{shards} not among them; run {them}, and merge all of them anew.").map_err(ours)?;
    }
    print(&format!("{}{said}Report: {}\n", settled.text, folder.report())).map_err(ours)?;
    Ok(settled.exit())
}
