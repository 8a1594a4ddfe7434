#!/bin/sh
# Builds every archive of a release, without any tool but Go:
#
#     release/build.sh FOLDER
#
# The version is that of the last tag, and every time in an archive is that of the last commit,
# so two builds of one commit give the same bytes on any machine; release/check.sh holds it to that.
set -eu
out=${1:?name the folder}
cd "$(dirname "$0")/.."
mkdir -p "$out"
out=$(cd "$out" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
VERSION=${VERSION:-$(git describe --tags --always 2>/dev/null | sed 's/^v//')}
export SOURCE_DATE_EPOCH CGO_ENABLED=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release/extras.sh "$work/extras"
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		name=onward_${VERSION}_${os}_$arch
		mkdir "$work/$name"
		cp -R LICENSE README.md CHANGELOG.md "$work/extras/man" "$work/extras/completions" "$work/$name"
		GOOS=$os GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 go build -trimpath -buildvcs=false \
			-ldflags "-s -w -X onward/cmd.version=$VERSION -X main.version=$VERSION" -o "$work/$name/" . ./companion/onward-schema
		GOOS=$os GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 go build -C companion/onward-mcp -trimpath -buildvcs=false \
			-ldflags "-s -w -X main.version=$VERSION" -o "$work/$name/" .
		kind=tar.gz
		[ $os = windows ] && kind=zip
		go run ./release/archive -epoch "$SOURCE_DATE_EPOCH" "$out/$name.$kind" "$work/$name"
	done
done
cd "$out"
if command -v sha256sum >/dev/null; then
	sha256sum onward_* >checksums.txt
else
	shasum -a 256 onward_* >checksums.txt
fi
cat checksums.txt
