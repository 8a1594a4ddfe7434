#!/bin/sh
# Writes what a release carries beside the program: man pages and completions.
#
#     release/extras.sh FOLDER
set -eu
out=${1:?name the folder}
cd "$(dirname "$0")/.."
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
day=$(date -u -d "@$epoch" +%F 2>/dev/null || date -u -r "$epoch" +%F)

rm -rf "$out"
mkdir -p "$out/completions"
CGO_ENABLED=0 go run ./release/man -date "$day" "$out/man"
# Without -n, gzip writes the name and the time of a file.
gzip -9 -n "$out"/man/*
CGO_ENABLED=0 go build -o "$out/onward" .
for shell in bash zsh fish powershell; do
	"$out/onward" completion "$shell" >"$out/completions/onward.$shell"
done
rm "$out/onward"
