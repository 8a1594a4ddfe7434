//go:build unix

package process

import "syscall"

// Exec replaces this program by another one. It returns only if that fails.
func Exec(path string, args, env []string) (int, error) {
	return 0, syscall.Exec(path, args, env)
}
