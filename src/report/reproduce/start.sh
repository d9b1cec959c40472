LC_ALL=C
export LC_ALL
unset CDPATH
ulimit -c 0 2>/dev/null
reproduced() { printf 'reproduced: %s\n' "$1"; exit 0; }
not_reproduced() { printf 'not reproduced: %s\n' "$1"; exit 1; }
unknown() { printf 'unknown: %s\n' "$1"; exit 2; }

for tool in $tools; do
    eval "path=\$$tool"
    command -v "$path" >/dev/null 2>&1 || unknown "$path is not installed; set $tool to one that is"
done
here=$(cd -- "$(dirname -- "$0")" && pwd) || unknown 'the folder of this script does not exist'
work=$(mktemp -d) || unknown 'failed to create a temporary folder'
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 60'; fi
