report() {
    [ -f "$work/$1/p.gcda" ] || unknown "$1.c left no profile"
    # The gcov of another gcc may crash.
    { (cd "$work/$1" && "$GCOV" $options --stdout p.gcda >report 2>log); } 2>/dev/null || unknown "$GCOV reads no profile of $CC"
    if grep -q ":version '" "$work/$1/log"; then unknown "$GCOV is not the gcov of $CC"; fi
    grep -q ':Source:p\.c$' "$work/$1/report" || unknown "$GCOV has no report on $1.c"
}
