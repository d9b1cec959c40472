//! The instrumented program as text: with its counters, and with them compiled away.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::super::points::Instrumented;

/// The name of the array of counters.
pub(super) const COUNTERS: &str = "recount_truth";

/// How much of the instrumentation remains where the counters are compiled away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// Only the braces and parentheses that enclose counted code. Compilers generate the same code for it and for the
    /// program without any optimisation, unless the parser gave a statement or an expression the wrong extent.
    Shape,
    /// Everything, with `(void)0` in place of each increment, and `!!` where a test became 1 or 0. Optimisation makes
    /// it the same code as the program.
    Values,
}

impl Instrumented {
    /// The text to compile, preprocessed; the program appends its counters to the file `output` when it ends.
    pub fn source(&self, output: &str) -> String {
        let counters = format!("static unsigned long long {COUNTERS}[{}];\n", self.counters.max(1));
        counters + &self.with_inserts(|text, _| Cow::Borrowed(text)) + &epilogue(output)
    }

    /// The preprocessed program before it was instrumented.
    pub fn original(&self) -> &str {
        &self.text
    }

    /// The text with its counters compiled away.
    pub fn without_counters(&self, remains: Uncounted) -> String {
        self.with_inserts(|text, before| Cow::Owned(uncounted(text, before, remains)))
    }

    /// The program with what `rendered` makes of each insertion and the text before it.
    fn with_inserts<'a>(&'a self, rendered: impl Fn(&'a str, &'a str) -> Cow<'a, str>) -> String {
        let mut source = String::with_capacity(2 * self.text.len());
        let mut at = 0;
        for (offset, text) in &self.inserts {
            source.push_str(&self.text[at..*offset]);
            source.push_str(&rendered(text, &self.text[..*offset]));
            at = *offset;
        }
        source + &self.text[at..]
    }
}

/// An insertion after the text `before`, with its counters compiled away. Every step replaces text by text that means the
/// same, so a mistake in an insertion remains.
fn uncounted(text: &str, before: &str, remains: Uncounted) -> String {
    static INCREMENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!(r"{COUNTERS}\[[^\]]*\]\+\+")).expect("a constant"));
    static PATH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r",(recount_path_\d+)=recount_path_\d+\*2\+[01]|\{unsigned recount_path_\d+=1;int recount_is_\d+=|;\(void\)0;recount_is_\d+;\}")
            .expect("a constant")
    });
    let values = INCREMENT.replace_all(text, "(void)0");
    if remains == Uncounted::Values {
        // What is 1 or 0 stays 1 or 0.
        return values.replace("?((void)0,1):((void)0,0)", "");
    }
    let values = PATH.replace_all(&values, "").replace("?((void)0,1):((void)0,0)", "");
    if values == "(void)0;" && before.trim_end().ends_with(':') {
        // Compilers treat `case 1: case 2:` in another way than labels with a statement between them.
        return String::new();
    }
    values.replace("(!!(", "((").replace("((void)0,(", "((")
}

/// Appends a 1 to the file when the program begins, and the counters after all of its exit handlers have run. Each of
/// several processes appends something, and so does a program that executes itself. The functions are glibc's internal
/// ones, whose names a program does not define.
fn epilogue(output: &str) -> String {
    format!(
        "\nextern int __open(const char *, int, ...);\nextern long __write(int, const void *, unsigned long);\n\
         extern int __close(int);\n\
         static void recount_append(const void *what, unsigned long size) {{\n\
         int file = __open(\"{output}\", 02101, 0600);\n\
         if (file >= 0) {{ __write(file, what, size); __close(file); }}\n}}\n\
         __attribute__((constructor(0))) static void recount_begin(void) {{\n\
         unsigned long long one = 1;\nrecount_append(&one, sizeof one);\n}}\n\
         __attribute__((destructor(0))) static void recount_write(void) {{\n\
         recount_append({COUNTERS}, sizeof {COUNTERS});\n}}\n"
    )
}
