//! The proof that the instrumented program is the program.
//!
//! With its counters compiled away, it must compile to the code of the program, twice. Without optimisation, nothing but
//! the braces and parentheses of the instrumentation is left in it: code whose result is never used counts here too. (gcc
//! places blocks and temporaries differently in a few programs; then a low level of optimisation decides.)
//! With optimisation, everything is left that the counters do not need. Only the names of local labels may differ.
//!
//! A function whose code differs (some compilers allocate other registers) is left out of the instrumentation, and the
//! proof is made for the rest.
//!
//! The proof says that the instrumented program executes what the program executes. That each counter is in the right
//! place is tested elsewhere (`tests/truth_property.rs`, `scripts/prove-truth`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use anyhow::Result;
use regex::{Captures, Regex};

use super::Texts;
use crate::syntax::{Instrumented, Uncounted, instrument};
use crate::toolchain::{
    Assembly, Level, Profiler, Request, StepResult, Worker, assemble, assemble_texts, counts_conditions,
};

/// Ways to show that the program without counters is the program. Equality by one of them is enough; the allocation of
/// registers may differ at another level.
const VALUES: [(Uncounted, Level); 12] = [
    (Uncounted::Values, &["-O0"]),
    (Uncounted::Tests, &["-O0"]),
    // Only clang has this language, in which a test that is negated twice is the test.
    (Uncounted::Tests, &["-O0", "-emit-llvm"]),
    (Uncounted::Values, &["-O1"]),
    (Uncounted::Values, &["-O2"]),
    (Uncounted::Values, &["-Og"]),
    (Uncounted::Values, &["-Os"]),
    (Uncounted::Values, &["-O3"]),
    // Without inlining a difference stays in its function.
    (Uncounted::Values, &["-O1", "-fno-inline"]),
    (Uncounted::Values, &["-O2", "-fno-inline"]),
    (Uncounted::Tests, &["-O1"]),
    (Uncounted::Tests, &["-O2"]),
];

/// Ways to show that the shape is the program's.
const SHAPE: [(Uncounted, Level); 3] =
    [(Uncounted::Shape, &["-O0"]), (Uncounted::Shape, &["-Og"]), (Uncounted::Shape, &["-O1"])];

/// The names of the functions that have to be left out of the instrumentation, so that the rest is proved; or why there is
/// no proof.
pub type Proof = std::result::Result<BTreeSet<String>, String>;

/// Whether the instrumented program of `request` is proved to be the program, with the compiler of `profiler`.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn prove(profiler: &dyn Profiler, worker: &mut Worker, request: &Request<'_>) -> Result<Proof> {
    prove_changed(profiler, worker, request, &|_| ())
}

/// Whether `instrumented`, a unit of a package, is proved to be the program that it was made from, with the compiler of
/// `profiler` and these flags.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn prove_unit(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    flags: &[String],
    instrumented: &Instrumented,
) -> Result<Proof> {
    proof(&mut |pairs, left_out| {
        let mut unit = instrumented.clone();
        unit.leave_out(left_out);
        assemble_texts(profiler, worker, flags, units(&unit, pairs))
    })
}

/// [`prove`], with `change` made to the instrumented program: tests make mistakes in it.
fn prove_changed(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    change: &dyn Fn(&mut Instrumented),
) -> Result<Proof> {
    let texts = match Texts::of(profiler, request) {
        Ok(texts) => texts,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let with_vectors = counts_conditions(request.flags);
    let request = Request { source: &texts.program, ..*request };
    proof(&mut |pairs, left_out| {
        assemble(profiler, worker, &request, |text| {
            let mut instrumented = instrument(&texts.preprocessed(text), with_vectors);
            if let Some(found) = &mut instrumented {
                change(found);
                found.leave_out(left_out);
            }
            instrumented.map_or_else(Vec::new, |found| units(&found, pairs))
        })
    })
}

/// Assembles the program and the instrumented one, for each of the pairs, without the functions that are left out.
type Assembler<'a> = dyn FnMut(&[(Uncounted, Level)], &BTreeSet<String>) -> StepResult<Vec<String>> + 'a;

fn proof(assembler: &mut Assembler<'_>) -> Result<Proof> {
    let differing = match differing(assembler, &BTreeSet::new())? {
        Ok(names) if names.is_empty() => return Ok(Ok(names)),
        Ok(names) => names,
        Err(why) => return Ok(Err(why)),
    };
    // What is left must be the program without them.
    Ok(match self::differing(assembler, &differing)? {
        Ok(names) if names.is_empty() => Ok(differing.into_iter().filter(|name| name != DATA).collect()),
        Ok(names) => Err(format!(
            "the code of {} differs",
            differing.union(&names).cloned().collect::<Vec<_>>().join(", ")
        )),
        Err(why) => Err(why),
    })
}

/// The names of the functions whose code differs at every level.
fn differing(assembler: &mut Assembler<'_>, left_out: &BTreeSet<String>) -> Result<Proof> {
    let mut compare = |pairs: &[(Uncounted, Level)]| {
        let assembled = assembler(pairs, left_out)?;
        Ok::<_, anyhow::Error>(assembled.map(|texts| texts.chunks(2).map(unlike).collect::<Vec<_>>()))
    };
    let first = match compare(&[SHAPE[0], VALUES[0]])? {
        Ok(first) => first,
        Err(outcome) => {
            let reason = outcome.reason().map_or_else(String::new, |reason| format!(", {reason}"));
            return Ok(Err(format!("{}{reason}", outcome.name())));
        }
    };
    let Ok([mut shape, mut values]) = <[BTreeSet<String>; 2]>::try_from(first) else {
        return Ok(Err("it is nested too deeply".into()));
    };
    for (ways, left) in [(&SHAPE[1..], &mut shape), (&VALUES[1..], &mut values)] {
        for way in ways {
            if left.is_empty() {
                break;
            }
            if let Ok(unlike) = compare(&[*way])? {
                left.retain(|name| unlike[0].contains(name));
            }
        }
    }
    Ok(Ok(shape.union(&values).cloned().collect()))
}

fn units(found: &Instrumented, pairs: &[(Uncounted, Level)]) -> Vec<Assembly> {
    let both = |(remains, level): &(Uncounted, Level)| {
        [found.original().to_string(), found.without_counters(*remains)].map(|text| Assembly { text, level })
    };
    pairs.iter().flat_map(both).collect()
}

/// The names of the parts that differ between two texts of assembly.
fn unlike(texts: &[String]) -> BTreeSet<String> {
    if normal_form(&texts[0]) == normal_form(&texts[1]) {
        return BTreeSet::new();
    }
    let [one, other] = [parts(&texts[0]), parts(&texts[1])];
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// The name of what is in no function: data.
const DATA: &str = "(data)";

/// The normal form of each function by its name, and of everything else. The compiler may make several functions of one,
/// whose names have a suffix. Constants are named by their content, since their order follows that of the code.
fn parts(assembly: &str) -> BTreeMap<String, String> {
    if assembly.starts_with("; ModuleID") {
        return llvm_parts(assembly);
    }
    static BEGIN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.type\s+([^\s,]+),\s*[@%]function").expect("a constant"));
    static END: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.size\s+([^\s,]+),").expect("a constant"));
    static PLACED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.(?:section|text|data|bss|align|p2align)\b").expect("a constant"));
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

/// The same for a program in LLVM's intermediate language. A test that is negated twice is the test, and an integer that is
/// extended is zero if it is zero.
fn llvm_parts(program: &str) -> BTreeMap<String, String> {
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
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut at: Option<String> = None;
    // What each name is the negation of, and the test that each name is.
    let (mut negated, mut same) = (HashMap::<String, String>::new(), HashMap::<String, String>::new());
    // The type and the name of what each name extends.
    let mut extended = HashMap::<String, (String, String)>::new();
    for line in program.lines() {
        if let Some(found) = BEGIN.captures(line) {
            at = Some(found[1].to_string());
            (negated, same, extended) = (HashMap::new(), HashMap::new(), HashMap::new());
        }
        let Some(name) = &at else { continue };
        let line = NAME.replace_all(line, |found: &Captures<'_>| {
            same.get(&found[0]).cloned().unwrap_or_else(|| found[0].to_string())
        });
        let text = parts.entry(name.clone()).or_default();
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
        text.push_str(&ZERO.replace(&line, of_narrow));
        text.push('\n');
        if line.as_ref() == "}" {
            at = None;
        }
    }
    parts.values_mut().for_each(|text| *text = without_unused(text));
    parts
}

/// The text of a function without the negations and extensions that nothing uses, with its names in the order in which they occur.
fn without_unused(text: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%[\w.]+|^[\w.]+:").expect("a constant"));
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for found in NAME.find_iter(text) {
        *uses.entry(found.as_str()).or_default() += 1;
    }
    let is_unused = |line: &str| {
        let name = line.trim_start().split(' ').next().unwrap_or_default();
        let is_pure = [" = xor i1 ", " = zext ", " = sext "].iter().any(|text| line.contains(text));
        is_pure && uses.get(name) == Some(&1)
    };
    let mut kept: Vec<&str> = text.lines().collect();
    let before = kept.len();
    kept.retain(|line| !is_unused(line));
    let kept_text = kept.join("\n");
    if kept.len() < before {
        // The first negation of a pair is unused when the second one is gone.
        return without_unused(&kept_text);
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let comments = kept_text.lines().map(|line| line.split("; preds").next().unwrap_or_default().trim_end());
    let numbered = |found: &Captures<'_>| {
        let name = found[0].trim_start_matches('%').trim_end_matches(':').to_string();
        let next = numbers.len();
        format!("%{}", numbers.entry(name).or_insert(next))
    };
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)%[\w.]+|^[\w.]+:").expect("a constant"));
    PLACE.replace_all(&comments.collect::<Vec<_>>().join("\n"), numbered).into_owned()
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
    use std::collections::BTreeSet;

    use camino::Utf8PathBuf;

    use super::{normal_form, parts, prove_changed, unlike};
    use crate::config::Settings;
    use crate::corpus::Input;
    use crate::syntax::Instrumented;
    use crate::toolchain::{Request, Worker, select};

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

    const PROGRAM: &str = "\
int printf(const char *, ...);
static int calls, unused;
static int next(int n) { calls++; return n % 3; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++) {
        if (next(i) && i > 2)
            sum += 2;
        unused += i;
        switch (i) {
        case 1:
            if (sum)
        case 4:
            unused++;
            sum += 5;
            break;
        default:
            sum++;
        }
        while (sum > 40)
            sum -= 7;
        sum += ({ int twice = 2 * i; twice; });
    }
    printf(\"%d %d\\n\", sum, calls);
    return 0;
}
";

    /// The index of the insertion before the text `at`, of the kind that begins with `begins`.
    fn before(found: &Instrumented, at: &str, begins: &str) -> usize {
        let place = found.text.find(at).unwrap_or_else(|| panic!("{at}"));
        let here = |(offset, text): &(usize, String)| *offset <= place && text.starts_with(begins);
        found.inserts.iter().rposition(here).unwrap_or_else(|| panic!("{at}, {begins}"))
    }

    fn after(found: &Instrumented, at: &str, begins: &str) -> usize {
        let place = found.text.find(at).unwrap_or_else(|| panic!("{at}"));
        let here = |(offset, text): &(usize, String)| *offset > place && text.starts_with(begins);
        found.inserts.iter().position(here).unwrap_or_else(|| panic!("{at}, {begins}"))
    }

    /// The offset after the text `at`.
    fn end(found: &Instrumented, at: &str) -> usize {
        found.text.find(at).unwrap_or_else(|| panic!("{at}")) + at.len()
    }

    type Mistake = (&'static str, fn(&mut Instrumented));

    fn moved(found: &mut Instrumented, index: usize, offset: usize) {
        let (_, text) = found.inserts.remove(index);
        let index = found.inserts.partition_point(|(at, _)| *at <= offset);
        found.inserts.insert(index, (offset, text));
    }

    /// Mistakes that change what the program does, or what it would do if results were used.
    const MISTAKES: [Mistake; 9] = [
        ("the braces of a body close too late", |found| {
            let index = after(found, "unused++;", "}");
            let offset = end(found, "sum += 5;");
            moved(found, index, offset);
        }),
        ("the same for code whose result is never used", |found| {
            let index = after(found, "sum += 2;", "}");
            let offset = end(found, "unused += i;");
            moved(found, index, offset);
        }),
        ("a body loses its braces", |found| {
            let open = before(found, "sum -= 7;", "{");
            found.inserts[open].1.clear();
            let close = after(found, "sum -= 7;", "}");
            found.inserts[close].1.clear();
        }),
        ("an operand is evaluated twice", |found| {
            let index = before(found, "next(i) &&", "(!!(");
            found.inserts[index].1 += "next(i),";
        }),
        ("a condition is inverted", |found| {
            let index = before(found, "sum > 40", "(!!(");
            found.inserts[index].1 = found.inserts[index].1.replace("(!!(", "(!(");
        }),
        ("a test becomes a number of its own", |found| {
            let index = after(found, "i > 2", ")?(");
            found.inserts[index].1 = found.inserts[index].1.replace(",1)", ",0)");
        }),
        ("a statement is lost", |found| {
            let index = before(found, "unused += i;", "recount_truth");
            found.inserts[index].1 += "if(0)";
        }),
        ("a counter is put before the colon of its label", |found| {
            let index = after(found, "case 4", "recount_truth");
            let offset = end(found, "case 4");
            moved(found, index, offset);
        }),
        ("the value of a statement expression is followed by a counter", |found| {
            let offset = end(found, "twice;");
            let index = found.inserts.partition_point(|(at, _)| *at <= offset);
            found.inserts.insert(index, (offset, "recount_truth[0]++;".into()));
        }),
    ];

    fn lab(compiler: &str) -> Option<(crate::toolchain::Probed, Worker, tempfile::TempDir)> {
        let Ok(mut profilers) = select(&[compiler.to_string()]) else {
            eprintln!("SKIPPED: {compiler} is not installed");
            assert!(std::env::var_os("RECOUNT_REQUIRE_ALL").is_none(), "{compiler} is required");
            return None;
        };
        let temp = tempfile::tempdir().expect("a folder");
        let folder = Utf8PathBuf::from_path_buf(temp.path().join("w0")).expect("UTF-8");
        let worker = Worker::new(folder, "/bin/false".into(), Settings::quick().limits);
        Some((profilers.remove(0), worker, temp))
    }

    #[test]
    fn every_mistake_in_the_instrumented_program_is_found() {
        for compiler in ["gcov", "llvm-cov"] {
            let Some((profiler, mut worker, _temp)) = lab(compiler) else { continue };
            let input = Input::default();
            let request = Request { flags: &[], ..Request::new(PROGRAM, &input) };
            let right = prove_changed(&*profiler, &mut worker, &request, &|_| ()).unwrap();
            assert_eq!(right, Ok(BTreeSet::new()), "{compiler}");
            for (name, mistake) in MISTAKES {
                let proof = prove_changed(&*profiler, &mut worker, &request, &mistake).unwrap();
                assert_ne!(proof, Ok(BTreeSet::new()), "{compiler}: {name}");
                println!("caught by the compiled code, {compiler}: {name}");
            }
        }
    }
}
