//! Reads any bytes as the output of `llvm-cov show`.
#![no_main]

use recount::coverage::llvm_show;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = llvm_show::lines(&String::from_utf8_lossy(data));
});
