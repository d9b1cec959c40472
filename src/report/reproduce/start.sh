LC_ALL=C
export LC_ALL
unset CDPATH
ulimit -c 0 2>/dev/null
there() { printf 'there: %s\n' "$1"; exit 0; }
gone() { printf 'gone: %s\n' "$1"; exit 1; }
cannot() { printf 'cannot tell: %s\n' "$1"; exit 2; }

for tool in $tools; do
    eval "path=\$$tool"
    command -v "$path" >/dev/null 2>&1 || cannot "there is no $path here; set $tool to one"
done
here=$(cd -- "$(dirname -- "$0")" && pwd) || cannot 'the folder of this script is not there'
work=$(mktemp -d) || cannot 'there is no room for temporary files'
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 60'; fi
