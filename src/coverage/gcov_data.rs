//! Reader of the counters that a program leaves in a `.gcda` file (`read_count_file` in gcov.c).

use super::gcov_records::{DATA, FUNCTION, Header, NotesError, Reader};

/// `GCOV_TAG_FOR_COUNTER (GCOV_COUNTER_ARCS)`.
const ARC_COUNTERS: u32 = 0x01a1_0000;

/// The length of a record that names a function (`GCOV_TAG_FUNCTION_LENGTH`).
const FUNCTION_BYTES: usize = 12;

/// A record with counters of edges. A file may have several of one function.
pub(super) struct EdgeCounters {
    /// The number of the function.
    pub ident: u32,
    /// Of its lines and of its graph.
    pub checksums: [u32; 2],
    /// How many counters there are.
    pub size: usize,
    /// Their values; empty if all are zero, which gcc 10 and later do not write.
    pub values: Vec<i64>,
}

/// The counters in `data`, and the header.
pub(super) fn read(data: &[u8]) -> Result<(Header, Vec<EdgeCounters>), NotesError> {
    let (header, mut reader) = Reader::open(data, DATA)?;
    let mut all = Vec::new();
    let mut function = None;
    while let Some(record) = reader.record()? {
        let mut body = record.body;
        // A function record without contents keeps the place of a function that the linker dropped.
        if record.tag == FUNCTION && body.left() == FUNCTION_BYTES {
            function = Some((body.word()?, [body.word()?, body.word()?]));
        } else if let Some((ident, checksums)) = function.filter(|_| record.tag == ARC_COUNTERS) {
            let mut values = Vec::new();
            while body.left() >= 8 {
                values.push(body.counter()?);
            }
            let size = reader.bytes_of(record.length.unsigned_abs()) / 8;
            all.push(EdgeCounters { ident, checksums, size, values });
        }
    }
    Ok((header, all))
}
