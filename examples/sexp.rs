//! scratch
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut p = tree_sitter::Parser::new(); p.set_language(&tree_sitter_c::LANGUAGE.into()).unwrap();
    println!("{}", p.parse(&text, None).unwrap().root_node().to_sexp());
}
