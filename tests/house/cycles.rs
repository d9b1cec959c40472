//! Finds cycles between files: a file uses another one if its text names an item that the other one defines.
//!
//! Uses are the paths that begin with `crate`, `self`, `super` or a child module, in `use` declarations and elsewhere,
//! test code excluded. A path through re-exports counts as a use of the file that defines the item, and a re-export
//! alone does not count.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

/// A file: its path below `src`, and its code without comments, literals and tests.
pub struct Module<'a> {
    pub path: &'a str,
    pub code: String,
}

/// One name that a file imports or mentions.
struct Mention {
    /// The segments of the path; `*` stands for all items.
    path: Vec<String>,
    /// The name under which a `use` declaration makes it known.
    name: Option<String>,
    is_public: bool,
}

/// The groups of files that use each other, sorted.
pub fn cycles(modules: &[Module<'_>]) -> Vec<Vec<String>> {
    let tree = Tree::new(modules);
    let uses: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|module| (module.path, tree.uses(module))).collect();
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|file| (*file, reachable(file, &uses))).collect();
    let group = |file: &&str| -> Vec<String> {
        let is_mutual = |other: &&&str| reach[file].contains(**other) && reach[**other].contains(file);
        reach.keys().filter(is_mutual).map(ToString::to_string).collect()
    };
    let groups: BTreeSet<Vec<String>> = reach.keys().map(group).filter(|group| group.len() > 1).collect();
    groups.into_iter().collect()
}

fn reachable<'a>(from: &str, uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut queue: Vec<&str> = uses[from].iter().copied().collect();
    while let Some(next) = queue.pop() {
        if seen.insert(next) {
            queue.extend(&uses[next]);
        }
    }
    seen
}

/// The modules of the crate by their paths, with what each of them imports and mentions.
struct Tree<'a> {
    files: BTreeMap<Vec<String>, &'a Module<'a>>,
    mentions: BTreeMap<&'a str, Vec<Mention>>,
}

impl<'a> Tree<'a> {
    fn new(modules: &'a [Module<'a>]) -> Tree<'a> {
        let files = modules.iter().map(|module| (module_path(module.path), module)).collect();
        let mentions = modules.iter().map(|module| (module.path, mentions(&module.code))).collect();
        Tree { files, mentions }
    }

    /// The files that define what `module` uses.
    fn uses(&self, module: &Module<'_>) -> BTreeSet<&'a str> {
        let body = Regex::new(r"(?s)\buse\s[^;]*;").unwrap().replace_all(&module.code, "").into_owned();
        let is_used = |mention: &&Mention| match &mention.name {
            Some(name) if mention.is_public => Regex::new(&format!(r"\b{name}\b")).unwrap().is_match(&body),
            _ => true,
        };
        let own = module_path(module.path);
        let mentions = self.mentions[module.path].iter().filter(is_used);
        let files = mentions.filter_map(|mention| self.file_of(&own, &mention.path, 0));
        files.filter(|file| *file != module.path).collect()
    }

    /// The file that defines the item that `path` means in the module `own`.
    fn file_of(&self, own: &[String], path: &[String], depth: usize) -> Option<&'a str> {
        let absolute = self.absolute(own, path)?;
        let length =
            (0..=absolute.len()).rev().find(|length| self.files.contains_key(&absolute[..*length]))?;
        let (module, rest) = absolute.split_at(length);
        let file = self.files[module].path;
        let Some(item) = rest.first().filter(|_| depth < 10) else { return Some(file) };
        let imports = self.mentions.get(file).into_iter().flatten();
        for import in imports {
            if import.name.as_deref() == Some(item) {
                return self.file_of(module, &import.path, depth + 1).or(Some(file));
            }
            if import.is_public && import.path.last().is_some_and(|last| last == "*") {
                let target = self.file_of(module, &import.path[..import.path.len() - 1], depth + 1);
                let defines =
                    Regex::new(&format!(r"\b(fn|struct|enum|trait|type|const|static|mod)\s+{item}\b"));
                let defines = defines.unwrap();
                if let Some(target) = target.filter(|file| {
                    self.files.values().any(|it| it.path == *file && defines.is_match(&it.code))
                }) {
                    return Some(target);
                }
            }
        }
        Some(file)
    }

    /// `path` from the root of the crate; none for one of another crate.
    fn absolute(&self, own: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut base = own.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
                return Some([base, rest.to_vec()].concat());
            }
            child => {
                let module = [own, &[child.to_string()]].concat();
                return self.files.contains_key(&module).then(|| [own, path].concat());
            }
        }
        Some([base, rest[1..].to_vec()].concat())
    }
}

/// `["cli", "run"]` for `cli/run.rs`, `["cli"]` for `cli/mod.rs`, nothing for `lib.rs`.
fn module_path(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Vec::new() } else { path.split('/').map(String::from).collect() }
}

fn mentions(code: &str) -> Vec<Mention> {
    let declaration = Regex::new(r"(?s)\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]*);").unwrap();
    let mut found = Vec::new();
    for declared in declaration.captures_iter(code) {
        import(&declared[2], &[], declared.get(1).is_some(), &mut found);
    }
    let body = declaration.replace_all(code, "");
    // The last segment may be preceded by spaces where a path is broken across lines.
    for path in Regex::new(r"\b[a-z_]\w*(?:\s*::\s*\w+)+").unwrap().find_iter(&body) {
        let path = path.as_str().split("::").map(|segment| segment.trim().to_string()).collect();
        found.push(Mention { path, name: None, is_public: false });
    }
    found
}

/// Add the names of the tree `text` of a `use` declaration below `prefix`.
fn import(text: &str, prefix: &[String], is_public: bool, found: &mut Vec<Mention>) {
    let text = text.trim();
    if let Some((front, list)) = text.split_once('{') {
        let front = front.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(String::from);
        let prefix: Vec<String> = prefix.iter().cloned().chain(front).collect();
        let list = &list[..list.rfind('}').unwrap_or(list.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    import(&list[start..at], &prefix, is_public, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, alias) =
        text.split_once(" as ").map_or((text, None), |(path, alias)| (path, Some(alias.trim())));
    let segments = path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(String::from);
    let mut path: Vec<String> = prefix.iter().cloned().chain(segments).collect();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last().filter(|_| !text.is_empty()) {
        let name = Some(alias.unwrap_or(last).to_string()).filter(|name| name != "*");
        found.push(Mention { path: path.clone(), name, is_public });
    }
}
