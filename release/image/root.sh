#!/bin/sh
# Makes the file system of the image from Debian's packages, without their package manager.
#
#     release/image/root.sh FOLDER      as root, on Debian
#
# git brings what it links; git over HTTP, Perl and everything that only a person at a terminal needs stay out.
set -eu
root=${1:?name the folder}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
apt-get update >/dev/null
pcre=$(apt-cache depends git | sed -n 's/^ *Depends: \(libpcre2[^ ]*\)$/\1/p')
(cd "$work" && apt-get download libc6 zlib1g "$pcre" dash git ca-certificates >/dev/null)

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/sbin" "$root/usr/lib64" "$root/etc/ssl/certs" "$root/tmp" "$root/work" "$root/home/onward"
for name in bin lib sbin lib64; do ln -s "usr/$name" "$root/$name"; done
for package in "$work"/*.deb; do
	# Where a package has /lib, the image has a link to /usr/lib: tar follows it, and dpkg-deb would replace it.
	dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
done
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
ln -sf dash "$root/usr/bin/sh"
# Many of git's commands are one file with many names; those in a language that is not here go.
rm -rf "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/lintian" "$root/usr/share/bug" \
	"$root/usr/share/gitweb" "$root/usr/share/perl5" "$root/usr/share/bash-completion" "$root/usr/share/ca-certificates" "$root/usr/lib/git-core/mergetools" \
	"$root/var" "$root"/usr/sbin/*
rm -f "$root"/usr/lib/git-core/git-remote-http* "$root"/usr/lib/git-core/git-remote-ftp* "$root"/usr/lib/git-core/git-http-* "$root"/usr/lib/git-core/git-imap-send

echo 'onward:x:65532:65532:onward:/home/onward:/usr/bin/sh' >"$root/etc/passwd"
echo 'onward:x:65532:' >"$root/etc/group"
# A folder that is mounted belongs to somebody else.
printf '[safe]\n\tdirectory = *\n' >"$root/etc/gitconfig"
# With --user, the home and the folder are for whoever that is. Not every program that builds the image keeps an owner.
chmod 1777 "$root/tmp" "$root/work" "$root/home/onward"
