//! A preprocessed program: the line of the file from which each row of the text comes.
//!
//! Macros are expanded and `#if` is decided, so every statement has a node. An expansion is on the line of the macro's name,
//! which is also where gcov places it; llvm-cov counts the lines of its arguments too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex};

use super::comments::without_comments;
use super::digraphs::{with_plain_directives, without_digraphs};
use super::gnu;
use super::markers::{Marker, renumbers, user_files};
use super::origin::{
    DefinedIn, Level, LevelId, LevelKind, MacroDirective, Origin, Origins, Rows, without_directives,
};
use super::parse::if_shallow;
use crate::model::{Line, is_same_path};

/// The number of the file `name` of the user, from 1.
fn number_of(others: &mut Vec<(String, Option<String>)>, name: String) -> usize {
    let known = others.iter().position(|(other, _)| *other == name);
    let index = known.unwrap_or_else(|| {
        others.push((name, None));
        others.len() - 1
    });
    index + 1
}

/// The minimum length of a run of system headers that the parser skips, in bytes.
const MIN_SKIPPED_BYTES: usize = 1000;

/// Built-ins that take a type where the parser expects an expression.
static TYPE_ARGUMENT: LazyLock<Regex> = LazyLock::new(|| {
    let parts = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*";
    Regex::new(&format!(r"\b__builtin_(?:va_arg|offsetof|types_compatible_p)\s*\((?P<arguments>{parts})\)"))
        .expect("a constant")
});

/// Preprocessed text with the origin of its rows.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text, markers included.
    pub text: String,
    /// For each row, from 0: the file of the user and the line that it comes from, if any. File 0 is ours, 1 the first one in `others`.
    places: Vec<Option<(usize, Line)>>,
    /// For each row of our file, which inclusion of the file it belongs to: a file may be included several times.
    inclusions: Vec<u32>,
    /// For each row, a number of the inclusion of the file that it is in.
    openings: Vec<u32>,
    /// The names of the other files of the user, and their texts if these are known.
    others: Vec<(String, Option<String>)>,
    /// Where each row begins in the text.
    starts: Vec<usize>,
    /// Rows of system headers, and directives.
    foreign: Vec<Range<usize>>,
    /// The text of our file before preprocessing, if known.
    pub(super) typed: String,
    /// The definitions of macros, which are no longer in the text.
    directives: Vec<MacroDirective>,
    origins: OnceLock<Origins>,
}

impl Preprocessed {
    /// The lines of our file with directives of the preprocessor, as far as their first characters show: a line in a comment
    /// may be among them.
    pub(super) fn directive_lines(&self) -> BTreeSet<Line> {
        let mut continues = false;
        let is_directive = |(_, text): &(Line, &str)| {
            let is_one = continues || text.trim_start().starts_with('#');
            continues = is_one && text.trim_end().ends_with('\\');
            is_one
        };
        (1..).zip(self.typed.lines()).filter(is_directive).map(|(line, _)| line).collect()
    }

    /// The lines of our file on which nothing but blanks and comments was typed.
    pub(super) fn blank_lines(&self) -> BTreeSet<Line> {
        let code = without_comments(&self.typed);
        let is_blank = |(_, text): &(Line, &str)| text.trim().is_empty();
        (1..).zip(code.lines()).filter(is_blank).map(|(line, _)| line).collect()
    }

    /// The places in our file of the names of macros that the compiler or its command line defines, without those like `__LINE__`,
    /// whose tokens the compiler makes.
    pub(super) fn compiler_names(&self) -> BTreeSet<(Line, u32)> {
        const MADE: [&str; 9] = [
            "__BASE_FILE__",
            "__COUNTER__",
            "__DATE__",
            "__FILE_NAME__",
            "__FILE__",
            "__INCLUDE_LEVEL__",
            "__LINE__",
            "__TIMESTAMP__",
            "__TIME__",
        ];
        let place = |level: &Level| match &level.kind {
            LevelKind::Expansion { name, defined: DefinedIn::Compiler } if !MADE.contains(&name.as_str()) => {
                level.position.map(|at| (at.line, at.column))
            }
            _ => None,
        };
        self.origins().levels.iter().filter_map(place).collect()
    }

    /// Read the markers in `text`; `file` is the name of our file in them. Definitions of macros, which `-dD` adds, are
    /// removed from the text: a compiler would apply them again.
    pub fn new(text: String, file: &str) -> Preprocessed {
        let (text, mut directives) = without_directives(without_digraphs(text));
        let mut next = 0;
        let (mut places, mut inclusions, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut openings = Vec::new();
        let mut others: Vec<(String, Option<String>)> = Vec::new();
        // The open files, outermost first, each with the number of inclusions of our file when it was opened, and its own number.
        let (mut open, mut included, mut opened) = (vec![(0, 0)], 0, 0);
        let mut foreign = Vec::new();
        let (mut line, mut ours, mut system, mut compiler) = (1, true, false, false);
        // The number of the file, if it is one of the user.
        let mut number = Some(0);
        // The last line of our file so far, in this inclusion.
        let mut reached = 0;
        let mut offset = 0;
        let user_files = user_files(&text);
        for row in text.split_inclusive('\n') {
            let range = offset..offset + row.trim_end_matches(['\n', '\r']).len();
            starts.push(offset);
            offset += row.len();
            if let Some(marker) = Marker::of(row.trim_end()) {
                line = marker.line;
                let was_ours = std::mem::replace(&mut ours, is_same_path(marker.file, file));
                // A macro of a system header, expanded in another file, has the flag too.
                system = !ours && marker.is_system && !user_files.contains(marker.file);
                compiler = marker.file.starts_with('<');
                number = match (ours, user_files.contains(marker.file)) {
                    (true, _) => Some(0),
                    (false, false) => None,
                    (false, true) => Some(number_of(&mut others, marker.file_name())),
                };
                if marker.enters {
                    included += u32::from(ours);
                    opened += 1;
                    open.push((included, opened));
                    reached = 0;
                } else if marker.leaves && open.len() > 1 {
                    open.pop();
                } else if ours && !was_ours && line <= reached {
                    // A parser generator copies an action, with the directive `#line`, to several places.
                    included += 1;
                    opened += 1;
                    open.pop();
                    open.push((included, opened));
                    reached = 0;
                }
                places.push(None);
                openings.push(0);
                inclusions.push(0);
                foreign.push(range);
                continue;
            }
            if let Some(directive) = directives.get_mut(next).filter(|found| found.row == places.len()) {
                directive.defined = match line {
                    line if ours => DefinedIn::Ours(line),
                    _ if compiler => DefinedIn::Compiler,
                    _ if system => DefinedIn::SystemHeader,
                    _ => DefinedIn::Header,
                };
                directive.place = number.map(|file| (file, line));
                next += 1;
            }
            places.push(number.map(|file| (file, line)));
            if ours {
                reached = reached.max(line);
            }
            let (inclusion, opening) = open.last().copied().unwrap_or_default();
            inclusions.push(inclusion);
            openings.push(opening);
            line = line.saturating_add(1);
            if system || row.trim_start().starts_with('#') {
                foreign.push(range);
            }
        }
        let (typed, origins) = (String::new(), OnceLock::new());
        Preprocessed {
            text,
            places,
            inclusions,
            openings,
            others,
            starts,
            foreign,
            typed,
            directives,
            origins,
        }
    }

    /// The same with `source`, the text before preprocessing, which makes columns known.
    #[must_use]
    pub fn of(mut self, source: &str) -> Preprocessed {
        self.typed = with_plain_directives(source.to_string());
        self
    }

    /// The same with the texts of other files of the user by their names, which makes the uses of our macros there known.
    #[must_use]
    pub fn with_others(mut self, text: impl Fn(&str) -> Option<String>) -> Preprocessed {
        for (name, other) in &mut self.others {
            *other = text(name).filter(|text| !renumbers(text));
        }
        self
    }

    /// The origins of the tokens of our file, and of those of our macros in other files. There are none if the text before
    /// preprocessing is unknown or renumbers its lines.
    pub fn origins(&self) -> &Origins {
        self.origins.get_or_init(|| {
            if self.typed.is_empty() || renumbers(&self.typed) {
                return Origins::default();
            }
            let rows = Rows {
                text: &self.text,
                starts: &self.starts,
                places: &self.places,
                inclusions: &self.openings,
                directives: &self.directives,
            };
            let others = (1..).zip(&self.others);
            let others = others.filter_map(|(number, (_, text))| Some((number, text.as_deref()?)));
            let files: Vec<(usize, &str)> = std::iter::once((0, &*self.typed)).chain(others).collect();
            Origins::new(&rows, &files)
        })
    }

    /// Whether a macro of ours is expanded in the `range` of bytes.
    pub(super) fn expands_ours(&self, range: &Range<usize>) -> bool {
        let origins = self.origins();
        let first = origins.tokens.partition_point(|origin| origin.offset < range.start);
        let inside = origins.tokens[first..].iter().take_while(|origin| origin.offset < range.end);
        let is_ours = |(_, level): (LevelId, &Level)| {
            matches!(level.kind, LevelKind::Expansion { defined: DefinedIn::Ours(_), .. })
        };
        inside.into_iter().any(|origin| origins.chain(origin.level).any(is_ours))
    }

    /// Whether code in other files may expand macros of ours, and where is not known.
    pub(super) fn is_expanded_elsewhere(&self) -> bool {
        self.origins().unknown_elsewhere > 0
    }

    /// The origin of the token that begins at byte `offset` of the text.
    pub fn origin(&self, offset: usize) -> Option<&Origin> {
        self.origins().at(offset)
    }

    /// The column in our file, from 1, of the token at byte `at` of `row`. None if it was not typed on the line of the row,
    /// or is from a macro.
    pub fn column(&self, row: usize, at: usize) -> Option<u32> {
        let origin = self.origin(*self.starts.get(row)? + at)?;
        let spelling = origin.spelling.filter(|_| origin.level.is_none())?;
        (spelling.line == self.line(row)?).then_some(spelling.column)
    }

    /// Where `row` begins in the text.
    pub(super) fn row_start(&self, row: usize) -> Option<usize> {
        self.starts.get(row).copied()
    }

    /// The text of a row.
    pub(super) fn row(&self, row: usize) -> Option<&str> {
        self.text[*self.starts.get(row)?..].split('\n').next()
    }

    /// The line of our file that `row` comes from.
    pub fn line(&self, row: usize) -> Option<Line> {
        self.places.get(row).copied().flatten().filter(|(file, _)| *file == 0).map(|(_, line)| line)
    }

    /// The inclusions of our file in which a line has text in one of `ranges`; nothing if there is one inclusion.
    pub(super) fn inclusions_in(&self, ranges: &[Range<usize>]) -> BTreeMap<Line, BTreeSet<u32>> {
        let mut found: BTreeMap<Line, BTreeSet<u32>> = BTreeMap::new();
        if self.inclusions.iter().all(|inclusion| *inclusion == self.inclusions[0]) {
            return found;
        }
        for row in 0..self.places.len() {
            let is_inside = ranges.iter().any(|range| range.contains(&self.starts[row]));
            if let (Some(line), true, Some(text)) = (self.line(row), is_inside, self.row(row))
                && !text.trim().is_empty()
            {
                found.entry(line).or_default().insert(self.inclusions[row]);
            }
        }
        found
    }

    /// Which inclusion of our file `row` belongs to.
    pub(super) fn inclusion(&self, row: usize) -> u32 {
        self.inclusions.get(row).copied().unwrap_or_default()
    }

    /// The tree of [`Preprocessed::masked`], or of other text of that length; none if the tree is [too deep](super::Program::is_too_deep).
    pub(super) fn tree(&self, masked: &str) -> Option<tree_sitter::Tree> {
        if_shallow(masked, &self.own())
    }

    /// The ranges outside of long runs of system headers. The headers are blanked, but parsing blanks takes time.
    fn own(&self) -> Vec<tree_sitter::Range> {
        let point = |at: usize| {
            if at == self.text.len() && self.text.ends_with('\n') {
                return tree_sitter::Point { row: self.starts.len(), column: 0 };
            }
            let row = self.starts.partition_point(|&start| start <= at).saturating_sub(1);
            tree_sitter::Point { row, column: at - self.starts.get(row).copied().unwrap_or(0) }
        };
        let range = |start_byte: usize, end_byte: usize| tree_sitter::Range {
            start_byte,
            end_byte,
            start_point: point(start_byte),
            end_point: point(end_byte),
        };
        let mut own = Vec::new();
        let mut begin = 0;
        for rows in self.foreign.chunk_by(|one, next| self.text[one.end..next.start].trim().is_empty()) {
            let gap = rows[0].start..rows[rows.len() - 1].end;
            if gap.len() >= MIN_SKIPPED_BYTES {
                own.push(range(begin, gap.start));
                begin = gap.end;
            }
        }
        own.push(range(begin, self.text.len()));
        own
    }

    /// Whether a system header that is included in the `range` of bytes has the text `word`.
    pub(super) fn includes(&self, range: &Range<usize>, word: &str) -> bool {
        let first = self.foreign.partition_point(|foreign| foreign.start < range.start);
        let inside = self.foreign[first..].iter().take_while(|foreign| foreign.start < range.end);
        inside.into_iter().any(|foreign| self.text[foreign.clone()].contains(word))
    }

    /// The text for the parser, of the same length: without markers, pragmas and system headers, and with GNU extensions
    /// replaced by plain C.
    pub(super) fn masked(&self) -> String {
        let mut bytes = self.text.clone().into_bytes();
        for range in &self.foreign {
            bytes[range.clone()].fill(b' ');
        }
        let text = String::from_utf8(bytes).expect("whole rows are blanked");
        let plain = |found: &Captures<'_>| {
            let arguments = found.name("arguments").map_or("", |arguments| arguments.as_str());
            let keep = |c: char| if c == '\n' { '\n' } else { 'x' };
            // One name replaces all of the arguments; nothing in them is counted.
            let name: String =
                arguments.chars().flat_map(|c| std::iter::repeat_n(keep(c), c.len_utf8())).collect();
            found[0].replacen(arguments, &name, 1)
        };
        gnu::masked(&TYPE_ARGUMENT.replace_all(&text, plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse::if_shallow;

    #[test]
    fn markers_give_the_origin_of_rows() {
        let text = "# 1 \"p.c\"\n# 1 \"/usr/include/a.h\" 1 3\nint a;\n# 2 \"p.c\" 2\nint b;\n\n# 9 \"own.h\" 1\nint c;\n";
        let found = Preprocessed::new(text.into(), "p.c");
        let lines: Vec<Option<Line>> = (0..8).map(|row| found.line(row)).collect();
        assert_eq!(lines, [None, None, None, None, Some(2), Some(3), None, None]);
        let masked = found.masked();
        assert_eq!(masked.len(), text.len());
        assert!(!masked.contains("int a") && masked.contains("int b") && masked.contains("int c"));
    }

    #[test]
    fn inclusions_of_one_file_are_distinguished() {
        let text = "# 1 \"p.c\"\nint a;\n# 1 \"./h.h\" 1\nint b;\n# 1 \"x.h\" 1\nint c;\n# 2 \"h.h\" 2\nint d;\n# 3 \"p.c\" 2\n\
                    # 1 \"h.h\" 1\nint e;\n# 4 \"p.c\" 2\nint f;\n";
        let found = Preprocessed::new(text.into(), "h.h");
        let rows = (0..).zip(text.lines()).filter(|(row, _)| found.line(*row).is_some());
        let seen: Vec<(&str, u32)> = rows.map(|(row, text)| (text, found.inclusion(row))).collect();
        assert_eq!(seen, [("int b;", 1), ("int d;", 1), ("int e;", 2)]);
    }

    #[test]
    fn skipped_headers_do_not_change_positions() {
        let header = format!("# 1 \"/usr/include/a.h\" 1 3\n{}", "int a(void) { return 1; }\n".repeat(100));
        let ours = "# 2 \"p.c\" 2\nint f(void) { return b; }\n";
        let texts = [
            format!("# 1 \"p.c\"\nint b;\n{header}{ours}{header}"),
            format!("{header}{ours}int c"),
            format!("{ours}{header}\n\n{ours}{header}{ours}"),
            ours.to_string(),
            header.clone(),
            String::new(),
        ];
        for text in texts.iter().flat_map(|text| [text.clone(), text.replace('\n', "\r\n")]) {
            let found = Preprocessed::new(text.clone(), "p.c");
            let masked = found.masked();
            let nodes = |tree: &tree_sitter::Tree| {
                let mut cursor = tree.walk();
                let nodes = tree.root_node().children(&mut cursor);
                nodes.map(|node| (node.to_sexp(), node.range())).collect::<Vec<_>>()
            };
            assert_eq!(
                nodes(&found.tree(&masked).unwrap()),
                nodes(&if_shallow(&masked, &[]).unwrap()),
                "{text}"
            );
            let read: usize = found.own().iter().map(|range| range.end_byte - range.start_byte).sum();
            assert!(read <= text.len() - text.matches("return 1;").count() * 20);
        }
    }

    #[test]
    fn columns_are_known_where_only_whitespace_and_comments_changed() {
        let source = "  if (a  &&\tb) /* c */ d; // e\n  x = MAX;\n  if (/* f */ a)\n";
        let text = "# 1 \"p.c\"\n  if (a && b) d;\n  x = 7;\n  if ( a)\n";
        let found = Preprocessed::new(text.into(), "p.c").of(source);
        let columns: Vec<Option<u32>> = [2, 6, 11, 14].map(|at| found.column(1, at)).into();
        assert_eq!(columns, [Some(3), Some(7), Some(13), Some(24)]);
        assert_eq!((found.column(2, 2), found.column(3, 7)), (None, Some(15)));
        assert_eq!(Preprocessed::new(text.into(), "p.c").column(1, 2), None);
    }

    #[test]
    fn types_as_arguments_of_builtins_are_masked() {
        let text = "int f(void) { return __builtin_va_arg(ap, struct { int x; } *) + g(h(1)); }\n";
        let masked = Preprocessed::new(text.into(), "p.c").masked();
        assert_eq!(masked.len(), text.len());
        assert!(masked.contains("__builtin_va_arg(xxxx") && masked.contains("g(h(1))"), "{masked}");
    }
}
