//! The names of numeric types that the language and the system headers define, on 64-bit Linux.

use crate::model::Number;

/// The numeric type that C spells `spelling`.
pub fn number(spelling: &str) -> Option<Number> {
    let words: Vec<&str> = spelling.split(' ').collect();
    match words.as_slice() {
        [name] => built_in(&words).or_else(|| system(name)),
        _ => built_in(&words),
    }
}

/// A type that consists of keywords, in any order.
fn built_in(words: &[&str]) -> Option<Number> {
    let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
    let known = ["int", "char", "short", "long", "signed", "unsigned", "float", "double", "_Bool", "bool"];
    if words.iter().any(|word| !known.contains(word)) {
        return None;
    }
    let long = count("long");
    if count("double") == 1 {
        return Some(if long == 0 { Number::Double } else { Number::LongDouble });
    }
    if count("float") == 1 {
        return Some(Number::Float);
    }
    if count("_Bool") + count("bool") > 0 {
        return Some(Number::Integer { bits: 1, signed: false });
    }
    let bits = match (count("char"), count("short"), long) {
        (1.., _, _) => 8,
        (_, 1.., _) => 16,
        (_, _, 1..) => 64,
        _ => 32,
    };
    Some(Number::Integer { bits, signed: count("unsigned") == 0 })
}

/// A type that a system header defines.
fn system(name: &str) -> Option<Number> {
    let name = name.strip_prefix("__").unwrap_or(name);
    let (bits, signed) = match name {
        "int8_t" | "int_least8_t" | "int_fast8_t" | "s8" => (8, true),
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_int8_t" | "u_char" | "u8" | "cc_t" => (8, false),
        "int16_t" | "int_least16_t" | "s16" => (16, true),
        "uint16_t" | "uint_least16_t" | "u_int16_t" | "u_short" | "ushort" | "u16" | "char16_t"
        | "in_port_t" | "sa_family_t" => (16, false),
        "int32_t" | "int_least32_t" | "s32" | "wchar_t" | "pid_t" | "clockid_t" | "key_t"
        | "sig_atomic_t" => (32, true),
        "uint32_t" | "uint_least32_t" | "u_int32_t" | "u_int" | "uint" | "u32" | "wint_t" | "char32_t"
        | "uid_t" | "gid_t" | "id_t" | "mode_t" | "useconds_t" | "socklen_t" | "in_addr_t" | "speed_t"
        | "tcflag_t" => (32, false),
        "int64_t" | "int_least64_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t" | "intmax_t"
        | "intptr_t" | "ssize_t" | "ptrdiff_t" | "time_t" | "clock_t" | "off_t" | "off64_t" | "loff_t"
        | "blksize_t" | "blkcnt_t" | "suseconds_t" | "s64" => (64, true),
        "uint64_t" | "uint_least64_t" | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t" | "uintmax_t"
        | "uintptr_t" | "size_t" | "u_int64_t" | "u_long" | "ulong" | "u64" | "dev_t" | "ino_t"
        | "nlink_t" | "rlim_t" => (64, false),
        "float_t" => return Some(Number::Float),
        "double_t" => return Some(Number::Double),
        _ => return None,
    };
    Some(Number::Integer { bits, signed })
}
