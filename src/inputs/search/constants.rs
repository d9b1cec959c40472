//! Numbers and strings in a source: good start values.

use regex::{Match, Regex};

/// The numbers in `text`, as doubles, each once, in order.
pub fn constants(text: &str) -> Vec<f64> {
    let number = Regex::new(
        r"(?x) 0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][-+]?\d+)? | (?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?",
    )
    .expect("a constant");
    // Digits at the end of a name are not a number.
    let is_whole = |written: &Match<'_>| {
        !text[..written.start()].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
    };
    let numbers = number.find_iter(text).filter(is_whole).filter_map(|written| read(written.as_str()));
    let character = Regex::new(r"'([^'\\])'").expect("a constant");
    let characters = character.captures_iter(text).filter_map(|written| written[1].chars().next());
    let mut found = Vec::new();
    for value in numbers.chain(characters.map(|c| f64::from(u32::from(c)))) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The lines of `preprocessed` (by `-dD`) that define macros, without those in system headers.
pub fn definitions(preprocessed: &str) -> String {
    let mut ours = false;
    let mut found = String::new();
    for row in preprocessed.lines() {
        if let Some(marker) = row.strip_prefix("# ") {
            let is_system =
                marker.split('"').nth(2).is_none_or(|flags| flags.split(' ').any(|flag| flag == "3"));
            ours = !is_system && !marker.contains("\"<");
        } else if ours && row.starts_with("#define") {
            found.push_str(row);
            found.push('\n');
        }
    }
    found
}

/// The strings in `source` that are short enough to be an input.
pub fn texts(source: &str) -> Vec<String> {
    let literal = Regex::new(r#""([^"\\\n]{1,32})""#).expect("a constant");
    let mut found: Vec<String> = Vec::new();
    for text in literal.captures_iter(source) {
        if !found.iter().any(|known| *known == text[1]) && found.len() < 100 {
            found.push(text[1].to_string());
        }
    }
    found
}

fn read(text: &str) -> Option<f64> {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        let is_octal = text.len() > 1 && text.starts_with('0') && text.chars().all(|c| c.is_ascii_digit());
        return if is_octal {
            i64::from_str_radix(text, 8).ok().map(|value| value as f64)
        } else {
            text.parse().ok()
        };
    };
    let (mantissa, power) = digits.split_once(['p', 'P']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()? as f64;
    let power: i32 = power.parse().ok()?;
    Some(value * 2.0_f64.powi(power - 4 * i32::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_system_headers_are_left_out() {
        let text = "# 0 \"<built-in>\"\n#define __GNUC__ 12\n# 1 \"/usr/include/math.h\" 1 3 4\n#define M_E 2.71\n\
                    # 1 \"own.h\" 1\n#define DJ00 2451545.0\n# 2 \"p.c\" 2\nint x;\n#define LOCAL 7\n";
        assert_eq!(definitions(text), "#define DJ00 2451545.0\n#define LOCAL 7\n");
        assert_eq!(texts("f(\"UTC\"); g(\"UTC\", \"a\\n\");"), ["UTC"]);
    }

    #[test]
    fn numbers_are_found_and_digits_in_names_are_not() {
        let text = "x1 < 1.5e3 || y == 0x7ff00000 || c == 'a' || z > .25f || 0x1.8p1 || 010 || t = 2 - 2";
        assert_eq!(constants(text), [1500.0, f64::from(0x7ff0_0000), 0.25, 3.0, 8.0, 2.0, 97.0]);
    }
}
