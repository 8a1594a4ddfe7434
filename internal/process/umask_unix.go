//go:build unix

package process

import "syscall"

// EnsureOwnerAccess lets this user use what the command creates, its children included: a umask that removes
// rights from the owner would make a store that cannot be opened.
func EnsureOwnerAccess() {
	const owner, strict = 0o700, 0o077 // the system returns the umask only when a new one is set
	syscall.Umask(syscall.Umask(strict) &^ owner)
}
