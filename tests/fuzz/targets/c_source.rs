//! Reads any bytes as C source, and calls everything that rewrites C.
#![no_main]

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use recount::config::Settings;
use recount::coverage::Coverage;
use recount::relation::{Delete, mutant};
use recount::syntax::search::{entries, main_program};
use recount::syntax::{
    Pass, Preprocessed, Program, instrument, replaced, candidate_edits, without_comments,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = str::from_utf8(data) else { return };
    if text.contains('\0') {
        return;
    }
    let program = Program::parse(text.to_string());
    // The counts come from the input too.
    let mut coverage = Coverage::default();
    for (line, byte) in (1..=program.line_count().min(10_000)).zip(data.iter().cycle()) {
        coverage.add_line(line, u64::from(byte % 3));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(data.len() as u64);
    let _ = Delete::new(Settings::quick().delete).variants(&program, &coverage, &mut rng);
    let _ = mutant(&program, &mut rng);
    let preprocessed = Preprocessed::new(without_comments(text), "p.c").of(text);
    let _ = instrument(&preprocessed, true);
    let (found, main) = (entries(&preprocessed), main_program(&preprocessed));
    drop((found, main));
    for pass in Pass::ALL {
        for shrink in candidate_edits(text, pass).iter().take(8) {
            let _ = replaced(text, shrink);
        }
    }
});
