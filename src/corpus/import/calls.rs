//! The result of a build, derived from the recorded calls of compilers and archivers or from a compilation database.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::options::{is_in, split};
use crate::model::normal;

/// One call of a compiler or of `ar`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    pub cwd: Utf8PathBuf,
    /// The name by which the tool was called.
    pub tool: String,
    /// The arguments after the name.
    pub args: Vec<String>,
}

/// A C file as it was compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// An absolute path.
    pub source: Utf8PathBuf,
    /// The folder to which relative paths in the flags refer.
    pub cwd: Utf8PathBuf,
    pub flags: Vec<String>,
}

/// A program that was linked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The program, an absolute path.
    pub output: Utf8PathBuf,
    /// Objects, archives and C files, as absolute paths.
    pub inputs: Vec<Utf8PathBuf>,
    /// `-l…` and similar flags, in their order.
    pub libraries: Vec<String>,
}

/// The results of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// C files by the object that each was compiled to, or by their own path if they were linked at once.
    pub units: BTreeMap<Utf8PathBuf, Unit>,
    /// The members of each archive.
    pub archives: BTreeMap<Utf8PathBuf, Vec<Utf8PathBuf>>,
    /// The programs, in the order in which they were linked.
    pub links: Vec<Link>,
}

/// Flags about dependencies whose value is the next word.
const DEPENDENCY_WITH_VALUE: &str = "-MF -MT -MQ";

/// Flags about dependencies without a value.
const DEPENDENCY: &str = "-M -MM -MD -MMD -MP -MG";

/// Flags whose value is the next word.
const WITH_VALUE: &str = "-I -D -U -include -imacros -isystem -iquote -idirafter -x -Xlinker --param -z -u -T -e \
    -Xclang -mllvm -arch -target";

impl Call {
    /// Parse a call as the recorder writes it: words that end in NUL, the folder and the tool first.
    pub fn recorded(bytes: &[u8]) -> Option<Call> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut words = text.strip_suffix('\0')?.split('\0').map(String::from);
        Some(Call { cwd: words.next()?.into(), tool: words.next()?, args: words.collect() })
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        let path = self.cwd.join(name);
        normal(&path).unwrap_or(path)
    }
}

impl Built {
    /// The results of `calls`. If several calls wrote the same object, the last one counts.
    pub fn of(calls: &[Call]) -> Built {
        let mut built = Built::default();
        for call in calls {
            if call.tool.ends_with("ar") {
                built.archive(call);
            } else {
                built.compile(call);
            }
        }
        built
    }

    /// `ar rcs lib.a a.o b.o`
    fn archive(&mut self, call: &Call) {
        let mut words = call.args.iter().filter(|word| !word.starts_with("--"));
        let (Some(operation), Some(archive)) = (words.next(), words.next()) else { return };
        if operation.trim_start_matches('-').contains(['r', 'q']) {
            let members = words.map(|word| call.path(word));
            self.archives.entry(call.path(archive)).or_default().extend(members);
        }
    }

    fn compile(&mut self, call: &Call) {
        let mut read = Words::default();
        let mut words = call.args.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-o" => read.output = words.next().cloned(),
                "-c" => read.only_compiles = true,
                "-S" | "-E" | "-shared" | "-r" | "-fsyntax-only" | "-" | "-M" | "-MM" => return,
                word if is_in(DEPENDENCY_WITH_VALUE, word) => drop(words.next()),
                word if is_in(DEPENDENCY, word) || word.starts_with("-MF") => {}
                "-l" => read.libraries.push(format!("-l{}", words.next().map_or("", String::as_str))),
                "-L" => read.folders.push(call.path(words.next().map_or("", String::as_str))),
                word if word.starts_with("-l") => read.libraries.push(word.to_string()),
                word if word.starts_with("-L") => read.folders.push(call.path(&word[2..])),
                "-pthread" => {
                    read.libraries.push(word.clone());
                    read.flags.push(word.clone());
                }
                word if is_in(WITH_VALUE, word) => {
                    read.flags.push(word.to_string());
                    read.flags.extend(words.next().cloned());
                }
                word if word.starts_with(['-', '@']) => read.flags.push(word.to_string()),
                word => read.inputs.push(word.to_string()),
            }
        }
        self.add(call, read);
    }

    fn add(&mut self, call: &Call, read: Words) {
        let mut inputs = Vec::new();
        for input in &read.inputs {
            let source = call.path(input);
            if source.extension() != Some("c") {
                inputs.push(source);
                continue;
            }
            let object = match &read.output {
                Some(output) if read.only_compiles => call.path(output),
                _ if read.only_compiles => {
                    call.path(&format!("{}.o", source.file_stem().unwrap_or_default()))
                }
                _ => source.clone(),
            };
            let unit = Unit { source, cwd: call.cwd.clone(), flags: read.flags.clone() };
            self.units.insert(object.clone(), unit);
            inputs.push(object);
        }
        if read.only_compiles || inputs.is_empty() {
            return;
        }
        let (mut libraries, mut is_needed) = (Vec::new(), vec![false; read.folders.len()]);
        for library in read.libraries {
            let name = format!("lib{}.a", library.trim_start_matches("-l"));
            let archive = read
                .folders
                .iter()
                .map(|folder| folder.join(&name))
                .find(|path| self.archives.contains_key(path));
            if let Some(archive) = archive {
                inputs.push(archive);
            } else {
                is_needed.fill(true);
                libraries.push(library);
            }
        }
        let folders = read.folders.iter().zip(is_needed).filter(|(_, needed)| *needed);
        let libraries = folders.map(|(folder, _)| format!("-L{folder}")).chain(libraries).collect();
        let output = call.path(read.output.as_deref().unwrap_or("a.out"));
        self.links.retain(|link| link.output != output);
        self.links.push(Link { output, inputs, libraries });
    }
}

/// The words of a compiler's call, sorted by kind.
#[derive(Default)]
struct Words {
    output: Option<String>,
    only_compiles: bool,
    flags: Vec<String>,
    libraries: Vec<String>,
    folders: Vec<Utf8PathBuf>,
    inputs: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    directory: Utf8PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The calls of a compilation database, the JSON text of `file`.
pub fn database(text: &str, file: &Utf8Path) -> Result<Vec<Call>> {
    let entries: Vec<Entry> =
        serde_json::from_str(text).with_context(|| format!("{file}: not a compilation database"))?;
    let calls = entries.into_iter().filter_map(|entry| {
        let mut words = entry.arguments.or_else(|| entry.command.map(|line| split(&line)))?.into_iter();
        Some(Call { cwd: entry.directory, tool: words.next()?, args: words.collect() })
    });
    Ok(calls.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, line: &str) -> Call {
        Call { cwd: "/p".into(), tool: tool.into(), args: split(line) }
    }

    #[test]
    fn objects_archives_and_programs_are_distinguished() {
        let built = Built::of(&[
            call("gcc", "-O2 -Iinc -DX=1 -MD -MF a.d -c a.c -o obj/a.o"),
            call("cc", "-c src/b.c"),
            call("ar", "rcs lib/libb.a b.o"),
            call("cc", "-o prog obj/a.o main.c -L lib -lb -lm -pthread"),
            call("cc", "-shared -o x.so obj/a.o"),
            call("cc", "-E a.c"),
        ]);
        let objects: Vec<&str> = built.units.keys().map(|path| path.as_str()).collect();
        assert_eq!(objects, ["/p/b.o", "/p/main.c", "/p/obj/a.o"]);
        assert_eq!(built.units[Utf8Path::new("/p/obj/a.o")].flags, ["-O2", "-Iinc", "-DX=1"]);
        let [link] = &built.links[..] else { panic!("{:?}", built.links) };
        let inputs: Vec<&str> = link.inputs.iter().map(|path| path.as_str()).collect();
        assert_eq!(inputs, ["/p/obj/a.o", "/p/main.c", "/p/lib/libb.a"]);
        assert_eq!(link.libraries, ["-L/p/lib", "-lm", "-pthread"]);
        assert_eq!(built.archives[Utf8Path::new("/p/lib/libb.a")], ["/p/b.o"]);
    }

    #[test]
    fn a_recorded_call_is_words_that_end_in_nul() {
        let found = Call::recorded(b"/p\0cc\0-DX=a b\0\0").unwrap();
        assert_eq!(found.args, ["-DX=a b", ""]);
        assert_eq!(Call::recorded(b"/p"), None);
    }

    #[test]
    fn a_compilation_database_is_read_as_calls() {
        let text = r#"[{"directory": "/p", "file": "a.c", "command": "cc -D'X=\"y\"' -c a.c -o a.o"},
                       {"directory": "/p", "file": "b.c", "arguments": ["cc", "-c", "b.c"]}]"#;
        let calls = database(text, Utf8Path::new("x.json")).unwrap();
        assert_eq!(calls[0].args[0], "-DX=\"y\"");
        assert_eq!(Built::of(&calls).units.len(), 2);
        assert!(database("{}", Utf8Path::new("x.json")).unwrap_err().to_string().contains("x.json"));
    }
}
