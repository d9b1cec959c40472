//! Reads the coverage mapping of a linked program: the sections `__llvm_covmap` (names of files), `__llvm_covfun` (a
//! record for each function) and `__llvm_prf_names` of an ELF file for a little-endian machine with 64 bits.
//!
//! The format is that of CoverageMappingReader.cpp, `CovMapVersion` 4 (LLVM 11) to 7 (LLVM 18 and later).

use std::collections::HashMap;
use std::sync::Arc;

use object::{Object, ObjectSection};

use super::llvm_bytes::{Bytes, Malformed, malformed};
use super::llvm_function::function;
use super::llvm_mapping::LlvmMapping;

/// The fourth version of the format has the number 3; from there on functions have a section of their own.
const VERSION_4: u32 = 3;
/// The first version in which names of files are relative to the folder of the compilation, which is the first name.
const VERSION_6: u32 = 5;
const VERSION_7: u32 = 6;

/// More bytes than the names of any program have. The limit keeps broken data from filling the memory.
const MOST_NAMES: u64 = 1 << 28;

/// The byte between two names (`getInstrProfNameSeparator`).
const SEPARATOR: u8 = 1;

/// The mapping in the linked program `elf`. Of several records of one function, the first one that is not a placeholder
/// counts (`insertFunctionRecordIfNeeded`).
pub fn read(elf: &[u8]) -> Result<LlvmMapping, Malformed> {
    let file = match object::read::elf::ElfFile64::<object::LittleEndian>::parse(elf) {
        Ok(file) => file,
        Err(error) => return malformed(format!("the program is no ELF file of 64 bits: {error}")),
    };
    let section = |name: &str| -> Result<Vec<u8>, Malformed> {
        let mut content = Vec::new();
        for section in file.sections().filter(|section| section.name() == Ok(name)) {
            match section.data() {
                Ok(data) => content.extend_from_slice(data),
                Err(error) => return malformed(format!("section {name}: {error}")),
            }
            content.resize(content.len().next_multiple_of(8), 0);
        }
        Ok(content)
    };
    let headers = section("__llvm_covmap")?;
    if headers.is_empty() {
        return malformed("the program contains no coverage mapping");
    }
    let names = function_names(&section("__llvm_prf_names")?)?;
    let files = file_names(&headers)?;
    functions(&section("__llvm_covfun")?, &names, &files)
}

/// LLVM's hash of a text (`IndexedInstrProf::ComputeHash`).
fn hash(bytes: &[u8]) -> u64 {
    let digest = md5::compute(bytes).0;
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 16 bytes"))
}

/// `length` bytes, which are compressed with zlib unless `compressed` is 0.
fn inflated(bytes: &mut Bytes<'_>, length: u64, compressed: u64) -> Result<Vec<u8>, Malformed> {
    if length > MOST_NAMES {
        return malformed(format!("the names are said to have {length} bytes"));
    }
    if compressed == 0 {
        return Ok(bytes.take(length)?.to_vec());
    }
    let limit = usize::try_from(length).expect("it is below the limit");
    match miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(bytes.take(compressed)?, limit) {
        Ok(names) if names.len() == limit => Ok(names),
        _ => malformed("compressed names are damaged"),
    }
}

/// The name of each function by its hash (`readAndDecodeStrings` in InstrProf.cpp).
fn function_names(section: &[u8]) -> Result<HashMap<u64, String>, Malformed> {
    let mut bytes = Bytes::new(section);
    let mut names = HashMap::new();
    loop {
        // Modules are padded with zeros.
        while let [0, rest @ ..] = bytes.rest {
            bytes.rest = rest;
        }
        if bytes.rest.is_empty() {
            return Ok(names);
        }
        let (length, compressed) = (bytes.leb128()?, bytes.leb128()?);
        for name in inflated(&mut bytes, length, compressed)?.split(|byte| *byte == SEPARATOR) {
            names.insert(hash(name), String::from_utf8_lossy(name).into_owned());
        }
    }
}

/// The names of files of each module by their hash (`readCoverageHeader`).
fn file_names(section: &[u8]) -> Result<HashMap<u64, Vec<Arc<str>>>, Malformed> {
    let mut bytes = Bytes::new(section);
    let mut modules = HashMap::new();
    while !bytes.rest.is_empty() {
        let [records, length, mapping, version] = [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?];
        if !(VERSION_4..=VERSION_7).contains(&version) {
            return malformed(format!(
                "version {} of the coverage mapping is unknown",
                u64::from(version) + 1
            ));
        }
        if records != 0 || mapping != 0 {
            return malformed("the coverage mapping has records of an earlier version");
        }
        let encoded = bytes.take(length.into())?;
        modules.insert(hash(encoded), files_of_module(encoded, version)?);
        let padding = bytes.rest.len() % 8;
        bytes.take(padding as u64)?;
    }
    Ok(modules)
}

fn files_of_module(encoded: &[u8], version: u32) -> Result<Vec<Arc<str>>, Malformed> {
    let mut bytes = Bytes::new(encoded);
    let (count, length, compressed) = (bytes.count()?, bytes.leb128()?, bytes.leb128()?);
    let plain = if compressed == 0 { bytes.rest.to_vec() } else { inflated(&mut bytes, length, compressed)? };
    let mut bytes = Bytes::new(&plain);
    let mut files: Vec<Arc<str>> = Vec::new();
    for _ in 0..count {
        let name = bytes.text()?;
        let name = match files.first() {
            Some(folder) if version >= VERSION_6 => absolute(folder, &name),
            _ => name,
        };
        files.push(name.into());
    }
    Ok(files)
}

/// `name`, relative to `folder`, without the parts `.` and `..` (`remove_dots` in Path.cpp).
fn absolute(folder: &str, name: &str) -> String {
    if name.starts_with('/') {
        return name.to_string();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The records of the functions (`CovMapFunctionRecordV3`): hash of the name, size of the mapping, hash of the function,
/// hash of the names of files, mapping.
fn functions(
    section: &[u8],
    names: &HashMap<u64, String>,
    files: &HashMap<u64, Vec<Arc<str>>>,
) -> Result<LlvmMapping, Malformed> {
    let mut bytes = Bytes::new(section);
    let mut mapping = LlvmMapping::default();
    let mut places: HashMap<u64, usize> = HashMap::new();
    while !bytes.rest.is_empty() {
        let (name_hash, size, hash, module) = (bytes.u64()?, bytes.u32()?, bytes.u64()?, bytes.u64()?);
        let encoded = bytes.take(size.into())?;
        let padding = bytes.rest.len() % 8;
        bytes.take(padding as u64)?;
        let Some(files) = files.get(&module) else {
            return malformed("a function has no names of files");
        };
        let Some(name) = names.get(&name_hash) else {
            return malformed("a function has no name");
        };
        let function = function(encoded, name, (name_hash, hash), files)?;
        match places.get(&name_hash) {
            None => {
                places.insert(name_hash, mapping.functions.len());
                mapping.functions.push(function);
            }
            Some(&place) if mapping.functions[place].is_placeholder() && !function.is_placeholder() => {
                mapping.functions[place] = function;
            }
            Some(_) => {}
        }
    }
    Ok(mapping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_hashes() {
        // Two modules with padding; the second one is compressed.
        let mut section = vec![8, 0];
        section.extend(b"main\x01abc\0\0\0");
        let long = [b'x'; 300];
        let zlib = miniz_oxide::deflate::compress_to_vec_zlib(&long, 6);
        section.extend([0xac, 0x02, u8::try_from(zlib.len()).unwrap()]);
        section.extend(&zlib);
        let names = function_names(&section).unwrap();
        let mut found: Vec<&str> = names.values().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["abc", "main", std::str::from_utf8(&long).unwrap()]);
        // The hash by which every profile refers to `main`.
        assert_eq!(names[&0xdb95_6436_e78d_d5fa], "main");
        let cut = &section[..section.len() - 3];
        assert_eq!(function_names(cut).unwrap_err().to_string(), "22 bytes are missing where 19 are left");
    }

    #[test]
    fn relative_names_are_joined_with_their_folder() {
        assert_eq!(absolute("/a/b", "p.c"), "/a/b/p.c");
        assert_eq!(absolute("/a/b", "./../c//p.h"), "/a/c/p.h");
        assert_eq!(absolute("/a/b", "/usr/include/x.h"), "/usr/include/x.h");
    }

    #[test]
    fn other_files_are_rejected() {
        assert!(read(b"").unwrap_err().to_string().starts_with("the program is no ELF file of 64 bits"));
        let own = fs_err::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(read(&own).unwrap_err().to_string(), "the program contains no coverage mapping");
    }
}
