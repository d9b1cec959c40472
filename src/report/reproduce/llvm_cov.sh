report() {
    [ -f "$work/$1/p.profraw" ] || unknown "$1.c left no profile"
    (cd "$work/$1" && "$LLVM_PROFDATA" merge p*.profraw -o p.profdata) >/dev/null 2>&1 ||
        unknown "$LLVM_PROFDATA reads no profile of $CC"
    (cd "$work/$1" && "$LLVM_COV" export -format=lcov -instr-profile=p.profdata p >report) 2>/dev/null ||
        unknown "$LLVM_COV reads no profile of $CC"
    grep -q '^SF:.*/p\.c$' "$work/$1/report" || unknown "$LLVM_COV has no report on $1.c"
}
count() {
    awk -F'[,:]' -v line="$2" '
        /^SF:/ { ours = $0 ~ /\/p\.c$/ }
        ours && $1 == "DA" && $2 + 0 == line + 0 { print $3; exit }' "$work/$1/report"
}
