//! Inspects a page in headless Chromium: a copy of the page in a frame of a given width, with a script at its head that
//! reports what it finds. There is no driver and no network: the script writes its report into the outer document,
//! which Chromium prints.

use std::process::{Command, Stdio};

use camino::Utf8Path;
use serde_json::Value;

use crate::support::{Temp, skip};

/// The script that inspects the page.
const PROBE: &str = include_str!("../html/probe.js");

/// The conditions under which a page is inspected.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// Width in pixels.
    pub width: u32,
    /// Whether the system prefers dark colours.
    pub dark: bool,
    /// The part of the address after `#`.
    pub hash: &'a str,
    /// The body of an asynchronous function that runs first; its result is in the report as `acted`.
    pub steps: &'a str,
}

impl Sight<'_> {
    pub const LAPTOP: Sight<'static> = Sight { width: 1280, dark: false, hash: "", steps: "" };
}

/// The browser; without one the test is skipped.
pub fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        skip("there is no chromium here; `scripts/setup --browser` installs it");
    }
    found
}

/// Inspect the page at `path`; returns the report of the script.
pub fn look(browser: &str, path: &Utf8Path, sight: Sight<'_>) -> Value {
    let temp = Temp::new();
    let html = fs_err::read_to_string(path).unwrap();
    // The page's policy allows only scripts that have its nonce.
    let (before, rest) = html.split_once("style-src 'nonce-").expect("a policy");
    let seal = &rest[..24];
    let policed = if rest[24..].starts_with("'; script-src") {
        html.clone()
    } else {
        format!("{before}script-src 'nonce-{seal}'; style-src 'nonce-{rest}")
    };
    let probe = PROBE.replace("{})/*STEPS*/", &format!("{{ {} }})", sight.steps));
    let mut seen =
        policed.replacen("<title>", &format!("<script nonce=\"{seal}\">{probe}</script>\n<title>"), 1);
    if sight.dark {
        seen = seen.replacen("@media (prefers-color-scheme: dark)", "@media all", 1);
    }
    temp.write("page.html", seen);
    let Sight { width, hash, .. } = sight;
    let frame = temp.write(
        "frame.html",
        format!(
            "<!doctype html><title>frame</title><pre id=\"result\"></pre><iframe id=\"hold\" hidden></iframe>\n<script>{HOLD}</script>\n\
             <iframe src=\"page.html{hash}\" width=\"{width}\" height=\"900\"></iframe>"
        ),
    );
    let dumped = dump(browser, &temp, &frame);
    let result = dumped.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let result = result
        .filter(|result| !result.is_empty())
        .unwrap_or_else(|| panic!("{path}: nothing was seen\n{dumped:.600}"));
    serde_json::from_str(result).unwrap_or_else(|error| panic!("{error}: {result:.600}"))
}

/// The browser dumps the document as soon as it has loaded. A frame whose document is still open delays
/// this until the page has reported its results.
const HOLD: &str = "
const hold = document.getElementById('hold').contentDocument;
hold.open();
hold.write(' ');
addEventListener('message', event => {
    document.getElementById('result').textContent = event.data;
    hold.close();
});
setTimeout(() => hold.close(), 60000);
";

fn dump(browser: &str, temp: &Temp, page: &Utf8Path) -> String {
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-extensions",
    ]);
    command.arg(format!("--user-data-dir={}", temp.at("profile")));
    command.args(["--window-size=1400,1000", "--dump-dom"]);
    let output = command.arg(format!("file://{page}")).env("HOME", temp.root()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
