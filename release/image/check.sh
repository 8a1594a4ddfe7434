#!/bin/sh
# Builds the image with buildah, and uses it. Nothing comes from a registry: what Debian's image is for is done here.
#
#     release/image/check.sh FOLDER     which has the programs for this machine
#
# It needs root, buildah and Debian's packages; without them, it prints the reason and exits with 0.
set -eu
programs=$(cd "${1:?name the folder with the programs}" && pwd)
cd "$(dirname "$0")"
skip() {
	printf 'skipped: image: %s\n' "$1"
	exit
}
[ "$(id -u)" = 0 ] || skip "a chroot needs root"
command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || skip "there are no packages of Debian"
command -v buildah >/dev/null || skip "there is no buildah"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
with() {
	command=$1
	shift
	buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$command" "$@"
}
# user COMMAND runs as the image says: its user, its home, its folder, and nothing of this machine. The store is in the home.
user() { with run --isolation chroot "$container" -- /usr/bin/sh -euc "$1"; }
fail() {
	printf 'image: %s\n' "$1" >&2
	cat "$work/log" >&2
	exit 1
}
mkdir "$work/context"
sh root.sh "$work/context/image" >"$work/log" 2>&1 || fail "the packages cannot be unpacked"
cp -R "$programs" "$work/context/programs"
sed -e 's/^FROM debian:.* AS root$/FROM scratch AS root/' -e 's#^COPY .*/root\.sh .*#COPY image /image#' -e '/^RUN sh /d' Dockerfile >"$work/context/Dockerfile"
with build --isolation chroot --build-arg TARGETPLATFORM=programs -t onward "$work/context" >"$work/log" 2>&1 || fail "it cannot be built"
container=$(with from onward)
[ "$(with run --isolation chroot "$container" -- sh -c 'echo "$HOME $PWD"')" = '/home/onward /work' ] || fail "its home or its folder is another one"
[ "$(with inspect --format '{{index .OCIv1.Config.Entrypoint 0}}' "$container")" = /usr/bin/onward ] || fail "it starts another program"
user 'onward --version && onward-mcp --version && onward-etcd --version && git --version' >"$work/log" 2>&1 || fail "a program does not run"
user 'git init -q . && onward hooks install git && onward todo add "read the manual" && onward set gate "test -f proof"' >"$work/log" 2>&1 || fail "a list, a git hook or a gate cannot be made"
user 'onward todo assert' >"$work/log" 2>&1 && fail "an open item passes"
user 'onward todo done 1; onward todo assert' >"$work/log" 2>&1 && fail "a gate that fails passes"
user ': >proof; onward todo assert' >"$work/log" 2>&1 || fail "a gate that passes fails"
user 'git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m first && git worktree add -q ../tmp/tree && git status --short' >"$work/log" 2>&1 || fail "git does not work"
user 'command -v cat || command -v perl || command -v dpkg' >"$work/log" 2>&1 && fail "there is more in it than was meant"
size=$(du -sm "$(with mount "$container")" | cut -f 1)
echo "the image works, with $size MB"
