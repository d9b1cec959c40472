listed='^SF:.*/p\.c$'
print_report() { "$LLVM_COV" export -format=lcov -instr-profile=p.profdata p; }
count() {
    awk -F'[,:]' -v line="$2" '
        /^SF:/ { ours = $0 ~ /\/p\.c$/ }
        ours && $1 == "DA" && $2 + 0 == line + 0 { print $3; exit }' "$work/$1/report"
}
