//! Reads any bytes as a journal.
#![no_main]

use camino::Utf8Path;
use recount::journal::parse;
use recount::triage::clusters;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(journal) = parse(data, Utf8Path::new("journal.jsonl")) {
        let _ = clusters(&journal.findings());
    }
});
