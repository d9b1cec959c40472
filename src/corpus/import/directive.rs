//! `DejaGnu`'s directives: `{ dg-NAME WORD… }` anywhere on a line, with words as in Tcl.

/// A word of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Up to the next space or brace.
    Bare(String),
    /// Between quotes.
    Quoted(String),
    /// Between braces.
    Braced(Vec<Word>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Such as `dg-do`.
    pub name: String,
    pub line: usize,
    pub words: Vec<Word>,
    /// Whether its closing brace is missing.
    pub broken: bool,
}

impl Word {
    /// The text of the word; words in braces are joined by spaces.
    pub fn text(&self) -> String {
        match self {
            Word::Bare(text) | Word::Quoted(text) => text.clone(),
            Word::Braced(words) => words.iter().map(Word::text).collect::<Vec<_>>().join(" "),
        }
    }
}

/// The directives of `text`, from top to bottom.
pub fn directives(text: &str) -> Vec<Directive> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(start) = rest.find("dg-") {
            let (before, after) = rest.split_at(start);
            rest = &after[3..];
            if !before.trim_end().ends_with('{') {
                continue;
            }
            let mut reader = Reader { rest: after, closed: false };
            let mut words = reader.words();
            let Some(Word::Bare(name)) = words.first().cloned() else { continue };
            words.remove(0);
            found.push(Directive { name, line: at + 1, words, broken: !reader.closed });
            rest = reader.rest;
        }
    }
    found
}

/// The words of a list without braces, as in a quoted word.
pub fn words(text: &str) -> Vec<Word> {
    Reader { rest: text, closed: false }.words()
}

struct Reader<'a> {
    rest: &'a str,
    /// Whether the last list had a closing brace.
    closed: bool,
}

impl Reader<'_> {
    /// The words up to a closing brace, or to the end of the line.
    fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            self.closed = false;
            let Some(first) = self.rest.chars().next() else { return words };
            match first {
                '}' => {
                    self.rest = &self.rest[1..];
                    self.closed = true;
                    return words;
                }
                '{' => {
                    self.rest = &self.rest[1..];
                    words.push(Word::Braced(self.words()));
                }
                '"' => words.push(Word::Quoted(self.quoted())),
                _ => {
                    let end = self.rest.find(|c: char| c.is_whitespace() || "{}".contains(c));
                    let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                    words.push(Word::Bare(word.to_string()));
                    self.rest = rest;
                }
            }
        }
    }

    /// The text between the quotes that begin here.
    fn quoted(&mut self) -> String {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return text;
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                c => text.push(c),
            }
        }
        self.rest = "";
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_in_tcl() {
        let found =
            directives("int a;\n/* { dg-options \"-O2 -DS=\\\"x\\\"\" { target { lp64 && ! c++ } } } */\n");
        let [only] = &found[..] else { panic!("{found:?}") };
        assert_eq!((only.name.as_str(), only.line, only.broken), ("dg-options", 2, false));
        let texts: Vec<String> = only.words.iter().map(Word::text).collect();
        assert_eq!(texts, ["-O2 -DS=\"x\"", "target lp64 && ! c++"]);
    }

    #[test]
    fn a_brace_ends_a_word_and_a_missing_brace_is_noticed() {
        let of = |line| directives(line).remove(0);
        assert_eq!(of("// {dg-do run}").words, [Word::Bare("run".into())]);
        assert!(of("/* { dg-do run */").broken);
        assert!(!of("/* { dg-do run { target { ! { a b } } } } */").broken);
        assert_eq!(directives("no dg-do here"), []);
    }

    #[test]
    fn a_line_may_have_two_directives() {
        let found = directives("/* { dg-do run } { dg-options -O2 } */");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1].words[0].text(), "-O2");
    }
}
