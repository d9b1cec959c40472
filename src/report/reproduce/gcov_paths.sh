count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c" }
        /^paths covered [0-9]+ of [0-9]+$/ { split($0, words, " "); covered += words[3]; functions++ }
        ours && $2 ~ /^ *[0-9]+$/ {
            if ($2 + 0 == line + 0 && functions) print covered
            covered = functions = 0
        }' "$work/$1/report"
}
