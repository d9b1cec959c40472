#!/usr/bin/env python3
"""Write the README.md of each root cause in reports/causes, and the tables in reports/causes/README.md.

scripts/causes calls it with the output of `recount known` and the text of the line "Made by". Status and public reports
come from configs/known.toml, the sentence from `recount known`, everything else from the folders of the variations.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

CAUSES = Path("reports/causes")
# Root causes with these statuses are not counted as found.
NOT_FOUND = ("fixed", "intended")


def sentences(table):
    """The last column of each row of `recount known`, by the profiler and the name of the root cause."""
    rows = [re.split(r" {2,}", line.strip()) for line in table.splitlines()]
    return {f"{row[1]}-{row[0]}": row[-1] for row in rows if len(row) > 2}


def text_of(folder):
    """The explanation in cause.txt, after the fields."""
    return (folder / "cause.txt").read_text().split("\n\n", 1)[1].strip()


def number(count):
    return "-" if count is None else str(count)


class Variation:
    def __init__(self, folder):
        self.folder = folder
        self.finding = json.loads((folder / "finding.json").read_text())
        versions = json.loads((folder / "versions.json").read_text())
        self.affected = [v["compiler"] for v in versions if v["affected"]]
        untested = [v["compiler"] for v in versions if "Err" in v["count"]]
        self.right = [v["compiler"] for v in versions if not v["affected"] and v["compiler"] not in untested]
        self.untested = untested
        reports = [name for name in ("report.txt", "report.md") if (folder / name).exists()]
        self.report = reports[0] if reports else None

    def covered(self):
        """For conditions and paths, how many of the line are covered; None for other counts."""
        details = json.loads((self.folder / "counts.json").read_text()).get("details", {})
        place = (self.finding["metric"], self.finding["line"])
        totals = [n for n in details.get("numbers", []) if "whole" in n and (n["metric"], n["line"]) == place]
        if len(totals) != 1:
            return None
        right = " or ".join(map(str, totals[0]["expected"]))
        return f"{totals[0]['count']} of {totals[0]['whole']} covered, right {right}"

    def row(self):
        finding, name = self.finding, self.folder.name
        place = f"line {finding['line']}" if finding["metric"] == "line" else f"{finding['metric']} {finding['line']}"
        count = self.covered() or f"{number(finding['before'])}, right {' or '.join(map(str, finding['truth']))}"
        report = f"[report]({name}/{self.report})" if self.report else "-"
        lists = (" ".join(names) or "-" for names in (self.affected, self.right, self.untested))
        return "| " + " | ".join([f"[{name}]({name})", place, count, *lists, report]) + " |"


def write_root(root, entry, sentence, variations, made):
    upstream = entry.get("upstream", [])
    lines = [f"# {root.name}", "", sentence[:1].upper() + sentence[1:] + ".", "", f"Status: {entry['status']}.", ""]
    if upstream:
        lines += ["Public reports:", "", *(f"- {url}" for url in upstream), ""]
    else:
        lines += ["No public report was found; reports/upstream-queries.toml has the queries.", ""]
    lines += [
        made,
        "",
        "| variation | place | shown | affected | other counts | not tested | report |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(variation.row() for variation in variations),
        "",
    ]
    for variation in variations:
        lines += [f"## {variation.folder.name}", "", text_of(variation.folder), ""]
    (root / "README.md").write_text("\n".join(lines).rstrip() + "\n")


def main():
    table, made = Path(sys.argv[1]).read_text(), f"Made by `scripts/causes` on {sys.argv[2]}."
    known = tomllib.loads(Path("configs/known.toml").read_text())["known"]
    entries = {entry["signature"].replace("/", "-", 1): entry for entry in known}
    by_name = sentences(table)
    rows = {"found": [], "not found": []}
    for root in sorted(path for path in CAUSES.iterdir() if path.is_dir()):
        entry = entries[root.name]
        sentence = entry.get("note") or by_name[root.name]
        variations = [Variation(path) for path in sorted(root.iterdir()) if (path / "finding.json").exists()]
        write_root(root, entry, sentence, variations, made)
        upstream = entry.get("upstream", [])
        reports = ", ".join(upstream[:3]) + (f" and {len(upstream) - 3} more" if len(upstream) > 3 else "")
        cells = [f"[{root.name}]({root.name})", entry["status"], str(len(variations)), reports or "-", sentence]
        kind = "not found" if entry["status"] in NOT_FOUND else "found"
        rows[kind].append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    head = ["| root cause | status | variations | public reports | mechanism |", "| --- | --- | ---: | --- | --- |"]
    readme = (CAUSES / "README.md").read_text()
    start, end = "<!-- table -->", "<!-- end of table -->"
    before, after = readme.split(start)[0], readme.split(end)[1]
    found, rest = rows["found"], rows["not found"]
    tables = ["", made, "", f"## Root causes: {len(found)}", "", *head, *found, ""]
    tables += [f"## Fixed or intended: {len(rest)}", "", *head, *rest, ""]
    (CAUSES / "README.md").write_text(before + start + "\n" + "\n".join(tables) + "\n" + end + after)


main()
