#!/bin/sh
# Records what the tools of one compiler, as in gcc-12 or clang-22, print about sample.c,
# and for gcc the graphs and reports of graphs.c.
# Paths of this machine are taken out. formats.rs and replay_gcov.rs read every file that this writes.
set -eu
compiler=$1
version=${compiler##*-}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here/sample.c" "$scratch/p.c"
cd "$scratch"
case $compiler in
gcc-*)
    "$compiler" -O0 --coverage -c p.c -o p.o
    "$compiler" --coverage p.o -o p
    ./p
    "gcov-$version" --json-format --stdout --branch-probabilities p.gcda |
        sed "s|$scratch|.|g" >"$here/gcov-$version.json"
    "gcov-$version" --stdout --all-blocks p.gcda >"$here/gcov-$version.txt"
    # The graphs of another program, as a folder for each version.
    rm -f p.*
    cp "$here/graphs.c" p.c
    "$compiler" -O0 --coverage -c p.c -o p.o
    "$compiler" --coverage p.o -o p
    ./p
    mkdir -p "$here/graphs/$version"
    "gcov-$version" --json-format --stdout --branch-probabilities p.gcda |
        sed "s|$scratch|.|g" >"$here/graphs/$version/p.json"
    "gcov-$version" --stdout --all-blocks p.gcda >"$here/graphs/$version/p.txt"
    # The notes name the folder; its name is replaced by one of the same length.
    LC_ALL=C sed "s|$scratch|$(printf %s "$scratch" | tr '[:print:]' /)|g" p.gcno >"$here/graphs/$version/p.gcno"
    cp p.gcda "$here/graphs/$version/p.gcda"
    ;;
clang-*)
    "$compiler" -O0 -fprofile-instr-generate -fcoverage-mapping p.c -o p
    LLVM_PROFILE_FILE=p.profraw ./p
    "llvm-profdata-$version" merge p.profraw -o p.profdata
    export="llvm-cov-$version export -instr-profile=p.profdata p"
    $export -format=lcov | sed "s|$scratch/||g" >"$here/llvm-cov-$version.lcov"
    $export | sed "s|$scratch/||g" >"$here/llvm-cov-$version.json"
    ;;
esac
