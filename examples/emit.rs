use recount::syntax::{Preprocessed, instrument, without_comments};
fn main() {
    // lines "typed pre out" on stdin
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let p: Vec<&str> = line.split(' ').collect();
        let typed_text = without_comments(&String::from_utf8_lossy(&std::fs::read(p[0]).unwrap()));
        let text = String::from_utf8_lossy(&std::fs::read(p[1]).unwrap()).into_owned();
        let name = "program.c";
        match instrument(&Preprocessed::new(text, name).of(&typed_text), "/dev/null", false) {
            Some(m) => {
                let counted = m.functions.iter().filter(|f| f.is_counted).count();
                println!("{} {} {} {}", p[0], m.functions.len(), counted, m.counters);
                std::fs::write(p[2], m.source).unwrap()
            }
            None => println!("{} deep", p[0]),
        }
    }
}
