//! Public reports about decisions, branches and functions, answered by `recount claim` with programs that were written from
//! the reports (data/reported.toml). The rows of the table in reports/claims.md are printed.

mod support;

use recount::toolchain::select;
use serde::Deserialize;
use support::{Said, Temp};

#[derive(Deserialize)]
struct Claims {
    claim: Vec<Claim>,
}

#[derive(Deserialize)]
struct Claim {
    report: String,
    program: String,
    line: u32,
    metric: String,
    expect: toml::Value,
    profilers: Vec<String>,
    exit: i32,
    answer: String,
    why: String,
}

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

#[test]
fn public_reports_about_decisions_are_answered() {
    let claims: Claims =
        toml::from_str(&fs_err::read_to_string(format!("{DATA}/reported.toml")).unwrap()).unwrap();
    for claim in claims.claim {
        // By their paths, since the command has another home folder.
        let path = |name: &String| {
            let found = select(std::slice::from_ref(name)).ok()?.remove(0);
            found.compiler().map(ToString::to_string)
        };
        let installed: Vec<String> = claim.profilers.iter().filter_map(path).collect();
        if installed.is_empty() {
            support::skip_for_newer_tools(&claim.report);
            continue;
        }
        let temp = Temp::new();
        temp.write("p.c", fs_err::read_to_string(format!("{DATA}/reported/{}", claim.program)).unwrap());
        let (line, expect) = (claim.line.to_string(), claim.expect.to_string().replace('"', ""));
        let mut args = vec!["claim", "p.c", "--line", &line, "--expect", &expect, "--metric", &claim.metric];
        // The sandbox cannot read compilers in a private home.
        args.push("--unconfined");
        args.extend(installed.iter().flat_map(|name| ["--profiler", name.as_str()]));
        let said = Said::from(temp.recount(&args));
        assert_eq!(said.code, claim.exit, "{}\n{}{}", claim.report, said.out, said.err);
        let Claim { report, metric, exit, answer, why, .. } = &claim;
        println!("| {report} | {metric} | {expect} | {exit} | {answer} | {why} |");
    }
}
