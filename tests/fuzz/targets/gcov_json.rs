//! Reads any bytes as gcov's JSON.
#![no_main]

use recount::coverage::gcov_json;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(coverage) = gcov_json::read(data, "p.c") {
        let _ = coverage.lines();
    }
});
