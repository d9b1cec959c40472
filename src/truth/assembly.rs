//! Compares two texts of assembly, or of LLVM's intermediate language, function by function. Only the names of local labels
//! may differ, and what is known to mean the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::llvm_text;

/// The names of the parts that differ between two texts of assembly.
pub(super) fn unlike(texts: &[String]) -> BTreeSet<String> {
    if normal_form(&texts[0]) == normal_form(&texts[1]) {
        return BTreeSet::new();
    }
    let [one, other] = [parts(&texts[0]), parts(&texts[1])];
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// The name of what is in no function: data.
pub(super) const DATA: &str = "(data)";

/// The normal form of each function by its name, and of everything else. The compiler may make several functions of one,
/// whose names have a suffix. Constants are named by their content, since their order follows that of the code.
fn parts(assembly: &str) -> BTreeMap<String, String> {
    static BEGIN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.type\s+([^\s,]+),\s*[@%]function").expect("a constant"));
    static END: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.size\s+([^\s,]+),").expect("a constant"));
    static PLACED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.(?:section|text|data|bss|align|p2align)\b").expect("a constant"));
    if assembly.starts_with("; ModuleID") {
        return llvm_text::parts(assembly);
    }
    let mut functions: BTreeMap<String, String> = BTreeMap::new();
    // Each label outside of functions, with what follows it.
    let mut data = vec![(String::new(), String::new())];
    let mut at: Option<String> = None;
    for line in assembly.lines() {
        if let Some(found) = BEGIN.captures(line) {
            at = Some(found[1].split('.').next().unwrap_or_default().to_string());
        }
        if let Some(name) = &at {
            let text = functions.entry(name.clone()).or_default();
            text.push_str(line);
            text.push('\n');
        } else if let Some(label) =
            line.strip_suffix(':').filter(|label| !label.starts_with(char::is_whitespace))
        {
            data.push((label.to_string(), String::new()));
        } else if !PLACED.is_match(line)
            && let Some((_, text)) = data.last_mut()
        {
            text.push_str(line);
            text.push('\n');
        }
        if END.is_match(line) {
            at = None;
            data.push((String::new(), String::new()));
        }
    }
    let mut constants = HashMap::new();
    let mut texts: Vec<String> = Vec::new();
    for (label, text) in data {
        let text = normal_form(&text);
        if label.starts_with(".L") {
            constants.insert(label, blake3::hash(text.as_bytes()).to_hex()[..16].to_string());
            texts.push(text);
        } else {
            texts.push(format!("{label}\n{text}"));
        }
    }
    texts.sort();
    let named = |text: &str| {
        let constant =
            |found: &Captures<'_>| constants.get(&found[0]).unwrap_or(&found[0].to_string()).clone();
        normal_form(&LABEL.replace_all(text, constant))
    };
    let mut parts: BTreeMap<String, String> =
        functions.into_iter().map(|(name, text)| (name, named(&text))).collect();
    parts.insert(DATA.into(), texts.concat());
    parts
}

static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\.L[\w.$]+").expect("a constant"));

/// Assembly with local labels numbered in their order, without comments and without directives that only describe.
fn normal_form(assembly: &str) -> String {
    static IGNORED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*(?:#|//|nop\b|\.(?:file|loc|ident|cfi\w*|p2align|size|type)\b).*\n")
            .expect("a constant")
    });
    // A truth value that clang negates twice is itself.
    static TWICE: LazyLock<Regex> = LazyLock::new(|| {
        let registers = ["al", "bl", "cl", "dl", "sil", "dil", "r8b", "r9b", "r10b", "r11b"];
        let pair = |name: &&str| format!(r"[ \t]*xorb\t\$-1, %{name}\n[ \t]*xorb\t\$-1, %{name}\n");
        Regex::new(&registers.iter().map(pair).collect::<Vec<_>>().join("|")).expect("a constant")
    });
    let code = IGNORED.replace_all(assembly, "");
    let code = TWICE.replace_all(&code, "");
    let mut numbers = HashMap::new();
    let numbered = |found: &Captures<'_>| {
        let next = numbers.len();
        format!(".L{}", numbers.entry(found[0].to_string()).or_insert(next))
    };
    LABEL.replace_all(&code, numbered).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{normal_form, parts, unlike};

    #[test]
    fn only_the_names_of_labels_may_differ() {
        let one = "\t.file\t\"a.c\"\nf:\n.L2:\n\tjne\t.L2\n\tjmp\t.L7\n";
        let same = "f:\n\tnop\n.L5:\n\tjne\t.L5\n\tjmp\t.L1\n";
        let other = "f:\n.L5:\n\tjne\t.L1\n\tjmp\t.L5\n";
        assert_eq!(normal_form(one), normal_form(same));
        assert_ne!(normal_form(one), normal_form(other));
    }

    #[test]
    fn constants_are_compared_by_content_and_functions_one_by_one() {
        let text = |first: &str, second: &str, jump: &str| {
            format!(
                "\t.type\tf, @function\nf:\n\tlea\t.Lstr{first}, %rax\n\tlea\t.Lstr{second}, %rax\n\t.size\tf, .-f\n\
                 \t.type\tg, @function\ng:\n.L2:\n\t{jump}\t.L2\n\t.size\tg, .-g\n\
                 .Lstr{first}:\n\t.asciz\t\"a\"\n.Lstr{second}:\n\t.asciz\t\"b\"\n"
            )
        };
        assert_eq!(parts(&text("1", "2", "jmp")), parts(&text("2", "1", "jmp")));
        let names = |one: String, other: String| unlike(&[one, other]).into_iter().collect::<Vec<_>>();
        assert_eq!(names(text("1", "2", "jmp"), text("1", "2", "jne")), ["g"]);
        let exchanged = text("1", "2", "jmp")
            .replace("\"a\"", "\"c\"")
            .replace("\"b\"", "\"a\"")
            .replace("\"c\"", "\"b\"");
        assert_eq!(names(text("1", "2", "jmp"), exchanged), ["f"]);
    }
}
