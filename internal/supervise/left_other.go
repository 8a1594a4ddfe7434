//go:build !linux

package supervise

import "os/exec"

// listenForLeft listens to nothing: what a program leaves is not seen on this system.
func listenForLeft(*exec.Cmd) (left func() bool, err error) { return func() bool { return false }, nil }

// leftReporter reports nothing, for the same reason.
func leftReporter() (report func()) { return func() {} }
