"""Print reports/packages.md from the results of scripts/prove-packages: packages-table.py DIR PROFILER...

A file DIR/note is printed after the introduction."""

import collections
import json
import os
import sys
import tomllib

folder, profilers = sys.argv[1], sys.argv[2:]
packages = [line.rstrip("\n").split("@") for line in open(f"{folder}/table")]
names = [row[0] for row in packages]
notes = {row[0]: row[4] for row in packages}


def result(name, profiler):
    path = f"{folder}/out/{name}/{profiler}.json"
    return json.load(open(path)) if os.path.exists(path) else None


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


print("# Packages\n")
print("Made by `scripts/prove-packages`: packages of Debian 12, built and tested by their own commands, with every line of the")
print("report compared with what really ran. `checked` is the share of the reported lines whose true count is known; lines that")
print("vary from run to run are not checked. `CPU` is that of the whole audit, both builds, two runs of the tests in each, proofs")
print("and comparisons, divided by that of the build with coverage and one run of the tests. A package without a row: not audited\nwith this profiler, or it failed.\n")
if os.path.exists(f"{folder}/note"):
    print(open(f"{folder}/note").read())
causes = collections.defaultdict(collections.Counter)
for profiler in (name for name in profilers if any(result(row, name) for row in names)):
    print(f"## {profiler}\n")
    print("| package | units | not checked | lines | checked | vary | wrong lines | wrong numbers | coverage reported / actual | CPU |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        found = result(name, profiler)
        if found is None:
            continue
        lines = [line for file in found["files"].values() for line in file["lines"].values()]
        reported = [line for line in lines if line["reported"] is not None]
        checked = [line for line in reported if line["state"] != "unchecked"]
        vary = [line for line in reported if line["state"] == "unchecked" and "varies" in line["reason"]]
        wrong = [line for line in lines if line["state"] == "wrong"]
        right = [line["reported"] if line["state"] == "unchecked" else line["right"] for line in lines]
        right = [count for count in right if count is not None]
        findings = [finding for finding in found["findings"] if finding["verdict"] == "wrong"]
        numbers = sum(max(1, len(finding["symptoms"])) for finding in findings)
        for finding in findings:
            causes[finding["signature"]][(name, profiler)] += 1
        coverage = share(sum(line["reported"] > 0 for line in reported), len(reported))
        actual = share(sum(count > 0 for count in right), len(right))
        cost = found["cost"]
        print(f"| {name} | {found['units']['all']} | {len(found['units']['unchecked'])} | {len(reported)} | {share(len(checked), len(reported))} |"
              f" {len(vary)} | {len(wrong)} | {numbers} | {coverage} / {actual} | {cost['all'] / max(cost['plain'], 0.01):.1f} |")
    print()
print("Parts of the tests that are left out: " + "; ".join(f"{name}: {note}" for name, note in notes.items() if note) + ".\n")
print("## Wrong numbers by cause\n")
print("A cause with a composed name (`mapping/…`, `counter/…`) is not understood yet.\n")
print("| cause | findings | packages |")
print("| --- | ---: | --- |")
for cause, where in sorted(causes.items(), key=lambda item: -sum(item[1].values())):
    packages_of = sorted({name for name, _ in where})
    print(f"| {cause} | {sum(where.values())} | {', '.join(packages_of)} |")

read = "reports/packages-read.toml"
if os.path.exists(read):
    found = tomllib.load(open(read, "rb"))["line"]
    judged = collections.Counter(row["judgement"] for row in found)
    print("\n## Wrong lines read by hand\n")
    print(f"`scripts/packages-draw.py` draws them by seed, at most three of one cause, package and profiler. {len(found)} lines: " +
          ", ".join(f"{number} {name}" for name, number in sorted(judged.items())) + ".\n")
    print("| package | profiler | line | counts | cause | judgement | reason |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in found:
        print(f"| {row['package']} | {row['profiler']} | {row['file']}:{row['line']} | {row['counts']} | {row['cause']} | {row['judgement']} | {row['why']} |")
others = "reports/packages-debcovdiff.toml"
if os.path.exists(others):
    table = tomllib.load(open(others, "rb"))
    print("\n## The bugs that DebCovDiff found\n")
    print(table["about"].strip() + "\n")
    outcomes = collections.Counter(row["outcome"] for row in table["bug"])
    print(", ".join(f"{number} {name}" for name, number in outcomes.most_common()) + ".\n")
    print("| bug | what | outcome | recount |")
    print("| --- | --- | --- | --- |")
    for row in table["bug"]:
        print(f"| {row['id']} | {row['what']} | {row['outcome']} | {row['recount']} |")
