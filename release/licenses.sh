#!/bin/sh
# Prints the licences of what the programs of a release contain besides onward: Go's own library, and each module.
#
#     release/licenses.sh >FILE
#
# A module without a licence file fails the release.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
modules() {
	for system in linux darwin windows; do
		GOOS=$system GOARCH=amd64 CGO_ENABLED=0 go -C "$1" list -deps -f '{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' "$2" "$3"
	done
}
list=$(mktemp)
trap 'rm -f "$list" "$list.files"' EXIT
{
	modules . . ./companion/onward-schema
	modules companion/onward-mcp . .
	modules companion/onward-etcd . .
	printf 'go %s %s\n' "$(go env GOVERSION)" "$(go env GOROOT)"
} >"$list"
sort -u "$list" | while read -r path version folder; do
	[ -n "$path" ] || continue
	find "$folder" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort >"$list.files"
	[ -s "$list.files" ] || { echo "licenses: $path $version has no licence file" >&2; exit 1; }
	while read -r file; do
		printf '%s %s, %s\n\n' "$path" "$version" "${file##*/}"
		cat "$file"
		printf '\n----\n\n'
	done <"$list.files"
done
