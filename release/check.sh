#!/bin/sh
# Builds a release twice, the second time from a copy in another folder, and compares the bytes.
set -eu
cd "$(dirname "$0")/.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
VERSION=${VERSION:-$(git describe --tags --always | sed 's/^v//')}
export SOURCE_DATE_EPOCH VERSION

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/copy"
git ls-files -z --cached --others --exclude-standard | tar --null -cf - -T - | tar -xf - -C "$work/copy"
release/build.sh "$work/first"
"$work/copy/release/build.sh" "$work/second" >/dev/null
diff -r "$work/first" "$work/second"

# Every archive has the three programs, and where they run they know each other.
for archive in "$work"/first/onward_*.tar.gz; do
	for program in onward onward-schema onward-mcp; do
		tar -tzf "$archive" | grep -q "/$program\$" || { echo "$archive has no $program" >&2; exit 1; }
	done
done
for archive in "$work"/first/onward_*.zip; do
	for program in onward.exe onward-schema.exe onward-mcp.exe; do
		unzip -l "$archive" | grep -q "/$program\$" || { echo "$archive has no $program" >&2; exit 1; }
	done
done
here=onward_${VERSION}_$(go env GOOS)_$(go env GOARCH)
if [ -f "$work/first/$here.tar.gz" ]; then
	tar -xzf "$work/first/$here.tar.gz" -C "$work"
	ONWARD_STORE=$work/store "$work/$here/onward" doctor >"$work/doctor" || true
	grep -F "onward-schema, version $VERSION" "$work/doctor" || { cat "$work/doctor" >&2; exit 1; }
fi
echo "two builds of $VERSION have the same bytes"
