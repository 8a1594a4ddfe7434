#!/bin/sh
# Installs onward's programs, man pages and completions from a release, for one user. It never asks for root.
#
#     sh install.sh [--to FOLDER] [--version 1.2.3] [--from URL]     FOLDER is ~/.local/bin unless named
#     sh install.sh --uninstall [--to FOLDER]
#
# The archive must have the checksum that the release lists. If cosign is installed, the list must be signed by the project's
# release workflow. Nothing in FOLDER changes before everything was checked.
# The shell reads all of { … } before it runs any of it, so a download of this script that was cut off does nothing.
{
set -eu
home=onward # release/set-home changes it; a single word is not an address
programs="onward onward-schema onward-mcp onward-etcd"

fail() {
	code=$1
	shift
	printf 'install: %s\n' "$@" >&2
	exit "$code"
}

to=${HOME:-}/.local/bin
version=
from=https://$home/releases
case $home in */*) ;; *) from= ;; esac
uninstall=
while [ $# -gt 0 ]; do
	case $1 in
	--to | --version | --from)
		[ $# -gt 1 ] || fail 64 "$1 needs a value"
		case $1 in
		--to) to=$2 ;;
		--version) version=${2#v} ;;
		--from) from=${2%/} ;;
		esac
		shift 2
		;;
	--uninstall)
		uninstall=1
		shift
		;;
	*) fail 64 "unknown argument $1" 'hint: sh install.sh [--to FOLDER] [--version 1.2.3] [--from URL], or --uninstall' ;;
	esac
done
case $to in
/.local/bin) fail 78 'HOME is not set' 'hint: name the folder with --to' ;;
/*) ;;
*) to=$PWD/$to ;;
esac

# Man pages and completions go next to a folder called bin, where man, bash and fish look for them.
share=
case $to in */bin) share=${to%/bin}/share ;; esac

if [ -n "$uninstall" ]; then
	for name in $programs; do rm -f "$to/$name"; done
	if [ -n "$share" ]; then
		rm -f "$share"/man/man[17]/onward.[17].gz "$share"/man/man[17]/onward-*.[17].gz "$share/bash-completion/completions/onward" \
			"$share/zsh/site-functions/_onward" "$share/fish/vendor_completions.d/onward.fish"
	fi
	echo "removed onward from $to; your lists stay in ${XDG_STATE_HOME:-$HOME/.local/state}/onward"
	exit
fi

[ -n "$from" ] || fail 78 'this copy of the script does not know where releases are' 'hint: name the page of the releases with --from URL'

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) fail 66 'this script is for Linux and macOS' 'hint: on Windows use Scoop or winget, or unpack the .zip of the release' ;;
*) fail 66 "there is no release for $(uname -s), only for Linux, macOS and Windows" 'hint: build onward from source, with Go' ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail 66 "there is no release for a $(uname -m) processor, only for x86-64 and ARM64" 'hint: build onward from source, with Go' ;;
esac
# A shell under Rosetta takes the machine for an older one.
if [ "$os/$arch" = darwin/amd64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi

# A release comes by HTTPS, also after a redirect, unless --from names another kind of address.
case $from in
http://*) protocols='=http,https' ;;
file://*) protocols='=file' ;;
*) protocols='=https' ;;
esac

# fetch URL FILE
if command -v curl >/dev/null; then
	fetch() { curl --proto "$protocols" -fsSL --retry 2 -o "$2" "$1"; }
elif command -v wget >/dev/null; then
	fetch() { wget -q -O "$2" "$1"; }
else
	fail 66 'there is neither curl nor wget' 'hint: install one of them'
fi
if command -v sha256sum >/dev/null; then
	sum() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null; then
	sum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
	fail 66 'there is neither sha256sum nor shasum, so the download cannot be checked' 'hint: install one of them'
fi

mkdir -p "$to" 2>/dev/null && work=$(mktemp -d "$to/.onward-install.XXXXXX" 2>/dev/null) ||
	fail 77 "you may not write to $to" 'hint: name a folder of yours with --to; root is not needed'
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

place=$from/latest/download
[ -z "$version" ] || place=$from/download/v$version
fetch "$place/checksums.txt" "$work/checksums.txt" || fail 74 "the list of checksums cannot be had from $place/checksums.txt"
# A line is the checksum, two spaces, and the name of a file, which has the version in it.
line=$(grep "^[0-9a-f]\{64\}  onward_[0-9A-Za-z.+-]*_${os}_$arch\.tar\.gz\$" "$work/checksums.txt") || fail 66 "the release has no archive for $os on $arch"
archive=${line#*  }
version=${archive#onward_}
version=${version%"_${os}_$arch.tar.gz"}
place=$from/download/v$version

# Only a copy of this script that knows the project's address knows whose signature it must be.
if [ "$home" != "${home#*/}" ] && command -v cosign >/dev/null; then
	fetch "$place/checksums.txt.sigstore.json" "$work/signature" || fail 65 'the release is not signed: its checksums have no signature'
	cosign verify-blob --new-bundle-format --bundle "$work/signature" --certificate-oidc-issuer https://token.actions.githubusercontent.com \
		--certificate-identity-regexp "^https://$(printf %s "$home" | sed 's/[.]/[.]/g')/\.github/workflows/release\.yml@" "$work/checksums.txt" >"$work/cosign" 2>&1 ||
		fail 65 "the signature of the checksums is wrong: $(tail -n 1 "$work/cosign")" 'nothing was installed'
fi

fetch "$place/$archive" "$work/$archive" || fail 74 "the archive cannot be had from $place/$archive"
[ "$(sum "$work/$archive")" = "${line%% *}" ] || fail 65 "$archive does not have the checksum of the release" 'nothing was installed; try again, and report it if it happens again'
tar -xzf "$work/$archive" -C "$work" || fail 65 "$archive cannot be unpacked"
new=$work/${archive%.tar.gz}
"$new/onward" --version >"$work/version" 2>&1 || fail 65 "the program does not run here: $(tail -n 1 "$work/version")" 'nothing was installed'

# onward comes last: if this is stopped in between, the old one says that the others are of another version.
for name in onward-schema onward-mcp onward-etcd onward; do
	mv -f "$new/$name" "$to/$name" || fail 74 "$to/$name cannot be written"
done
if [ -n "$share" ] && mkdir -p "$share/man/man1" "$share/man/man7" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d" 2>/dev/null; then
	cp "$new"/man/*.1.gz "$share/man/man1/"
	cp "$new"/man/*.7.gz "$share/man/man7/"
	cp "$new/completions/onward.bash" "$share/bash-completion/completions/onward"
	cp "$new/completions/onward.zsh" "$share/zsh/site-functions/_onward"
	cp "$new/completions/onward.fish" "$share/fish/vendor_completions.d/onward.fish"
fi
echo "installed onward $version into $to"
case :$PATH: in
*:"$to":*) ;;
*) echo "add it to your PATH: export PATH=\"$to:\$PATH\"" ;;
esac
echo 'next: onward hooks install claude --allow'
exit
}
