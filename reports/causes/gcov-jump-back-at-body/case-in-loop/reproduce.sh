#!/bin/sh
# the jump back of a loop without a condition has the location of the first code of the body, so a line on which other code is too shows the jumps back
#
# Found by recount in reports/causes/gcov-jump-back-at-body/case-in-loop/original.c, input default, with gcc-17 (gcc-17 (Debian 20261020-1) 17.0.0 20261020 (experimental) [trunk r17-5409-g5a4f77eb6af]).
# gcov reports 1 execution of line 4; it executes 2 times.
# Verdict: wrong, frequency. Cluster: ce0c43396, gcov/jump-back-at-body.
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
    (cd "$work/$1" && "$CC" -O0 --coverage -c p.c -o p.o && "$CC" --coverage p.o -o p -lm) >"$work/$1/log" 2>&1 ||
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

options=
report() {
    [ -f "$work/$1/p.gcda" ] || unknown "$1.c left no profile"
    # The gcov of another gcc may crash.
    { (cd "$work/$1" && "$GCOV" $options --stdout p.gcda >report 2>log); } 2>/dev/null || unknown "$GCOV reads no profile of $CC"
    if grep -q ":version '" "$work/$1/log"; then unknown "$GCOV is not the gcov of $CC"; fi
    grep -q ':Source:p\.c$' "$work/$1/report" || unknown "$GCOV has no report on $1.c"
}
count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c" }
        ours && $2 ~ /^ *[0-9]+$/ && $2 + 0 == line + 0 {
            gsub(/[ *]/, "", $1)
            if ($1 ~ /^[#=]/) print 0
            else if ($1 != "-") print $1
            exit
        }' "$work/$1/report"
}

profile program
count=$(count program 4)
case $count in
    '') not_reproduced 'line 4 has no count, which makes no claim; actual 2' ;;
    2) not_reproduced "line 4: reported $count, which is right" ;;
esac
reproduced "line 4: reported $count, actual 2"
