count() {
    awk -F: -v line="$2" '
        $2 ~ /^ *0$/ && $3 == "Source" { ours = $4 == "p.c" }
        ours && $2 ~ /^ *[0-9]+$/ && $2 + 0 == line + 0 {
            gsub(/[ *]/, "", $1)
            if ($1 ~ /^[#=]/) print 0
            else if ($1 != "-") print $1
            exit
        }' "$work/$1/report"
}
