//! From what a build did to programs of one C file each.
//!
//! recount counts the lines of one file, so a program of several becomes one text ([`super::joining`]), with
//! `main` last or, where that does not compile, first; where neither does, the program is skipped.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::calls::{Built, Link, Unit};
use super::includes::normal;
use super::{Fate, options, skip};

/// A program that may become one C file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its file in the import's folder.
    pub file: Utf8PathBuf,
    /// What the build made of it; none if it is known from a database alone.
    pub output: Option<Utf8PathBuf>,
    /// The file with `main`.
    pub main: Unit,
    /// Its other files.
    pub others: Vec<Unit>,
    /// What it is linked with besides.
    pub libraries: Vec<String>,
}

/// The texts of the sources of a build.
pub type Texts = BTreeMap<Utf8PathBuf, String>;

type No = Box<Fate>;

/// Sources that have a `main` as they were compiled.
pub type Mains = BTreeSet<Utf8PathBuf>;

/// The programs below `root` that were linked, each with the file that it becomes, or why it does not.
pub fn programs(
    built: &Built,
    root: &Utf8Path,
    texts: &Texts,
    mains: &Mains,
) -> Vec<(Utf8PathBuf, Result<Program, No>)> {
    let linked = built.links.iter().map(|link| {
        let file = Utf8PathBuf::from(format!("{}.c", below(&link.output, root)));
        (file, linked(built, link, root, texts, mains))
    });
    linked.collect()
}

/// The programs of a database, which says nothing of links: each file with `main`, with the files
/// without it as what it may need.
pub fn alone(built: &Built, root: &Utf8Path, mains: &Mains) -> Vec<Program> {
    let is_main = |unit: &&Unit| mains.contains(&unit.source);
    let others: Vec<Unit> = built.units.values().filter(|unit| !is_main(unit)).cloned().collect();
    let mains = built.units.values().filter(is_main).map(|unit| Program {
        file: below(&unit.source, root),
        output: None,
        main: unit.clone(),
        others: others.clone(),
        libraries: vec!["-lm".into()],
    });
    mains.collect()
}

/// `path` from `root` on; its name where it lies elsewhere.
pub fn below(path: &Utf8Path, root: &Utf8Path) -> Utf8PathBuf {
    path.strip_prefix(root)
        .map_or_else(|_| path.file_name().unwrap_or("program").into(), Utf8Path::to_path_buf)
}

fn linked(built: &Built, link: &Link, root: &Utf8Path, texts: &Texts, mains: &Mains) -> Result<Program, No> {
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
            return Err(Box::new(skip("links what was not built here from C", below(&input, root))));
        }
    }
    if let Some(missing) = units.iter().find(|unit| !texts.contains_key(&unit.source)) {
        return Err(Box::new(skip("its source is not there any more", below(&missing.source, root))));
    }
    let (mut mains, others): (Vec<Unit>, Vec<Unit>) =
        units.into_iter().partition(|unit| mains.contains(&unit.source));
    let Some(main) = mains.pop() else { return Err(Box::new(skip("has no main", ""))) };
    if let Some(second) = mains.pop() {
        let both = format!("{} and {}", below(&main.source, root), below(&second.source, root));
        return Err(Box::new(skip("several files with main", both)));
    }
    Ok(Program {
        file: format!("{}.c", below(&link.output, root)).into(),
        output: Some(link.output.clone()),
        main,
        others,
        libraries: link.libraries.iter().filter(|library| !is_built(library, root)).cloned().collect(),
    })
}

/// What an archive or a shared library was made of.
fn members<'a>(built: &'a Built, library: &Utf8Path) -> Option<&'a Vec<Utf8PathBuf>> {
    let shared = || built.links.iter().find(|link| link.output == library);
    built.archives.get(library).or_else(|| shared().map(|link| &link.inputs))
}

/// Whether `flag` is a folder of libraries that the build itself made, which are in the program's text.
fn is_built(flag: &str, root: &Utf8Path) -> bool {
    flag.strip_prefix("-L").is_some_and(|folder| Utf8Path::new(folder).starts_with(root))
}

/// The units of each way to make one file of `program`, the likeliest first.
pub fn orders(program: &Program) -> Vec<Vec<Unit>> {
    let main = std::iter::once(&program.main);
    let alone = vec![program.main.clone()];
    if program.others.is_empty() {
        return vec![alone];
    }
    let last = program.others.iter().chain(main.clone()).cloned().collect();
    let first = main.chain(&program.others).cloned().collect();
    if program.output.is_none() { vec![alone, last, first] } else { vec![last, first] }
}

/// The flags of one file for `units`, with folders below `root` where they are in the import's folder
/// `out`. Gives those that were dropped, too.
///
/// # Errors
/// The fate of a program whose files differ in a macro or in the language, or with a flag that no
/// program here can have.
pub fn flags(units: &[Unit], root: &Utf8Path, out: &Utf8Path) -> Result<options::Sorted, No> {
    let mut places: Vec<String> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for unit in units {
        let own = unit.source.parent().unwrap_or(root);
        push(&mut places, format!("-iquote\0{}", moved(own, root, out)));
        let mut words = unit.flags.iter();
        while let Some(word) = words.next() {
            let place = PLACES.iter().find(|flag| word.starts_with(**flag));
            match place {
                Some(flag) => {
                    let value = &word[flag.len()..];
                    let value =
                        if value.is_empty() { words.next().map_or("", String::as_str) } else { value };
                    let path = unit.cwd.join(value);
                    let path = moved(&normal(&path).unwrap_or(path), root, out);
                    // Word and value stay together until all are known.
                    push(&mut places, format!("{flag}\0{path}"));
                }
                None if word.starts_with("-flto") || word.starts_with("-fsanitize") => {}
                None => match (word.as_str(), words.clone().next()) {
                    ("-D" | "-U", Some(value)) => {
                        words.next();
                        push(&mut others, format!("{word}{value}"));
                    }
                    _ => push(&mut others, word.clone()),
                },
            }
        }
    }
    clash(&others)?;
    let mut sorted = options::sort(&others).map_err(|(flag, what)| Box::new(skip(what, flag)))?;
    let places = places.iter().flat_map(|place| place.split('\0').map(String::from));
    sorted.kept = places.chain(sorted.kept).collect();
    Ok(sorted)
}

/// Flags with a file or folder.
const PLACES: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

fn push(list: &mut Vec<String>, word: String) {
    if !list.contains(&word) {
        list.push(word);
    }
}

fn moved(path: &Utf8Path, root: &Utf8Path, out: &Utf8Path) -> Utf8PathBuf {
    match path.strip_prefix(root) {
        Ok(rest) if rest.as_str().is_empty() => out.to_path_buf(),
        Ok(rest) => out.join(rest),
        Err(_) => path.to_path_buf(),
    }
}

/// Two files of one text cannot disagree on a macro or on the language.
fn clash(flags: &[String]) -> Result<(), No> {
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
            return Err(Box::new(skip(
                "its files are compiled with different flags",
                format!("{other} and {one}"),
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::calls::Call;
    use super::*;

    fn world(lines: &[&str]) -> (Built, Texts, Mains) {
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
        let texts: Texts = built.units.values().map(text).collect();
        let mains =
            texts.iter().filter(|(_, text)| text.contains("main")).map(|(path, _)| path.clone()).collect();
        (built, texts, mains)
    }

    fn flags_of(program: &Program) -> Result<Vec<String>, String> {
        match flags(&orders(program)[0], Utf8Path::new("/p"), Utf8Path::new("/o")) {
            Ok(sorted) => Ok(sorted.kept),
            Err(fate) => match *fate {
                Fate::Skipped(skipped) => Err(format!("{}: {}", skipped.reason, skipped.detail)),
                Fate::Taken(_) => unreachable!(),
            },
        }
    }

    #[test]
    fn a_program_is_its_files_and_where_they_find_headers() {
        let (built, texts, mains) = world(&[
            "cc -O2 -Iinc -I/usr/x -DA=1 -c lib/f.c -o f.o",
            "cc -DA=1 -include cfg.h -c main.c -o main.o",
            "ar rc libf.a f.o",
            "cc -o bin/prog main.o libf.a -lm",
            "cc -o bad main.o gone.o",
        ]);
        let mut found = programs(&built, Utf8Path::new("/p"), &texts, &mains);
        let (file, bad) = found.pop().unwrap();
        assert_eq!(file, "bad.c");
        assert!(matches!(&*bad.unwrap_err(), Fate::Skipped(skipped) if skipped.detail == "gone.o"));
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
    fn files_that_disagree_are_no_one_file() {
        let (built, texts, mains) = world(&[
            "cc -DA=1 -c f.c",
            "cc -D A=2 -c main.c",
            "cc -o prog main.o f.o",
            "cc -o two main.o main2.c",
        ]);
        let found = programs(&built, Utf8Path::new("/p"), &texts, &mains);
        let program = found[0].1.clone().unwrap();
        assert_eq!(
            flags_of(&program).unwrap_err(),
            "its files are compiled with different flags: -DA=1 and -DA=2"
        );
        assert!(found[1].1.is_err());
        assert_eq!(alone(&built, Utf8Path::new("/p"), &mains).len(), 2);
    }
}
