//! Any bytes read as C source, and everything that rewrites it.
#![no_main]

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use recount::config::Settings;
use recount::coverage::Coverage;
use recount::model::RelationName;
use recount::relation::{MUTATING, mutant, relation, rewrite};
use recount::syntax::search::{entries, main_program};
use recount::syntax::{
    Pass, Preprocessed, Program, instrument, replaced, shrinks, without_comments,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = str::from_utf8(data) else { return };
    if text.contains('\0') {
        return;
    }
    let program = Program::parse(text.to_string());
    // What ran is made of the text too.
    let mut coverage = Coverage::default();
    for (line, byte) in (1..=program.line_count().min(10_000)).zip(data.iter().cycle()) {
        coverage.add_line(line, u64::from(byte % 3));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(data.len() as u64);
    let settings = Settings::quick();
    if let Some(delete) = relation(RelationName::Delete, &settings) {
        let _ = delete.propose(&program, &coverage, &mut rng);
    }
    let mutating: Vec<_> = MUTATING.iter().filter_map(|name| rewrite(*name)).collect();
    let _ = mutant(&program, &mutating, &mut rng);
    let preprocessed = Preprocessed::new(without_comments(text), "p.c").of(text);
    let _ = instrument(&preprocessed, "extra", true);
    let (found, main) = (entries(&preprocessed), main_program(&preprocessed));
    drop((found, main));
    for pass in Pass::ALL {
        for shrink in shrinks(text, pass).iter().take(8) {
            let _ = replaced(text, shrink);
        }
    }
});
