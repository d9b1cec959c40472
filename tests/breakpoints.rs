//! Compares ground truth with a debugger: a breakpoint on a line is hit as often as the statement that begins there starts.
//!
//! Only lines on which a single simple statement begins are compared, since a debugger stops at instructions and lines.
//! `scripts/prove-truth` runs this on programs of other people: `RECOUNT_PROGRAMS` lists folders, `RECOUNT_POSITIONS` is
//! the number of positions.

mod support;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use camino::Utf8Path;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use recount::config::Settings;
use recount::corpus::Input;
use recount::model::Line;
use recount::syntax::{PointKind, StatementKind};
use recount::toolchain::{Request, Worker, select};
use recount::truth::{Truth, measure};
use support::{BINARY, Temp, skip};

/// A breakpoint takes the debugger a tenth of a millisecond.
const MOST_HITS: u64 = 2000;

/// At most so many positions in one program.
const MOST_OF_A_PROGRAM: usize = 10;

/// The lines on which nothing but one simple statement begins, with its count.
fn positions(truth: &Truth) -> BTreeMap<Line, u64> {
    let mut begins: BTreeMap<Line, Vec<(PointKind, Option<u64>)>> = BTreeMap::new();
    for point in &truth.points {
        if let Some(line) = point.line {
            begins.entry(line).or_default().push((point.kind, point.count));
        }
    }
    let simple = |(line, points): (Line, Vec<(PointKind, Option<u64>)>)| match points[..] {
        // A `return` of a variable in a register has no code of its own.
        [(PointKind::Statement(StatementKind::Expression | StatementKind::Call), count)] => {
            Some((line, count.filter(|count| *count <= MOST_HITS)?))
        }
        _ => None,
    };
    begins.into_iter().filter_map(simple).collect()
}

/// How often a breakpoint on each of `lines` of `p.c` in `folder` is hit; nothing for a line without code of its own.
fn hits(folder: &Utf8Path, lines: &[Line]) -> Option<BTreeMap<Line, u64>> {
    let built = Command::new("gcc-12")
        .args(["-w", "-g", "-O0", "p.c", "-o", "p", "-lm", "-pthread"])
        .current_dir(folder)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    if !built.success() {
        return None;
    }
    let mut commands =
        String::from("set pagination off\nset confirm off\nset width 0\nhandle all nostop noprint pass\n");
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        commands.extend(["break p.c:", &line.to_string(), "\nignore ", &number.to_string(), " 1000000000\n"]);
    }
    commands += "run >/dev/null </dev/null\ninfo breakpoints\nkill\n";
    fs_err::write(folder.join("commands"), commands).unwrap();
    let said = Command::new("timeout")
        .args(["60", "gdb", "-q", "-nx", "-batch", "-x", "commands", "p"])
        .current_dir(folder)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&said.stdout);
    let mut found: BTreeMap<Line, u64> = BTreeMap::new();
    let mut at: Option<Line> = None;
    let info = text.split("Num ").nth(1)?;
    for row in info.lines() {
        if row.starts_with(|c: char| c.is_ascii_digit()) {
            // A line without code is moved to the next one; a function that is copied has several locations.
            at = row
                .rsplit("p.c:")
                .next()
                .and_then(|line| line.trim().parse().ok())
                .filter(|line| lines.contains(line));
            if let Some(line) = at {
                found.insert(line, 0);
            }
        } else if let (Some(line), Some(times)) = (at, row.trim().strip_prefix("breakpoint already hit ")) {
            found.insert(line, times.split(' ').next()?.parse().ok()?);
        }
    }
    Some(found)
}

#[test]
fn a_breakpoint_is_hit_as_often_as_its_statement_starts() {
    let profiler = match select(&["gcc-12".to_string()]) {
        Ok(mut profilers) => profilers.remove(0),
        Err(error) => return skip(&format!("gcc-12: {error}")),
    };
    let temp = Temp::new();
    temp.write("gdb/p.c", "int main(void)\n{\n    return 0;\n}\n");
    if hits(&temp.at("gdb"), &[3]).is_none_or(|hits| hits.get(&3) != Some(&1)) {
        // Some containers forbid debuggers.
        println!("SKIPPED: gdb is not installed, or cannot run a program here");
        return;
    }
    let wanted: usize = std::env::var("RECOUNT_POSITIONS").map_or(60, |text| text.parse().expect("a number"));
    let mut generator = ChaCha8Rng::seed_from_u64(30);
    let mut programs = support::programs(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/statements"));
    programs.shuffle(&mut generator);
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let input = Input::default();
    let (mut compared, mut different, mut used) = (0, Vec::new(), 0);
    for path in programs {
        if compared >= wanted {
            break;
        }
        let Ok(source) = fs_err::read_to_string(&path) else { continue };
        let request = Request { flags: &[], ..Request::new(&source, &input) };
        let Ok(truth) = measure(&*profiler, &mut worker, &request).unwrap() else { continue };
        let all = positions(&truth);
        let mut lines: Vec<Line> = all.keys().copied().collect();
        lines.shuffle(&mut generator);
        lines.truncate(MOST_OF_A_PROGRAM.min(wanted - compared));
        temp.write("gdb/p.c", &source);
        let Some(hits) = hits(&temp.at("gdb"), &lines) else { continue };
        used += 1;
        for (line, hits) in hits {
            compared += 1;
            if hits != all[&line] {
                let text = source.lines().nth(line as usize - 1).unwrap_or_default();
                different.push(format!("{path}:{line}: counted {}, hit {hits}: {text}", all[&line]));
            }
        }
    }
    println!("{compared} positions in {used} programs, {} differ", different.len());
    assert!(compared >= wanted, "only {compared} positions");
    assert!(different.is_empty(), "{}", different.join("\n"));
}
