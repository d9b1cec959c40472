//! Puts the input of a program into its text, so that one C file shows what the program did in its tests.
//!
//! A function that runs before `main` writes the files that the program reads, and replaces standard input.

use std::collections::BTreeMap;
use std::fmt::Write;

use camino::Utf8Path;

use super::recorder::Recorded;

/// A program with its input: text, arguments and standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfContained {
    pub source: String,
    pub args: Vec<String>,
    pub stdin: String,
}

/// The longest standard input that is not put into the text.
const SHORT: usize = 1024;

/// The file with standard input.
const STDIN: &str = "standard-input";

/// The bytes of a line of a string.
const LINE: usize = 96;

const WRITE: &str = "
#include <stdio.h>
#include <stdlib.h>
static void write_input_file(const char *name, const char *bytes, unsigned long length)
{
    FILE *file = fopen(name, \"wb\");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
        abort();
}
";

/// The program `source` with the input of `call`, of which each file and standard input keeps at most `most` bytes.
pub fn self_contained(source: &str, call: &Recorded, most: usize) -> SelfContained {
    let mut args = call.args.clone();
    let mut files: BTreeMap<String, &[u8]> = BTreeMap::new();
    for (at, bytes) in &call.files {
        let name = Utf8Path::new(&call.args[*at]).file_name().unwrap_or("file").to_string();
        let bytes = &bytes[..bytes.len().min(most)];
        let is_taken = files.get(&name).is_some_and(|other| *other != bytes);
        let name = if is_taken { format!("{}-{name}", at + 1) } else { name };
        args[*at].clone_from(&name);
        files.insert(name, bytes);
    }
    let stdin = &call.stdin[..call.stdin.len().min(most)];
    let short = std::str::from_utf8(stdin).ok().filter(|text| text.len() <= SHORT && !text.contains('\0'));
    if short.is_none() {
        files.insert(STDIN.into(), stdin);
    }
    let mut text = source.trim_end().to_string() + "\n";
    if !files.is_empty() {
        text += WRITE;
        text += "__attribute__((constructor)) static void write_input_files(void)\n{\n";
        for (name, bytes) in &files {
            let _ = writeln!(
                text,
                "    write_input_file({}, {}, {});",
                literal(name.as_bytes()),
                literal(bytes),
                bytes.len()
            );
        }
        if short.is_none() {
            let _ = writeln!(
                text,
                "    if (!freopen({}, \"rb\", stdin))\n        abort();",
                literal(STDIN.as_bytes())
            );
        }
        text += "}\n";
    }
    SelfContained { source: text, args, stdin: short.unwrap_or_default().into() }
}

/// A string literal of C.
fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    let mut length = 0;
    for byte in bytes {
        let written = match byte {
            b'\n' => "\\n".into(),
            // A question mark may begin a trigraph.
            b'"' | b'\\' | b'?' => format!("\\{}", char::from(*byte)),
            b' '..=b'~' => char::from(*byte).to_string(),
            _ => format!("\\{byte:03o}"),
        };
        length += written.len();
        text += &written;
        if length >= LINE {
            text += "\"\n        \"";
            length = 0;
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_binary_input_are_in_the_text() {
        let call = Recorded {
            args: ["-c", "in/a.bin", "b/a.bin"].map(String::from).into(),
            stdin: vec![0, b'"', 200],
            files: BTreeMap::from([(1, b"x\n?".to_vec()), (2, vec![7, b'1'])]),
        };
        let made = self_contained("int main;\n", &call, 100);
        assert_eq!((made.args.join(" "), made.stdin.as_str()), ("-c a.bin 3-a.bin".into(), ""));
        for part in [
            "(\"a.bin\", \"x\\n\\?\", 3)",
            "(\"3-a.bin\", \"\\0071\", 2)",
            "(\"standard-input\", \"\\000\\\"\\310\", 3)",
        ] {
            assert!(made.source.contains(part), "{part}: {}", made.source);
        }
        let short = Recorded { stdin: b"a b\n".to_vec(), ..Recorded::default() };
        let made = self_contained("int main;\n", &short, 2);
        assert_eq!((made.source.as_str(), made.stdin.as_str()), ("int main;\n", "a "));
    }
}
