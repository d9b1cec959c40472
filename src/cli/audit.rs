//! `recount audit`: which numbers of a package's coverage report are wrong.

use std::time::Duration;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};

use super::audit_flags::{AuditFlags, AuditFormat};
use super::known;
use super::output::{Exit, Failure, bad_input, complain, no_profiler, print};
use super::setup::new_workers;
use crate::audit::{Audit, BadPackage, Commands, Package, audit as audit_package, work_folder};
use crate::config::Settings;
use crate::model::{Cluster, number_of};
use crate::report::{audit_suite, audit_text, audit_tracefile, write_audit_pages};
use crate::sys::{install_interrupt, shell_word};
use crate::toolchain::select;

pub fn audit(flags: &AuditFlags) -> Result<Exit, Failure> {
    install_interrupt()?;
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let root = flags.package.as_ref().map_or(Ok(cwd.clone()), |folder| folder.canonicalize_utf8());
    let root =
        root.map_err(|error| bad_input(anyhow!("{}: {error}", flags.package.as_deref().unwrap_or(&cwd))))?;
    if !root.is_dir() {
        return Err(bad_input(anyhow!("--package {root}: this is a file; name the folder of the project")));
    }
    let known = known::read(flags.known.as_deref())?;
    let settings = Settings::quick();
    let names = if flags.profilers.is_empty() { settings.profilers.clone() } else { flags.profilers.clone() };
    let profilers = select(&names).map_err(bad_input)?;
    if profilers.is_empty() {
        return Err(no_profiler(anyhow!(
            "no usable profiler found; `recount profilers` lists the packages to install"
        )));
    }
    let test = match &flags.test {
        Some(test) => test.clone(),
        None => flags.command.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "),
    };
    let commands =
        Commands { build: flags.build.clone(), test, limit: flags.limit, has_network: flags.network };
    let baseline = flags.baseline.as_ref().map(|file| Audit::read(file)).transpose().map_err(bad_input)?;
    fs_err::create_dir_all(&flags.out).map_err(bad_input)?;
    let out = flags.out.canonicalize_utf8()?;
    if out == root.canonicalize_utf8()? {
        return Err(bad_input(anyhow!(
            "--out {}: this is the project, of which the audit makes copies; name another folder",
            flags.out
        )));
    }
    let binary = Utf8PathBuf::try_from(std::env::current_exe()?)?;
    let mut exit = Exit::NothingNew;
    for profiler in &profilers {
        let compiler = &profiler.info().compiler;
        let work = work_folder(&out, compiler);
        let package = Package {
            root: &root,
            commands: &commands,
            work: &work,
            left_out: &out,
            recount: &binary,
            is_resumed: flags.resume,
        };
        let (_scratch, workers) = new_workers(rayon::current_num_threads(), &settings)?;
        let progress = |step: crate::audit::Progress| {
            if !flags.quiet {
                let left = step.left.map_or_else(String::new, |left| format!(" ({} left)", remaining(left)));
                complain(&format!("{}: {}{left}", step.compiler, step.what));
            }
        };
        let mut found =
            audit_package(&package, profiler.as_ref(), workers, &progress).map_err(failure_of_audit)?;
        let compiler = &found.profiler.compiler;
        fs_err::write(out.join(format!("{compiler}.json")), serde_json::to_string(&found)?)?;
        if let (Some(baseline), Some(file)) = (&baseline, &flags.baseline) {
            let left_out = number_of(found.leave_out(baseline), "finding");
            if !flags.quiet {
                complain(&format!("{left_out} left out, since {file} has the same"));
            }
        }
        let clusters = known.clusters(&found.findings);
        write(&found, &clusters, &root, (&out, &flags.out))?;
        print(&match flags.format {
            AuditFormat::Text => audit_text(&found, &clusters, &flags.out),
            AuditFormat::Json => serde_json::to_string_pretty(&found)? + "\n",
        })?;
        if clusters.iter().any(Cluster::is_news) {
            exit = exit.max(Exit::News);
        }
    }
    Ok(exit)
}

/// About `left`, in words.
fn remaining(left: Duration) -> String {
    match left.as_secs() {
        0..60 => "less than 1 minute".into(),
        seconds => format!(
            "about {}",
            number_of(usize::try_from(seconds.div_ceil(60)).unwrap_or(usize::MAX), "minute")
        ),
    }
}

/// The failure of an audit: a bad package, or one of recount itself or of the machine.
pub fn failure_of_audit(error: anyhow::Error) -> Failure {
    if error.is::<BadPackage>() { bad_input(error) } else { error.into() }
}

/// Write the result to the folder `out`, which the user called `named`, in all formats but JSON, which has the findings that are left
/// out here too: it may be the baseline of the next audit.
fn write(
    found: &Audit,
    clusters: &[Cluster],
    root: &Utf8Path,
    (out, named): (&Utf8Path, &Utf8Path),
) -> Result<(), Failure> {
    let compiler = &found.profiler.compiler;
    fs_err::write(out.join(format!("{compiler}.txt")), audit_text(found, clusters, named))?;
    fs_err::write(out.join(format!("{compiler}.xml")), audit_suite(found, clusters)?)?;
    fs_err::write(out.join(format!("{compiler}.info")), audit_tracefile(found, root))?;
    write_audit_pages(found, clusters, &out.join(compiler))?;
    Ok(())
}
