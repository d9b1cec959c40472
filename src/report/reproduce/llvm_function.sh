listed='^SF:.*/p\.c$'
print_report() { "$LLVM_COV" export -format=lcov -instr-profile=p.profdata p; }
count() {
    awk -v line="$2" '
        /^SF:/ { ours = $0 ~ /\/p\.c$/ }
        ours && index($0, "FN:" line ",") == 1 {
            name = substr($0, length("FN:" line ",") + 1)
            functions++
        }
        ours && /^FNDA:/ {
            split($0, fields, /[:,]/)
            if (substr($0, length("FNDA:" fields[2] ",") + 1) == name) called = fields[2]
        }
        END { if (functions == 1) print called }' "$work/$1/report"
}
