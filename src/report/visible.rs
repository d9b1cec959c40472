//! Makes foreign text visible. Programs, paths and compilers' messages may contain control characters that a terminal
//! obeys, and characters that hide text or change its direction.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` with every invisible character replaced by its code; tabs and line feeds stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_invisible(c) => out.push(c),
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('␡'),
            c => {
                let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

fn is_invisible(c: char) -> bool {
    let turns_or_hides = |c: char| matches!(u32::from(c), 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfffe | 0xffff);
    (c.is_control() && c != '\t' && c != '\n') || turns_or_hides(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("\x1b]0;title\x07a\tb\nc\x7f"), "␛]0;title␇a\tb\nc␡");
        assert_eq!(visible("a\u{202e}b\u{9b}c"), "a⟨U+202E⟩b⟨U+009B⟩c");
        assert!(matches!(visible("plain é ✓\n"), Cow::Borrowed(_)));
    }
}
