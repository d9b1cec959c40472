//! The records that gcov's notes (`.gcno`) and data (`.gcda`) consist of.
//!
//! Both files begin with a magic number, a version and a stamp, and continue with records: a tag, a length, and so many bytes
//! (`gcov-io.h`). gcc 9 to 11 count lengths in words of four bytes and pad strings; gcc 12 and later count bytes. Every
//! access is checked, because a full disk cuts files off.

/// A file that gcov's graphs cannot be read from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotesError {
    /// Another tool wrote it, as clang does with `--coverage`, or a gcc before 9.
    #[error("the {0} file was not written for gcov 9 or later")]
    Foreign(&'static str),
    #[error("the {0} file is missing or empty")]
    Missing(&'static str),
    #[error("the {0} file ends within a record")]
    CutOff(&'static str),
    /// Its records contradict each other.
    #[error("the {0} file is damaged: {1}")]
    Damaged(&'static str, String),
    /// The data are those of another compilation than the notes.
    #[error("the notes and the data are from two compilations")]
    OtherCompilation,
}

/// What a file contains, as messages name it, and its magic number.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub name: &'static str,
    pub magic: u32,
}

/// `GCOV_NOTE_MAGIC`.
pub(super) const NOTES: Kind = Kind { name: "notes", magic: u32::from_be_bytes(*b"gcno") };
/// `GCOV_DATA_MAGIC`.
pub(super) const DATA: Kind = Kind { name: "data", magic: u32::from_be_bytes(*b"gcda") };

/// `GCOV_TAG_FUNCTION`, which both files have.
pub(super) const FUNCTION: u32 = 0x0100_0000;

/// The first major version that counts lengths in bytes and writes a checksum.
const BYTES_SINCE: u32 = 12;

/// The start of both files.
pub(super) struct Header {
    /// The major version of gcc.
    pub major: u32,
    /// Equal in the notes and the data of one compilation.
    pub stamp: u32,
}

/// A record without its tag.
pub(super) struct Record<'a> {
    pub tag: u32,
    pub body: Reader<'a>,
    /// As the file has it. Data with only zeros are left out, and their length is then negative.
    pub length: i32,
}

/// The rest of a file or of a record.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    kind: Kind,
    is_big_endian: bool,
    /// The number of bytes that a length of one means.
    unit: usize,
}

impl<'a> Reader<'a> {
    /// The file after its magic number, version, stamp and checksum.
    pub fn open(bytes: &'a [u8], kind: Kind) -> Result<(Header, Reader<'a>), NotesError> {
        if bytes.is_empty() {
            return Err(NotesError::Missing(kind.name));
        }
        let foreign = || NotesError::Foreign(kind.name);
        let magic = kind.magic.to_be_bytes();
        let is_big_endian = bytes.starts_with(&magic);
        let mut reversed = magic;
        reversed.reverse();
        if !is_big_endian && !bytes.starts_with(&reversed) {
            return Err(foreign());
        }
        let mut reader = Reader { bytes: &bytes[4..], kind, is_big_endian, unit: 1 };
        let major = major(reader.word()?).ok_or_else(foreign)?;
        let stamp = reader.word()?;
        if major < BYTES_SINCE {
            reader.unit = 4;
        } else {
            reader.word()?;
        }
        Ok((Header { major, stamp }, reader))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], NotesError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(NotesError::CutOff(self.kind.name))?;
        self.bytes = rest;
        Ok(taken)
    }

    pub fn word(&mut self) -> Result<u32, NotesError> {
        let bytes = self.take(4)?.try_into().expect("these are four bytes");
        Ok(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// A number that is an index or a size here.
    pub fn index(&mut self) -> Result<usize, NotesError> {
        Ok(self.word()? as usize)
    }

    /// A counter (`gcov_read_counter`): the low word is first on every machine.
    pub fn counter(&mut self) -> Result<i64, NotesError> {
        let low = u64::from(self.word()?);
        Ok((u64::from(self.word()?) << 32 | low).cast_signed())
    }

    /// A string; none if its length is zero.
    pub fn string(&mut self) -> Result<Option<String>, NotesError> {
        let length = self.index()?;
        let bytes = self.take(length.saturating_mul(self.unit))?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok((length > 0).then(|| String::from_utf8_lossy(text).into_owned()))
    }

    /// The next record; none at the end of the file, which a tag of zero may mark.
    pub fn record(&mut self) -> Result<Option<Record<'a>>, NotesError> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let tag = self.word()?;
        if tag == 0 {
            return Ok(None);
        }
        let length = self.word()?.cast_signed();
        let size = usize::try_from(length).unwrap_or(0).saturating_mul(self.unit);
        let body = Reader { bytes: self.take(size)?, ..self.clone() };
        Ok(Some(Record { tag, body, length }))
    }

    /// The number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// The number of bytes that a length means.
    pub fn bytes_of(&self, length: u32) -> usize {
        (length as usize).saturating_mul(self.unit)
    }

    pub fn damaged(&self, problem: String) -> NotesError {
        NotesError::Damaged(self.kind.name, problem)
    }
}

/// The major version in a version number such as `B22r`: `A` is 0 tens, `B` 1. None before gcc 9, the first whose file is
/// read, and for clang, which writes old numbers.
fn major(version: u32) -> Option<u32> {
    let [tens, ones, ..] = version.to_be_bytes();
    let tens = u32::from(tens).checked_sub(u32::from(b'A')).filter(|tens| *tens < 26)?;
    let ones = char::from(ones).to_digit(10)?;
    Some(tens * 10 + ones).filter(|major| *major >= 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_letters_for_tens() {
        let of = |text: &[u8; 4]| major(u32::from_be_bytes(*text));
        assert_eq!([of(b"A93*"), of(b"B22*"), of(b"B70e")], [Some(9), Some(12), Some(17)]);
        assert_eq!([of(b"408*"), of(b"A83*"), of(b"\0\0\0\0")], [None; 3]);
    }

    #[test]
    fn lengths_are_words_before_gcc_12_and_bytes_since() {
        let file = |version: &[u8; 4], rest: &[u8]| {
            let mut bytes = b"oncg".to_vec();
            bytes.extend(version.iter().rev());
            bytes.extend(b"tsts");
            bytes.extend(rest);
            bytes
        };
        let old = file(b"A93*", b"\x01\0\0\0ab\0\0");
        let new = file(b"B22*", b"sumx\x03\0\0\0ab\0");
        for bytes in [old, new] {
            let (_, mut reader) = Reader::open(&bytes, NOTES).unwrap();
            assert_eq!(reader.string(), Ok(Some("ab".into())));
            assert_eq!(reader.left(), 0);
        }
    }
}
