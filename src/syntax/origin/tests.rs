//! Expansions that are hard, with output that the standard or both compilers give.

use super::super::Preprocessed;
use super::{LevelKind, Origins, Position};

/// The program `source` with the output of the preprocessor: its own definitions, and the rows `output` with their lines.
fn preprocessed(source: &str, output: &[(u32, &str)]) -> Preprocessed {
    let mut rows: Vec<(u32, &str)> = output.to_vec();
    let is_printed = |row: &str| row.starts_with("#define") || row.starts_with("#undef");
    rows.extend((1..).zip(source.lines()).filter(|(_, row)| is_printed(row)));
    rows.sort_by_key(|(line, _)| *line);
    let text: String = rows.iter().map(|(line, row)| format!("# {line} \"p.c\"\n{row}\n")).collect();
    Preprocessed::new(text, "p.c").of(source)
}

fn assert_known(source: &str, output: &[(u32, &str)]) {
    let found = preprocessed(source, output);
    assert_eq!(found.origins().unknown, 0, "{source}");
    assert!(!found.origins().tokens.is_empty());
}

/// For each token: its text, where the compiler places it, and where it was typed.
fn placed(found: &Preprocessed) -> Vec<String> {
    let at = |position: Option<Position>| {
        position.map_or_else(|| "-".into(), |Position { line, column }| format!("{line}:{column}"))
    };
    let origins: &Origins = found.origins();
    let shown = origins.tokens.iter().map(|origin| {
        let rest = &found.text[origin.offset..];
        let text = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        format!("{text} {} {}", at(origins.position(origin)), at(origin.spelling))
    });
    shown.collect()
}

#[test]
fn the_examples_of_the_standard_are_expanded() {
    assert_known(
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
         #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
         #define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
         p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
        &[
            (15, "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);"),
            (16, "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);"),
            (18, "int i[] = { 1, 23, 4, 5, };"),
            (19, "char c[2][6] = { \"hello\", \"\" };"),
        ],
    );
    assert_known(
        "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n\
         x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
         #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\ndebug(1, 2);\n\
         fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4')\n== 0) str(: @\\n), s);\nxstr(INCFILE(2).h)\nglue(HIGH, LOW);\n\
         xglue(HIGH, LOW)\n",
        &[
            (10, "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);"),
            (11, "fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s);"),
            (13, "\"vers2.h\""),
            (14, "\"hello\";"),
            (15, "\"hello\" \", world\""),
        ],
    );
    assert_known(
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
         #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);\n",
        &[(5, "char p[] = \"x ## y\";")],
    );
    assert_known(
        "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), t(,,) };\n",
        &[(2, "int j[] = { 123, 45, 67, 89,"), (3, "10, 11, 12, };")],
    );
    assert_known(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
         #define report(test, ...) ((test)?puts(#test):printf(__VA_ARGS__))\ndebug(\"Flag\");\n\
         debug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\nreport(x>y, \"x is %d but y is %d\", x, y);\n",
        &[
            (4, "fprintf(stderr, \"Flag\" );"),
            (5, "fprintf(stderr, \"X = %d\\n\", x );"),
            (6, "puts( \"The first, second, and third items.\" );"),
            (7, "((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));"),
        ],
    );
}

#[test]
fn gnu_extensions_are_expanded() {
    assert_known(
        "#define F(x, ...) f(x, ## __VA_ARGS__)\n#define G(a...) g(0, ## a)\n#define H(x, ...) h(x __VA_OPT__(, __VA_ARGS__))\n\
         #define E\nF(1); F(1, 2, 3); F(1,);\nG(); G(1);\nH(1); H(1, E); H(1, 2);\n_Pragma(\"x\") F(_Pragma(\"y\") 1);\n",
        &[
            (5, "f(1); f(1, 2, 3); f(1,);"),
            (6, "g(0); g(0, 1);"),
            (7, "h(1); h(1); h(1 , 2);"),
            (8, "#pragma x"),
            (8, "f("),
            (8, "#pragma y"),
            (8, "1);"),
        ],
    );
}

#[test]
fn names_that_were_met_in_their_own_text_are_not_expanded_later() {
    assert_known(
        "#define f(a) a*g\n#define g(a) f(a)\n#define o o p\n#define p o\nf(2)(9) o p\n",
        &[(5, "2*9*g o o o p")],
    );
    assert_known("#define NIL(x) x\n#define O NIL(O)\n#define L (\nNIL(O) NIL L 1)\n", &[(4, "O NIL ( 1)")]);
}

#[test]
fn tokens_have_positions_of_spelling_and_expansion() {
    let source = "#define TWICE(x) x + \\\n  (x)\n#define ONE 1\n  n = TWICE(ONE -\n  b) + __LINE__;\n";
    let found = preprocessed(source, &[(4, "n = 1 - b + ( 1 - b ) + 5 ;")]);
    assert_eq!(
        placed(&found),
        [
            "n 4:3 4:3",
            "= 4:5 4:5",
            "1 4:7 3:13",
            "- 4:7 4:17",
            "b 4:7 5:3",
            "+ 4:7 1:20",
            "( 4:7 2:3",
            "1 4:7 3:13",
            "- 4:7 4:17",
            "b 4:7 5:3",
            ") 4:7 2:5",
            "+ 5:6 5:6",
            "5 5:8 -",
            "; 5:16 5:16",
        ]
    );
    let origins = found.origins();
    let one = &origins.tokens[7];
    assert!(origins.is_argument(one) && !origins.is_argument(&origins.tokens[5]));
    let chain: Vec<_> = origins.chain(one.level).map(|(_, level)| level).collect();
    let [parameter, twice] = chain[..] else { panic!("{chain:?}") };
    assert_eq!(parameter.position, Some(Position { line: 2, column: 4 }));
    assert_eq!(twice.position, Some(Position { line: 4, column: 7 }));
    let inner = origins.typed_in(one).map(|id| &origins.levels[id]).unwrap();
    assert_eq!((inner.position, inner.inside), (Some(Position { line: 4, column: 13 }), None));
    assert!(matches!(&inner.kind, LevelKind::Expansion { name, .. } if name == "ONE"));
    assert_eq!(origins.definitions, [("TWICE".to_string(), 1..=2), ("ONE".to_string(), 3..=3)]);
    assert_eq!((origins.expansions(1).count(), origins.expansions(3).count()), (1, 1));
}

#[test]
fn a_token_that_the_preprocessor_makes_is_in_the_definition() {
    let source = "#define SET(l, n, i) l n##_##i = #i\n  SET(, a, 1); SET(*, b c, 2);\n";
    let found = preprocessed(source, &[(2, "a_1 = \"1\"; * b c_2 = \"2\";")]);
    let origins = found.origins();
    let made: Vec<_> = origins.tokens.iter().filter_map(|origin| origin.made_at).collect();
    let places = [Position { line: 1, column: 24 }, Position { line: 1, column: 34 }];
    assert_eq!(made, [places, places].concat());
    let is_made = |origin: &&super::Origin| origin.made_at.is_some();
    assert!(origins.tokens.iter().filter(is_made).all(|origin| origin.spelling.is_none()));
}

#[test]
fn definitions_change_on_the_way() {
    assert_known(
        "#define A 1\n#if A\na = A;\n#elif B\nz\n#else\na = 2;\n#endif\n#pragma push_macro(\"A\")\n#undef A\n#define A 3\n\
         b = A;\n#pragma pop_macro(\"A\")\nc = A;\n#if 0\n#if 1\n#endif\nd\n#endif\n",
        &[(3, "a = 1;"), (12, "b = 3;"), (14, "c = 1;")],
    );
}

#[test]
fn macros_of_a_header_are_defined_where_it_is_included() {
    // The preprocessor leaves out the blank lines between the two.
    let source = format!("\n#include \"h.h\"\n{}a = A;\n", "\n".repeat(12));
    let text = "# 1 \"p.c\"\n\n# 1 \"h.h\" 1\n#define A 1\n# 3 \"p.c\" 2\n# 15 \"p.c\"\na = 1;\n";
    let found = Preprocessed::new(text.into(), "p.c").of(&source);
    assert_eq!(found.origins().unknown, 0);
    assert_eq!(placed(&found), ["a 15:1 15:1", "= 15:3 15:3", "1; 15:5 -", "; 15:6 15:6"]);
}

#[test]
fn differences_leave_only_their_rows_without_origins() {
    let found =
        preprocessed("a = b;\nx = HIDDEN(1,\n2);\nc = d;\n", &[(1, "a = b;"), (2, "x = 12;"), (4, "c = d;")]);
    assert_eq!(found.origins().unknown, 4);
    assert_eq!(placed(&found).iter().filter(|token| token.starts_with("c 4:1")).count(), 1);
    assert_eq!(preprocessed("#line 7\na;\n", &[(7, "a;")]).origins().tokens.len(), 0);
}

#[test]
fn joined_lines_begin_at_their_backslash() {
    let source = "#define F(x) \\\n{ x; \\\n  x; }\nF(in\\\nt)\n";
    let found = preprocessed(source, &[(4, "{ int ; int ; }")]);
    let typed = ["{ 4:1 1:14", "int 4:1 4:3", "; 4:1 2:4", "int 4:1 4:3", "; 4:1 3:4", "} 4:1 3:6"];
    assert_eq!(placed(&found), typed);
}
