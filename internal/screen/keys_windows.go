package screen

import (
	"os"

	"golang.org/x/sys/windows"
)

// enterKeyMode makes a console pass on each key as it is typed and echo none.
// It returns what puts the console back, or nil if there is none.
func enterKeyMode(in *os.File) func() {
	console := windows.Handle(in.Fd())
	var before uint32
	if windows.GetConsoleMode(console, &before) != nil {
		return nil
	}
	// The arrows come as the sequences that other terminals send.
	mode := before&^(windows.ENABLE_LINE_INPUT|windows.ENABLE_ECHO_INPUT) | windows.ENABLE_VIRTUAL_TERMINAL_INPUT
	if windows.SetConsoleMode(console, mode) != nil {
		return nil
	}
	return func() { _ = windows.SetConsoleMode(console, before) }
}
