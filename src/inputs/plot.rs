//! A plot of a search: targets met over evaluations, and over time.

use std::fmt::Write;

use super::answer::Answer;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 50.0;

/// The plot as SVG.
pub fn plot(answer: &Answer) -> String {
    let requested = answer.requested();
    let steps = &answer.outcome.progress;
    let evaluations: Vec<(f64, usize)> = steps.iter().map(|(at, met)| (*at as f64, *met)).collect();
    let times: Vec<(f64, usize)> =
        answer.times.iter().zip(steps).map(|(at, (_, met))| (at * 1e3, *met)).collect();
    let last = (answer.outcome.evaluations as f64, answer.seconds * 1e3);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"14\">{}: {} of {requested} met</text>\n",
        2.0 * (WIDTH + MARGIN) + MARGIN,
        HEIGHT + 2.0 * MARGIN,
        answer.entry,
        answer.met(),
    );
    panel(&mut out, MARGIN, "evaluations", &evaluations, last.0.max(1.0), requested);
    panel(&mut out, 2.0 * MARGIN + WIDTH, "milliseconds", &times, last.1.max(1e-3), requested);
    out.push_str("</svg>\n");
    out
}

/// One curve, over a logarithmic axis from a thousandth of `end` or less.
fn panel(out: &mut String, left: f64, axis: &str, points: &[(f64, usize)], end: f64, requested: usize) {
    let start = points.first().map_or(end / 1e3, |point| point.0).min(end / 1e3).max(1e-4);
    let (low, high) = (start.log10().floor(), end.log10().ceil().max(start.log10().floor() + 1.0));
    let x = |at: f64| left + WIDTH * ((at.max(start).log10() - low) / (high - low)).clamp(0.0, 1.0);
    let y = |met: usize| MARGIN + HEIGHT * (1.0 - met as f64 / requested.max(1) as f64);
    let mut path = format!("M{:.1},{:.1}", left, y(0));
    for (at, met) in points {
        let _ = write!(path, "H{:.1}V{:.1}", x(*at), y(*met));
    }
    let _ = write!(path, "H{:.1}", x(end));
    let bottom = MARGIN + HEIGHT;
    let _ = writeln!(
        out,
        "<path d=\"M{left},{MARGIN}V{bottom}H{}\" fill=\"none\" stroke=\"#888\"/>\n\
         <path d=\"{path}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{axis}</text>\n\
         <text x=\"{}\" y=\"{MARGIN}\" text-anchor=\"end\">{requested}</text>",
        left + WIDTH,
        left + WIDTH / 2.0,
        bottom + 36.0,
        left - 6.0,
    );
    let mut power = low;
    while power <= high {
        let at = left + WIDTH * (power - low) / (high - low);
        let _ = writeln!(
            out,
            "<path d=\"M{at:.1},{bottom}v4\" stroke=\"#888\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            10.0_f64.powf(power),
        );
        power += 1.0;
    }
}
