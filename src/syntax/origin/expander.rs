//! Expands macros as GCC and clang do, and records for each token where it was typed and which expansions made it.
//!
//! A macro is not expanded while the text that replaces it is being read, and a name that was met there is never expanded
//! later (C11 6.10.3.4; `enter_macro_context` and `cpp_get_token_1` in GCC's libcpp/macro.cc, `TokenLexer` of clang).

use std::rc::Rc;

use super::super::tokens::Kind;
use super::definition::Definition;
use super::reader::{File, Reader};
use super::substitute::Substitution;
use super::typed::Item;
use super::word::{Form, Place, Word, Words};
use super::{DefinedIn, LevelId};

/// A [`super::Level`] before positions are known.
#[derive(Clone, Debug)]
pub struct RawLevel {
    pub kind: RawKind,
    pub typed: Option<Place>,
    pub inside: Option<LevelId>,
}

#[derive(Clone, Debug)]
pub enum RawKind {
    Expansion { name: Rc<str>, defined: DefinedIn },
    Argument { typed_in: Option<LevelId> },
}

/// Text that is read before the rest of the file.
struct Context {
    words: std::vec::IntoIter<Word>,
    /// The macro that it replaces.
    name: Option<Rc<str>>,
    /// Whether nothing is read after it: an argument is expanded alone.
    is_alone: bool,
}

/// Macros that every compiler has and does not list.
const BUILT_IN: [&str; 11] = [
    "__LINE__",
    "__FILE__",
    "__COUNTER__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__BASE_FILE__",
    "__INCLUDE_LEVEL__",
    "__FILE_NAME__",
    "__FLT_EVAL_METHOD__",
    "__VERSION__",
];

pub struct Expander<'a, 'd> {
    file: &'a File<'a>,
    reader: Reader<'a, 'd>,
    contexts: Vec<Context>,
    pub levels: Vec<RawLevel>,
}

impl<'a, 'd> Expander<'a, 'd> {
    /// `levels` are those of earlier inclusions.
    pub fn new(file: &'a File<'a>, reader: Reader<'a, 'd>, levels: Vec<RawLevel>) -> Expander<'a, 'd> {
        Expander { file, reader, contexts: Vec::new(), levels }
    }

    /// The next token of the output, without `_Pragma("…")`.
    pub fn next_word(&mut self) -> Option<Word> {
        loop {
            let word = self.expanded()?;
            if &*word.text != "_Pragma" {
                return Some(word);
            }
            // `(`, the string, `)`
            for _ in 0..3 {
                self.expanded()?;
            }
        }
    }

    fn expanded(&mut self) -> Option<Word> {
        loop {
            let mut word = self.unexpanded()?;
            if word.form != Form::Word || word.is_never_expanded {
                return Some(word);
            }
            let Some(definition) = self.reader.definition(&word.text) else {
                return Some(if BUILT_IN.contains(&&*word.text) { self.built_in(word) } else { word });
            };
            if self.is_open(&word.text) {
                word.is_never_expanded = true;
                return Some(word);
            }
            let Some(arguments) = self.arguments(&definition) else { return Some(word) };
            let level = self.add_expansion(&word, definition.defined);
            let words = self.replaced(&definition, &word, level, arguments);
            let name = Some(word.text);
            self.contexts.push(Context { words: words.into_iter(), name, is_alone: false });
        }
    }

    /// The next token that is not expanded.
    fn unexpanded(&mut self) -> Option<Word> {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(word) = context.words.next() {
                return Some(word);
            }
            if context.is_alone {
                return None;
            }
            self.contexts.pop();
        }
        let item = self.reader.token()?;
        Some(word(self.file, item))
    }

    /// Whether the text that replaces `name` is being read.
    fn is_open(&self, name: &str) -> bool {
        self.contexts.iter().any(|context| context.name.as_deref() == Some(name))
    }

    fn built_in(&mut self, mut word: Word) -> Word {
        word.level = Some(self.add_expansion(&word, DefinedIn::Compiler));
        Word { form: Form::Any, typed: None, ..word }
    }

    fn add_expansion(&mut self, word: &Word, defined: DefinedIn) -> LevelId {
        let kind = RawKind::Expansion { name: Rc::clone(&word.text), defined };
        self.add_level(kind, word.typed, word.level)
    }

    fn add_level(&mut self, kind: RawKind, typed: Option<Place>, inside: Option<LevelId>) -> LevelId {
        self.levels.push(RawLevel { kind, typed, inside });
        self.levels.len() - 1
    }

    /// The arguments of a use of `definition` whose name was just read; nothing is read if it is no use.
    fn arguments(&mut self, definition: &Definition) -> Option<Vec<Words>> {
        let Some(parameters) = &definition.parameters else { return Some(Vec::new()) };
        while self.contexts.last().is_some_and(|context| context.words.len() == 0 && !context.is_alone) {
            self.contexts.pop();
        }
        if self.contexts.is_empty() && self.reader.is_at_directive() {
            return None;
        }
        let open = self.unexpanded()?;
        if &*open.text != "(" {
            self.put_back(vec![open]);
            return None;
        }
        let mut read = vec![open];
        let (mut all, mut depth): (Vec<Words>, usize) = (vec![Vec::new()], 1);
        while let Some(mut word) = self.unexpanded() {
            word.is_never_expanded |= word.form == Form::Word && self.is_open(&word.text);
            read.push(word.clone());
            match &*word.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                "," if depth == 1 && !(definition.is_variadic && all.len() == parameters.len()) => {
                    all.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                if parameters.is_empty() && all[0].is_empty() {
                    all.clear();
                }
                let is_omitted = definition.is_variadic && all.len() + 1 == parameters.len();
                if all.len() == parameters.len() || is_omitted {
                    return Some(all);
                }
                break;
            }
            all.last_mut().expect("one argument at least").push(word);
        }
        self.put_back(read);
        None
    }

    fn put_back(&mut self, words: Words) {
        self.contexts.push(Context { words: words.into_iter(), name: None, is_alone: false });
    }

    /// The text that replaces a use of `definition`.
    fn replaced(
        &mut self,
        definition: &Definition,
        name: &Word,
        level: LevelId,
        arguments: Vec<Words>,
    ) -> Words {
        let expanded = if definition.parameters.is_none() {
            Vec::new()
        } else {
            arguments.iter().map(|argument| self.expanded_alone(argument.clone())).collect()
        };
        let substitution = Substitution { definition, arguments, expanded, level, line: name.line };
        substitution
            .words(&mut |typed_in, typed| self.add_level(RawKind::Argument { typed_in }, typed, Some(level)))
    }

    /// `words` with their macros expanded, as if nothing followed.
    fn expanded_alone(&mut self, words: Words) -> Words {
        if words.iter().all(|word| word.form != Form::Word) {
            return words;
        }
        let depth = self.contexts.len();
        self.contexts.push(Context { words: words.into_iter(), name: None, is_alone: true });
        let mut found = Vec::new();
        while let Some(word) = self.expanded() {
            found.push(word);
        }
        self.contexts.truncate(depth);
        found
    }
}

fn word(file: &File<'_>, item: &Item) -> Word {
    Word {
        text: file.typed.text_of(item.token).into(),
        form: if item.token.kind == Kind::Word { Form::Word } else { Form::Other },
        typed: Some(file.place(item.token.start)),
        made_at: None,
        level: None,
        line: item.lines.0,
        is_never_expanded: false,
        begins_line: item.begins_line,
    }
}
