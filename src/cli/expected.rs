//! The count that a claim says is right.

use std::str::FromStr;

use crate::model::Count;

/// What the claim says is right: a count, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected(pub Count);

impl FromStr for Expected {
    type Err = String;
    fn from_str(text: &str) -> Result<Expected, String> {
        if text == "-" {
            return Ok(Expected(None));
        }
        text.parse()
            .map(|count| Expected(Some(count)))
            .map_err(|_| "say a count, or - for a line without one".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_a_count_or_none() {
        assert_eq!("12".parse(), Ok(Expected(Some(12))));
        assert_eq!("-".parse(), Ok(Expected(None)));
        assert!("x".parse::<Expected>().is_err() && "-1".parse::<Expected>().is_err());
    }
}
