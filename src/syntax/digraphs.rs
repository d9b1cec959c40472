//! Digraphs, which the grammar of the parser does not know (C11, 6.4.6): `<%` is `{`, `<:` is `[`, and `%:` is `#`.

use super::comments::blanked;

const BRACKETS: [(&str, &str); 4] = [("<%", "{ "), ("%>", "} "), ("<:", "[ "), (":>", "] ")];
/// The longer one first: the other one is a part of it.
const HASHES: [(&str, &str); 2] = [("%:%:", "##  "), ("%:", "# ")];

/// `text` with plain brackets in place of digraphs, equally long. Those in literals stay.
pub(super) fn without_digraphs(text: String) -> String {
    replaced(text, &BRACKETS)
}

/// The same with the characters of directives only: a bracket ends where it was typed.
pub(super) fn with_plain_directives(text: String) -> String {
    replaced(text, &HASHES)
}

fn replaced(text: String, digraphs: &[(&str, &str)]) -> String {
    if !digraphs.iter().any(|(digraph, _)| text.contains(digraph)) {
        return text;
    }
    let code = blanked(&text);
    let mut plain = text;
    for (digraph, other) in digraphs {
        for (at, _) in code.match_indices(digraph) {
            // It may be a part of a longer one, which was replaced.
            if plain[at..].starts_with(*digraph) {
                plain.replace_range(at..at + digraph.len(), other);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digraphs_in_literals_stay() {
        let text = "int f(void) <% return a<:1:> + \"<%\"[0]; %>";
        assert_eq!(without_digraphs(text.into()), "int f(void) {  return a[ 1]  + \"<%\"[0]; } ");
        assert_eq!(without_digraphs("a < b;".into()), "a < b;");
        let directive = "%:define glue(x, y) x %:%: y\n";
        assert_eq!(with_plain_directives(directive.into()), "# define glue(x, y) x ##   y\n");
    }
}
