//! The commands that a compiler's driver runs, as it prints them with `-###`, with a faster call of the linker.
//!
//! The driver prints them twice, and the two outputs differ only in the names of temporary files. These are replaced by
//! fixed names, so that the commands are the same for every program.

use std::collections::BTreeMap;
use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};

/// Libraries that are on every link command and that few programs need: `-lm` is ours, the driver adds the others. The linker
/// would read and then drop them.
const RARELY_NEEDED: [&str; 6] =
    ["-lm", "-lgcc", "-lgcc_s", "-lgcc_s_asneeded", "-latomic_asneeded", "-latomic"];

/// One command of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A compiler proper or an assembler.
    Tool(Words),
    /// The linker, without the libraries that are rarely needed and with all of them.
    Link { short: Words, full: Words },
}

/// A program and its arguments.
pub type Words = Vec<String>;

/// The commands in the output of a driver with `-###`, printed twice. None if one of them is not understood. `tool` finds a
/// program of the driver by its name.
pub fn parts(first: &str, second: &str, tool: impl Fn(&str) -> Option<String>) -> Option<Vec<Part>> {
    let (first, second) = (commands(first)?, commands(second)?);
    let mut temporary = TemporaryNames::default();
    let mut parts = Vec::new();
    if first.len() != second.len() {
        return None;
    }
    for (words, others) in first.iter().zip(&second) {
        if words.len() != others.len() {
            return None;
        }
        let words: Words =
            words.iter().zip(others).map(|(word, other)| temporary.fixed(word, other)).collect();
        parts.push(part(words, &tool)?);
    }
    (!parts.is_empty()).then_some(parts)
}

/// Drivers print commands after a space, and everything else without one. clang also prints that it would start no process
/// for a single command.
fn commands(output: &str) -> Option<Vec<Words>> {
    let is_command = |line: &&str| line.starts_with(' ') && line.trim() != "(in-process)";
    output.lines().filter(is_command).map(shlex::split).collect()
}

/// Fixed names for the temporary files of a driver.
#[derive(Debug, Default)]
struct TemporaryNames(BTreeMap<String, String>);

impl TemporaryNames {
    fn fixed(&mut self, word: &str, other: &str) -> String {
        // Only options of plugins, which are left out, name temporary files.
        if word == other || word.starts_with('-') {
            return word.to_string();
        }
        let number = self.0.len();
        let extension = Utf8Path::new(word).extension().unwrap_or("tmp");
        self.0.entry(word.to_string()).or_insert_with(|| format!("t{number}.{extension}")).clone()
    }
}

fn part(mut words: Words, tool: impl Fn(&str) -> Option<String>) -> Option<Part> {
    let name = Utf8Path::new(words.first()?).file_name()?.to_string();
    match name.as_str() {
        "collect2" | "ld" => {
            let linker = tool("ld")?;
            let without = |left_out: &[&str]| link(&linker, &words[1..], left_out);
            Some(Part::Link { short: without(&RARELY_NEEDED), full: without(&[]) })
        }
        name if name == "cc1" || words.get(1).is_some_and(|word| word == "-cc1") => Some(Part::Tool(words)),
        "as" => {
            words[0] = tool("as")?;
            Some(Part::Tool(words))
        }
        _ => None,
    }
}

/// A link command for `linker` without the libraries in `left_out` and without plugins, which are for link-time optimisation.
/// Libraries are named by their paths, because a linker that searches for one reads whole folders.
fn link(linker: &str, words: &[String], left_out: &[&str]) -> Words {
    let folders: Vec<&str> = words.iter().filter_map(|word| word.strip_prefix("-L")).collect();
    // Paths in a linker script are relative to the sysroot only if the linker has found the script there.
    let has_tree = words.iter().any(|word| word.starts_with("--sysroot="));
    let mut made = vec![linker.to_string()];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-plugin" => _ = words.next(),
            word if word.starts_with("-plugin-opt") || left_out.contains(&word) => {}
            word => {
                let found = library(word, &folders).filter(|path| !has_tree || !is_script(path));
                made.push(found.unwrap_or_else(|| word.to_string()));
            }
        }
    }
    made
}

/// The path of the library `-lNAME`.
fn library(word: &str, folders: &[&str]) -> Option<String> {
    let name = word.strip_prefix("-l")?;
    let in_folder = |folder: &&str| {
        let paths = ["so", "a"].map(|ending| Utf8PathBuf::from(format!("{folder}/lib{name}.{ending}")));
        paths.into_iter().find(|path| path.is_file())
    };
    Some(folders.iter().find_map(in_folder)?.into_string())
}

/// Whether the file is neither an object nor an archive.
fn is_script(path: &str) -> bool {
    let begins = |mark: &[u8]| {
        let mut bytes = vec![0; mark.len()];
        let read = fs_err::File::open(path).and_then(|mut file| file.read_exact(&mut bytes));
        read.is_ok() && bytes == mark
    };
    !begins(b"\x7fELF") && !begins(b"!<arch>")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GCC: &str = "COLLECT_GCC=gcc\nTarget: x\n /lib/cc1 -quiet p.c -quiet \"-mtune=generic\" -o /tmp/cc@.s\n \
        as --64 -o /tmp/cc@.o /tmp/cc@.s\nLIBRARY_PATH=/lib\n /lib/collect2 -plugin /lib/lto.so \
        \"-plugin-opt=-fresolution=/tmp/cc@.res\" --as-needed -o p crt1.o -L/nowhere /tmp/cc@.o -lm -lgcov -lgcc -lc\n";

    fn read(said: &str, again: &str) -> Option<Vec<Part>> {
        parts(said, again, |tool| Some(format!("/bin/{tool}")))
    }

    #[test]
    fn the_commands_of_a_driver_get_fixed_temporary_names() {
        let run = |mark: &str| GCC.replace('@', mark);
        let parts = read(&run("A1"), &run("B2")).unwrap();
        let words = |text: &str| -> Words { text.split(' ').map(String::from).collect() };
        let expected = [
            Part::Tool(words("/lib/cc1 -quiet p.c -quiet -mtune=generic -o t0.s")),
            Part::Tool(words("/bin/as --64 -o t1.o t0.s")),
            Part::Link {
                short: words("/bin/ld --as-needed -o p crt1.o -L/nowhere t1.o -lgcov -lc"),
                full: words("/bin/ld --as-needed -o p crt1.o -L/nowhere t1.o -lm -lgcov -lgcc -lc"),
            },
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_single_command_of_clang_is_understood() {
        let said = "Target: x\n (in-process)\n \"/lib/clang\" \"-cc1\" \"-E\" \"p.c\"\n";
        let expected = ["/lib/clang", "-cc1", "-E", "p.c"].map(String::from).into();
        assert_eq!(read(said, said), Some(vec![Part::Tool(expected)]));
    }

    #[test]
    fn an_unknown_command_is_not_understood() {
        assert_eq!(read(" /lib/cc1 p.c\n /lib/f951 p.f\n", " /lib/cc1 p.c\n /lib/f951 p.f\n"), None);
        assert_eq!(read(" /lib/cc1 p.c\n", " /lib/cc1 p.c\n as p.s\n"), None);
        assert_eq!(read("gcc: error: no such option\n", "gcc: error: no such option\n"), None);
    }
}
