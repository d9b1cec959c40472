//! Reads any bytes as llvm-cov's JSON, and derives line counts from its segments.
#![no_main]

use recount::coverage::llvm_json;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(coverage) = llvm_json::read(data, "p.c") {
        for version in [17, 18] {
            let _ = llvm_json::lines_from_segments(&coverage.segments, version).lines();
        }
    }
});
