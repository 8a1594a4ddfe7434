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
echo "two builds of $VERSION have the same bytes"
