//! What of a program's behaviour differs from run to run: a status that C does not specify, numbers that it prints.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::syntax::without_comments;

/// The definition of `main`, and the word before it on its line, which is its type.
static MAIN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)(?:^|[;}])\s*(?:(\w+)[ \t\n]+)?main[ \t]*\(").expect("valid"));

/// The standards in which `main` does not return 0 at its closing brace.
const OLD: [&str; 6] = ["-ansi", "-std=c89", "-std=c90", "-std=gnu89", "-std=gnu90", "-std=iso9899:1990"];

/// Calls of functions whose results differ from run to run, or that start a process or a thread: not declarations, which follow a
/// type.
static VARYING: LazyLock<Regex> = LazyLock::new(|| {
    let numbers = "getpid|getppid|gettid|pthread_self|time|clock|clock_gettime|gettimeofday|times|getrusage";
    let names = format!("{numbers}|fork|vfork|pthread_create|thrd_create");
    let call = format!(r"(?:[-+=(,;{{}}!<>&|?:)]|\breturn)\s*(?:{names})\s*\(");
    Regex::new(&format!(r"{call}|%-?\d*p|\b__(?:TIME|DATE)__\b")).expect("valid")
});

/// Whether the numbers that `source` prints may differ from run to run, or the order of its lines. Found in the text, so a call in a
/// macro of a header is not seen.
pub fn may_vary(source: &str) -> bool {
    VARYING.is_match(source)
}

/// Whether the status with which `source` ends is unspecified: `main` returns nothing (C11, 5.1.2.2.3), or has neither a type
/// nor a `return`, which only C90 allows. Found in the text, so a type in a macro is not seen.
pub fn has_unspecified_status(source: &str, flags: &[String]) -> bool {
    let is_old = flags.iter().any(|flag| OLD.contains(&flag.as_str()));
    let is_int = |found: &Captures<'_>| found.get(1).is_some_and(|word| word.as_str() == "int");
    if !is_old && MAIN.captures_iter(source).all(|found| is_int(&found)) {
        return false;
    }
    // Words in a comment are no definition.
    let code = without_comments(source);
    let is_definition = |found: &Captures<'_>| found.get(1).is_none_or(|word| word.as_str() != "return");
    let Some(found) = MAIN.captures_iter(&code).find(is_definition) else { return false };
    let body = &code[found.get(0).map_or(0, |all| all.end())..];
    let body = body.find("\n}").map_or(body, |end| &body[..end]);
    match found.get(1).map(|word| word.as_str()) {
        Some("void") => true,
        Some(_) if !is_old => false,
        _ => !body.contains("return"),
    }
}

#[cfg(test)]
mod tests {
    use super::{has_unspecified_status, may_vary};

    #[test]
    fn only_a_main_without_a_value_ends_with_an_unspecified_status() {
        let is_so = |source| has_unspecified_status(source, &[]);
        assert!(is_so("int a;\nvoid main()\n{ a = 1; }\n"));
        assert!(is_so("int a; void main(void) {}"));
        assert!(is_so("main()\n{\n  f();\n}\nint f() { return 1; }\n"));
        assert!(!is_so("main()\n{\n  return 0;\n}\n"));
        assert!(!is_so("int main(void) { return 0; }"));
        assert!(!is_so("int main(void) {}"));
        assert!(!is_so("/*\n main() calls f\n void main() would not\n*/\nint main(void) { return f(); }"));
        assert!(is_so("/*\n int main() is void here\n*/\nvoid main(void) { f(); }"));
        assert!(!is_so("static void domain(int a) {}\nint main(void) { return 0; }"));
        let old = ["-std=gnu89".to_string()];
        assert!(has_unspecified_status("int main() { f(); }", &old));
        assert!(!has_unspecified_status("int main() { return f(); }", &old));
    }

    #[test]
    fn calls_whose_results_vary_are_found_and_their_declarations_are_not() {
        assert!(may_vary("int main(void) { printf(\"%d\\n\", getpid()); }"));
        assert!(may_vary("long f(void) { return time(0); }"));
        assert!(may_vary("void f(int *a) { printf(\"%p\", a); }"));
        assert!(!may_vary("extern __pid_t getpid (void);\nextern __pid_t fork (void);\n"));
        assert!(!may_vary("int runtime(int a); int b = runtime(3); char *c = \"100%\";"));
    }
}
