#!/usr/bin/env python3
"""Replay the jobs that scripts/prove-search recorded in several orders, as a table: does the schedule of a campaign help?

Every program was checked once; here only the order changes. The orders:

- shuffled: all programs in random order, what a campaign does without a schedule
- equal time: the sources take turns, so that each has the same CPU time
- schedule: Thompson sampling in rounds of 24 programs, as in src/campaign/schedule.rs
- best first, worst first: source after source, by their root causes for each second; the best cannot be known before

usage: schedule-replay.py RUNS SOURCE...
"""
import glob
import json
import random
import re
import sys
from collections import defaultdict, deque

ROUND = 24
REPEATED = 40
STEPS = [5, 10, 20, 30, 50, 75, 100]

runs, *sources = sys.argv[1:]


class Program:
    """Its CPU time, its named root causes, and the signatures of all its open findings, from which a schedule learns."""

    def __init__(self, cpu, jobs):
        findings = [finding for job in jobs for finding in job["findings"]]
        self.cpu = cpu
        self.causes = {f["signature"] for f in findings if f["verdict"] == "wrong" and f["signature"].count("/") == 1}
        self.signatures = {f["signature"] for f in findings if f["verdict"] in ("wrong", "unexplained")}


def recorded(source):
    programs = []
    for file in sorted(glob.glob(f"{runs}/search-{source}-*-*/cpu"), key=lambda name: int(re.search(r"-(\d+)/cpu$", name)[1])):
        folder = file.removesuffix("/cpu")
        cpu = sum(map(float, open(file).read().split()))
        jobs = [json.loads(line)["job"] for line in open(f"{folder}/journal.jsonl") if '"job"' in line[:10]]
        of_program = defaultdict(list)
        for job in jobs:
            of_program[job["job"].split("|")[0]].append(job)
        programs += [Program(cpu * len(own) / len(jobs), own) for own in of_program.values()]
    return programs


def shuffled(rng):
    everything = [program for source in sources for program in programs[source]]
    rng.shuffle(everything)
    return everything


def equal_time(rng):
    queues = {source: deque(rng.sample(programs[source], len(programs[source]))) for source in sources}
    used, order = dict.fromkeys(sources, 0.0), []
    while any(queues.values()):
        source = min((source for source in sources if queues[source]), key=used.get)
        program = queues[source].popleft()
        used[source] += program.cpu
        order.append(program)
    return order


def beta(rng, a, b):
    while a + b > 64:
        a, b = -(-a // 2), -(-b // 2)
    return sorted(rng.random() for _ in range(a + b - 1))[a - 1]


def schedule(rng):
    arms = [[deque(rng.sample(programs[source], len(programs[source]))), 0, 0] for source in sources]
    order, seen, open_rounds = [], set(), deque()
    while any(left for left, *_ in arms):
        # A round is drawn when the last but one is complete.
        if len(open_rounds) > 1:
            for arm, program in open_rounds.popleft():
                is_new = not program.signatures <= seen
                seen |= program.signatures
                arm[1] += is_new
                arm[2] += not is_new
        drawn = []
        for _ in range(ROUND):
            rates = [beta(rng, new + 1, other + 1) if left else -1.0 for left, new, other in arms]
            arm = arms[rates.index(max(rates))]
            if arm[0]:
                drawn.append((arm, arm[0].popleft()))
        order += [program for _, program in drawn]
        open_rounds.append(drawn)
    return order


def by_yield(is_best_first):
    def rate(source):
        causes = set().union(*(program.causes for program in programs[source]))
        return len(causes) / sum(program.cpu for program in programs[source])

    ordered = sorted(sources, key=rate, reverse=is_best_first)
    return lambda rng: [program for source in ordered for program in rng.sample(programs[source], len(programs[source]))]


def found(order):
    """The number of root causes after each share of the time."""
    marks, counts, cpu, seen = deque(STEPS), [], 0.0, set()
    for program in order:
        cpu += program.cpu
        while marks and cpu > total * marks[0] / 100 + 1e-6:
            counts.append(len(seen))
            marks.popleft()
        seen |= program.causes
    return counts + [len(seen)] * len(marks)


programs = {source: recorded(source) for source in sources}
sources = [source for source in sources if programs[source]]
total = sum(program.cpu for source in sources for program in programs[source])
causes = set().union(*(program.causes for source in sources for program in programs[source]))
print(f"{sum(map(len, programs.values()))} programs, {total:.0f} CPU seconds, {len(causes)} named root causes; means of {REPEATED} draws:\n")
print("| order |" + "".join(f" {step} % |" for step in STEPS))
print("| --- |" + " ---: |" * len(STEPS))
orders = {"shuffled": shuffled, "equal time": equal_time, "schedule": schedule,
          "best first": by_yield(True), "worst first": by_yield(False)}
for name, order in orders.items():
    drawn = [found(order(random.Random(seed))) for seed in range(REPEATED)]
    print(f"| {name} |" + "".join(f" {sum(column) / REPEATED:.1f} |" for column in zip(*drawn)))
