count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c" }
        /^function [^ ]+ called [0-9]+ / { split($0, words, " "); called = words[4]; functions++ }
        ours && $2 ~ /^ *[0-9]+$/ {
            if ($2 + 0 == line + 0 && functions == 1) print called
            called = functions = ""
        }' "$work/$1/report"
}
