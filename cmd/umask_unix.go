//go:build unix

package cmd

import "syscall"

// keepOwnFiles lets this user use what the command makes, its children included: a umask that takes
// rights from the owner would make a store that cannot be opened.
func keepOwnFiles() {
	const owner, strict = 0o700, 0o077 // the system returns the umask only when a new one is set
	syscall.Umask(syscall.Umask(strict) &^ owner)
}
