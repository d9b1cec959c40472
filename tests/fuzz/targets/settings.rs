//! Reads any bytes as settings, sidecars, known clusters and compilation databases.
#![no_main]

use camino::Utf8Path;
use recount::config::File;
use recount::corpus::Sidecar;
use recount::corpus::import::calls::database;
use recount::triage::Known;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let path = Utf8Path::new("file");
    let _ = File::parse(&text, path);
    let _ = Sidecar::parse(&text, path);
    let _ = Known::parse(&text, path, &|_| Ok("int main(void) { return 0; }\n".into()));
    let _ = database(&text, path);
});
