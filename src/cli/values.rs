//! Values of flags that have a form of their own.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::config::Lane;
use crate::model::RelationName;

/// A relation by its name; help and completions list them.
pub fn relation() -> impl TypedValueParser<Value = RelationName> {
    let all = RelationName::ALL;
    let values = all.map(|relation| PossibleValue::new(relation.name()).help(relation.summary()));
    PossibleValuesParser::new(values).try_map(move |name| {
        all.into_iter().find(|relation| relation.name() == name).ok_or("no such relation")
    })
}

/// A time as in `30m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 =
        text[..split].parse().map_err(|_| "say a number and s, m, h or d, as in 30m".to_string())?;
    let unit = match &text[split..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86400,
        _ => return Err("say s, m, h or d behind the number, as in 30m".into()),
    };
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(|| "that is too long".into())
}

/// The lane of this name.
pub fn lane(name: &str) -> Result<Lane, String> {
    match name {
        "fast" => Ok(Lane::Fast),
        "plain" => Ok(Lane::Plain),
        _ => Err("say fast or plain".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("8h"), Ok(Duration::from_secs(28800)));
        assert!(
            duration("8").is_err() && duration("h").is_err() && duration("99999999999999999999d").is_err()
        );
    }
}
