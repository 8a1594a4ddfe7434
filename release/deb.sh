#!/bin/sh
# Installs a Debian package in a clean chroot, uses what it installed, and removes it again.
#
#     release/deb.sh PACKAGE.deb
#
# debootstrap creates the chroot from the packages of this machine's release of Debian or Ubuntu, which requires root
# and takes about half a minute. If the chroot cannot be created, this prints the reason and exits with 0.
set -eu
deb=${1:?name the package}
skip() {
	printf 'skipped: deb: %s\n' "$1"
	exit
}
# A CI machine has an unprivileged user with sudo; on any other machine this never asks for root on its own.
if [ "$(id -u)" != 0 ] && [ -n "${CI:-}" ] && sudo -n true 2>/dev/null; then
	exec sudo -n "$0" "$@"
fi
[ "$(id -u)" = 0 ] || skip "a chroot needs root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
if ! command -v debootstrap >/dev/null; then
	command -v apt-get >/dev/null || skip "there is no debootstrap"
	{ apt-get update && apt-get install -y --no-install-recommends debootstrap; } >"$work/log" 2>&1 || skip "$(tail -n 1 "$work/log")"
fi
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
debootstrap --variant=minbase "$codename" "$root" >"$work/log" 2>&1 || skip "debootstrap: $(tail -n 1 "$work/log")"

fail() {
	printf 'deb: %s\n' "$1" >&2
	exit 1
}
# Lists every file in the chroot except dpkg's records and other mounted file systems.
files() { (cd "$root" && find . -path ./var/lib/dpkg -prune -o -path ./proc -prune -o -path ./var/log -prune -o -print | sort); }
# Runs a command in an unprivileged user's shell, with a home and the usual PATH. /proc is mounted while it runs.
user() { unshare --fork --pid --mount-proc="$root/proc" chroot --userspec=1000:1000 "$root" env -i HOME=/home/user PATH=/usr/local/bin:/usr/bin:/bin sh -euc "$1"; }

mkdir "$root/home/user"
chown 1000:1000 "$root/home/user"
files >"$work/before"
cp "$deb" "$root/tmp/onward.deb"
chroot "$root" dpkg -i /tmp/onward.deb >"$work/log" 2>&1 || fail "$(cat "$work/log")"
rm "$root/tmp/onward.deb"

version=$(user 'onward --version')
version=${version#onward }
version=${version%% *}
for program in onward $(ls "$(dirname "$0")/../companion"); do
	user "$program --version" | grep -qF "$version" || fail "$program is not of version $version"
	[ -f "$root/usr/share/man/man1/$program.1.gz" ] || [ "$program" = onward-schema ] || fail "$program has no manual page"
done
user 'onward doctor' >"$work/doctor" || true
grep -qF "/usr/bin/onward-schema, version $version" "$work/doctor" || fail "$(cat "$work/doctor")"
for file in man/man7/onward-exit-codes.7.gz bash-completion/completions/onward zsh/site-functions/_onward fish/vendor_completions.d/onward.fish doc/onward/copyright; do
	[ -f "$root/usr/share/$file" ] || fail "there is no /usr/share/$file"
done
user 'cd && mkdir project && cd project && onward todo add "read the manual" && onward todo assert && exit 1; onward todo done 1 && onward todo assert' >"$work/log" ||
	fail "$(cat "$work/log")"
list=$(user 'cd ~/project && onward session path')

chroot "$root" dpkg --purge onward >"$work/log" 2>&1 || fail "$(cat "$work/log")"
files | comm -13 "$work/before" - | grep -v '^\./home/user/' >"$work/left" && fail "purging the package left $(cat "$work/left")"
files | comm -23 "$work/before" - | grep . >"$work/gone" && fail "purging the package removed $(cat "$work/gone")"
[ -s "$root/$list" ] || fail "purging the package removed the user's lists"
echo "the package of version $version was installed in a clean $codename, used, and removed without a trace"
