//! The layout looks as intended, and only whitespace changes.

use super::super::text::Text;
use super::super::{Pass, candidate_edits, pass::tests::texts as laid_out_by_candidate};
use crate::syntax::replaced;
use crate::syntax::tokens::tokens;

/// Every program of the repository.
pub fn sources() -> Vec<String> {
    let root = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders =
        ["corpus", "configs/known", "tests/data/truth"].map(|folder| root.join(folder)).to_vec();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().path().to_path_buf();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("c") {
                found.push(fs_err::read_to_string(&path).unwrap());
            }
        }
    }
    assert!(found.len() > 300, "only {} programs", found.len());
    found
}

fn laid_out(source: &str) -> String {
    laid_out_by_candidate(source, Pass::Layout).into_iter().next().unwrap_or(source.to_string())
}

#[track_caller]
fn becomes(source: &str, expected: &str) {
    assert_eq!(laid_out(source), expected);
    assert!(candidate_edits(expected, Pass::Layout).is_empty(), "not stable");
}

/// The leaves of the tree, a number's sign apart.
fn leaves(source: &str) -> Vec<String> {
    let text = Text::parse(source);
    let leaves =
        text.nodes().into_iter().filter(|node| node.child_count() == 0).map(|node| text.of(node).trim());
    leaves
        .flat_map(|leaf| tokens(leaf).into_iter().map(|token| leaf[token.start..token.end].to_string()))
        .collect()
}

#[test]
fn only_whitespace_changes_and_only_once() {
    for source in sources() {
        let once = laid_out(&source);
        let texts = |source: &str| -> Vec<String> {
            tokens(source).iter().map(|token| source[token.start..token.end].to_string()).collect()
        };
        assert_eq!(texts(&source), texts(&once), "{source}");
        // The tree has only the first line of the target of a computed `goto`.
        let is_in_tree = |source: &str| {
            source
                .split("goto *")
                .skip(1)
                .all(|target| !target.split(';').next().unwrap_or("").contains('\n'))
        };
        if is_in_tree(&source) {
            assert_eq!(leaves(&source).concat(), leaves(&once).concat(), "{source}");
        }
        assert!(candidate_edits(&once, Pass::Layout).is_empty(), "{once}");
        for edits in candidate_edits(&source, Pass::Layout) {
            assert_eq!(texts(&source), texts(&replaced(&source, &edits)), "{source}");
        }
    }
}

#[test]
fn arms_and_bodies_are_on_separate_lines() {
    becomes(
        "int f(int x)\n{ if (x) a(); else if (!x) { b(); } else\n  c();\n\n\n  do { d(); } while (x--);\n  do e(); while(x);\n}",
        "int f(int x) {\n  if (x)\n    a();\n  else if (!x) {\n    b();\n  } else\n    c();\n  \
         do {\n    d();\n  } while (x--);\n  do\n    e();\n  while (x);\n}\n",
    );
    becomes(
        "void f(void) { for(;;) for (int i=0;i<3;++i) { g( i,- -i ) ; } while (1) ; }",
        "void f(void) {\n  for (;;)\n    for (int i = 0; i < 3; ++i) {\n      g(i, - -i);\n    }\n  \
         while (1)\n    ;\n}\n",
    );
}

#[test]
fn labels_and_cases_are_outdented() {
    becomes(
        "void f(int x) { switch(x) { case 1 ... 3: case 4: a(); break; default:; } l: if (x) goto *t[0]; }",
        "void f(int x) {\n  switch (x) {\n  case 1 ... 3:\n  case 4:\n    a();\n    break;\n  \
         default:;\n  }\nl:\n  if (x)\n    goto *t[0];\n}\n",
    );
}

#[test]
fn values_and_short_structures_take_one_line() {
    becomes(
        "struct s\n{\n  int x : 3;\n  char * p , **q;\n} a [] = { { .x=1 },\n { 2 , & b } };\nenum {\n A,\n B\n};",
        "struct s { int x : 3; char *p, **q; } a[] = {{.x = 1}, {2, &b}};\nenum { A, B };\n",
    );
    becomes(
        "struct s { int a_long_name_for_a_field; int another_long_name_for_a_field; int c; struct { int d; } e; };",
        "struct s {\n  int a_long_name_for_a_field;\n  int another_long_name_for_a_field;\n  int c;\n  \
         struct { int d; } e;\n};\n",
    );
}

#[test]
fn old_style_definitions_are_definitions() {
    becomes(
        "main ()\n{ f (1) ; }\nstatic f (a,b) int a; char * b;\n{ return * b+a; }\nint * g (p) int * p; { }",
        "main() {\n  f(1);\n}\nstatic f(a, b)\n  int a;\n  char *b;\n{\n  return *b + a;\n}\n\
         int *g(p)\n  int *p;\n{}\n",
    );
}

#[test]
fn directives_comments_and_statement_expressions_stay() {
    becomes(
        "  #define M(x)  do { \\\n   x; } while (0)\nint f ( void ) { // why\n  /* so */ M( a );\n#if  X\nb ( ) ;\n#endif\n \
         return ( { int c = 1 ;\n c ; } ) ; }",
        "#define M(x)  do { \\\n   x; } while (0)\nint f(void) { // why\n  /* so */ M(a);\n#if  X\n  b();\n#endif\n  \
         return ({ int c = 1; c; });\n}\n",
    );
}

#[test]
fn expressions_have_their_spaces() {
    becomes(
        "int x=( int )- 1 + +y, (*p)(int,char*)=& f,z=a?b:c?:d,w=sizeof( int )*!e->g [ 1 ]. h;",
        "int x = (int)-1 + +y, (*p)(int, char *) = &f, z = a ? b : c ?: d, w = sizeof(int) * !e->g[1].h;\n",
    );
}

#[test]
fn an_item_and_a_line_can_be_laid_out_alone() {
    let source = "int a ;\nvoid f(void) {\n  g(1,\n      2);\n}\n";
    let joined = "void f(void) {\n  g(1, 2);\n}\n";
    assert_eq!(
        laid_out_by_candidate(source, Pass::Layout),
        [format!("int a;\n{joined}"), source.replace(" ;", ";"), format!("int a ;\n{joined}"),]
    );
}
