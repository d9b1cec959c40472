//! The origins of tokens in real programs: almost all tokens have one, and clang places each token where its origin does.
//!
//! `RECOUNT_PROGRAMS` lists folders with more programs, `RECOUNT_PROFILERS` compilers other than these.

mod support;

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use recount::syntax::{Origin, Origins, Position, Preprocessed};
use support::skip;

/// The C files in the folders `RECOUNT_PROGRAMS`, or in `corpus`.
fn programs() -> Vec<Utf8PathBuf> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");
    let kinds = Utf8Path::new(corpus).read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let folders: Vec<String> = kinds.filter(|path| path.is_dir()).map(Utf8PathBuf::into_string).collect();
    support::programs(&folders.join(" "))
}

/// What `compiler` prints, if it succeeds.
fn output(compiler: &str, args: &[&str], program: &Utf8Path) -> Option<(String, String)> {
    let folder = program.parent().unwrap();
    let ran = Command::new(compiler)
        .arg("-w")
        .args(args)
        .arg(program.file_name().unwrap())
        .current_dir(folder)
        .output()
        .ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    ran.status.success().then(|| (text(&ran.stdout), text(&ran.stderr)))
}

fn preprocessed(compiler: &str, program: &Utf8Path) -> Option<Preprocessed> {
    let typed = String::from_utf8_lossy(&fs_err::read(program).unwrap()).into_owned();
    let (text, _) = output(compiler, &["-E", "-dD"], program)?;
    Some(Preprocessed::new(text, program.file_name().unwrap()).of(&typed))
}

fn compilers(default: &[&str]) -> Vec<String> {
    let named = std::env::var("RECOUNT_PROFILERS").ok();
    let all = named.map_or_else(
        || default.iter().map(ToString::to_string).collect(),
        |names| names.split_whitespace().map(String::from).collect::<Vec<_>>(),
    );
    all.into_iter().filter(|name| Command::new(name).arg("--version").output().is_ok()).collect()
}

#[test]
fn almost_every_token_has_an_origin() {
    for compiler in compilers(&["gcc-12", "clang-14"]) {
        let (mut known, mut unknown, mut files) = (0, 0, 0);
        let mut time = std::time::Duration::ZERO;
        for program in programs() {
            let Some(preprocessed) = preprocessed(&compiler, &program) else { continue };
            let started = std::time::Instant::now();
            let origins = preprocessed.origins();
            time += started.elapsed();
            if origins.unknown > 0 {
                println!("{compiler} {program}: {} of {}", origins.unknown, origins.tokens.len());
            }
            (known, unknown, files) = (known + origins.tokens.len(), unknown + origins.unknown, files + 1);
        }
        println!("{compiler}: {files} programs, {known} tokens with an origin, {unknown} without, {time:?}");
        assert!(unknown * 1000 <= known + unknown, "{unknown} of {} tokens", known + unknown);
    }
}

/// A token that clang printed.
#[derive(Debug)]
struct Dumped {
    text: String,
    position: Position,
    spelling: Option<Position>,
}

/// The tokens of `file` in the output of `-dump-tokens`.
fn dumped(text: &str, file: &str) -> Vec<Dumped> {
    let position = |text: &str| {
        let mut parts = text.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        (parts.next()? == file).then_some(Position { line, column })
    };
    let mut found = Vec::new();
    let mut begins = String::new();
    for row in text.lines() {
        begins += row;
        let Some((token, place)) = begins.rsplit_once("\tLoc=<") else { continue };
        let place = place.trim_end_matches('>');
        let (expansion, spelling) = place.split_once(" <Spelling=").unwrap_or((place, place));
        // After the text come flags, one of which shows it as it was typed.
        let text = token.split_once('\'').and_then(|(_, rest)| rest.split_once("'\t")).map(|(text, _)| text);
        let is_code = !token.starts_with("annot_") && !token.starts_with("eof ");
        if let (Some(at), Some(text), true) = (position(expansion), text, is_code) {
            found.push(Dumped { text: text.into(), position: at, spelling: position(spelling) });
        }
        begins.clear();
    }
    found
}

/// The first difference between the origins and clang's positions, and the number of tokens.
fn difference(origins: &Origins, preprocessed: &Preprocessed, dumped: &[Dumped]) -> Result<usize, String> {
    let describe = |origin: &Origin| {
        let (line, column) = origins.position(origin).map_or((0, 0), |at| (at.line, at.column));
        let text: String = preprocessed.text[origin.offset..].chars().take(30).collect();
        format!("{text:?} at {line}:{column}")
    };
    for (origin, token) in origins.tokens.iter().zip(dumped) {
        let text = &preprocessed.text[origin.offset..];
        if !text.starts_with(token.text.as_str())
            || origins.position(origin) != Some(token.position)
            || origin.spelling != token.spelling
        {
            return Err(format!("{}, spelling {:?}: {token:?}", describe(origin), origin.spelling));
        }
    }
    if origins.tokens.len() != dumped.len() {
        return Err(format!("{} tokens, clang has {}", origins.tokens.len(), dumped.len()));
    }
    Ok(dumped.len())
}

#[test]
fn clang_places_tokens_where_their_origins_do() {
    let compilers = compilers(&["clang-14"]);
    if compilers.is_empty() {
        return skip("clang-14 is not installed");
    }
    for compiler in compilers.iter().filter(|name| name.contains("clang")) {
        let (mut compared, mut files, mut incomplete) = (0, 0, 0);
        let mut differences = Vec::new();
        for program in programs() {
            // The second compilation may have another time.
            if fs_err::read_to_string(&program).is_ok_and(|text| text.contains("__TIME__")) {
                continue;
            }
            let Some(preprocessed) = preprocessed(compiler, &program) else { continue };
            let origins = preprocessed.origins();
            if origins.unknown > 0 || origins.tokens.is_empty() {
                println!("{program}: not compared");
                incomplete += 1;
                continue;
            }
            let Some((_, text)) = output(compiler, &["-fsyntax-only", "-Xclang", "-dump-tokens"], &program)
            else {
                continue;
            };
            match difference(origins, &preprocessed, &dumped(&text, program.file_name().unwrap())) {
                Ok(tokens) => (compared, files) = (compared + tokens, files + 1),
                Err(difference) => differences.push(format!("{program}: {difference}")),
            }
        }
        println!(
            "{compiler}: {compared} tokens of {files} programs agree; {incomplete} programs not compared"
        );
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}
