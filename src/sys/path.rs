//! Finds programs on PATH, and quotes words for a shell.

use camino::{Utf8Path, Utf8PathBuf};

/// The folders of the environment's PATH.
pub fn path_folders() -> Vec<Utf8PathBuf> {
    folders(&std::env::var("PATH").unwrap_or_default()).map(Utf8Path::to_path_buf).collect()
}

/// The first file with this name in the folders of the environment's PATH.
pub fn find_on_path(name: &str) -> Option<Utf8PathBuf> {
    find_program(name, &std::env::var("PATH").ok()?)
}

/// The first file with this name in the folders of `path`.
pub fn find_program(name: &str, path: &str) -> Option<Utf8PathBuf> {
    folders(path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn folders(path: &str) -> impl Iterator<Item = &Utf8Path> {
    path.split(':').filter(|folder| !folder.is_empty()).map(Utf8Path::new)
}

/// `text` as one word of a POSIX shell.
pub fn shell_word(text: &str) -> String {
    // shlex also quotes `=`, `,` and `%`, which no shell changes inside a word such as `-std=gnu89`.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_string();
    }
    // No argument can contain a NUL byte.
    shlex::try_quote(text).map_or_else(|_| text.to_string(), Into::into)
}
