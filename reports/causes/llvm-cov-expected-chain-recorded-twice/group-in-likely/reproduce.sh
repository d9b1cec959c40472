#!/bin/sh
# the conditions of a chain in __builtin_expect that is a part of a decision are recorded, and then the value of the chain again as the first of them, so the index of the test vector is wrong if it was false: the vector is lost, or a later decision gets it
#
# Found by recount in reports/causes/llvm-cov-expected-chain-recorded-twice/group-in-likely/original.c, input default, with clang-24 (Debian clang version 24.0.0 (++20261025103442+7e3c57157096-1~exp1)).
# llvm-cov reports 0 of the 4 conditions on line 2 as covered; the right number is 1.
# Verdict: wrong, missing. Cluster: c1ae425c9, llvm-cov/expected-chain-recorded-twice.
#
# Exits 0 if the finding reproduces, 1 if it no longer does, 2 if that cannot be determined.
# Set CC, LLVM_PROFDATA, LLVM_COV to try other tools.
set -u
PATH=$PATH:${RECOUNT_COMPILERS:-${XDG_DATA_HOME:-${HOME-}/.local/share}/recount/compilers}/clang-24/bin
[ -n "${CC-}" ] || CC=clang-24
[ -n "${LLVM_PROFDATA-}" ] || LLVM_PROFDATA=llvm-profdata-24
[ -n "${LLVM_COV-}" ] || LLVM_COV=llvm-cov-24
tools='CC LLVM_PROFDATA LLVM_COV'

LC_ALL=C
export LC_ALL
unset CDPATH
ulimit -c 0 2>/dev/null
reproduced() { printf 'reproduced: %s\n' "$1"; exit 0; }
not_reproduced() { printf 'not reproduced: %s\n' "$1"; exit 1; }
unknown() { printf 'unknown: %s\n' "$1"; exit 2; }

for tool in $tools; do
    eval "path=\$$tool"
    command -v "$path" >/dev/null 2>&1 || unknown "$path is not installed; set $tool to one that is"
done
here=$(cd -- "$(dirname -- "$0")" && pwd) || unknown 'the folder of this script does not exist'
work=$(mktemp -d) || unknown 'failed to create a temporary folder'
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 60'; fi

build() {
    mkdir -p "$work/$1/run" && cp "$2" "$work/$1/p.c" || unknown "$2 cannot be copied to $work"
    (cd "$work/$1" && "$CC" -O0 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc p.c -o p -lm) >"$work/$1/log" 2>&1 ||
        unknown "$CC does not compile $1.c: $(awk '/error|undefined/ { print; exit }' "$work/$1/log")"
}

run() {
    for again in ''; do
        (cd "$work/$1/run" && $limit env -i PATH=/usr/bin:/bin LC_ALL=C LLVM_PROFILE_FILE="$work/$1/p$again.profraw" \
            ../p </dev/null >../output)
        status=$?
    done 2>/dev/null
}
profile() {
    build "$1" "$here/$1.c"
    run "$1"
    report "$1"
}

report() {
    [ -f "$work/$1/p.profraw" ] || unknown "$1.c left no profile"
    (cd "$work/$1" && "$LLVM_PROFDATA" merge p*.profraw -o p.profdata) >/dev/null 2>&1 ||
        unknown "$LLVM_PROFDATA reads no profile of $CC"
    (cd "$work/$1" && print_report >report) 2>/dev/null || unknown "$LLVM_COV reads no profile of $CC"
    grep -q "$listed" "$work/$1/report" || unknown "$LLVM_COV has no report on $1.c"
}
listed='|'
print_report() { "$LLVM_COV" show --show-mcdc -instr-profile=p.profdata p p.c; }
count() {
    awk -F'[(:]' -v line="$2" '
        /MC\/DC Decision Region \([0-9]+:/ {
            here = $2 + 0 == line + 0
            decisions += here
        }
        here && /C[0-9]+-Pair: covered/ { covered++ }
        END { if (decisions) print covered + 0 }' "$work/$1/report"
}

profile program
count=$(count program 2)
case $count in
    '') not_reproduced 'covered conditions on line 2 has no count, which makes no claim; actual 1' ;;
    1) not_reproduced "covered conditions on line 2: reported $count, which is right" ;;
esac
reproduced "covered conditions on line 2: reported $count, actual 1"
