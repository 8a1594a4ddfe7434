#!/bin/sh
# Builds the release of the last commit twice, from copies in two folders, and compares the bytes. Nothing is published.
set -eu
cd "$(dirname "$0")/.."
if ! command -v goreleaser >/dev/null; then
	echo "skipped: release: there is no goreleaser; go install github.com/goreleaser/goreleaser/v2@v2.15.0" >&2
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in first second; do
	git clone -q . "$work/$copy"
	git -C "$work/$copy" remote set-url origin https://github.com/onward/onward # it wants to know where it would publish
	(cd "$work/$copy" && goreleaser check && goreleaser release --snapshot --clean --skip=publish,sign,sbom --parallelism 1)
done
diff "$work/first/dist/checksums.txt" "$work/second/dist/checksums.txt"

# Every archive has all programs, and where they run they know each other.
cd "$work/first/dist"
for archive in onward_*.tar.gz onward_*.zip; do
	for program in onward onward-schema onward-mcp; do
		case $archive in
		*.zip) unzip -l "$archive" ;;
		*) tar -tzf "$archive" ;;
		esac | grep -Eq "/$program(\.exe)?\$" || { echo "$archive has no $program" >&2; exit 1; }
	done
done
for here in onward_*_"$(go env GOOS)_$(go env GOARCH)".tar.gz; do
	[ -f "$here" ] || continue
	tar -xzf "$here"
	program=$PWD/${here%.tar.gz}/onward
	version=$("$program" --version)
	ONWARD_STORE=$work/store "$program" doctor >"$work/doctor" || true
	version=${version#onward }
	grep -F "onward-schema, version ${version%% *}" "$work/doctor" || { cat "$work/doctor" >&2; exit 1; }
done
echo "two builds of the release have the same bytes"
