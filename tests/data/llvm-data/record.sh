#!/bin/sh
# Records the data of the program in this folder, and llvm-cov's report on two runs of it, for the clang with the path $1,
# as in .../bin/clang-22. Its tools are next to it. tests/replay_llvm_cov.rs reads every folder that this writes.
set -eu
compiler=$1
version=${compiler##*-}
tools=$(dirname "$compiler")
here=$(cd "$(dirname "$0")" && pwd)
out=$here/clang-$version
# The paths of sources are part of the data, so the folder has the same name on every machine.
scratch=/tmp/sample
mkdir "$scratch"
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.[ch] "$scratch"
cd "$scratch"
mkdir -p "$out"
# Only p.c emits `twice`.
"$compiler" -std=gnu99 -O0 -fprofile-instr-generate -fcoverage-mapping -c p.c
"$compiler" -std=gnu99 -O0 -fprofile-instr-generate -fcoverage-mapping -c q.c
"$compiler" -fprofile-instr-generate p.o q.o -o p
LLVM_PROFILE_FILE=$out/1.profraw ./p
LLVM_PROFILE_FILE=$out/2.profraw ./p argument
"$tools/llvm-profdata-$version" merge "$out/1.profraw" "$out/2.profraw" -o p.profdata
export="$tools/llvm-cov-$version export -instr-profile=p.profdata p"
$export -format=lcov >"$out/report.lcov"
$export >"$out/report.json"
objcopy --strip-all -j __llvm_covmap -j __llvm_covfun -j __llvm_prf_names p "$out/program" 2>/dev/null
