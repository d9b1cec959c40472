#!/bin/sh
# gcov shows 0 for a `statement` that ran, by our counters
#
# Found by recount in reports/causes/gcov-check-owns-line/original.c, input default,
# with gcc-12 (gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0): line 2 shows 0, and 1 is right.
# Verdict: wrong, missing. Cluster: cf4981f52, gcov/truth/missing/statement.
#
# Exits 0 while the finding is there, 1 when it is gone, 2 when it cannot tell.
# Set CC, GCOV to try other tools.
set -u
PATH=$PATH:${RECOUNT_COMPILERS:-${XDG_DATA_HOME:-${HOME-}/.local/share}/recount/compilers}/'gcc-12'/bin
[ -n "${CC-}" ] || CC='gcc-12'
[ -n "${GCOV-}" ] || GCOV='gcov-12'
tools='CC GCOV'

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
    (cd "$work/$1" && "$CC" -O0 --coverage '-fsanitize=undefined' -c p.c -o p.o && "$CC" --coverage p.o -o p '-fsanitize=undefined' -lm) >"$work/$1/log" 2>&1 ||
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

options=
report() {
    [ -f "$work/$1/p.gcda" ] || cannot "$1.c left no profile"
    # The gcov of another gcc may crash.
    { (cd "$work/$1" && "$GCOV" $options --stdout p.gcda >report 2>log); } 2>/dev/null || cannot "$GCOV reads no profile of $CC"
    if grep -q ":version '" "$work/$1/log"; then cannot "$GCOV is not the gcov of $CC"; fi
    grep -q ':Source:p\.c$' "$work/$1/report" || cannot "$GCOV has no report on $1.c"
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
count=$(count program 2)
case $count in
    '') gone 'line 2 has no count, which claims nothing; right is 1' ;;
    1) gone "line 2 shows $count, which is right" ;;
esac
there "line 2 shows $count; right is 1"
