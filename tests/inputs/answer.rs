//! Runs `recount inputs --format json` and reads the values in its output.

use std::process::{Command, Stdio};

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::support::{Said, Temp};

/// The path of a program in `tests/data/inputs`.
pub fn data(file: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/inputs").join(file)
}

/// `recount inputs FILE ARGUMENTS --quiet`.
pub fn said(file: &str, args: &[&str]) -> Said {
    let path = data(file);
    let all: Vec<&str> =
        ["inputs", path.as_str(), "--quiet"].into_iter().chain(args.iter().copied()).collect();
    Said::from(Temp::new().recount(&all))
}

/// The answers for all functions that were searched.
#[track_caller]
pub fn answers(file: &str, args: &[&str]) -> Vec<Answer> {
    let all: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    let said = said(file, &all);
    assert_eq!(said.code, 0, "{file} {args:?}: {}", said.err);
    let all: Vec<Value> = serde_json::from_str(&said.out).expect("an array");
    all.into_iter().map(Answer).collect()
}

/// The answer for `entry` alone.
#[track_caller]
pub fn answer(file: &str, entry: &str, args: &[&str]) -> Answer {
    let all: Vec<&str> = ["--entry", entry].into_iter().chain(args.iter().copied()).collect();
    let mut found = answers(file, &all);
    assert_eq!(found.len(), 1, "{entry}");
    found.remove(0)
}

/// The answer for one function.
#[derive(Debug)]
pub struct Answer(pub Value);

impl Answer {
    pub fn entry(&self) -> &str {
        self.0["entry"].as_str().unwrap()
    }

    /// The number of targets that were met, and of all targets.
    pub fn met(&self) -> (u64, u64) {
        (self.0["met"].as_u64().unwrap(), self.0["targets"].as_u64().unwrap())
    }

    /// The inputs, each as the bits of its cells.
    pub fn inputs(&self) -> Vec<Vec<u64>> {
        bits(&self.0["inputs"])
    }

    /// The only input.
    #[track_caller]
    pub fn input(&self) -> Vec<u64> {
        let mut inputs = self.inputs();
        assert_eq!(inputs.len(), 1, "{}: {inputs:?}", self.entry());
        inputs.remove(0)
    }

    /// The names of the targets that were not met.
    pub fn infeasible(&self) -> Vec<&str> {
        let unmet = self.0["deemed_infeasible"].as_array().unwrap();
        unmet.iter().map(|unmet| unmet["target"].as_str().unwrap()).collect()
    }

    /// The faulty inputs: the kind of their end, the signal, and the bits of their cells.
    pub fn faults(&self) -> Vec<(&str, Option<u64>, Vec<u64>)> {
        let faults = self.0["faults"].as_array().unwrap();
        let ends = faults.iter().map(|fault| &fault["ends"]);
        let cells = bits(&self.0["faults"]);
        ends.zip(cells)
            .map(|(ends, cells)| (ends["is"].as_str().unwrap(), ends["with"].as_u64(), cells))
            .collect()
    }
}

/// The bits of the cells of each of `inputs`.
fn bits(inputs: &Value) -> Vec<Vec<u64>> {
    let cell = |cell: &Value| {
        let text = cell["bits"].as_str().unwrap();
        u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
    };
    let input = |input: &Value| input["cells"].as_array().unwrap().iter().map(cell).collect();
    inputs.as_array().unwrap().iter().map(input).collect()
}

/// The bits as an `int`.
pub fn int(bits: u64) -> i32 {
    i32::from_ne_bytes(unsigned(bits).to_ne_bytes())
}

/// The bits as an `unsigned`.
pub fn unsigned(bits: u64) -> u32 {
    u32::try_from(bits & 0xffff_ffff).unwrap()
}

/// The bits as a `double`.
pub fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits as a `float`.
pub fn float(bits: u64) -> f32 {
    f32::from_bits(unsigned(bits))
}

/// Compile and run the C program `source`; returns its output.
#[track_caller]
pub fn compiled(temp: &Temp, source: &str) -> String {
    let program = temp.at("program");
    let gcc = Command::new("gcc").args(["-w", source, "-o", program.as_str(), "-lm"]).status().unwrap();
    assert!(gcc.success(), "{source}");
    let output = Command::new(program.as_str()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{source}");
    String::from_utf8(output.stdout).unwrap()
}
