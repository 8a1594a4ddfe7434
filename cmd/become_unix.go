//go:build unix

package cmd

import "syscall"

// become replaces this program by another one. It returns only if that fails.
func become(path string, args, env []string) (int, error) {
	return 0, syscall.Exec(path, args, env)
}
