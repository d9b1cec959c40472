//! Numbers and texts in LLVM's binary formats, little-endian, read from the front of a slice.

/// The data of a program or a profile cannot be read; the text says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// Fails with a sentence.
pub fn malformed<T>(reason: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed(reason.into()))
}

/// The bytes that are still to be read.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    pub rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(rest: &'a [u8]) -> Bytes<'a> {
        Bytes { rest }
    }

    /// The next `length` bytes.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let split = usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length));
        let Some((taken, rest)) = split else {
            return malformed(format!("{length} bytes are missing where {} are left", self.rest.len()));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        Ok(self.take(N as u64)?.try_into().expect("it has the length that was asked for"))
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// An unsigned number in LEB128.
    pub fn leb128(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.u8()?;
            let low = u64::from(byte & 0x7f);
            if shift >= 64 || low << shift >> shift != low {
                return malformed("a number has more than 64 bits");
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(value)
    }

    /// A number in LEB128 that has at most 32 bits.
    pub fn leb128_u32(&mut self) -> Result<u32, Malformed> {
        let value = self.leb128()?;
        u32::try_from(value).or_else(|_| malformed(format!("{value} has more than 32 bits")))
    }

    /// A count of items of at least one byte each, in LEB128: no more than bytes are left.
    pub fn count(&mut self) -> Result<usize, Malformed> {
        let value = self.leb128()?;
        match usize::try_from(value) {
            Ok(count) if count <= self.rest.len() => Ok(count),
            _ => malformed(format!("{value} items are announced in {} bytes", self.rest.len())),
        }
    }

    /// A text after its length.
    pub fn text(&mut self) -> Result<String, Malformed> {
        let length = self.leb128()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read_and_longer_ones_rejected() {
        let read = |bytes: &[u8]| Bytes::new(bytes).leb128();
        assert_eq!(read(&[5]), Ok(5));
        assert_eq!(read(&[0x80, 0x01, 9]), Ok(128));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), Ok(u64::MAX));
        assert!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).is_err());
        assert!(read(&[0x80; 12]).is_err());
        assert!(read(&[0x80]).is_err());
        assert_eq!(read(&[0x80, 0x80, 0x00]), Ok(0), "padded with zeros");
    }
}
