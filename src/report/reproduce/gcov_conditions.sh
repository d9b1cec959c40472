count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c"; here = 0 }
        ours && $2 ~ /^ *[0-9]+$/ { here = $2 + 0 == line + 0 }
        here && /^condition outcomes covered [0-9]+\/[0-9]+$/ {
            split($0, words, /[ \/]/)
            covered += words[4]
        }
        END { print covered + 0 }' "$work/$1/report"
}
