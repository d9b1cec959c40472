//! Finding profilers: which compilers there are, which tools belong to each,
//! and a sentence on what is missing.
//!
//! Compilers are looked for on PATH and where `scripts/profilers` installs them;
//! where both have a version, PATH's is the one.
//!
//! A pair of two versions is refused: a profile of one version read by the tools
//! of another is at best an error and at worst a wrong report.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::Profiler;
use super::gcov::Gcov;
use super::llvm_cov::LlvmCov;
use crate::model::{Family, ProfilerInfo};
use crate::sys::{Limits, run_in_scratch};

/// gcov learnt `--json-format` in this version (GCC 9 release notes; with `--stdout` in 9.3, as tried), clang
/// the JSON keys that are read in that.
const OLDEST: [(Family, u32); 2] = [(Family::Gcov, 9), (Family::LlvmCov, 11)];

/// A profiler that can be used.
pub type Probed = Arc<dyn Profiler>;

/// A compiler that cannot be used, and the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{compiler}: {problem}; {remedy}")]
pub struct Missing {
    /// The compiler as found or asked for.
    pub compiler: String,
    /// What is wrong.
    pub problem: String,
    /// What to install or say instead.
    pub remedy: String,
}

/// Every compiler that is found, usable or not, newest last in each family.
pub fn installed() -> Vec<std::result::Result<Probed, Missing>> {
    let mut all: Vec<(Family, u32, Utf8PathBuf)> = Vec::new();
    for family in [Family::Gcov, Family::LlvmCov] {
        let mut of_family: Vec<(Family, u32, Utf8PathBuf)> = Vec::new();
        for compiler in found(family) {
            let Some(version) = version_of(&compiler) else { continue };
            // `gcc` and `gcc-12` are often the same; the versioned name sorts first and stays.
            if !of_family.iter().any(|(_, known, _)| *known == version.major) {
                of_family.push((family, version.major, compiler));
            }
        }
        of_family.sort_by_key(|(_, major, _)| *major);
        all.extend(of_family);
    }
    all.into_iter().map(|(family, _, compiler)| probe(family, &compiler)).collect()
}

/// The profilers that `names` mean: a family (its newest version), `all`, a
/// compiler with its version, or a path.
///
/// # Errors
/// A sentence that names what to install, for a profiler that is not there and
/// for a pair of two versions.
pub fn select(names: &[String]) -> Result<Vec<Probed>> {
    let mut chosen: Vec<Probed> = Vec::new();
    for name in names {
        for profiler in named(name)? {
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

fn named(name: &str) -> Result<Vec<Probed>> {
    let family = [Family::Gcov, Family::LlvmCov].into_iter().find(|family| family.name() == name);
    if let Some(family) = family {
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
            format!("{name}: is it gcc or clang? Its file name says neither, and so does --version")
        })?;
        return Ok(vec![probe(family, &given)?]);
    }
    let parsed =
        name.rsplit_once('-').and_then(|(command, major)| Some((command, major.parse::<u32>().ok()?)));
    let family = [Family::Gcov, Family::LlvmCov].into_iter().find(|family| {
        family.compiler() == name || parsed.is_some_and(|(command, _)| command == family.compiler())
    });
    let Some(family) = family else {
        bail!(
            "{name}: no such profiler; say gcov, llvm-cov, all, a compiler as in gcc-12 or clang-22, or a path"
        );
    };
    let wanted = parsed.map(|(_, major)| major);
    let path = found(family).into_iter().find(|path| match wanted {
        Some(major) => version_of(path).is_some_and(|version| version.major == major),
        None => path.file_name() == Some(name),
    });
    match path {
        Some(path) => Ok(vec![probe(family, &path)?]),
        None => Err(not_installed(family, name, wanted).into()),
    }
}

fn newest(family: Family) -> Result<Vec<Probed>> {
    let mut of_family: Vec<(u32, Utf8PathBuf)> =
        found(family).into_iter().filter_map(|path| Some((version_of(&path)?.major, path))).collect();
    of_family.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    let mut first_problem = None;
    for (_, path) in of_family {
        match probe(family, &path) {
            Ok(profiler) => return Ok(vec![profiler]),
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
    }
    Err(first_problem.unwrap_or_else(|| not_installed(family, family.compiler(), None)).into())
}

fn not_installed(family: Family, name: &str, major: Option<u32>) -> Missing {
    let packages = packages(family, major);
    // Debian has some versions in other suites only.
    let or = if major.is_some() { " or `scripts/profilers`" } else { "" };
    Missing {
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

/// The compilers of this family: on PATH, then those of `scripts/profilers`.
fn found(family: Family) -> Vec<Utf8PathBuf> {
    let mut found = on_path(family);
    if let Some(prefix) = prefix(|name| std::env::var(name).ok()) {
        found.extend(under(&prefix, family));
    }
    found
}

/// Is this the name of a compiler of this family, as in `gcc` and `gcc-12`?
fn is_compiler(family: Family, name: &str) -> bool {
    let rest = name.strip_prefix(family.compiler());
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok())
    })
}

/// The folder of compilers that bring the libraries of their programs, if there is one.
pub fn compilers_folder() -> Option<Utf8PathBuf> {
    prefix(|name| std::env::var(name).ok())?.canonicalize_utf8().ok()
}

/// Where `scripts/profilers` installs compilers.
fn prefix(variable: impl Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
    let folder = |name| variable(name).filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
    folder("RECOUNT_COMPILERS").or_else(|| {
        let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
        Some(data?.join("recount/compilers"))
    })
}

/// The compilers of this family in `gcc-N/bin` and `clang-N/bin` under `prefix`, by their
/// versioned names if they have them, since these are shown to people.
fn under(prefix: &Utf8Path, family: Family) -> Vec<Utf8PathBuf> {
    // A compiler runs in other folders than ours, so a relative path would not do.
    let Ok(entries) = prefix.canonicalize_utf8().and_then(|prefix| prefix.read_dir_utf8()) else {
        return Vec::new();
    };
    let folders = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        name != family.compiler() && is_compiler(family, name)
    });
    let compilers = folders.filter_map(|folder| {
        let bin = folder.path().join("bin");
        [folder.file_name(), family.compiler()]
            .map(|name| bin.join(name))
            .into_iter()
            .find(|path| path.is_file())
    });
    let mut found: Vec<Utf8PathBuf> = compilers.collect();
    found.sort();
    found
}

/// Commands on PATH that are compilers of this family by name, versioned names first.
fn on_path(family: Family) -> Vec<Utf8PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut found: Vec<Utf8PathBuf> = Vec::new();
    for folder in path.split(':').filter(|folder| !folder.is_empty()) {
        let Ok(entries) = Utf8Path::new(folder).read_dir_utf8() else { continue };
        let names = entries.flatten().filter(|entry| is_compiler(family, entry.file_name()));
        found.extend(names.map(|entry| entry.path().to_path_buf()));
    }
    found.sort_by_key(|path| (!path.as_str().ends_with(|c: char| c.is_ascii_digit()), path.clone()));
    found
}

fn family_of(path: &Utf8Path) -> Option<Family> {
    let text = format!("{} {}", path.file_name()?, printed(path, "--version").unwrap_or_default());
    // clang's --version says clang, and gcc's never does.
    if text.contains("clang") {
        Some(Family::LlvmCov)
    } else {
        (text.contains("gcc") || text.contains("GCC")).then_some(Family::Gcov)
    }
}

/// A version as a tool prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    major: u32,
    /// `12.2.0`
    number: String,
    /// The whole line.
    line: String,
}

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([0-9]+)\.[0-9]+(\.[0-9]+)?").expect("a constant"));

fn version_of(tool: &Utf8Path) -> Option<Version> {
    version_in(&printed(tool, "--version")?)
}

/// The first line with a version in it; a package's version in parentheses comes
/// first in gcc's, so the last one on the line counts.
fn version_in(text: &str) -> Option<Version> {
    let line = text.lines().find(|line| NUMBER.is_match(line))?;
    let plain = line.split(" (").next().filter(|part| NUMBER.is_match(part)).unwrap_or(line);
    let found = NUMBER.captures_iter(plain).last()?;
    Some(Version {
        major: found[1].parse().ok()?,
        number: found[0].to_string(),
        line: line.trim().to_string(),
    })
}

fn printed(tool: &Utf8Path, flag: &str) -> Option<String> {
    let limits = Limits { wall: Duration::from_secs(20), cpu_seconds: 20, file_bytes: 1 << 20 };
    let env = vec![("LC_ALL".into(), "C".into())];
    let exit = run_in_scratch(tool.as_str(), vec![flag.to_string()], None, env, limits).ok()?;
    Some(String::from_utf8_lossy(&exit.stdout).into_owned())
}

/// The profiler of the compiler at `path`, with the tools that belong to it.
fn probe(family: Family, path: &Utf8Path) -> std::result::Result<Probed, Missing> {
    let missing = |problem: String, remedy: String| Missing { compiler: path.to_string(), problem, remedy };
    let version = version_of(path).ok_or_else(|| {
        missing("it does not print a version".into(), "give the path of a gcc or clang".into())
    })?;
    let oldest = OLDEST.iter().find(|(of, _)| *of == family).map_or(0, |(_, oldest)| *oldest);
    if version.major < oldest {
        let name = family.compiler();
        return Err(missing(
            format!("version {} is too old", version.number),
            format!("take {name} {oldest} or newer"),
        ));
    }
    let tool = |name: &str| tool_beside(path, name, &version, family);
    let profiler: Probed = match family {
        Family::Gcov => {
            let (gcov, line) = tool("gcov")?;
            let info = info(family, &version, &[line]);
            Arc::new(Gcov { info, gcc: path.to_path_buf(), gcov, major: version.major })
        }
        Family::LlvmCov => {
            let (cov, cov_line) = tool("llvm-cov")?;
            let (profdata, profdata_line) = tool("llvm-profdata").or_else(|missing| {
                // Up to LLVM 15 llvm-profdata prints no version; its neighbour does.
                let beside = beside_really(&cov, "llvm-profdata").ok_or(missing)?;
                Ok((beside, format!("llvm-profdata beside {cov_line}")))
            })?;
            let info = info(family, &version, &[profdata_line, cov_line]);
            Arc::new(LlvmCov { info, clang: path.to_path_buf(), profdata, cov, major: version.major })
        }
    };
    Ok(profiler)
}

fn info(family: Family, version: &Version, tools: &[String]) -> ProfilerInfo {
    ProfilerInfo {
        profiler: family,
        compiler: format!("{}-{}", family.compiler(), version.major),
        version: version.line.clone(),
        tools: tools.to_vec(),
    }
}

/// The tool `name` in the folder in which `tool` really lies, if it prints no version.
fn beside_really(tool: &Utf8Path, name: &str) -> Option<Utf8PathBuf> {
    let path = tool.canonicalize_utf8().ok()?.parent()?.join(name);
    (path.is_file() && version_of(&path).is_none()).then_some(path)
}

/// The tool `name` of the compiler's own version: beside the compiler or its
/// target, with the compiler's suffix, with its version, or plain.
fn tool_beside(
    compiler: &Utf8Path,
    name: &str,
    version: &Version,
    family: Family,
) -> std::result::Result<(Utf8PathBuf, String), Missing> {
    let real = compiler.canonicalize_utf8().unwrap_or_else(|_| compiler.to_path_buf());
    let suffix = |path: &Utf8Path| {
        let file = path.file_name().unwrap_or_default();
        file.rsplit_once('-').filter(|(_, n)| n.parse::<u32>().is_ok()).map(|(_, n)| format!("-{n}"))
    };
    let mut candidates = Vec::new();
    for path in [compiler, &real] {
        let folder = path.parent().unwrap_or(Utf8Path::new("."));
        let endings = [suffix(path), Some(format!("-{}", version.major)), Some(String::new())];
        candidates.extend(endings.into_iter().flatten().map(|ending| folder.join(format!("{name}{ending}"))));
    }
    let mut other = None;
    for candidate in candidates.iter().filter(|path| path.is_file()) {
        match version_of(candidate) {
            Some(found) if found.number == version.number => return Ok((candidate.clone(), found.line)),
            Some(found) => other = other.or(Some((candidate, found.number))),
            None => {}
        }
    }
    let packages = packages(family, Some(version.major));
    let problem = match other {
        Some((path, number)) => format!("it is version {}, but {path} is {number}", version.number),
        None => format!("there is no {name} of version {} beside it", version.number),
    };
    let remedy = format!("install the tools of its own version with `apt-get install {packages}`");
    Err(Missing { compiler: compiler.to_string(), problem, remedy })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_tools_print_them() {
        let number = |text: &str| version_in(text).map(|version| version.number);
        let cases = [
            ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright", "12.2.0"),
            ("gcc-11 (Debian 11.3.0-12) 11.3.0", "11.3.0"),
            ("Debian clang version 14.0.6", "14.0.6"),
            ("Debian clang version 22.1.8 (1:22.1.8-1~deb12u1)\nTarget", "22.1.8"),
            ("Debian LLVM version 14.0.6\n  Optimized build.", "14.0.6"),
            ("LLVM (http://llvm.org/):\n  LLVM version 19.1.7", "19.1.7"),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_prefix_is_where_the_script_puts_it() {
        type Case<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);
        let cases: [Case<'_>; 5] = [
            (&[("RECOUNT_COMPILERS", "/cc"), ("XDG_DATA_HOME", "/data"), ("HOME", "/home/a")], Some("/cc")),
            (&[("XDG_DATA_HOME", "/data"), ("HOME", "/home/a")], Some("/data/recount/compilers")),
            (&[("HOME", "/home/a")], Some("/home/a/.local/share/recount/compilers")),
            (
                &[("RECOUNT_COMPILERS", ""), ("XDG_DATA_HOME", ""), ("HOME", "/home/a")],
                Some("/home/a/.local/share/recount/compilers"),
            ),
            (&[], None),
        ];
        for (variables, expected) in cases {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into())
            };
            assert_eq!(prefix(variable).as_deref(), expected.map(Utf8Path::new), "{variables:?}");
        }
    }

    #[test]
    fn compilers_under_the_prefix_are_found_by_their_versioned_names() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(temp.path()).unwrap().canonicalize_utf8().unwrap();
        let files = [
            "gcc-10/bin/gcc",
            "gcc-10/bin/gcc-10",
            "gcc-16/bin/gcc",
            // Not finished, no compiler, without a version, not of the script.
            "gcc-9/tree/usr/bin/gcc-9",
            "gcc-next/bin/gcc",
            "gcc/bin/gcc",
            "gcc-15",
            "clang-11/bin/clang-11",
        ];
        for file in files {
            fs_err::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs_err::write(root.join(file), "").unwrap();
        }
        let expected = [root.join("gcc-10/bin/gcc-10"), root.join("gcc-16/bin/gcc")];
        assert_eq!(under(&root, Family::Gcov), expected);
        assert_eq!(under(&root, Family::LlvmCov), [root.join("clang-11/bin/clang-11")]);
        assert_eq!(under(&root.join("nowhere"), Family::Gcov), Vec::<Utf8PathBuf>::new());
    }
}
