listed='"filename":"[^"]*/p\.c"'
print_report() { "$LLVM_COV" export -instr-profile=p.profdata p; }
count() {
    # Of a region: the lines and columns of its beginning and end, its count, two files, and its kind, 0 for code.
    tr '[]' '\n\n' <"$work/$1/report" | awk -F, -v line="$2" '
        NF == 8 && $1 == line && $8 == 0 { sum += $5; found = 1 }
        END { if (found) printf "%.0f\n", sum }'
}
