//! Calls that walk the stack.
//!
//! `_Unwind_ForcedUnwind` and `_Unwind_Backtrace` call a function of the program once for each frame on the stack (libgcc,
//! unwind.inc). The number of frames depends on how the program is compiled and on the frames of the C library around
//! `main`, so two builds of one program count that function differently, and neither count is wrong.

const WALKING: [&str; 3] = ["_Unwind_ForcedUnwind", "_Unwind_SjLj_ForcedUnwind", "_Unwind_Backtrace"];

/// The first call of `text` that walks the stack. A name in a comment or a string counts as a call: less is checked then,
/// and nothing is reported wrongly.
pub fn walking_call(text: &str) -> Option<&'static str> {
    WALKING.into_iter().find(|call| text.contains(call))
}

#[cfg(test)]
mod tests {
    use super::walking_call;

    #[test]
    fn forced_unwinding_walks_the_stack_and_an_ordinary_call_does_not() {
        let unwinds = "static void f(void) { _Unwind_ForcedUnwind(exc, stop, 0); }";
        assert_eq!(walking_call(unwinds), Some("_Unwind_ForcedUnwind"));
        assert_eq!(walking_call("static int f(void) { return _Unwind_GetCFA(0) != 0; }"), None);
    }
}
