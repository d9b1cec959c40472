//! Writes other lines of blocks into the notes of gcc (`.gcno`; `output_location` in profile.c).

use recount::model::Line;

/// `GCOV_TAG_FUNCTION` and `GCOV_TAG_LINES`.
const FUNCTION: u32 = 0x0100_0000;
const LINES: u32 = 0x0145_0000;

/// A block and the lines that it shall list.
#[derive(Clone, Debug)]
pub struct BlockLines {
    /// The index of its function in the notes.
    pub function: usize,
    pub block: usize,
    /// The names of files, each with lines.
    pub locations: Vec<(String, Vec<Line>)>,
}

/// `notes` with the lines of some blocks `changed`. Since gcc 12 lengths are in bytes and strings are not padded.
pub fn with_lines(notes: &[u8], in_bytes: bool, changed: &[BlockLines]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(notes[at..at + 4].try_into().unwrap());
    let unit = if in_bytes { 1 } else { 4 };
    // Magic, version, stamp and checksum; the folder; whether blocks may be marked that never ran.
    let mut at = if in_bytes { 16 } else { 12 };
    at += 4 + word(at) as usize * unit + 4;
    let mut out = notes[..at].to_vec();
    let mut functions = 0_usize;
    while at + 8 <= notes.len() {
        let (tag, size) = (word(at), word(at + 4) as usize * unit);
        functions += usize::from(tag == FUNCTION);
        let is_changed = |of: &&BlockLines| {
            tag == LINES && of.function + 1 == functions && word(at + 8) as usize == of.block
        };
        match changed.iter().find(is_changed) {
            Some(BlockLines { block, locations, .. }) => out.extend(record(*block, locations, in_bytes)),
            None => out.extend(&notes[at..at + 8 + size]),
        }
        at += 8 + size;
    }
    out.extend(&notes[at.min(notes.len())..]);
    out
}

/// The record of the lines of a block.
fn record(block: usize, locations: &[(String, Vec<Line>)], in_bytes: bool) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut body = number(block).to_vec();
    for (file, lines) in locations {
        body.extend(0_u32.to_le_bytes());
        let mut name = file.clone().into_bytes();
        name.push(0);
        if !in_bytes {
            name.resize(name.len().next_multiple_of(4), 0);
        }
        body.extend(number(if in_bytes { name.len() } else { name.len() / 4 }));
        body.extend(name);
        body.extend(lines.iter().flat_map(|line| line.to_le_bytes()));
    }
    // The end is a file without a name.
    body.extend([0; 8]);
    let length = if in_bytes { body.len() } else { body.len() / 4 };
    [&LINES.to_le_bytes()[..], &number(length), &body].concat()
}
