report() {
    [ -f "$work/$1/p.profraw" ] || unknown "$1.c left no profile"
    (cd "$work/$1" && "$LLVM_PROFDATA" merge p*.profraw -o p.profdata) >/dev/null 2>&1 ||
        unknown "$LLVM_PROFDATA reads no profile of $CC"
    (cd "$work/$1" && print_report >report) 2>/dev/null || unknown "$LLVM_COV reads no profile of $CC"
    grep -q "$listed" "$work/$1/report" || unknown "$LLVM_COV has no report on $1.c"
}
