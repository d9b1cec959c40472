count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c"; here = 0 }
        ours && $2 ~ /^ *[0-9]+$/ { here = $2 + 0 == line + 0 }
        here && /^branch +[0-9]+ (taken [0-9]+|never executed)/ {
            split($0, words, / +/)
            taken += words[4]
            found = 1
        }
        END { if (found) print taken }' "$work/$1/report"
}
