//! Finds the profilers that the user names or that are installed: a compiler with its coverage tools.
//!
//! A compiler and tools of two versions are refused: the tools of another version report an error at best and
//! wrong counts at worst.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::compilers::{Version, compilers, family_of, version_of};
use super::gcov::Gcov;
use super::llvm_cov::LlvmCov;
use super::profiler::Probed;
use crate::model::{Family, ProfilerInfo};

/// A compiler that cannot be used, and the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{compiler}: {problem}; {remedy}")]
pub struct UnusableCompiler {
    /// The compiler as found or asked for.
    pub compiler: String,
    pub problem: String,
    pub remedy: String,
}

/// Every compiler that is found, usable or not, one for each version, the newest last in each family.
pub fn installed() -> Vec<std::result::Result<Probed, UnusableCompiler>> {
    let of_family = |family| {
        let mut all = newest_first(family);
        // `gcc` and `gcc-12` are often the same; the versioned name comes first and is kept.
        all.dedup_by_key(|(major, _)| *major);
        all.into_iter().rev().map(move |(_, compiler)| probe(family, &compiler))
    };
    Family::ALL.into_iter().flat_map(of_family).collect()
}

/// The compiler of a family that comes with the machine, if it can be used.
pub fn usual(family: Family) -> Option<&'static Probed> {
    static USUAL: [OnceLock<Option<Probed>>; Family::ALL.len()] =
        [const { OnceLock::new() }; Family::ALL.len()];
    let probe = || select(&[family.compiler().to_string()]).ok()?.into_iter().next();
    USUAL[family as usize].get_or_init(probe).as_ref()
}

/// The compilers of a family with their major versions.
fn newest_first(family: Family) -> Vec<(u32, Utf8PathBuf)> {
    let versioned = |path: Utf8PathBuf| Some((version_of(&path)?.major, path));
    let mut all: Vec<_> = compilers(family).into_iter().filter_map(versioned).collect();
    all.sort_by_key(|(major, _)| Reverse(*major));
    all
}

/// The profilers with these `names`: a family (its newest version), `all`, a compiler with its version, or a
/// path.
///
/// # Errors
/// A sentence that names the packages to install, for a profiler that is not installed and for a compiler and
/// tools of two versions.
pub fn select(names: &[String]) -> Result<Vec<Probed>> {
    let mut chosen: Vec<Probed> = Vec::new();
    for name in names {
        for profiler in with_name(name)? {
            if !chosen.iter().any(|known| known.info() == profiler.info()) {
                chosen.push(profiler);
            }
        }
    }
    chosen.sort_by(|a, b| sort_key(a.info()).cmp(&sort_key(b.info())));
    Ok(chosen)
}

fn sort_key(info: &ProfilerInfo) -> (Family, usize, &str, &str) {
    (info.profiler, info.compiler.len(), &info.compiler, &info.version)
}

fn with_name(name: &str) -> Result<Vec<Probed>> {
    if let Some(family) = Family::ALL.into_iter().find(|family| family.name() == name) {
        return newest(family);
    }
    if name == "all" {
        return Ok(installed().into_iter().flatten().collect());
    }
    if name.contains('/') {
        let path = Utf8Path::new(name);
        let absolute = path.canonicalize_utf8().with_context(|| format!("{name}: no such compiler"))?;
        let given = if path.is_absolute() { path.to_path_buf() } else { absolute };
        let family = family_of(&given).with_context(|| {
            format!("{name}: neither its file name nor its --version says whether it is gcc or clang")
        })?;
        return Ok(vec![probe(family, &given)?]);
    }
    let parsed = name.rsplit_once('-').and_then(|(command, major)| Some((command, major.parse().ok()?)));
    let command = parsed.map_or(name, |(command, _)| command);
    let Some(family) = Family::ALL.into_iter().find(|family| family.compiler() == command) else {
        bail!(
            "{name}: no such profiler; use gcov, llvm-cov, all, a compiler such as gcc-12 or clang-22, or a path"
        );
    };
    let wanted: Option<u32> = parsed.map(|(_, major)| major);
    let path = compilers(family).into_iter().find(|path| match wanted {
        Some(major) => version_of(path).is_some_and(|version| version.major == major),
        None => path.file_name() == Some(name),
    });
    let path = path.ok_or_else(|| not_installed(family, name, wanted))?;
    Ok(vec![probe(family, &path)?])
}

fn newest(family: Family) -> Result<Vec<Probed>> {
    let mut first_problem = None;
    for (_, path) in newest_first(family) {
        match probe(family, &path) {
            Ok(profiler) => return Ok(vec![profiler]),
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
    }
    Err(first_problem.unwrap_or_else(|| not_installed(family, family.compiler(), None)).into())
}

fn not_installed(family: Family, name: &str, major: Option<u32>) -> UnusableCompiler {
    let packages = packages(family, major);
    // Debian has some versions in other suites only.
    let or = if major.is_some() { " or `scripts/profilers`" } else { "" };
    UnusableCompiler {
        compiler: name.to_string(),
        problem: "not found on PATH".into(),
        remedy: format!("install it with `apt-get install {packages}`{or}, or give the compiler's path"),
    }
}

fn packages(family: Family, major: Option<u32>) -> String {
    match (family, major) {
        (Family::Gcov, None) => "gcc".into(),
        (Family::Gcov, Some(n)) => format!("gcc-{n}"),
        (Family::LlvmCov, None) => "clang llvm".into(),
        (Family::LlvmCov, Some(n)) => format!("clang-{n} llvm-{n} libclang-rt-{n}-dev"),
    }
}

/// The profiler of the compiler at `path`, with the tools that belong to it.
fn probe(family: Family, path: &Utf8Path) -> std::result::Result<Probed, UnusableCompiler> {
    let unusable =
        |problem: String, remedy: String| UnusableCompiler { compiler: path.to_string(), problem, remedy };
    let version = version_of(path).ok_or_else(|| {
        unusable("it does not print a version".into(), "give the path of a gcc or clang".into())
    })?;
    // The oldest version that can be used: the first gcov with `--json-format` (GCC 9 release notes; with
    // `--stdout` since 9.3, as tried), and the first clang with the JSON keys that are read.
    let oldest = match family {
        Family::Gcov => 9,
        Family::LlvmCov => 11,
    };
    if version.major < oldest {
        let remedy = format!("use {} {oldest} or newer", family.compiler());
        return Err(unusable(format!("version {} is too old", version.number), remedy));
    }
    let tool = |name: &str| {
        matching_tool(path, name, &version).map_err(|problem| {
            let packages = packages(family, Some(version.major));
            unusable(problem, format!("install the tools of its version with `apt-get install {packages}`"))
        })
    };
    let info = |tools: Vec<String>| ProfilerInfo {
        profiler: family,
        compiler: format!("{}-{}", family.compiler(), version.major),
        version: version.line.clone(),
        tools,
    };
    let compiler = path.to_path_buf();
    Ok(match family {
        Family::Gcov => {
            let (gcov, line) = tool("gcov")?;
            Arc::new(Gcov { info: info(vec![line]), gcc: compiler, gcov })
        }
        Family::LlvmCov => {
            let (cov, cov_line) = tool("llvm-cov")?;
            let (profdata, profdata_line) = tool("llvm-profdata").or_else(|unusable| {
                // Up to LLVM 15 llvm-profdata prints no version; llvm-cov in the same folder does.
                let neighbour = unversioned_neighbour(&cov, "llvm-profdata").ok_or(unusable)?;
                Ok((neighbour, format!("llvm-profdata next to {cov_line}")))
            })?;
            let info = info(vec![profdata_line, cov_line]);
            Arc::new(LlvmCov { info, clang: compiler, profdata, cov })
        }
    })
}

/// The tool `name` in the folder of `tool`, links followed, if it prints no version.
fn unversioned_neighbour(tool: &Utf8Path, name: &str) -> Option<Utf8PathBuf> {
    let path = tool.canonicalize_utf8().ok()?.parent()?.join(name);
    (path.is_file() && version_of(&path).is_none()).then_some(path)
}

/// The tool `name` of the compiler's own version, and what it prints of it: in the folder of the compiler or of the
/// file that this is a link to, with the compiler's suffix, with its version, or without either. Otherwise the problem.
fn matching_tool(
    compiler: &Utf8Path,
    name: &str,
    version: &Version,
) -> std::result::Result<(Utf8PathBuf, String), String> {
    let real = compiler.canonicalize_utf8().unwrap_or_else(|_| compiler.to_path_buf());
    let suffix = |path: &Utf8Path| {
        let (_, number) = path.file_name()?.rsplit_once('-')?;
        number.parse::<u32>().is_ok().then(|| format!("-{number}"))
    };
    let mut other = None;
    for path in [compiler, &real] {
        let folder = path.parent().unwrap_or(Utf8Path::new("."));
        let suffixes = [suffix(path), Some(format!("-{}", version.major)), Some(String::new())];
        let candidates = suffixes.into_iter().flatten().map(|suffix| folder.join(format!("{name}{suffix}")));
        for candidate in candidates.filter(|path| path.is_file()) {
            match version_of(&candidate) {
                Some(found) if found.number == version.number => return Ok((candidate, found.line)),
                Some(found) => other = other.or(Some((candidate, found.number))),
                None => {}
            }
        }
    }
    Err(match other {
        Some((path, number)) => format!("it is version {}, but {path} is {number}", version.number),
        None => format!("there is no {name} of version {} next to it", version.number),
    })
}
