#!/bin/sh
# an outcome that leads back to the first condition of its decision masks no other condition
#
# Found by recount in reports/causes/gcov-masking-through-back-edge/empty-loop/original.c, input default, with gcc-17 (gcc-17 (Debian 20261020-1) 17.0.0 20261020 (experimental) [trunk r17-5409-g5a4f77eb6af]).
# gcov reports 4 of the 6 outcomes of the conditions on line 4 as covered; the right number is 3.
# Verdict: wrong, spurious. Cluster: ce2865718, gcov/masking-through-back-edge.
#
# Exits 0 if the finding reproduces, 1 if it no longer does, 2 if that cannot be determined.
# Set CC, GCOV to try other tools.
set -u
PATH=$PATH:${RECOUNT_COMPILERS:-${XDG_DATA_HOME:-${HOME-}/.local/share}/recount/compilers}/gcc-17/bin
[ -n "${CC-}" ] || CC=gcc-17
[ -n "${GCOV-}" ] || GCOV=gcov-17
tools='CC GCOV'

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
    (cd "$work/$1" && "$CC" -O0 --coverage -fcondition-coverage -c p.c -o p.o && "$CC" --coverage p.o -o p -fcondition-coverage -lm) >"$work/$1/log" 2>&1 ||
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

options=--conditions
report() {
    [ -f "$work/$1/p.gcda" ] || unknown "$1.c left no profile"
    # The gcov of another gcc may crash.
    { (cd "$work/$1" && "$GCOV" $options --stdout p.gcda >report 2>log); } 2>/dev/null || unknown "$GCOV reads no profile of $CC"
    if grep -q ":version '" "$work/$1/log"; then unknown "$GCOV is not the gcov of $CC"; fi
    grep -q ':Source:p\.c$' "$work/$1/report" || unknown "$GCOV has no report on $1.c"
}
count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c"; here = 0 }
        ours && $2 ~ /^ *[0-9]+$/ { here = $2 + 0 == line + 0 }
        here && /^condition outcomes covered [0-9]+\/[0-9]+$/ {
            split($0, words, /[ \/]/)
            covered += words[4]
        }
        END { print covered + 0 }' "$work/$1/report"
}

profile program
count=$(count program 4)
case $count in
    '') not_reproduced 'covered outcomes of the conditions on line 4 has no count, which makes no claim; actual 3' ;;
    3) not_reproduced "covered outcomes of the conditions on line 4: reported $count, which is right" ;;
esac
reproduced "covered outcomes of the conditions on line 4: reported $count, actual 3"
