//! Reads one inclusion of a file in order: its tokens, without the groups that conditional directives skip, and the
//! macros that are defined at each of them.
//!
//! Conditions are not evaluated. The output of the preprocessor shows which groups it kept: a group of which no line is in
//! the output has no token and no definition there, so it may as well be skipped.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::tokens::{Kind, Token, tokens, tokens_of_directive};
use super::definition::Definition;
use super::typed::{Directive, Item, Typed};
use super::word::Place;
use super::{DefinedIn, MacroDirective};
use crate::model::Line;

/// A file of the program. Number 0 is ours.
pub struct File<'a> {
    pub number: usize,
    pub typed: Typed<'a>,
}

impl File<'_> {
    /// The place of byte `at` of the text of `typed`.
    pub fn place(&self, at: usize) -> Place {
        Place { file: self.number, offset: self.typed.offset(at) }
    }
}

/// The definitions of macros in the order of the output, each read once.
pub struct Definitions<'a> {
    pub directives: &'a [MacroDirective],
    files: &'a [File<'a>],
    read: Vec<OnceCell<Option<Rc<Definition>>>>,
}

impl<'a> Definitions<'a> {
    pub fn new(directives: &'a [MacroDirective], files: &'a [File<'a>]) -> Definitions<'a> {
        Definitions { directives, files, read: vec![OnceCell::new(); directives.len()] }
    }

    /// The definition that directive `index` is.
    fn get(&self, index: usize) -> Option<Rc<Definition>> {
        self.read[index].get_or_init(|| self.read_one(index).map(Rc::new)).clone()
    }

    fn read_one(&self, index: usize) -> Option<Definition> {
        let found = &self.directives[index];
        if let Some((file, line)) = found.place
            && let Some(file) = self.files.iter().find(|known| known.number == file)
        {
            let items = &file.typed.items;
            let first = items.partition_point(|item| item.lines.1 < line);
            let candidates = items[first..].iter().take_while(|item| item.lines.0 <= line);
            let item = candidates.into_iter().find(|item| item.directive.is_some())?;
            let defined = match found.defined {
                DefinedIn::Ours(_) => DefinedIn::Ours(item.lines.0),
                other => other,
            };
            let typed = |at| Some(file.place(at));
            let read = Definition::read(&file.typed.text, item.token, defined, typed)?;
            return (read.name == name_of(&found.text)?).then_some(read);
        }
        let directive = *tokens(&found.text).first()?;
        Definition::read(&found.text, directive, found.defined, |_| None)
    }
}

/// The name that a directive defines or removes.
fn name_of(directive: &str) -> Option<&str> {
    let rest = directive.strip_prefix("#define").or_else(|| directive.strip_prefix("#undef"))?.trim_start();
    Some(&rest[..rest.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(rest.len())])
}

/// The macros that are defined, by the index of their directive.
#[derive(Clone, Default)]
pub struct Macros<'a> {
    active: HashMap<&'a str, usize>,
    pushed: HashMap<String, Vec<Option<usize>>>,
}

impl<'a> Macros<'a> {
    pub fn apply(&mut self, index: usize, directive: &'a MacroDirective) {
        let Some(name) = name_of(&directive.text) else { return };
        if directive.text.starts_with("#define") {
            self.active.insert(name, index);
        } else {
            self.active.remove(name);
        }
    }

    fn push_or_pop(&mut self, directive: Directive, name: &'a str) {
        let pushed = self.pushed.entry(name.into()).or_default();
        if directive == Directive::PushMacro {
            pushed.push(self.active.get(name).copied());
            return;
        }
        match pushed.pop() {
            Some(Some(index)) => drop(self.active.insert(name, index)),
            Some(None) => drop(self.active.remove(name)),
            None => {}
        }
    }
}

pub struct Reader<'a, 'd> {
    file: &'a File<'a>,
    definitions: &'d Definitions<'a>,
    macros: Macros<'a>,
    /// The directives to come, each with the line of the file at which it is applied.
    coming: std::iter::Peekable<std::vec::IntoIter<(Line, usize)>>,
    /// The lines of the file that are in the output, in order.
    kept: Vec<Line>,
    next: usize,
    /// For each open `#if`, whether one of its groups was kept.
    branches: Vec<bool>,
}

impl<'a, 'd> Reader<'a, 'd> {
    pub fn new(
        file: &'a File<'a>,
        definitions: &'d Definitions<'a>,
        macros: Macros<'a>,
        coming: Vec<(Line, usize)>,
        mut kept: Vec<Line>,
    ) -> Reader<'a, 'd> {
        kept.sort_unstable();
        let coming = coming.into_iter().peekable();
        Reader { file, definitions, macros, coming, kept, next: 0, branches: Vec::new() }
    }

    /// The definition of `name` at the place of the token that was read last.
    pub fn definition(&self, name: &str) -> Option<Rc<Definition>> {
        let index = *self.macros.active.get(name)?;
        self.definitions.get(index)
    }

    /// Whether the next item is a directive. None follows a macro's name and precedes its `(`.
    pub fn is_at_directive(&self) -> bool {
        self.file.typed.items.get(self.next).is_none_or(|item| item.directive.is_some())
    }

    /// The next token.
    pub fn token(&mut self) -> Option<&'a Item> {
        loop {
            let item = self.file.typed.items.get(self.next)?;
            let Some(directive) = item.directive else {
                // The preprocessor leaves out long runs of blank lines, also those between an `#include` and the next row.
                self.apply_until(item.lines.0.saturating_sub(1));
                self.next += 1;
                return Some(item);
            };
            self.directive(item, directive);
        }
    }

    /// Apply the directives to come up to a line of the file.
    fn apply_until(&mut self, last: Line) {
        while let Some((_, index)) = self.coming.next_if(|(line, _)| *line <= last) {
            self.macros.apply(index, &self.definitions.directives[index]);
        }
    }

    fn directive(&mut self, item: &'a Item, directive: Directive) {
        self.apply_until(item.lines.1);
        match directive {
            Directive::If => {
                self.branches.push(false);
                self.group(item);
            }
            Directive::Else => self.group(item),
            Directive::Endif => {
                self.branches.pop();
                self.next += 1;
            }
            Directive::PushMacro | Directive::PopMacro => {
                if let Some(name) = string_in(&self.file.typed.text, item.token) {
                    self.macros.push_or_pop(directive, name);
                }
                self.next += 1;
            }
            Directive::Other => self.next += 1,
        }
    }

    /// Enter the group after `item`, or skip it.
    fn group(&mut self, item: &Item) {
        let end = self.file.typed.items.get(item.next_branch);
        let end_line = end.map_or(Line::MAX, |end| end.lines.0);
        let first = self.kept.partition_point(|line| *line <= item.lines.1);
        let is_kept = self.kept.get(first).is_some_and(|line| *line < end_line);
        let is_first = self.branches.last().is_none_or(|is_over| !is_over);
        if is_kept && is_first {
            if let Some(is_over) = self.branches.last_mut() {
                *is_over = true;
            }
            self.next += 1;
        } else {
            self.next = item.next_branch.min(self.file.typed.items.len());
        }
    }
}

/// The text of the first string in a directive.
fn string_in(text: &str, directive: Token) -> Option<&str> {
    let token = tokens_of_directive(text, directive).into_iter().find(|token| token.kind == Kind::Literal)?;
    Some(text[token.range()].trim_matches('"'))
}
