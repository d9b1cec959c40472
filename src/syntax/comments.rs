//! A source without its comments, line for line.
//!
//! The preprocessor joins what stands before and behind a comment of several
//! lines on one row, which then is no line of ours. A line feed in place of the
//! comment's keeps the rows apart; in a directive it needs a backslash.

/// `source` with a space for every comment, and the line feeds that were in it.
pub fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let bytes = source.as_bytes();
    let mut at = 0;
    let mut copied = 0;
    // Whether only spaces have been seen since the last line feed, and whether a directive began.
    let (mut blank, mut directive) = (true, false);
    while at < bytes.len() {
        // Inside a letter of several bytes nothing begins.
        let rest = source.get(at..).unwrap_or_default();
        match bytes[at] {
            b'"' | b'\'' => {
                at += quoted(&bytes[at..]);
                blank = false;
            }
            b'/' if rest.starts_with("/*") || rest.starts_with("//") => {
                let length = if rest.starts_with("/*") {
                    rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
                } else {
                    line_comment(rest)
                };
                out.push_str(&source[copied..at]);
                out.push(' ');
                for _ in rest[..length].matches('\n') {
                    out.push_str(if directive { "\\\n" } else { "\n" });
                }
                at += length;
                copied = at;
            }
            b'\\' if rest.starts_with("\\\n") => at += 2,
            b'\\' if rest.starts_with("\\\r\n") => at += 3,
            b'\n' => {
                (blank, directive) = (true, false);
                at += 1;
            }
            byte => {
                directive |= blank && byte == b'#';
                blank &= byte.is_ascii_whitespace();
                at += 1;
            }
        }
    }
    out.push_str(&source[copied..]);
    out
}

/// The length of a string or character that `text` begins with; one that does not end, ends with its line.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == text[0] => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of a `//` comment, without its line feed; a backslash carries it on.
fn line_comment(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        length += body.len();
        if !body.ends_with('\\') {
            break;
        }
        length += line.len() - body.len();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_go_and_line_feeds_stay() {
        assert_eq!(without_comments("a /* b\n c */ d // e\nf"), "a  \n d  \nf");
        assert_eq!(without_comments("#define A 1 /* x\n y */ 2\nb"), "#define A 1  \\\n 2\nb");
        assert_eq!(without_comments("// a \\\n b\nc"), " \n\nc");
        assert_eq!(without_comments("int ä; // ä\nb"), "int ä;  \nb");
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_stays() {
        let source = "char *a = \"/* \\\" */\"; int b = '\"'; /* x */ c = a /b; '\\''; \"//\"";
        assert_eq!(without_comments(source), source.replace("/* x */", " "));
    }
}
