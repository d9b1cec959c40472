for name in program variant; do
    build $name "$here/$name.c"
    run $name
    echo "exit status $status" >>"$work/$name/output"
done
if cmp -s "$work/program/output" "$work/variant/output"; then
    not_reproduced 'program.c and variant.c behave alike, which is right'
fi
reproduced 'program.c and variant.c differ in output or exit status, although @@why@@'
