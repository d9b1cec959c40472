//! A call of a compiler driver, sorted by what its words are about.

use camino::{Utf8Path, Utf8PathBuf};

/// Options whose value may be the next word, by what they are about.
const PREPROCESSOR: [&str; 10] =
    ["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-A", "-isysroot"];
const DEPENDENCIES: [&str; 3] = ["-MF", "-MT", "-MQ"];
const LINKER: [&str; 9] = ["-L", "-l", "-Xlinker", "-T", "-u", "-z", "-e", "-B", "-Xassembler"];
const COMPILER: [&str; 7] = ["--param", "-target", "-arch", "-Xclang", "-mllvm", "-dumpbase", "--sysroot"];

/// Options that only say how the compiler is to print something, or that stop it before it makes an object.
const NO_OBJECT: [&str; 9] =
    ["-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "--help", "--version", "-dumpversion"];

/// What a word of a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A C file.
    Source,
    /// An object, an archive, or a file in another language.
    Input,
    Preprocessor,
    /// Writing the names of the included files.
    Dependencies,
    Compiler,
    Linker,
    /// `-x` and its value.
    Language,
}

/// The words of a call, each with the value that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    words: Vec<(Role, Vec<String>)>,
    pub output: Option<String>,
    /// Whether it stops before linking.
    pub only_compiles: bool,
    /// Whether it makes no object at all.
    pub makes_nothing: bool,
}

impl Call {
    pub fn new(args: &[String]) -> Call {
        let mut call = Call::default();
        let mut words = args.iter().cloned();
        let mut language: Option<String> = None;
        while let Some(word) = words.next() {
            let mut with_value = |options: &[&str]| {
                let option = options.iter().find(|option| word.starts_with(**option))?;
                // `-L` has its value in the same word or in the next one; `--param` and others only in the next.
                let value = if word == **option { words.next() } else { None };
                let is_short = option.len() == 2 || word == **option || option.starts_with("-i");
                is_short.then(|| std::iter::once(word.clone()).chain(value).collect::<Vec<String>>())
            };
            if word == "-o" {
                call.output = words.next();
            } else if let Some(output) = word.strip_prefix("-o").filter(|_| !word.starts_with("-object")) {
                call.output = Some(output.into());
            } else if word == "-c" {
                call.only_compiles = true;
            } else if word == "-x" {
                language = words.next();
                let value = language.clone().unwrap_or_default();
                call.words.push((Role::Language, vec![word, value]));
            } else if NO_OBJECT.contains(&word.as_str())
                || word.starts_with("-print-")
                || word.starts_with("-dump") && word != "-dumpbase"
            {
                call.makes_nothing = true;
                call.words.push((Role::Compiler, vec![word]));
            } else if let Some(found) = with_value(&DEPENDENCIES) {
                call.words.push((Role::Dependencies, found));
            } else if word.starts_with("-M") || word.starts_with("-Wp,-M") {
                call.words.push((Role::Dependencies, vec![word]));
            } else if let Some(found) = with_value(&COMPILER) {
                call.words.push((Role::Compiler, found));
            } else if let Some(found) = with_value(&PREPROCESSOR) {
                call.words.push((Role::Preprocessor, found));
            } else if word.starts_with("-Wl,") || is_link_flag(&word) {
                call.words.push((Role::Linker, vec![word]));
            } else if let Some(found) = with_value(&LINKER) {
                call.words.push((Role::Linker, found));
            } else if word.starts_with('-') && word != "-" {
                call.words.push((Role::Compiler, vec![word]));
            } else {
                let is_c = match language.as_deref() {
                    None | Some("none") => Utf8Path::new(&word).extension() == Some("c"),
                    Some(language) => language == "c" && word != "-",
                };
                call.words.push((if is_c { Role::Source } else { Role::Input }, vec![word]));
            }
        }
        call
    }

    /// The C files.
    pub fn sources(&self) -> Vec<&str> {
        self.of(&[Role::Source]).into_iter().map(String::as_str).collect()
    }

    fn of(&self, roles: &[Role]) -> Vec<&String> {
        self.words.iter().filter(|(role, _)| roles.contains(role)).flat_map(|(_, words)| words).collect()
    }

    /// The options of the preprocessor and the compiler, without those of the optimiser, of coverage, of warnings as errors
    /// and of dependencies: those of a build without optimisation whose warnings do not matter.
    pub fn compile_flags(&self) -> Vec<String> {
        self.kept(&[Role::Preprocessor, Role::Compiler])
    }

    /// The same for a text that is preprocessed already.
    pub fn text_flags(&self) -> Vec<String> {
        self.kept(&[Role::Compiler])
    }

    fn kept(&self, roles: &[Role]) -> Vec<String> {
        let words = self.words.iter().filter(|(role, _)| roles.contains(role));
        let kept = words.filter(|(_, words)| !is_left_out(&words[0])).flat_map(|(_, words)| words.clone());
        // llvm-cov is asked about files by their paths, which this option would change too.
        let map = |word: String| match word.strip_prefix("-ffile-prefix-map=") {
            Some(paths) => format!("-fmacro-prefix-map={paths}"),
            None => word,
        };
        kept.map(map).collect()
    }

    /// The options about dependencies, for a command that preprocesses `source` for `object`: with them written to the file
    /// that a compilation would write.
    pub fn dependencies(&self, object: &str) -> Vec<String> {
        let mut flags: Vec<String> = self.of(&[Role::Dependencies]).into_iter().cloned().collect();
        // `-Wp,-MD,FILE` is an old way to say `-MD -MF FILE`.
        let old = flags.iter().position(|flag| flag.starts_with("-Wp,-M"));
        if let Some(at) = old {
            let parts: Vec<String> = flags.remove(at)[4..].split(',').map(String::from).collect();
            flags.push(parts[0].clone());
            flags.extend(parts.get(1).into_iter().flat_map(|file| ["-MF".to_string(), file.clone()]));
        }
        let has = |name: &str| flags.iter().any(|flag| flag.starts_with(name));
        if !has("-MD") && !has("-MMD") {
            return Vec::new();
        }
        let (has_file, has_target) = (has("-MF"), has("-MT") || has("-MQ"));
        if !has_file {
            flags.extend(["-MF".into(), Utf8Path::new(object).with_extension("d").into_string()]);
        }
        if !has_target {
            flags.extend(["-MT".into(), object.into()]);
        }
        flags
    }

    /// The words of the command that links, with `objects` in place of the C files, in their order. With `is_whole` they are all of
    /// its words: objects of another language were compiled with them.
    pub fn linked(&self, objects: &[Utf8PathBuf], is_whole: bool) -> Vec<String> {
        let mut objects = objects.iter();
        let mut words = Vec::new();
        for (role, found) in &self.words {
            match role {
                Role::Source => words.extend(objects.next().map(ToString::to_string)),
                Role::Input | Role::Linker => words.extend(found.iter().cloned()),
                Role::Compiler if is_whole || !is_left_out(&found[0]) => words.extend(found.iter().cloned()),
                Role::Language if found[1] != "c" => words.extend(found.iter().cloned()),
                _ => {}
            }
        }
        words.extend(self.output.iter().flat_map(|output| ["-o".to_string(), output.clone()]));
        words
    }

    /// The objects, archives and shared libraries that the call names by their files.
    pub fn inputs(&self) -> Vec<&str> {
        self.of(&[Role::Input]).into_iter().map(String::as_str).collect()
    }

    /// The folders of libraries, and the names of libraries, each in its order.
    pub fn libraries(&self) -> (Vec<&str>, Vec<&str>) {
        let values = |option: &str| {
            let words = self.words.iter().filter(|(role, _)| *role == Role::Linker);
            let words = words.filter(|(_, words)| words[0].starts_with(option));
            words
                .map(|(_, words)| words.get(1).map_or(&words[0][option.len()..], String::as_str))
                .collect::<Vec<_>>()
        };
        (values("-L"), values("-l"))
    }

    /// Whether the call links a shared library.
    pub fn is_shared(&self) -> bool {
        self.of(&[Role::Linker]).iter().any(|flag| *flag == "-shared")
    }

    /// Whether it links something in which no runtime can be: a relocatable object, or a program without the C library.
    pub fn is_bare(&self) -> bool {
        let bare = ["-r", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-ffreestanding", "-Wl,-r"];
        self.of(&[Role::Linker, Role::Compiler]).iter().any(|flag| bare.contains(&flag.as_str()))
    }

    /// Whether it has anything to link or compile.
    pub fn has_inputs(&self) -> bool {
        !self.of(&[Role::Source, Role::Input]).is_empty()
    }
}

fn is_link_flag(word: &str) -> bool {
    let flags = [
        "-shared",
        "-static",
        "-static-pie",
        "-pie",
        "-no-pie",
        "-nopie",
        "-rdynamic",
        "-r",
        "-s",
        "-nostdlib",
        "-nodefaultlibs",
        "-nostartfiles",
        "-static-libgcc",
        "-shared-libgcc",
    ];
    flags.contains(&word)
}

/// Whether a build that counts must do without the option.
fn is_left_out(word: &str) -> bool {
    let begins = [
        "-O",
        "-flto",
        "-Werror",
        "-fprofile",
        "-fcoverage",
        "-ffile-compilation-dir",
        "-ftest-coverage",
        "-fsanitize",
        "-save-temps",
        "-fno-lto",
        "-fwhole-program",
        "-D_FORTIFY_SOURCE",
        "-Wp,-D_FORTIFY_SOURCE",
    ];
    begins.iter().any(|begin| word.starts_with(begin))
        || word == "--coverage"
        || word == "-pipe"
        || word == "-s"
}

/// `args` with the words of response files (`@FILE`) in place of their names. One that cannot be read stays.
pub fn expanded(args: Vec<String>) -> Vec<String> {
    let mut words = Vec::new();
    for arg in args {
        let read = arg.strip_prefix('@').and_then(|file| fs_err::read_to_string(file).ok());
        match read.and_then(|text| shlex::split(&text)) {
            Some(found) => words.extend(expanded(found)),
            None => words.push(arg),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Call {
        Call::new(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_are_sorted_by_what_they_are_about() {
        let found = call("-DA=1 -I inc -O2 -g -std=gnu99 -Wall -Werror -MMD -MP -c lib/f.c -o lib/f.o");
        assert_eq!((found.sources(), found.only_compiles), (vec!["lib/f.c"], true));
        assert_eq!(found.compile_flags(), ["-DA=1", "-I", "inc", "-g", "-std=gnu99", "-Wall"]);
        assert_eq!(found.text_flags(), ["-g", "-std=gnu99", "-Wall"]);
        let expected = ["-MMD", "-MP", "-MF", "lib/f.d", "-MT", "lib/f.o"];
        assert_eq!(found.dependencies("lib/f.o"), expected);
        assert_eq!(call("-c f.c").dependencies("f.o"), [""; 0]);
        let mapped =
            call("-ffile-prefix-map=/a=. -ffile-compilation-dir=. -fcoverage-prefix-map=/a=. -c f.c");
        assert_eq!(mapped.compile_flags(), ["-fmacro-prefix-map=/a=."]);
        assert_eq!(call("-Wp,-MD,x/.f.d -c f.c").dependencies("f.o"), ["-MD", "-MF", "x/.f.d", "-MT", "f.o"]);
    }

    #[test]
    fn a_link_keeps_its_order_and_has_objects_for_sources() {
        let found = call("-O2 -pthread main.c -Llib -l f x.o -Wl,--as-needed other.c -lm -DX -o prog");
        let objects = ["/u/1.o", "/u/2.o"].map(Utf8PathBuf::from);
        let expected = "-pthread /u/1.o -Llib -l f x.o -Wl,--as-needed /u/2.o -lm -o prog";
        assert_eq!(found.linked(&objects, false).join(" "), expected);
        assert_eq!((found.inputs(), found.libraries()), (vec!["x.o"], (vec!["lib"], vec!["f", "m"])));
        assert!(!found.is_shared() && call("-shared x.o").is_shared() && call("-r x.o").is_bare());
    }

    #[test]
    fn calls_that_make_no_object_and_other_languages_are_distinguished() {
        assert!(call("-E f.c").makes_nothing && call("--version").makes_nothing);
        assert!(!call("-v -c f.c").makes_nothing);
        assert_eq!(call("--sysroot /r f.c --sysroot=/s").inputs(), [""; 0]);
        assert_eq!(call("-c f.cc g.S").sources(), [""; 0]);
        assert_eq!(call("-x c -c f.txt").sources(), ["f.txt"]);
        assert_eq!(call("-x c -c -").sources(), [""; 0]);
    }

    #[test]
    fn response_files_are_read() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("args");
        std::fs::write(&file, "-c 'a b.c'\n-DX=\"1\"").unwrap();
        let words = expanded(vec![format!("@{}", file.display()), "@missing".into()]);
        assert_eq!(words, ["-c", "a b.c", "-DX=1", "@missing"]);
    }
}
