//! `recount versions`: which versions of a profiler show a finding.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::anyhow;
use camino::Utf8Path;

use super::exit::{Exit, Failure, bad_input, ours};
use super::finding::{folders, is_run, named_or_all, new_workers};
use super::flags::VersionsFlags;
use super::print::print;
use crate::config::Settings;
use crate::journal::{FindingBundle, FindingFolder, Standing, VersionResult};
use crate::model::Family;
use crate::reduce::versions as ask;
use crate::report::{shown, table, write};
use crate::sys::install_interrupt;
use crate::toolchain::Probed;

pub fn versions(flags: &VersionsFlags) -> Result<Exit, Failure> {
    let settings =
        Settings::merge(flags.settings.config.as_deref(), flags.settings.file()).map_err(bad_input)?;
    install_interrupt().map_err(ours)?;
    let asked = named_or_all(&flags.settings, &settings)?;
    let (mut exit, mut seen) = (Exit::NothingNew, BTreeSet::new());
    for name in &flags.findings {
        for folder in folders(name, &flags.known)? {
            // A cluster of several runs is one finding.
            if is_run(name) && !seen.insert(folder.0.file_name().unwrap_or_default().to_string()) {
                continue;
            }
            let bundle = folder.read().map_err(bad_input)?;
            let now = tried(&folder.0, &bundle, &asked, &settings)?;
            if !now.iter().any(|tried| tried.affected) {
                exit = Exit::NotThere;
            }
            let tried = with_earlier(now, &bundle.versions);
            let table = told(&folder, &bundle, &tried);
            write(&folder, &FindingBundle { versions: tried, ..bundle }).map_err(ours)?;
            print(&table).map_err(ours)?;
        }
    }
    Ok(exit)
}

/// What was tried `now`, with what was tried `earlier` under other compilers, oldest first.
fn with_earlier(mut now: Vec<VersionResult>, earlier: &[VersionResult]) -> Vec<VersionResult> {
    let asked: BTreeSet<String> = now.iter().map(|tried| tried.compiler.clone()).collect();
    now.extend(earlier.iter().filter(|tried| !asked.contains(&tried.compiler)).cloned());
    let number =
        |tried: &VersionResult| tried.compiler.rsplit('-').next().and_then(|last| last.parse::<u32>().ok());
    now.sort_by_key(number);
    now
}

fn tried(
    place: &Utf8Path,
    bundle: &FindingBundle,
    profilers: &[Probed],
    settings: &Settings,
) -> Result<Vec<VersionResult>, Failure> {
    let replay = bundle.replay.as_ref().ok_or_else(|| {
        bad_input(anyhow!(
            "{place}: an older recount did not write down how to run it; find it again by `recount run`"
        ))
    })?;
    let family = bundle.finding.profiler;
    let own: Vec<Probed> =
        profilers.iter().filter(|profiler| profiler.info().profiler == family).cloned().collect();
    if own.is_empty() {
        let error = anyhow!("{place}: no {} among the profilers that were named", family.compiler());
        return Err(Failure { error, exit: Exit::NoProfiler });
    }
    let (_scratch, mut all) = new_workers(1, settings)?;
    let (tried, mut worker) = ask(&own, settings, bundle, replay, all.remove(0)).map_err(ours)?;
    worker.finish();
    Ok(tried)
}

/// The table, and since when and until when it is there.
fn told(folder: &FindingFolder, bundle: &FindingBundle, tried: &[VersionResult]) -> String {
    let line = bundle.finding.line.map_or_else(|| "the output".into(), |line| bundle.finding.place(line));
    let right = bundle.finding.truth.as_deref().filter(|truth| !truth.is_empty());
    let right = right.map_or_else(String::new, |right| {
        format!(", right is {}", right.iter().map(u64::to_string).collect::<Vec<_>>().join(" or "))
    });
    let truth = bundle.finding.truth.as_deref();
    let rows = tried.iter().map(|tried| {
        let (count, verdict) = match (&tried.count, tried.affected) {
            (Ok(count), true) => {
                (shown(*count), tried.verdict.map_or("affected", |verdict| verdict.name()).into())
            }
            (Ok(count), false) => (shown(*count), tried.standing(truth).name().into()),
            (Err(why), _) => (String::new(), format!("{}: {why}", tried.standing(truth).name())),
        };
        vec![tried.compiler.clone(), count, verdict, tried.version.clone()]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut out = format!("{}: {line}{right}\n\n", folder.0);
    out.push_str(&table(&["compiler", "count", "verdict", "version"], &[1], &rows));
    let _ = writeln!(out, "\n{}\n", in_words(tried, bundle.finding.profiler, truth));
    out
}

/// Since when it is there and in which version it is gone, as far as these versions tell.
pub fn in_words(tried: &[VersionResult], family: Family, right: Option<&[u64]>) -> String {
    let known: Vec<&VersionResult> = tried.iter().filter(|tried| tried.count.is_ok()).collect();
    let affected = |tried: &&&VersionResult| tried.affected;
    let (Some(first), Some(last)) = (known.iter().find(affected), known.iter().rev().find(affected)) else {
        return format!("no {} here is affected", family.compiler());
    };
    let position = |wanted: &VersionResult| known.iter().position(|tried| tried.compiler == wanted.compiler);
    let since = match position(first).and_then(|at| at.checked_sub(1)).map(|at| known[at]) {
        Some(before) if before.standing(right) == Standing::WrongOtherwise => {
            format!("affected since {} ({} is wrong in another way)", first.compiler, before.compiler)
        }
        Some(before) => format!("affected since {} ({} is not)", first.compiler, before.compiler),
        None => format!("affected since {} or earlier", first.compiler),
    };
    let until = match position(last).and_then(|at| known.get(at + 1)) {
        Some(after) if after.standing(right) == Standing::WrongOtherwise => {
            format!("wrong in another way in {}", after.compiler)
        }
        Some(after) => format!("fixed in {}", after.compiler),
        None => format!("still there in {}", last.compiler),
    };
    format!("{since}, {until}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_versions_is_told_in_words() {
        let tried = |compiler: &str, affected| VersionResult {
            compiler: compiler.into(),
            version: String::new(),
            count: Ok(Some(1)),
            verdict: None,
            affected,
        };
        let all =
            [tried("gcc-10", false), tried("gcc-11", true), tried("gcc-12", true), tried("gcc-16", false)];
        let said = |all: &[VersionResult]| in_words(all, Family::Gcov, None);
        assert_eq!(said(&all), "affected since gcc-11 (gcc-10 is not), fixed in gcc-16");
        assert_eq!(said(&all[1..3]), "affected since gcc-11 or earlier, still there in gcc-12");
        assert_eq!(said(&all[..1]), "no gcc here is affected");
        // Truth admits 2 alone.
        assert_eq!(
            in_words(&all, Family::Gcov, Some(&[2])),
            "affected since gcc-11 (gcc-10 is wrong in another way), wrong in another way in gcc-16"
        );
        let both = with_earlier(all[2..].to_vec(), &[&all[..1], &all[3..]].concat());
        let names: Vec<&str> = both.iter().map(|tried| tried.compiler.as_str()).collect();
        assert_eq!(names, ["gcc-10", "gcc-12", "gcc-16"]);
        let mut broken = all.clone();
        broken[3].count = Err("program does not compile".into());
        assert_eq!(said(&broken), "affected since gcc-11 (gcc-10 is not), still there in gcc-12");
    }
}
