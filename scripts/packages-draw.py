"""Draw wrong lines from the results of scripts/prove-packages, to be read by hand: packages-draw.py DIR SEED NUMBER [READ].

The order of the draw depends on the seed and the line only, so results of more packages leave it as it is. At most three lines
of one cause, package and profiler are drawn. Prints an entry for each line that reports/packages-read.toml,
or the file READ, does not have yet, with the text around it in comments."""

import collections
import hashlib
import json
import os
import sys
import tomllib

MOST = 3
folder, seed, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
read = sys.argv[4] if len(sys.argv) > 4 else "reports/packages-read.toml"
known = set()
if os.path.exists(read):
    known = {(row["package"], row["profiler"], row["file"], row["line"]) for row in tomllib.load(open(read, "rb")).get("line", [])}

lines = []
for package in sorted(os.listdir(f"{folder}/out")):
    for name in sorted(os.listdir(f"{folder}/out/{package}")):
        if not name.endswith(".json"):
            continue
        found = json.load(open(f"{folder}/out/{package}/{name}"))
        for finding in found["findings"]:
            if finding["verdict"] != "wrong":
                continue
            for symptom in finding["symptoms"] or [{"line": finding["line"], "metric": finding["metric"]}]:
                if symptom["metric"] != "line":
                    continue
                file = found["files"][finding["file"]]
                audited = file["lines"].get(str(symptom["line"]), {})
                if audited.get("state") == "wrong":
                    place = (package, name[: -len(".json")], finding["file"], symptom["line"])
                    lines.append((place, finding["signature"], audited, file["source"]))

lines.sort(key=lambda item: hashlib.sha256(f"{seed} {item[0]}".encode()).digest())
drawn, taken, seen = [], collections.Counter(), set()
for place, cause, audited, source in lines:
    group = (cause, place[0], place[1])
    if place in seen or taken[group] == MOST or len(drawn) == number:
        continue
    seen.add(place)
    taken[group] += 1
    drawn.append((place, cause, audited, source))

for (package, profiler, file, line), cause, audited, source in sorted(drawn, key=lambda item: item[0]):
    if (package, profiler, file, line) in known:
        continue
    text = source.splitlines()
    for at in range(max(1, line - 4), min(len(text), line + 4) + 1):
        print(f"# {at}{'>' if at == line else ' '} {text[at - 1][:120]}")
    print("[[line]]")
    print(f"package = {json.dumps(package)}\nprofiler = {json.dumps(profiler)}\nfile = {json.dumps(file)}\nline = {line}")
    reported = "none" if audited["reported"] is None else audited["reported"]
    right = "none" if audited["right"] is None else audited["right"]
    print(f'cause = {json.dumps(cause)}\ncounts = "{reported} for {right}"\njudgement = ""\nwhy = ""\n')
