//! Reads any bytes as gcov's annotated text, with its columns.
#![no_main]

use recount::coverage::{columns, gcov_text};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let ours = gcov_text::section(&text, "p.c");
    let _ = (gcov_text::lines(ours), gcov_text::blocks(ours));
    let _ = columns(&text, "p.c", (1, 100));
});
