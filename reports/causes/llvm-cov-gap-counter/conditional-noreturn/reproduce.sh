#!/bin/sh
# llvm-cov shows 0 for a `statement` that ran, by our counters
#
# Found by recount in reports/causes/llvm-cov-conditional-noreturn/original.c, input default,
# with clang-14 (Debian clang version 14.0.6): line 5 shows 0, and 1 is right.
# Verdict: wrong, missing. Cluster: c7390ae11, llvm-cov/truth/missing/statement.
#
# Exits 0 while the finding is there, 1 when it is gone, 2 when it cannot tell.
# Set CC, LLVM_PROFDATA, LLVM_COV to try other tools.
set -u
PATH=$PATH:${RECOUNT_COMPILERS:-${XDG_DATA_HOME:-${HOME-}/.local/share}/recount/compilers}/'clang-14'/bin
[ -n "${CC-}" ] || CC='clang-14'
[ -n "${LLVM_PROFDATA-}" ] || LLVM_PROFDATA='llvm-profdata'
[ -n "${LLVM_COV-}" ] || LLVM_COV='llvm-cov-14'
tools='CC LLVM_PROFDATA LLVM_COV'

LC_ALL=C
export LC_ALL
unset CDPATH
ulimit -c 0 2>/dev/null
there() { printf 'there: %s\n' "$1"; exit 0; }
gone() { printf 'gone: %s\n' "$1"; exit 1; }
cannot() { printf 'cannot tell: %s\n' "$1"; exit 2; }

for tool in $tools; do
    eval "path=\$$tool"
    command -v "$path" >/dev/null 2>&1 || cannot "there is no $path here; set $tool to one"
done
here=$(cd -- "$(dirname -- "$0")" && pwd) || cannot 'the folder of this script is not there'
work=$(mktemp -d) || cannot 'there is no room for temporary files'
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 60'; fi

build() {
    mkdir -p "$work/$1/run" && cp "$2" "$work/$1/p.c" || cannot "$2 cannot be copied to $work"
    (cd "$work/$1" && "$CC" -O0 -fprofile-instr-generate -fcoverage-mapping p.c -o p -lm) >"$work/$1/log" 2>&1 ||
        cannot "$CC does not compile $1.c: $(awk '/error|undefined/ { print; exit }' "$work/$1/log")"
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
    [ -f "$work/$1/p.profraw" ] || cannot "$1.c left no profile"
    (cd "$work/$1" && "$LLVM_PROFDATA" merge p*.profraw -o p.profdata) >/dev/null 2>&1 ||
        cannot "$LLVM_PROFDATA reads no profile of $CC"
    (cd "$work/$1" && "$LLVM_COV" export -format=lcov -instr-profile=p.profdata p >report) 2>/dev/null ||
        cannot "$LLVM_COV reads no profile of $CC"
    grep -q '^SF:.*/p\.c$' "$work/$1/report" || cannot "$LLVM_COV has no report on $1.c"
}
count() {
    awk -F'[,:]' -v line="$2" '
        /^SF:/ { ours = $0 ~ /\/p\.c$/ }
        ours && $1 == "DA" && $2 + 0 == line + 0 { print $3; exit }' "$work/$1/report"
}

profile program
count=$(count program 5)
case $count in
    '') gone 'line 5 has no count, which claims nothing; right is 1' ;;
    1) gone "line 5 shows $count, which is right" ;;
esac
there "line 5 shows $count; right is 1"
