#!/bin/sh
# Writes the man pages and completions of a release, and if ONWARD_VERSION names its version, the licences of what its programs contain.
#
#     release/extras.sh FOLDER [PROGRAM]
#
# PROGRAM is an onward that runs here; without it, one is built for the completions.
set -eu
out=${1:?name the folder}
program=${2:-}
cd "$(dirname "$0")/.."
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
day=$(date -u -d "@$epoch" +%F 2>/dev/null || date -u -r "$epoch" +%F)

rm -rf "$out"
mkdir -p "$out/completions"
CGO_ENABLED=0 go run -trimpath -ldflags "-X $(go list -m)/cmd.version=${ONWARD_VERSION:-dev}" ./release/man -date "$day" "$out/man"
cp companion/onward-mcp/onward-mcp.1 companion/onward-etcd/onward-etcd.1 "$out/man/"
# Without -n, gzip stores the name and the time of a file.
gzip -9 -n "$out"/man/*
if [ -z "$program" ]; then
	CGO_ENABLED=0 go build -trimpath -o "$out/onward" .
	program=$out/onward
fi
for shell in bash zsh fish powershell; do
	"$program" completion "$shell" >"$out/completions/onward.$shell"
done
rm -f "$out/onward"
[ -z "${ONWARD_VERSION:-}" ] || release/licenses.sh >"$out/licenses.txt"
