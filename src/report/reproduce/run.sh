
build() {
    mkdir -p "$work/$1/run" && cp "$2" "$work/$1/p.c" || unknown "$2 cannot be copied to $work"
    (cd "$work/$1" && @@command@@) >"$work/$1/log" 2>&1 ||
        unknown "$CC does not compile $1.c: $(awk '/error|undefined/ { print; exit }' "$work/$1/log")"
}

run() {
    for again in ''@@again@@; do
        (cd "$work/$1/run" && $limit env -i PATH=/usr/bin:/bin LC_ALL=C LLVM_PROFILE_FILE="$work/$1/p$again.profraw" \
            ../p@@args@@ <@@stdin@@ >../output)
        status=$?
    done 2>/dev/null
}
profile() {
    build "$1" "$here/$1.c"
    run "$1"
    report "$1"
}

