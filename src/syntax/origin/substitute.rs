//! Replaces the parameters in a macro's body by arguments: `#`, `##`, `__VA_OPT__` and GNU's `, ## __VA_ARGS__`.
//!
//! Source: C11 6.10.3.1 to 6.10.3.3, C23 6.10.5.1, `replace_args` in GCC's libcpp/macro.cc.

use std::rc::Rc;

use super::super::tokens::{Kind, tokens};
use super::LevelId;
use super::definition::{Definition, Part, PartKind};
use super::word::{Form, Place, Word, Words};
use crate::model::Line;

/// Adds the level of an argument, from the level of its tokens before and the place at which the parameter was typed.
pub type AddArgument<'f> = dyn FnMut(Option<LevelId>, Option<Place>) -> LevelId + 'f;

pub struct Substitution<'a> {
    pub definition: &'a Definition,
    /// One for each parameter; the last may be missing if there may be any number of them.
    pub arguments: Vec<Words>,
    /// The same with their macros expanded.
    pub expanded: Vec<Words>,
    /// The level of the tokens of the body.
    pub level: LevelId,
    /// The line of the outermost macro's name.
    pub line: Line,
}

impl Substitution<'_> {
    /// The text that replaces the macro.
    pub fn words(&self, add: &mut AddArgument<'_>) -> Words {
        let mut words = Vec::new();
        self.append(&self.definition.body, &mut words, add);
        words
    }

    fn append(&self, parts: &[Part], words: &mut Words, add: &mut AddArgument<'_>) {
        // Where the operands of the current chain of `##` begin, and where the last one of them was typed.
        let (mut chain, mut left_at) = (words.len(), None);
        let mut is_pasted = false;
        for part in parts {
            if !is_pasted {
                chain = words.len();
            }
            let found = self.part(part, is_pasted || part.is_pasted, add);
            let has_left = words.len() > chain;
            if !is_pasted || !has_left {
                left_at = part.typed;
                words.extend(found);
            } else if self.is_after_comma(part, &words[chain..]) {
                if self.arguments.len() < self.definition.parameters.as_ref().map_or(0, Vec::len)
                    || self.arguments.len() == 1 && self.arguments[0].is_empty()
                {
                    words.pop();
                }
                words.extend(found);
            } else if let (Some(first), Some(left)) = (found.first(), words.last_mut()) {
                *left = Word { made_at: left_at, ..self.pasted(left, first) };
                if found.len() > 1 {
                    left_at = part.typed;
                    words.extend_from_slice(&found[1..]);
                }
            }
            is_pasted = part.is_pasted;
        }
    }

    /// Whether `part` is the last parameter of a variadic macro, after a comma.
    fn is_after_comma(&self, part: &Part, left: &[Word]) -> bool {
        let last = self.definition.parameters.as_ref().map_or(0, Vec::len).wrapping_sub(1);
        self.definition.is_variadic
            && matches!(part.kind, PartKind::Parameter { index, is_string: false } if index == last)
            && left.last().is_some_and(|word| &*word.text == ",")
    }

    /// The text that replaces one part of the body.
    fn part(&self, part: &Part, is_operand: bool, add: &mut AddArgument<'_>) -> Words {
        match &part.kind {
            PartKind::Text { text, is_word } => {
                vec![self.word(text, if *is_word { Form::Word } else { Form::Other }, part.typed)]
            }
            PartKind::Parameter { is_string: true, .. } | PartKind::Optional { is_string: true, .. } => {
                let string = self.word(&Rc::from("\"\""), Form::AnyString, None);
                vec![Word { made_at: part.typed, ..string }]
            }
            PartKind::Parameter { index, .. } => {
                let from = if is_operand { &self.arguments } else { &self.expanded };
                let argument = from.get(*index).map_or(&[][..], Vec::as_slice);
                self.argument(argument, part.typed, add)
            }
            PartKind::Optional { parts, .. } => {
                let mut words = Vec::new();
                if self.has_variable_arguments() {
                    self.append(parts, &mut words, add);
                }
                words
            }
        }
    }

    fn has_variable_arguments(&self) -> bool {
        let last = self.definition.parameters.as_ref().map_or(0, Vec::len).wrapping_sub(1);
        self.expanded.get(last).is_some_and(|argument| !argument.is_empty())
    }

    /// An argument in the place of the parameter that was typed at `typed`.
    fn argument(&self, argument: &[Word], typed: Option<Place>, add: &mut AddArgument<'_>) -> Words {
        let mut last: Option<(Option<LevelId>, LevelId)> = None;
        let placed = |word: &Word| {
            let level = match last {
                Some((typed_in, level)) if typed_in == word.level => level,
                _ => add(word.level, typed),
            };
            last = Some((word.level, level));
            Word { level: Some(level), line: self.line, begins_line: false, ..word.clone() }
        };
        argument.iter().map(placed).collect()
    }

    fn word(&self, text: &Rc<str>, form: Form, typed: Option<Place>) -> Word {
        Word {
            text: Rc::clone(text),
            form,
            typed,
            level: Some(self.level),
            line: self.line,
            made_at: None,
            is_never_expanded: false,
            begins_line: false,
        }
    }

    /// The token that `##` makes of two.
    fn pasted(&self, left: &Word, right: &Word) -> Word {
        if [left, right].iter().any(|word| matches!(word.form, Form::Any | Form::AnyString)) {
            return self.word(&left.text, Form::Any, None);
        }
        let text = format!("{}{}", left.text, right.text);
        let is_word = matches!(tokens(&text).as_slice(), [token] if token.kind == Kind::Word);
        self.word(&text.into(), if is_word { Form::Word } else { Form::Other }, None)
    }
}
