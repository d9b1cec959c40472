//! Line markers: the rows that say from which file and line the next row comes (GCC's cpp manual, "Preprocessor Output").

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

/// `# 12 "p.c" 2 3`: the next row is line 12 of p.c.
pub struct Marker<'t> {
    pub line: u32,
    /// The name of the file as it is in the marker, with escapes.
    pub file: &'t str,
    /// The flag 1: the file begins.
    pub enters: bool,
    /// The flag 2: the file continues after another one.
    pub leaves: bool,
    /// The flag 3: the next rows are code of a system header, or made by one of its macros.
    pub is_system: bool,
}

impl<'t> Marker<'t> {
    /// The marker in `row`, if it is one that names a file.
    pub fn of(row: &'t str) -> Option<Marker<'t>> {
        static MARKER: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r#"^#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"([\s\d]*)$"#).expect("a constant")
        });
        let found = row.starts_with('#').then(|| MARKER.captures(row)).flatten()?;
        let part = |number| found.get(number).map_or("", |part| part.as_str());
        let has_flag = |flag| part(3).split_whitespace().any(|other| other == flag);
        Some(Marker {
            line: part(1).parse().unwrap_or(0),
            file: part(2),
            enters: has_flag("1"),
            leaves: has_flag("2"),
            is_system: has_flag("3"),
        })
    }

    /// The name of the file without escapes.
    pub fn file_name(&self) -> String {
        self.file.replace("\\\\", "\\").replace("\\\"", "\"")
    }
}

/// A directive that gives lines other numbers.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*#[ \t]*(?:line\b|[0-9])[^\n]*").expect("a constant"));

/// `text` without directives that renumber lines; the number of lines stays.
pub fn without_places(text: &str) -> String {
    PLACE.replace_all(text, "").into_owned()
}

/// `text` in which each row has the line of the file that it is in, as llvm-cov counts lines. None if another compiler expanded
/// macros of system headers to rows of their own within the code of the user: nothing on these rows has a region in clang.
///
/// Code that markers call code of a system header stays it, in a file of another name: clang takes it for such
/// (`SourceManager::getFileCharacteristic`), so it has no counts. A program that was preprocessed has such code.
pub fn with_lines_of_file(text: &str, file: &str) -> Option<String> {
    if !PLACE.is_match(text) {
        return Some(text.to_string());
    }
    let (user_files, mut is_own) = (user_files(text), true);
    let row = |(index, row): (usize, &str)| {
        if !PLACE.is_match(row) {
            return Some(row.to_string());
        }
        let was_own = is_own;
        // `#line` and a marker without a name leave it as it is.
        if let Some(marker) = Marker::of(row.trim()) {
            is_own = !marker.is_system;
            if marker.is_system && user_files.contains(marker.file) {
                return None;
            }
        }
        let line = index + 2;
        Some(match is_own {
            _ if is_own == was_own => "#".to_string(),
            true => format!("# {line} \"{file}\""),
            false => format!("# {line} \"system.h\" 3"),
        })
    };
    text.split('\n').enumerate().map(row).collect::<Option<Vec<String>>>().map(|rows| rows.join("\n"))
}

/// Whether a directive gives lines of `text` other numbers than those that they have.
pub fn renumbers(text: &str) -> bool {
    let changes = |(index, row): (usize, &str)| {
        PLACE.is_match(row) && Marker::of(row).is_none_or(|marker| marker.line as usize != index + 2)
    };
    PLACE.is_match(text) && text.split('\n').enumerate().any(changes)
}

/// The files that some marker in `text` does not call a system header. One that begins with the pragma `system_header` becomes one
/// after the marker at its beginning. The parts that the compiler adds, such as `<built-in>`, are no files.
pub fn user_files(text: &str) -> HashSet<String> {
    let rows = text.lines().filter(|row| !row.trim().is_empty());
    let markers: Vec<Option<Marker<'_>>> = rows.map(Marker::of).collect();
    let is_before_pragma = |index: usize, found: &Marker<'_>| {
        let next = markers.get(index + 1).and_then(Option::as_ref);
        found.enters && next.is_some_and(|next| next.file == found.file && next.is_system)
    };
    let markers = markers.iter().enumerate().filter_map(|(index, found)| Some((index, found.as_ref()?)));
    let of_user = markers.filter(|(index, found)| {
        !found.is_system && !found.file.starts_with('<') && !is_before_pragma(*index, found)
    });
    of_user.map(|(_, found)| found.file.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_lines_of_their_file_and_stay_code_of_a_system_header() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/b.h\" 1 3\nint b;\n#line 7\nint c;\n# 2 \"a.c\" 2\nint d;\n";
        let own = with_lines_of_file(text, "p.c").unwrap();
        assert_eq!(own, "#\n# 3 \"system.h\" 3\nint b;\n#\nint c;\n# 7 \"p.c\"\nint d;\n");
        assert!(renumbers(text) && !renumbers(&own));
    }

    #[test]
    fn macros_of_the_system_that_another_compiler_expanded_are_not_placed() {
        let text = "# 1 \"a.c\"\nint d =\n# 2 \"a.c\" 3\n1\n# 2 \"a.c\"\n;\n";
        assert_eq!(with_lines_of_file(text, "p.c"), None);
    }

    #[test]
    fn directives_of_a_generator_do_nothing() {
        let text = "a;\n#line 20 \"calc.y\"\nb;\n # line 8 \"calc.c\"\nc;";
        assert_eq!(with_lines_of_file(text, "p.c").unwrap(), "a;\n#\nb;\n#\nc;");
    }
}
