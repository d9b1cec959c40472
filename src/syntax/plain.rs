//! Replaces, token by token, what tree-sitter-c does not read: attributes, `typeof`, names of registers and the like.
//!
//! Only the instrumenter uses it. The text keeps its length and its lines, and none of what is replaced contains a
//! statement. An attribute is blanked, so a statement that begins with one has to be counted before it:
//! [`Plain::start`]. The masking of [`super::gnu`] comes first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::heads::{Head, old_style_heads};
use super::prefixes::prefixes;
use super::tokens::{Kind, Token, tokens};
use super::type_words::{UNTYPED, begins_type};

/// Text for the parser.
#[derive(Debug, Default)]
pub struct Plain {
    pub text: String,
    /// Blanked text that a statement may begin with: its end, and its start.
    prefixes: BTreeMap<usize, usize>,
    /// Attributes after a label: the end of the colon, and their end.
    of_labels: BTreeMap<usize, usize>,
    /// Labels before a closing brace, which were blanked: the start of the brace, and their ranges in order.
    pub last_labels: BTreeMap<usize, Vec<Range<usize>>>,
    /// Heads of functions that were blanked, each by the start of its body.
    pub heads: BTreeMap<usize, Head>,
    /// Bodies in another language than C, which were blanked.
    pub foreign: Vec<Range<usize>>,
}

impl Plain {
    /// The text for the parser; `masked` is what [`super::Preprocessed::masked`] made of `original`.
    pub fn of(original: &str, masked: &str) -> Plain {
        let mut writer = Writer::new(masked);
        writer.replace_all();
        let (bytes, mut plain) = (writer.bytes, writer.plain);
        plain.prefixes.extend(prefixes(original, masked, &bytes));
        plain.text = String::from_utf8(bytes).expect("whole tokens are replaced by ASCII");
        plain.heads = old_style_heads(&plain.text);
        for head in plain.heads.values() {
            blank(&mut plain.text, head.range.clone());
        }
        plain
    }

    /// Where the statement begins that begins at `start` for the parser.
    pub fn start(&self, start: usize) -> usize {
        let mut first = start;
        while let Some((end, begin)) = self.prefixes.range(..=first).next_back()
            && self.text[*end..first].trim().is_empty()
        {
            first = *begin;
        }
        first
    }

    /// The end of a label whose colon ends at `colon`, with its attributes.
    pub fn label_end(&self, colon: usize) -> usize {
        self.of_labels.get(&colon).copied().unwrap_or(colon)
    }
}

/// Replace what is in `range` by spaces; lines stay.
fn blank(text: &mut String, range: Range<usize>) {
    let blanks =
        text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    text.replace_range(range, &blanks);
}

struct Writer<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// For each bracket the index of its partner.
    partners: Vec<Option<usize>>,
    bytes: Vec<u8>,
    plain: Plain,
}

impl<'a> Writer<'a> {
    fn new(text: &'a str) -> Writer<'a> {
        let tokens: Vec<Token> = tokens(text).into_iter().filter(|token| token.is_code()).collect();
        let mut partners = vec![None; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match &text[token.range()] {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    partners[at] = open.pop();
                    if let Some(first) = partners[at] {
                        partners[first] = Some(at);
                    }
                }
                _ => {}
            }
        }
        Writer { text, tokens, partners, bytes: text.as_bytes().to_vec(), plain: Plain::default() }
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range()])
    }

    /// The word `back` tokens before `at`.
    fn before(&self, at: usize, back: usize) -> &'a str {
        at.checked_sub(back).map_or("", |at| self.word(at))
    }

    /// The index of the closing partner of the parenthesis at `at`.
    fn closing(&self, at: usize) -> Option<usize> {
        (self.word(at) == "(").then(|| self.partners[at]).flatten()
    }

    /// Write `word` and blanks over the tokens `from` to `to`.
    fn write(&mut self, from: usize, to: usize, word: &str) {
        let range = self.tokens[from].start..self.tokens[to].end;
        self.bytes[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        self.bytes[range.start..range.start + word.len()].copy_from_slice(word.as_bytes());
    }

    fn replace_all(&mut self) {
        let mut at = 0;
        let mut depth = 0_usize;
        while at < self.tokens.len() {
            match self.word(at) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            at = self.replace(at, depth > 0).map_or(at, |last| last) + 1;
        }
    }

    /// Replace what begins with token `at`; returns the last token that was read.
    fn replace(&mut self, at: usize, is_inside: bool) -> Option<usize> {
        if self.tokens[at].kind == Kind::Number {
            return self.number(at);
        }
        match self.word(at) {
            "__attribute__" | "__attribute" => {
                let last = self.closing(at + 1)?;
                self.attribute(at, last);
                Some(last)
            }
            "[" if self.word(at + 1) == "[" => {
                let (outer, inner) = (self.partners[at]?, self.partners[at + 1]?);
                if outer != inner + 1 {
                    return None;
                }
                self.attribute(at, outer);
                Some(outer)
            }
            "asm" | "__asm" | "__asm__" => self.asm(at, is_inside),
            "typeof" | "__typeof" | "__typeof__" | "typeof_unqual" | "__typeof_unqual__" | "_Atomic"
            | "_BitInt" => self.replaced_call(at, "int"),
            "_Alignof" | "__alignof" | "__alignof__" | "alignof" => {
                // Text is inserted at the end of the constant, so it keeps its length, and its lines.
                let last = self.closing(at + 1)?;
                let range = self.tokens[at].start..self.tokens[last].end;
                if self.text[range.clone()].contains('\n') {
                    self.write(at, last, "(1");
                    self.bytes[range.end - 1] = b')';
                } else {
                    self.write(at, last, &"1".repeat(range.len()));
                }
                Some(last)
            }
            "__builtin_va_arg"
            | "__builtin_offsetof"
            | "__builtin_types_compatible_p"
            | "__builtin_convertvector"
            | "__builtin_bit_cast"
            | "__builtin_has_attribute" => {
                let last = self.closing(at + 1)?;
                self.write(at + 2, last - 1, "x");
                Some(last)
            }
            "_Static_assert" | "static_assert" => {
                let last = self.closing(at + 1)?;
                let last = if self.word(last + 1) == ";" { last + 1 } else { last };
                self.write(at, last, "");
                Some(last)
            }
            "__RTL" | "__GIMPLE" => self.foreign(at),
            "{" => self.assigned_literal(at),
            ":" if INTEGERS.contains(&self.before(at, 1)) => self.unnamed_bit_field(at),
            ":" if self.word(at + 1) == "}" => {
                self.last_label(at);
                None
            }
            "break" | "continue" if self.tokens.get(at + 1)?.kind == Kind::Word => {
                self.write(at, at, "goto");
                Some(at)
            }
            word => {
                let plain = match word {
                    "__const" | "__const__" | "_Thread_local" => "const",
                    "__volatile" | "__volatile__" => "volatile",
                    "__restrict" => "restrict",
                    "__signed" | "__signed__" => "signed",
                    word if UNTYPED.contains(&word) => return self.implicit_int(at, is_inside),
                    _ => return None,
                };
                self.write(at, at, plain);
                Some(at)
            }
        }
    }

    /// `static x = 1;` declares an `int`: the last word before the name becomes `int`.
    fn implicit_int(&mut self, at: usize, is_inside: bool) -> Option<usize> {
        if !matches!(self.before(at, 1), "" | ";" | "{" | "}" | "(" | "," | ")" | ":") {
            return None;
        }
        let name = (at..self.tokens.len()).find(|at| !UNTYPED.contains(&self.word(*at)))?;
        let is_name = self.tokens[name].kind == Kind::Word && !begins_type(self.word(name));
        // In a function `(const T)` may be a cast, and `(const T[])` begins a compound literal everywhere.
        let ends = match self.word(name + 1) {
            "=" | ";" | "," => true,
            "[" => self.before(at, 1) != "(",
            next => !is_inside && next == ")",
        };
        if !is_name || !ends || self.tokens[name - 1].range().len() < "int".len() {
            return None;
        }
        self.write(name - 1, name - 1, "int");
        Some(name - 1)
    }

    /// Bit-fields without a name are blanked.
    fn unnamed_bit_field(&mut self, colon: usize) -> Option<usize> {
        let mut first = colon;
        while first >= 1 && INTEGERS.contains(&self.before(first, 1)) {
            first -= 1;
        }
        if first == colon || !matches!(self.before(first, 1), ";" | "{") {
            return None;
        }
        let last = (colon..self.tokens.len()).find(|at| self.word(*at) == ";")?;
        self.write(first, last, "");
        Some(last)
    }

    /// A call-like construct becomes one word.
    fn replaced_call(&mut self, at: usize, word: &str) -> Option<usize> {
        let last = self.closing(at + 1)?;
        self.write(at, last, word);
        Some(last)
    }

    fn attribute(&mut self, at: usize, last: usize) {
        self.write(at, last, "");
        let range = self.tokens[at].start..self.tokens[last].end;
        let begins = |word| matches!(word, "" | ";" | "{" | "}" | ":" | ")" | "else" | "do");
        let is_named = self.before(at, 1) == ":"
            && self.before(at, 2) != "default"
            && at >= 2
            && self.tokens[at - 2].kind == Kind::Word
            && begins(self.before(at, 3));
        // Several attributes may follow one another.
        let colon = at.checked_sub(1).map_or(0, |before| self.tokens[before].end);
        let label =
            self.plain.of_labels.iter_mut().find(|(_, end)| self.text[**end..range.start].trim().is_empty());
        if let Some((_, end)) = label {
            *end = range.end;
        } else if is_named {
            self.plain.of_labels.insert(colon, range.end);
        } else {
            self.plain.prefixes.insert(range.end, range.start);
        }
    }

    /// Assembly outside of functions and names of registers are blanked; a statement keeps what the parser reads.
    fn asm(&mut self, at: usize, is_inside: bool) -> Option<usize> {
        let mut open = at + 1;
        while matches!(
            self.word(open),
            "volatile" | "__volatile" | "__volatile__" | "inline" | "__inline" | "__inline__" | "goto"
        ) {
            let qualifier = self.word(open).trim_matches('_');
            self.write(open, open, qualifier);
            open += 1;
        }
        let last = self.closing(open)?;
        let is_statement = match self.before(at, 1) {
            ")" => {
                let first = self.partners[at - 1]?;
                matches!(self.before(first, 1), "if" | "while" | "for" | "switch")
            }
            "else" | "do" => true,
            "]" | "*" | "," => false,
            _ => at.checked_sub(1).is_none_or(|before| self.tokens[before].kind != Kind::Word),
        };
        if !is_inside || !is_statement {
            self.write(at, last, "");
            return Some(last);
        }
        let colon = (open..last).find(|at| self.word(*at) == ":").unwrap_or(last);
        for at in colon..last {
            let both = [at, at + 1].map(|at| self.tokens[at].kind);
            if both == [Kind::Literal; 2] {
                self.write(at + 1, at + 1, "");
            }
        }
        Some(last)
    }

    /// The suffixes of imaginary and extended numbers.
    fn number(&mut self, at: usize) -> Option<usize> {
        static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^(?:0[xX][0-9a-fA-F.']*(?:[pP][+-]?\d+)?|0[bB][01']+|[\d.']+(?:[eE][+-]?\d+)?)(.*)$")
                .expect("a constant")
        });
        let suffix = NUMBER.captures(self.word(at))?.get(1)?;
        if suffix.as_str().contains(|c: char| !"uUlLfF".contains(c)) {
            let start = self.tokens[at].start;
            self.bytes[start + suffix.start()..start + suffix.end()].fill(b'0');
        }
        Some(at)
    }

    /// A compound literal that is assigned to becomes a name.
    fn assigned_literal(&mut self, at: usize) -> Option<usize> {
        let last = self.partners[at]?;
        let first = at.checked_sub(1).filter(|before| self.word(*before) == ")");
        let first = first.and_then(|before| self.partners[before])?;
        let is_assigned = matches!(
            self.word(last + 1),
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>="
        );
        if !is_assigned {
            return None;
        }
        self.write(first, last, "x");
        Some(last)
    }

    /// A label before a closing brace, as in C23; the parser expects a statement after it.
    fn last_label(&mut self, colon: usize) {
        let mut first = colon;
        let mut labels = Vec::new();
        while self.word(first) == ":"
            && first >= 2
            && self.tokens[first - 1].kind == Kind::Word
            && self.before(first, 1) != "default"
            && matches!(self.before(first, 2), ";" | "{" | "}" | ":")
        {
            labels.push(self.tokens[first - 1].start..self.tokens[first].end);
            self.write(first - 1, first, "");
            first -= 2;
        }
        labels.reverse();
        if !labels.is_empty() {
            self.plain.last_labels.insert(self.tokens[colon + 1].start, labels);
        }
    }

    /// A function whose body is a dump of one of gcc's intermediate languages.
    fn foreign(&mut self, at: usize) -> Option<usize> {
        let open = (at..self.tokens.len()).find(|at| matches!(self.word(*at), "{" | ";"))?;
        let last = self.partners[open]?;
        let head = self.closing(at + 1).unwrap_or(at);
        self.write(at, head, "");
        if last > open + 1 {
            self.write(open + 1, last - 1, "");
        }
        self.plain.foreign.push(self.tokens[open].start..self.tokens[last].end);
        Some(last)
    }
}

/// The words of an integer type.
const INTEGERS: [&str; 7] = ["int", "unsigned", "signed", "char", "short", "long", "_Bool"];

#[cfg(test)]
mod tests {
    use super::Plain;

    #[test]
    fn what_the_parser_does_not_read_is_replaced() {
        let check = |text: &str, expected: &str| {
            let plain = Plain::of(text, text);
            assert_eq!(plain.text.split_whitespace().collect::<Vec<_>>().join(" "), expected);
            assert_eq!(plain.text.len(), text.len());
        };
        check("int x __attribute__((aligned(16))) = 3;", "int x = 3;");
        check("a[b[1]] = c[[d]];", "a[b[1]] = c ;");
        check("[[maybe_unused]] int x = 2i + 1.0iF + 0x1p3f + 3ul;", "int x = 20 + 1.000 + 0x1p3f + 3ul;");
        check("{ register int x __asm__ (\"rdi\") = y; }", "{ register int x = y; }");
        check("int x; asm (\"nop\"); int f(void) asm (\"g\");", "int x; ; int f(void) ;");
        check(
            "static x = 1; { register i, j; int const k; } int f(const z);",
            "int x = 1; { int i, j; int const k; } int f(int z);",
        );
        check("struct { unsigned int : 1; unsigned s : 1; } t;", "struct { unsigned s : 1; } t;");
        check(
            "{ if (a) __asm __volatile (\"b\" \"c\" : \"+\" \"x\" (d)); }",
            "{ if (a) __asm volatile (\"b\" \"c\" : \"+\" (d)); }",
        );
        check("unsigned _BitInt(7) x = (_BitInt(9)) y;", "unsigned int x = (int ) y;");
        check("__typeof__ ((void)0, *p) t = (typeof (x)) y;", "int t = (int ) y;");
        check("{ (int) { 0 } = 1; (int) { 0 }; }", "{ x = 1; (int) { 0 }; }");
        check("{ a: b; c: d: }", "{ a: b; }");
        check("int __RTL (startwith (\"a\")) f () { (b \"c\") } int g;", "int f () { } int g;");
        check("f(__builtin_va_arg(a, struct { int\nx; }));", "f(__builtin_va_arg(x ));");
        check("_Static_assert(1, \"a\"); int x = _Alignof(int) > 1;", "int x = 1111111111111 > 1;");
        check("int x = _Alignof(\nint) > 1;", "int x = (1 ) > 1;");
    }

    #[test]
    fn a_statement_begins_with_its_attributes() {
        let text = "{ __attribute__((x)) [[y]] int a; b: __attribute__((z)) c; __extension__ d;\n#pragma GCC unroll 2\nfor (;;) ; }";
        let plain = Plain::of(
            text,
            &text
                .replace("__extension__", "             ")
                .replace("#pragma GCC unroll 2", "                    "),
        );
        let at = |word: &str| text.find(word).unwrap();
        assert_eq!(plain.start(at("int a")), at("__attribute__"));
        assert_eq!(plain.start(at("c;")), at("c;"));
        assert_eq!(plain.label_end(at("b:") + 2), at(" c;"));
        assert_eq!(plain.start(at("d;")), at("__extension__"));
        assert_eq!(plain.start(at("for")), at("\n#pragma"));
    }
}
