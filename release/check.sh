#!/bin/sh
# Builds the release of the last commit twice, from copies in two folders, and compares the bytes.
# Then it checks the contents of every archive and package, and installs the Debian package in a clean chroot. Nothing is published.
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
if ! command -v goreleaser >/dev/null; then
	echo "skipped: release: there is no goreleaser; .ci/nightly installs one" >&2
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in first second; do
	git clone -q . "$work/$copy"
	git -C "$work/$copy" remote set-url origin https://example.com/team/onward # goreleaser requires the repository of the release
	(cd "$work/$copy" && goreleaser check && goreleaser release --snapshot --clean --skip=publish,sign,sbom,docker --parallelism 1 && go run ./release/packages dist)
done
diff "$work/first/dist/checksums.txt" "$work/second/dist/checksums.txt"
diff -r "$work/first/dist/npm" "$work/second/dist/npm"
diff -r "$work/first/dist/wheels" "$work/second/dist/wheels"

# Every archive and package contains all programs, and they find each other where they can run.
cd "$work/first/dist"
programs="onward $(ls ../companion)"
for archive in onward_*.*; do
	[ -f "$archive" ] || continue # the folder that a program was built in
	case $archive in
	*.zip) list='unzip -Z1' ;;
	*.deb) list='dpkg-deb -c' ;;
	*.rpm) list='rpm -qlp' ;;
	*) list='tar -tzf' ;;
	esac
	command -v "${list%% *}" >/dev/null || { echo "skipped: $archive: there is no ${list%% *}"; continue; }
	$list "$archive" >"$work/list" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
	for program in $programs; do
		grep -Eq "/$program(\.exe)?\$" "$work/list" || { echo "$archive has no $program" >&2; exit 1; }
	done
done
for folder in npm/onward-*-*; do
	[ -s "$folder/licenses.txt" ] || { echo "$folder has programs, and no licences of what they contain" >&2; exit 1; }
done
# whole PROGRAM: an onward that runs here finds the others of its version, wherever it was installed.
whole() {
	version=$("$1" --version)
	ONWARD_STORE=$work/store "$1" doctor >"$work/doctor" || true
	version=${version#onward }
	grep -F "onward-schema, version ${version%% *}" "$work/doctor" || { cat "$work/doctor" >&2; exit 1; }
}
for here in onward_*_"$(go env GOOS)_$(go env GOARCH)".tar.gz; do
	[ -f "$here" ] || continue
	tar -xzf "$here"
	whole "$PWD/${here%.tar.gz}/onward"
	case $here in *_linux_*) "$repository/release/image/check.sh" "${here%.tar.gz}" ;; esac
done
if command -v npm >/dev/null; then
	mkdir "$work/npm"
	here=$(node -p '`${process.platform}-${process.arch}`')
	for folder in npm/onward "npm/onward-$here"; do
		(cd "$folder" && npm pack --silent --pack-destination "$work/npm")
	done
	(cd "$work/npm" && npm install --silent --offline --ignore-scripts --no-audit --no-fund --cache "$work/cache" ./*.tgz)
	whole "$work/npm/node_modules/.bin/onward"
else
	echo "skipped: npm: there is no npm"
fi
if python3 -m pip --version >/dev/null 2>&1; then
	python3 -m pip install --quiet --disable-pip-version-check --no-index --find-links wheels --pre --target "$work/python" onward
	whole "$work/python/bin/onward"
else
	echo "skipped: pip: there is no Python with pip"
fi
echo "two builds of the release have the same bytes"
architecture=$(dpkg --print-architecture 2>/dev/null || true)
if [ -n "$architecture" ]; then
	"$repository/release/deb.sh" onward_*_linux_"$architecture".deb
else
	echo "skipped: deb: there is no dpkg"
fi
