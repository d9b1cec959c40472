part() { tail -c "+$1" "$here/program.c" | head -c "$2"; }
profile program
ended=$status
count=$(count program @@line@@)
if [ "$count" != 0 ]; then not_reproduced "line @@line@@: reported ${count:-no count}, actual @@actual@@"; fi
@@checks@@{
@@pieces@@    tail -c +@@rest@@ "$here/program.c"
} >"$work/trapped.c"
build trapped "$work/trapped.c"
run trapped
case $status in
    # SIGILL or SIGTRAP: the trap was reached.
    132|133) reproduced 'line @@line@@: reported 0, actual @@actual@@: a trap in its place ends the program' ;;
    "$ended") not_reproduced 'line @@line@@: reported 0, which is right: a trap in its place is never reached' ;;
esac
unknown "with a trap on line @@line@@ the program ends with status $status instead of $ended"
