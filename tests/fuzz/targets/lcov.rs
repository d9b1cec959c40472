//! Reads any bytes as an lcov tracefile; the tracefile that recount writes must read back as the same.
#![no_main]

use recount::coverage::lcov;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(coverage) = lcov::read(&text, "p.c") {
        let written = lcov::write(&coverage, "test", "p.c");
        let back = lcov::read(&written, "p.c").expect("our own tracefile");
        assert_eq!(back.lines(), coverage.lines());
    }
});
