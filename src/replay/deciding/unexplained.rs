//! A count that the replay does not reproduce, so that its elements explain nothing.

/// The sentence for a count that the replay does not reproduce.
pub(super) fn differs(tool: &str, replayed: &str, reported: Option<u64>) -> String {
    let reported = reported.map_or("none".into(), |count| count.to_string());
    format!(
        "by the rules of {tool} as recount knows them, the count is {replayed}, but the report has {reported}"
    )
}
