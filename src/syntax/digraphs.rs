//! Digraphs, which the grammar of the parser does not know (C11, 6.4.6): `<%` is `{`, and `<:` is `[`.

use super::comments::blanked;

const DIGRAPHS: [(&str, &str); 4] = [("<%", "{ "), ("%>", "} "), ("<:", "[ "), (":>", "] ")];

/// `text` with plain brackets in place of digraphs, equally long. Those in literals stay.
pub(super) fn without_digraphs(text: String) -> String {
    if !DIGRAPHS.iter().any(|(digraph, _)| text.contains(digraph)) {
        return text;
    }
    let code = blanked(&text);
    let mut plain = text;
    for (digraph, bracket) in DIGRAPHS {
        for (at, _) in code.match_indices(digraph) {
            plain.replace_range(at..at + digraph.len(), bracket);
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
    }
}
