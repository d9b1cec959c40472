//! Turns the results of a build into programs of one C file each.
//!
//! recount counts the lines of one file, so the files of a program are joined into one text ([`super::joining`]), with
//! the file that has `main` last. If that does not compile, it comes first; if neither compiles, the program is
//! skipped.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::calls::{Built, Link, Unit};
use super::{Skipped, options, skip};
use crate::corpus::sidecar::PATH_FLAGS;
use crate::model::normal;

/// A program that may become one C file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its file in the import's folder.
    pub file: Utf8PathBuf,
    /// The binary; none if the program is only known from a compilation database.
    pub output: Option<Utf8PathBuf>,
    /// The file with `main`.
    pub main: Unit,
    pub others: Vec<Unit>,
    /// Libraries that it is linked with, as flags.
    pub libraries: Vec<String>,
}

impl Program {
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        std::iter::once(&self.main).chain(&self.others)
    }
}

/// The sources of a build.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The folder of the package.
    pub root: &'a Utf8Path,
    /// The text of each.
    pub texts: BTreeMap<Utf8PathBuf, String>,
    /// Those that still have `main` after preprocessing.
    pub with_main: BTreeSet<Utf8PathBuf>,
}

/// The programs that were linked, by the file in the import's folder that each would become, or why it is skipped.
pub fn linked_programs(built: &Built, sources: &Sources<'_>) -> Vec<(Utf8PathBuf, Result<Program, Skipped>)> {
    let linked = built.links.iter().map(|link| {
        let file = Utf8PathBuf::from(format!("{}.c", below(&link.output, sources.root)));
        let program = program(built, link, &file, sources);
        (file, program)
    });
    linked.collect()
}

/// The programs of a compilation database, which does not say what is linked: each file with `main`, together with
/// all files without, which it may need.
pub fn unlinked_programs(built: &Built, sources: &Sources<'_>) -> Vec<Program> {
    let (mains, others): (Vec<&Unit>, Vec<&Unit>) =
        built.units.values().partition(|unit| sources.with_main.contains(&unit.source));
    let others: Vec<Unit> = others.into_iter().cloned().collect();
    let programs = mains.into_iter().map(|unit| Program {
        file: below(&unit.source, sources.root),
        output: None,
        main: unit.clone(),
        others: others.clone(),
        libraries: vec!["-lm".into()],
    });
    programs.collect()
}

/// `path` relative to `root`; only its name if it is elsewhere.
pub fn below(path: &Utf8Path, root: &Utf8Path) -> Utf8PathBuf {
    path.strip_prefix(root)
        .map_or_else(|_| path.file_name().unwrap_or("program").into(), Utf8Path::to_path_buf)
}

fn program(built: &Built, link: &Link, file: &Utf8Path, sources: &Sources<'_>) -> Result<Program, Skipped> {
    let root = sources.root;
    let mut units: Vec<Unit> = Vec::new();
    let mut open: Vec<Utf8PathBuf> = link.inputs.iter().rev().cloned().collect();
    let mut opened: BTreeSet<Utf8PathBuf> = BTreeSet::from([link.output.clone()]);
    while let Some(input) = open.pop() {
        if let Some(unit) = built.units.get(&input) {
            if !units.contains(unit) {
                units.push(unit.clone());
            }
        } else if let Some(members) = members(built, &input) {
            if opened.insert(input) {
                open.extend(members.iter().rev().cloned());
            }
        } else {
            return Err(skip("links a file that was not built from C", below(&input, root)));
        }
    }
    if let Some(missing) = units.iter().find(|unit| !sources.texts.contains_key(&unit.source)) {
        return Err(skip("its source file no longer exists", below(&missing.source, root)));
    }
    let (mut mains, others): (Vec<Unit>, Vec<Unit>) =
        units.into_iter().partition(|unit| sources.with_main.contains(&unit.source));
    let Some(main) = mains.pop() else { return Err(skip("has no main", "")) };
    if let Some(second) = mains.pop() {
        let both = format!("{} and {}", below(&main.source, root), below(&second.source, root));
        return Err(skip("several files with main", both));
    }
    // Libraries that the build itself made are part of the program's text.
    let is_of_build = |flag: &&String| {
        flag.strip_prefix("-L").is_some_and(|folder| Utf8Path::new(folder).starts_with(root))
    };
    Ok(Program {
        file: file.to_path_buf(),
        output: Some(link.output.clone()),
        main,
        others,
        libraries: link.libraries.iter().filter(|flag| !is_of_build(flag)).cloned().collect(),
    })
}

/// The files in an archive or a shared library.
fn members<'a>(built: &'a Built, library: &Utf8Path) -> Option<&'a Vec<Utf8PathBuf>> {
    let shared = || built.links.iter().find(|link| link.output == library);
    built.archives.get(library).or_else(|| shared().map(|link| &link.inputs))
}

/// The orders in which the units of `program` may be joined into one file, the likeliest first.
pub fn orders(program: &Program) -> Vec<Vec<Unit>> {
    let alone = vec![program.main.clone()];
    if program.others.is_empty() {
        return vec![alone];
    }
    let last = program.others.iter().chain([&program.main]).cloned().collect();
    let first = program.units().cloned().collect();
    if program.output.is_none() { vec![alone, last, first] } else { vec![last, first] }
}

/// The flags of one file that joins `units`. Folders below `root` are replaced by those in the import's folder `out`.
///
/// # Errors
/// The units differ in a macro or in the language, or have a flag that no program can have here.
pub fn flags(units: &[Unit], root: &Utf8Path, out: &Utf8Path) -> Result<options::Sorted, Skipped> {
    // A flag and its value stay one element until duplicates are removed.
    let mut paths: Vec<[String; 2]> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    let moved = |path: &Utf8Path| {
        let below = path.strip_prefix(root);
        below
            .map_or(path.to_path_buf(), |below| out.components().chain(below.components()).collect())
            .into_string()
    };
    for unit in units {
        let own = unit.source.parent().unwrap_or(root);
        push(&mut paths, ["-iquote".into(), moved(own)]);
        let mut words = unit.flags.iter();
        while let Some(word) = words.next() {
            let next = words.clone().next();
            if let Some(flag) = PATH_FLAGS.iter().find(|flag| **flag != "-L" && word.starts_with(**flag)) {
                let value = match &word[flag.len()..] {
                    "" => words.next().map_or("", String::as_str),
                    value => value,
                };
                let path = unit.cwd.join(value);
                push(&mut paths, [(*flag).into(), moved(&normal(&path).unwrap_or(path))]);
            } else if let ("-D" | "-U", Some(value)) = (word.as_str(), next) {
                words.next();
                push(&mut others, format!("{word}{value}"));
            } else if !word.starts_with("-flto") && !word.starts_with("-fsanitize") {
                push(&mut others, word.clone());
            }
        }
    }
    check_agreement(&others)?;
    let mut sorted = options::sort(&others)?;
    sorted.kept = paths.into_iter().flatten().chain(sorted.kept).collect();
    Ok(sorted)
}

fn push<T: PartialEq>(list: &mut Vec<T>, element: T) {
    if !list.contains(&element) {
        list.push(element);
    }
}

/// The files of one text cannot differ in a macro or in the language.
fn check_agreement(flags: &[String]) -> Result<(), Skipped> {
    let subject = |flag: &String| {
        let name = flag.split('=').next().unwrap_or_default().to_string();
        match name.get(..2) {
            Some("-D" | "-U") => Some(name[2..].to_string()),
            _ => (name == "-std").then_some(name),
        }
    };
    for (at, one) in flags.iter().enumerate() {
        let Some(name) = subject(one) else { continue };
        if let Some(other) = flags[..at].iter().find(|other| subject(other).as_ref() == Some(&name)) {
            return Err(skip("its files are compiled with different flags", format!("{other} and {one}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::calls::Call;
    use super::*;

    fn build(lines: &[&str]) -> (Built, Sources<'static>) {
        let call = |line: &&str| {
            let mut words = options::split(line).into_iter();
            Call { cwd: "/p".into(), tool: words.next().unwrap(), args: words.collect() }
        };
        let built = Built::of(&lines.iter().map(call).collect::<Vec<_>>());
        let text = |unit: &Unit| {
            let name = unit.source.file_stem().unwrap();
            let body = if name.starts_with("main") { "int main(void) { return 0; }" } else { "int f;" };
            (unit.source.clone(), body.to_string())
        };
        let texts: BTreeMap<Utf8PathBuf, String> = built.units.values().map(text).collect();
        let with_main =
            texts.iter().filter(|(_, text)| text.contains("main")).map(|(path, _)| path.clone()).collect();
        (built, Sources { root: Utf8Path::new("/p"), texts, with_main })
    }

    fn flags_of(program: &Program) -> Result<Vec<String>, String> {
        let sorted = flags(&orders(program)[0], Utf8Path::new("/p"), Utf8Path::new("/o"));
        sorted.map(|sorted| sorted.kept).map_err(|skipped| skipped.to_string())
    }

    #[test]
    fn a_program_has_its_files_and_their_folders_of_headers() {
        let (built, sources) = build(&[
            "cc -O2 -Iinc -I/usr/x -DA=1 -c lib/f.c -o f.o",
            "cc -DA=1 -include cfg.h -c main.c -o main.o",
            "ar rc libf.a f.o",
            "cc -o bin/prog main.o libf.a -lm",
            "cc -o bad main.o missing.o",
        ]);
        let mut found = linked_programs(&built, &sources);
        let (file, bad) = found.pop().unwrap();
        assert_eq!(file, "bad.c");
        assert_eq!(bad.unwrap_err().detail, "missing.o");
        let program = found.pop().unwrap().1.unwrap();
        assert_eq!((program.file.as_str(), &program.libraries[..]), ("bin/prog.c", &["-lm".to_string()][..]));
        let kept = [
            "-iquote", "/o/lib", "-I", "/o/inc", "-I", "/usr/x", "-iquote", "/o", "-include", "/o/cfg.h",
            "-DA=1",
        ];
        assert_eq!(flags_of(&program).unwrap(), kept);
        assert_eq!(orders(&program).len(), 2);
    }

    #[test]
    fn files_that_disagree_cannot_be_joined() {
        let (built, sources) = build(&[
            "cc -DA=1 -c f.c",
            "cc -D A=2 -c main.c",
            "cc -o prog main.o f.o",
            "cc -o two main.o main2.c",
        ]);
        let found = linked_programs(&built, &sources);
        let program = found[0].1.clone().unwrap();
        assert_eq!(
            flags_of(&program).unwrap_err(),
            "its files are compiled with different flags: -DA=1 and -DA=2"
        );
        assert!(found[1].1.is_err());
        assert_eq!(unlinked_programs(&built, &sources).len(), 2);
    }
}
