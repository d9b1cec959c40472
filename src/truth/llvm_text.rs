//! Programs in LLVM's intermediate language as texts that are equal if the programs are.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The normal form of each function of `program` by its name. A test that is negated twice is the test, an integer that is
/// extended is zero if it is zero, and the address of a variable or of a part of one is not null: clang folds only some tests of it.
pub(super) fn parts(program: &str) -> BTreeMap<String, String> {
    static BEGIN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^define [^@]*@([\w.$]+)\(").expect("a constant"));
    static NEGATED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*(%[\w.]+) = xor i1 (%[\w.]+), true").expect("a constant"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%[\w.]+").expect("a constant"));
    static EXTENDED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(%[\w.]+) = [sz]ext (i\d+) (%[\w.]+) to (i\d+)").expect("a constant")
    });
    static ZERO: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"= icmp ne i\d+ (%[\w.]+), 0").expect("a constant"));
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(%[\w.]+) = (?:alloca\b|getelementptr inbounds .*?(%[\w.]+|@[\w.$]+), i\d)")
            .expect("a constant")
    });
    static IS_NULL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(%[\w.]+) = icmp (ne|eq) .*?(%[\w.]+|@[\w.$]+), null").expect("a constant")
    });
    // The address of a weak symbol may be null.
    static WEAK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^(?:(@[\w.$]+) = extern_weak\b|declare extern_weak [^@]*(@[\w.$]+))")
            .expect("a constant")
    });
    let weak: HashSet<&str> = WEAK
        .captures_iter(program)
        .filter_map(|found| Some(found.get(1).or(found.get(2))?.as_str()))
        .collect();
    let constants = constants(program);
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut at: Option<String> = None;
    // What each name is the negation of, and the test that each name is.
    let (mut negated, mut same) = (HashMap::<String, String>::new(), HashMap::<String, String>::new());
    // The type and the name of what each name extends.
    let mut extended = HashMap::<String, (String, String)>::new();
    let mut addresses = HashSet::<String>::new();
    for line in program.lines() {
        if let Some(found) = BEGIN.captures(line) {
            at = Some(found[1].to_string());
            (negated, same, extended) = (HashMap::new(), HashMap::new(), HashMap::new());
            addresses = HashSet::new();
        }
        let Some(name) = &at else { continue };
        let line = NAME.replace_all(line, |found: &Captures<'_>| {
            same.get(&found[0]).cloned().unwrap_or_else(|| found[0].to_string())
        });
        let text = parts.entry(name.clone()).or_default();
        let is_address =
            |name: &str| name.starts_with('@') && !weak.contains(name) || addresses.contains(name);
        if let Some(found) = IS_NULL.captures(&line).filter(|found| is_address(&found[3])) {
            same.insert(found[1].to_string(), (&found[2] == "ne").to_string());
            continue;
        }
        if let Some(found) = ADDRESS.captures(&line)
            && found.get(2).is_none_or(|base| is_address(base.as_str()))
        {
            addresses.insert(found[1].to_string());
        }
        if let Some(found) = NEGATED.captures(&line) {
            match negated.get(&found[2]) {
                Some(test) => drop(same.insert(found[1].to_string(), test.clone())),
                None => drop(negated.insert(found[1].to_string(), found[2].to_string())),
            }
        }
        if let Some(found) = EXTENDED.captures(&line) {
            extended.insert(found[1].to_string(), (found[2].to_string(), found[3].to_string()));
        }
        let of_narrow = |found: &Captures<'_>| match extended.get(&found[1]) {
            Some((kind, narrow)) => format!("= icmp ne {kind} {narrow}, 0"),
            None => found[0].to_string(),
        };
        let line = ZERO.replace(&line, of_narrow);
        let by_content =
            |found: &Captures<'_>| constants.get(&found[0]).unwrap_or(&found[0].to_string()).clone();
        text.push_str(&GLOBAL.replace_all(&line, by_content));
        text.push('\n');
        if line == "}" {
            at = None;
        }
    }
    for text in parts.values_mut() {
        *text = without_unused(&without_constant_branches(text));
    }
    parts
}

static GLOBAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"@[\w.$]+").expect("a constant"));

/// A name by its content for each private constant: their numbers follow the order of the code, and one that only a folded
/// test names is left out.
fn constants(program: &str) -> HashMap<String, String> {
    static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^(@[\w.$]+) = private unnamed_addr constant (.*)$").expect("a constant")
    });
    let by_content = |found: Captures<'_>| {
        let hash = blake3::hash(found[2].as_bytes()).to_hex();
        (found[1].to_string(), format!("@{}", &hash[..16]))
    };
    CONSTANT.captures_iter(program).map(by_content).collect()
}

/// The text of a function in which a branch on a constant is a jump, without the blocks that nothing reaches then and without
/// those that only jump.
fn without_constant_branches(text: &str) -> String {
    static BRANCH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"br i1 (?:true, label (%[\w.]+), label %[\w.]+|false, label %[\w.]+, label (%[\w.]+))")
            .expect("a constant")
    });
    static BEGIN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([\w.]+):").expect("a constant"));
    static JUMP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*br label %([\w.]+)[^\n]*\s*$").expect("a constant"));
    static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"label %([\w.]+)").expect("a constant"));
    static IN_PHI: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%([\w.]+) \]").expect("a constant"));
    let text = BRANCH.replace_all(text, "br label $1$2");
    // The name of each block, its first line and the others; the entry has no name.
    let mut blocks = vec![(String::new(), String::new(), String::new())];
    for line in text.split_inclusive('\n').filter(|line| *line != "}\n") {
        match (BEGIN.captures(line), blocks.last_mut()) {
            (Some(found), _) => blocks.push((found[1].to_string(), line.to_string(), String::new())),
            (None, Some((_, _, body))) => body.push_str(line),
            (None, None) => {}
        }
    }
    loop {
        let names = |pattern: &Regex| -> HashSet<String> {
            let bodies = blocks.iter().flat_map(|(_, _, body)| pattern.captures_iter(body));
            bodies.map(|found| found[1].to_string()).collect()
        };
        let (reached, in_phi) = (names(&LABEL), names(&IN_PHI));
        let is_kept = |name: &String| name.is_empty() || in_phi.contains(name);
        let jumps: HashMap<String, String> = blocks
            .iter()
            .filter(|(name, _, _)| !is_kept(name))
            .filter_map(|(name, _, body)| Some((name.clone(), JUMP.captures(body)?[1].to_string())))
            .filter(|(name, target)| name != target)
            .collect();
        let before = blocks.len();
        blocks.retain(|(name, _, _)| is_kept(name) || reached.contains(name) && !jumps.contains_key(name));
        if blocks.len() == before {
            break;
        }
        // A cycle of blocks that only jump has no target of its own; its first name will do.
        let target = |found: &Captures<'_>| {
            let (mut name, mut left) = (found[1].to_string(), jumps.len());
            while let Some(next) = jumps.get(&name).filter(|_| left > 0) {
                (name, left) = (next.clone(), left - 1);
            }
            format!("label %{name}")
        };
        for (_, _, body) in &mut blocks {
            *body = LABEL.replace_all(body, target).into_owned();
        }
    }
    blocks.into_iter().map(|(_, first, body)| first + &body).collect::<String>() + "}\n"
}

/// The text of a function without the negations, extensions and addresses that nothing uses, with its names in the order in which they occur.
fn without_unused(text: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%[\w.]+|^[\w.]+:").expect("a constant"));
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)%[\w.]+|^[\w.]+:").expect("a constant"));
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for found in NAME.find_iter(text) {
        *uses.entry(found.as_str()).or_default() += 1;
    }
    let is_unused = |line: &str| {
        let name = line.trim_start().split(' ').next().unwrap_or_default();
        let pure = [" = xor i1 ", " = zext ", " = sext ", " = getelementptr "];
        let is_pure = pure.iter().any(|text| line.contains(text));
        is_pure && uses.get(name) == Some(&1)
    };
    let mut kept: Vec<&str> = text.lines().collect();
    let before = kept.len();
    kept.retain(|line| !is_unused(line));
    let kept_text = kept.join("\n");
    if kept.len() < before {
        // The first negation of a pair is unused without the second one.
        return without_unused(&kept_text);
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let comments = kept_text.lines().map(|line| line.split("; preds").next().unwrap_or_default().trim_end());
    let numbered = |found: &Captures<'_>| {
        let name = found[0].trim_start_matches('%').trim_end_matches(':').to_string();
        let next = numbers.len();
        format!("%{}", numbers.entry(name).or_insert(next))
    };
    PLACE.replace_all(&comments.collect::<Vec<_>>().join("\n"), numbered).into_owned()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_test_that_is_negated_twice_is_the_test() {
        let text = |body: &str| {
            format!("; ModuleID = 'x'\ndefine i32 @f(i32 %0) {{\n{body}  br i1 %C, label %5, label %6\n}}\n")
        };
        let of = |body: &str, test: &str| parts(&text(body).replace("%C", test));
        let plain = of("  %2 = icmp eq i32 %0, 7\n", "%2");
        let twice = of("  %2 = icmp eq i32 %0, 7\n  %3 = xor i1 %2, true\n  %4 = xor i1 %3, true\n", "%4");
        let once = of("  %2 = icmp eq i32 %0, 7\n  %3 = xor i1 %2, true\n", "%3");
        assert_eq!(plain, twice);
        assert_ne!(plain, once);
        let wide = of("  %2 = zext i8 %0 to i32\n  %3 = icmp ne i32 %2, 0\n", "%3");
        let narrow = of("  %2 = icmp ne i8 %0, 0\n", "%2");
        let other = of("  %2 = zext i8 %0 to i32\n  %3 = icmp ne i32 %2, 1\n", "%3");
        assert_eq!(wide, narrow);
        assert_ne!(other, narrow);
        assert_eq!(narrow.keys().collect::<Vec<_>>(), ["f"]);
    }

    #[test]
    fn the_address_of_a_variable_is_not_null() {
        let text = |body: &str| {
            format!(
                "; ModuleID = 'x'\ndefine i32 @f(ptr %0) {{\n  %2 = alloca [3 x %s], align 4\n{body}2:\n  ret i32 0\n\n3:\n  ret i32 1\n}}\n"
            )
        };
        let tested = |base: &str| {
            text(&format!(
                "  %4 = getelementptr inbounds [3 x %s], ptr {base}, i64 0, i64 1\n  %5 = icmp ne ptr %4, null\n  br i1 %5, label %2, label %3\n\n"
            ))
        };
        let folded = text("  br label %2\n\n");
        assert_eq!(parts(&tested("%2")), parts(&folded));
        assert_eq!(parts(&tested("@x")), parts(&folded));
        assert_ne!(parts(&tested("%0")), parts(&folded));
        for weak in ["@x = extern_weak global [3 x i8]\n", "declare extern_weak ptr @x()\n"] {
            let declared = |text: String| text.replacen("define", &format!("{weak}define"), 1);
            assert_ne!(parts(&declared(tested("@x"))), parts(&declared(folded.clone())));
        }
    }

    #[test]
    fn a_branch_on_a_constant_is_a_jump() {
        let text = |constants: &str, body: &str| {
            format!("; ModuleID = 'x'\n{constants}define i32 @f(i32 %0) {{\n{body}}}\n")
        };
        let plain = text(
            "@.str = private unnamed_addr constant [2 x i8] c\"m\\00\", align 1\n",
            "  br label %4\n\n4:                      ; preds = %1\n  call void @g(ptr @.str)\n  ret i32 0\n",
        );
        let tested = text(
            "@.str = private unnamed_addr constant [2 x i8] c\"t\\00\", align 1\n\
             @.str.1 = private unnamed_addr constant [2 x i8] c\"m\\00\", align 1\n",
            "  br i1 true, label %2, label %3\n\n2:      ; preds = %1\n  br label %4\n\n3:      ; preds = %1\n\
             \u{20}\u{20}call void @h()\n  br label %4\n\n4:      ; preds = %2, %3\n  call void @g(ptr @.str.1)\n  ret i32 0\n",
        );
        assert_eq!(parts(&plain), parts(&tested));
        assert_ne!(parts(&plain), parts(&tested.replace("i1 true", "i1 %0")));
        assert_ne!(parts(&plain), parts(&tested.replace("@.str.1)", "@.str)")));
    }
}
