listed='^SF:.*/p\.c$'
print_report() { "$LLVM_COV" export -format=lcov -instr-profile=p.profdata p; }
count() {
    awk -F'[,:]' -v line="$2" '
        /^SF:/ { ours = $0 ~ /\/p\.c$/ }
        ours && $1 == "BRDA" && $2 + 0 == line + 0 { taken += $5; found = 1 }
        END { if (found) print taken }' "$work/$1/report"
}
