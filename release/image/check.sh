#!/bin/sh
# Takes the steps of the Dockerfile without Docker, and uses what they make, in a chroot.
#
#     release/image/check.sh FOLDER     which has the programs for this machine
#
# It needs root and Debian's packages; without them, it prints the reason and exits with 0.
set -eu
programs=$(cd "${1:?name the folder with the programs}" && pwd)
skip() {
	printf 'skipped: image: %s\n' "$1"
	exit
}
[ "$(id -u)" = 0 ] || skip "a chroot needs root"
command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || skip "there are no packages of Debian"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir "$root"
sh "$(dirname "$0")/root.sh" "$root" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for name in onward onward-schema onward-mcp onward-etcd; do cp "$programs/$name" "$root/usr/bin/"; done

# user COMMAND runs as the image does: its user, its home, its folder, and nothing of this machine. The store is in the home.
user() {
	unshare --fork --pid --mount sh -euc '
		mkdir -p "$1/proc" "$1/dev"
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		exec chroot --userspec=65532:65532 "$1" /usr/bin/sh -euc "export HOME=/home/onward PATH=/usr/bin; cd /work; $2"
	' sh "$root" "$1"
}
fail() {
	printf 'image: %s\n' "$1" >&2
	cat "$work/log" >&2
	exit 1
}
user 'onward --version && onward-mcp --version && onward-etcd --version && git --version' >"$work/log" 2>&1 || fail "a program does not run"
user 'git init -q . && onward hooks install git && onward todo add "read the manual" && onward set gate "test -f proof"' >"$work/log" 2>&1 || fail "a list, a git hook or a gate cannot be made"
user 'onward todo assert' >"$work/log" 2>&1 && fail "an open item passes"
user 'onward todo done 1; onward todo assert' >"$work/log" 2>&1 && fail "a gate that fails passes"
user ': >proof; onward todo assert' >"$work/log" 2>&1 || fail "a gate that passes fails"
user 'git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m first && git worktree add -q ../tmp/tree && git status --short' >"$work/log" 2>&1 || fail "git does not work"
user 'command -v cat || command -v perl || command -v dpkg' >"$work/log" 2>&1 && fail "there is more in it than was meant"
size=$(du -sm "$root" | cut -f 1)
echo "the image works without Docker, with $size MB"
