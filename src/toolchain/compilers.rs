//! Compilers of this machine, found by their names, and the versions that they print.
//!
//! They are looked for on PATH and where `scripts/profilers` installs them; a version that is in both places is
//! taken from PATH.

use std::sync::LazyLock;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use crate::model::Family;
use crate::sys::{Limits, path_folders, run_in_scratch};

/// The compilers of this family: those on PATH, then those of `scripts/profilers`.
pub fn compilers(family: Family) -> Vec<Utf8PathBuf> {
    let mut found = on_path(family);
    found.extend(compilers_folder().into_iter().flat_map(|prefix| under(&prefix, family)));
    found
}

/// Whether this is the name of a compiler of this family, such as `gcc` and `gcc-12`.
fn is_compiler(family: Family, name: &str) -> bool {
    let rest = name.strip_prefix(family.compiler());
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok())
    })
}

/// The folder of the compilers that `scripts/profilers` installed, if there is one. Their programs need
/// libraries that are in it.
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

/// The compilers of this family in `gcc-N/bin` and `clang-N/bin` under `prefix`, with their versioned names if
/// they have them, since these are shown to people.
fn under(prefix: &Utf8Path, family: Family) -> Vec<Utf8PathBuf> {
    let Ok(entries) = prefix.read_dir_utf8() else { return Vec::new() };
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

/// The compilers of this family on PATH, versioned names first.
fn on_path(family: Family) -> Vec<Utf8PathBuf> {
    let entries = path_folders().into_iter().filter_map(|folder| folder.read_dir_utf8().ok());
    let compilers = entries.flatten().flatten().filter(|entry| is_compiler(family, entry.file_name()));
    let mut found: Vec<Utf8PathBuf> = compilers.map(camino::Utf8DirEntry::into_path).collect();
    found.sort_by_key(|path| (!path.as_str().ends_with(|c: char| c.is_ascii_digit()), path.clone()));
    found
}

/// The family of the compiler at `path`, by its name and version.
pub fn family_of(path: &Utf8Path) -> Option<Family> {
    let text = format!("{} {}", path.file_name()?, printed(path, "--version").unwrap_or_default());
    // Only clang prints "clang".
    if text.contains("clang") {
        Some(Family::LlvmCov)
    } else {
        (text.contains("gcc") || text.contains("GCC")).then_some(Family::Gcov)
    }
}

/// A version as a tool prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub major: u32,
    /// `12.2.0`
    pub number: String,
    /// The whole line.
    pub line: String,
}

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([0-9]+)\.[0-9]+(\.[0-9]+)?").expect("a constant"));

pub fn version_of(tool: &Utf8Path) -> Option<Version> {
    version_in(&printed(tool, "--version")?)
}

/// The first line with a version in it. In gcc's line a package version in parentheses comes first, so the
/// last one on the line counts.
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
    fn the_prefix_is_the_one_of_the_script() {
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
