#!/usr/bin/env python3
"""The tables and the plot of reports/search.md, from the runs of scripts/prove-search.

usage: search-tables.py RUNS PLOT.svg SOURCE...
"""
import glob
import json
import re
import sys
import tomllib
from collections import defaultdict

runs, plot, *sources = sys.argv[1:]
known = {entry["signature"]: entry for entry in tomllib.load(open("configs/known.toml", "rb"))["known"]
         if entry["verdict"] == "wrong"}


class Slice:
    def __init__(self, folder):
        self.cpu = sum(map(float, open(f"{folder}/cpu").read().split()))
        self.jobs = [json.loads(line)["job"] for line in open(f"{folder}/journal.jsonl") if '"job"' in line[:10]]

    def wrong(self):
        for job in self.jobs:
            for finding in job["findings"]:
                if finding["verdict"] == "wrong":
                    yield finding["signature"]


def slices_of(source, seed):
    """The complete slices of a source and a seed, in order."""
    folders = glob.glob(f"{runs}/search-{source}-{seed}-*/cpu")
    return [Slice(folder[:-4]) for folder in sorted(folders, key=lambda name: int(re.search(r"-(\d+)/cpu$", name)[1]))]


def is_named(signature):
    """Whether a root cause was named, and is not only described by its place."""
    return signature.count("/") == 1


data = {}
for source in sources:
    seeds = sorted({int(re.search(r"-(\d+)-\d+/cpu$", name)[1]) for name in glob.glob(f"{runs}/search-{source}-*-*/cpu")})
    for seed in seeds:
        data[source, seed] = slices_of(source, seed)

print("| source | seed | CPU seconds | programs | profiled | wrong findings | named root causes | per CPU minute | places without a name |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
found = defaultdict(set)
for (source, seed), slices in data.items():
    cpu = sum(part.cpu for part in slices)
    jobs = [job for part in slices for job in part.jobs]
    wrong = [signature for part in slices for signature in part.wrong()]
    named = {signature for signature in wrong if is_named(signature)}
    found[source] |= set(wrong)
    profiled = sum(job["outcome"]["is"] == "profiled" for job in jobs)
    print(f"| {source} | {seed} | {cpu:.0f} | {len({job['program'] for job in jobs})} | {profiled} | {len(wrong)} | {len(named)}"
          f" | {60 * len(named) / max(cpu, 1):.1f} | {len(set(wrong)) - len(named)} |")

print("\nNamed root causes found after a share of the CPU time:\n")
steps = [10, 20, 40, 60, 80, 100]
print("| source | seed |" + "".join(f" {step} % |" for step in steps))
print("| --- | ---: |" + " ---: |" * len(steps))
curves = {}
for key, slices in data.items():
    seen, cpu, curve = set(), 0.0, [(0.0, 0)]
    for part in slices:
        # The CPU time of a slice is divided equally among its jobs.
        for job in part.jobs:
            cpu += part.cpu / len(part.jobs)
            seen |= {f["signature"] for f in job["findings"] if f["verdict"] == "wrong" and is_named(f["signature"])}
            curve.append((cpu, len(seen)))
    curves[key] = curve
    cells = [max(count for at, count in curve if at <= cpu * step / 100 + 1e-6) for step in steps]
    print(f"| {key[0]} | {key[1]} |" + "".join(f" {cell} |" for cell in cells))

print("\nKnown root causes (`configs/known.toml`) and the sources that found them:\n")
print("| root cause | status | " + " | ".join(sources) + " |")
print("| --- | --- |" + " --- |" * len(sources))
for signature, entry in sorted(known.items()):
    cells = ["found" if signature in found[source] else "" for source in sources]
    print(f"| `{signature}` | {entry['status']} | " + " | ".join(cells) + " |")
print("\nOf " + str(len(known)) + ": " + ", ".join(f"{source} {len(known.keys() & found[source])}" for source in sources) + ".")

# The plot: one line for each source and seed.
width, height, margin = 720, 400, 50
longest = max((curve[-1][0] for curve in curves.values()), default=1) or 1
most = max((curve[-1][1] for curve in curves.values()), default=1) or 1
colours = ["#1b6ac9", "#c9521b", "#2a8f3c", "#8f2a86", "#7a6a1b"]
with open(plot, "w") as out:
    out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n')
    out.write(f'<rect width="{width}" height="{height}" fill="white"/>\n')
    bottom, right = height - margin, width - margin
    out.write(f'<path d="M{margin} {margin}V{bottom}H{right}" fill="none" stroke="black"/>\n')
    out.write(f'<text x="{width // 2}" y="{height - 12}" text-anchor="middle">CPU seconds (0 to {longest:.0f})</text>\n')
    out.write(f'<text x="{margin}" y="{margin - 12}">named root causes (0 to {most})</text>\n')
    for (source, seed), curve in curves.items():
        colour = colours[sources.index(source) % len(colours)]
        path, level = f"M{margin} {bottom}", 0
        for at, count in curve:
            if count != level:
                x = margin + (right - margin) * at / longest
                path, level = f"{path}H{x:.1f}V{bottom - (bottom - margin) * count / most:.1f}", count
        end = margin + (right - margin) * curve[-1][0] / longest
        out.write(f'<path d="{path}H{end:.1f}" fill="none" stroke="{colour}" stroke-width="2"/>\n')
    for index, source in enumerate(sources):
        colour = colours[index % len(colours)]
        out.write(f'<text x="{right - 90}" y="{bottom - 20 - 16 * index}" fill="{colour}">{source}</text>\n')
    out.write("</svg>\n")
