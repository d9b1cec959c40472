listed='|'
print_report() { "$LLVM_COV" show --show-mcdc -instr-profile=p.profdata p p.c; }
count() {
    awk -F'[(:]' -v line="$2" '
        /MC\/DC Decision Region \([0-9]+:/ {
            here = $2 + 0 == line + 0
            decisions += here
        }
        here && /C[0-9]+-Pair: covered/ { covered++ }
        END { if (decisions) print covered + 0 }' "$work/$1/report"
}
