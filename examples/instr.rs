//! scratch
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let i = recount::syntax::instrument(&recount::syntax::Preprocessed::new(text, "p.c"), "/tmp/out");
    println!("{}", i.source);
    eprintln!("{:?}", i.lines);
    for f in &i.functions { if !f.counted { eprintln!("SKIP {:?}", f.lines); } }
}
