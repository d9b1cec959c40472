//! Compares our expansion of the files with the preprocessor's output.
//!
//! A row of the output has origins only if all of its tokens agree. After a difference, the comparison continues at the
//! next line of the file that begins a row.

use std::collections::BTreeMap;

use super::expander::{Expander, RawKind, RawLevel};
use super::reader::{Definitions, File, Macros, Reader};
use super::typed::{Directive, Typed};
use super::word::{Form, Place, Word};
use super::{DefinedIn, Level, LevelKind, MacroDirective, Origin, Origins};
use crate::model::Line;
use crate::syntax::tokens::tokens;

/// The rows of the preprocessor's output.
pub struct Rows<'a> {
    pub text: &'a str,
    /// Where each row begins.
    pub starts: &'a [usize],
    /// The number of the file of the user from which each row comes, and the line. File 0 is ours.
    pub places: &'a [Option<(usize, Line)>],
    /// A number for each inclusion of a file that rows belong to.
    pub inclusions: &'a [u32],
    /// The directives that were in the rows, in order.
    pub directives: &'a [MacroDirective],
}

/// A token of the output.
struct Output {
    start: usize,
    end: usize,
    line: Line,
    begins_row: bool,
}

impl Origins {
    /// The origins of the tokens in `rows` that come from the `files`, each with its number and its text; the first is ours.
    pub fn new(rows: &Rows<'_>, files: &[(usize, &str)]) -> Origins {
        let files: Vec<File<'_>> =
            files.iter().map(|(number, text)| File { number: *number, typed: Typed::new(text) }).collect();
        let definitions = Definitions::new(rows.directives, &files);
        let own = own_definitions(rows, &files[0].typed);
        let mut origins = Origins { definitions: own, ..Origins::default() };
        let mut levels: Vec<RawLevel> = Vec::new();
        let (mut macros, mut applied) = (Macros::default(), 0);
        // Before this row, no other file can name a macro of ours.
        let is_ours = |found: &&MacroDirective| matches!(found.defined, DefinedIn::Ours(_));
        let first_of_ours = rows.directives.iter().find(is_ours).map_or(usize::MAX, |found| found.row);
        for (first, own) in inclusions(rows) {
            let number = rows.places[first].map_or(0, |(file, _)| file);
            if number != 0 && own.last().is_none_or(|last| *last < first_of_ours) {
                continue;
            }
            let Some(file) = files.iter().find(|file| file.number == number) else {
                origins.unknown_elsewhere += output(rows, &own).len();
                continue;
            };
            while let Some(directive) = rows.directives.get(applied).filter(|found| found.row < first) {
                macros.apply(applied, directive);
                applied += 1;
            }
            let coming = coming(rows, applied, &own);
            let output = output(rows, &own);
            let kept = output.iter().map(|token| token.line).chain(coming.iter().map(|(line, _)| *line));
            let kept = kept.collect();
            let reader = Reader::new(file, &definitions, macros.clone(), coming, kept);
            let mut expander = Expander::new(file, reader, levels);
            let words: Vec<Word> = std::iter::from_fn(|| expander.next_word()).collect();
            levels = expander.levels;
            let pairs = agreeing(rows.text, &output, &words);
            let unknown = if number == 0 { &mut origins.unknown } else { &mut origins.unknown_elsewhere };
            *unknown += output.len() - pairs.len();
            let ours =
                |at: Option<Place>| Some(files[0].typed.position(at.filter(|at| at.file == 0)?.offset));
            // Of another file, only what went through macros may be from ours.
            let kept = pairs.into_iter().filter(|(_, word)| number == 0 || word.level.is_some());
            origins.tokens.extend(kept.map(|(token, word)| Origin {
                offset: token.start,
                spelling: ours(word.typed),
                made_at: ours(word.made_at),
                level: word.level,
            }));
        }
        origins.tokens.sort_unstable_by_key(|origin| origin.offset);
        origins.levels = levels.into_iter().map(|level| placed(level, &files)).collect();
        origins
    }
}

fn placed(level: RawLevel, files: &[File<'_>]) -> Level {
    let kind = match level.kind {
        RawKind::Expansion { name, defined } => LevelKind::Expansion { name: name.to_string(), defined },
        RawKind::Argument { typed_in } => LevelKind::Argument { typed_in },
    };
    let position = |at: Place| {
        let file = files.iter().find(|file| file.number == at.file)?;
        Some(file.typed.position(at.offset))
    };
    let named_at = level.typed.and_then(position);
    let position = named_at.filter(|_| level.typed.is_some_and(|at| at.file == 0));
    Level { kind, position, named_at, inside: level.inside }
}

/// The rows of each inclusion of a file of the user, with the first of them.
fn inclusions(rows: &Rows<'_>) -> Vec<(usize, Vec<usize>)> {
    let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (row, _) in rows.places.iter().enumerate().filter(|(_, place)| place.is_some()) {
        found.entry(rows.inclusions[row]).or_default().push(row);
    }
    let mut found: Vec<(usize, Vec<usize>)> = found.into_values().map(|rows| (rows[0], rows)).collect();
    found.sort_unstable();
    found
}

/// The directives from `next` on, each with the line of the file, in the inclusion of the rows `own`, at which it is
/// applied. For one in another file that is the line before the next row of this one, which follows the `#include`.
fn coming(rows: &Rows<'_>, next: usize, own: &[usize]) -> Vec<(Line, usize)> {
    let line = |directive: &MacroDirective| {
        let after = own.partition_point(|row| *row < directive.row);
        let row = *own.get(after)?;
        let (_, line) = rows.places[row]?;
        Some(if row == directive.row { line } else { line.saturating_sub(1) })
    };
    (next..).zip(&rows.directives[next..]).map_while(|(index, found)| Some((line(found)?, index))).collect()
}

fn output(rows: &Rows<'_>, own: &[usize]) -> Vec<Output> {
    let mut found = Vec::new();
    for &row in own {
        let start = rows.starts[row];
        let end = rows.starts.get(row + 1).copied().unwrap_or(rows.text.len());
        let code = tokens(&rows.text[start..end]).into_iter().filter(|token| token.is_code());
        for (token, index) in code.zip(0..) {
            let (start, end) = (start + token.start, start + token.end);
            let (_, line) = rows.places[row].unwrap_or_default();
            found.push(Output { start, end, line, begins_row: index == 0 });
        }
    }
    found
}

fn own_definitions(rows: &Rows<'_>, typed: &Typed<'_>) -> Vec<(String, std::ops::RangeInclusive<Line>)> {
    let is_directive = |kind: Option<Directive>| kind == Some(Directive::Other);
    let items = typed.items.iter().filter(|item| is_directive(item.directive));
    let ends: BTreeMap<Line, Line> = items.map(|item| item.lines).collect();
    let name = |text: &str| {
        let rest = text.strip_prefix("#define")?.trim_start();
        Some(rest[..rest.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(rest.len())].to_string())
    };
    let own = rows.directives.iter().filter_map(|found| match found.defined {
        DefinedIn::Ours(line) => Some((name(&found.text)?, line..=*ends.get(&line)?)),
        _ => None,
    });
    own.collect()
}

/// The tokens that agree, in the order of the output.
fn agreeing<'o, 'w>(text: &str, output: &'o [Output], words: &'w [Word]) -> Vec<(&'o Output, &'w Word)> {
    let mut found: Vec<(&Output, &Word)> = Vec::new();
    let (mut at, mut next) = (0, 0);
    while at < output.len() {
        if words.get(next).is_some_and(|word| agrees(text, &output[at], word)) {
            found.push((&output[at], &words[next]));
            (at, next) = (at + 1, next + 1);
            continue;
        }
        let row = output[..=at].iter().rposition(|token| token.begins_row).unwrap_or(0);
        found.retain(|(token, _)| token.start < output[row].start);
        let line = output[at].line;
        let begins = |token: &Output| token.begins_row && token.line > line;
        loop {
            at += 1;
            let Some(token) = output.get(at) else { break };
            if !begins(token) {
                continue;
            }
            let first = words.partition_point(|word| word.line < token.line);
            if words.get(first).is_some_and(|word| word.line == token.line && agrees(text, token, word)) {
                next = first;
                break;
            }
        }
    }
    found
}

fn agrees(text: &str, token: &Output, word: &Word) -> bool {
    let output = &text[token.start..token.end];
    let is_equal = match word.form {
        Form::Word | Form::Other => *word.text == *output,
        Form::AnyString => output.ends_with('"'),
        Form::Any => true,
    };
    // A row ends with what follows a macro's arguments, which may be lines below its name.
    let is_exact = token.begins_row && word.begins_line;
    is_equal && (token.line == word.line || !is_exact && token.line < word.line)
}
