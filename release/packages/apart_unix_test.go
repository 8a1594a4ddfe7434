//go:build unix

package main

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// apart starts a command without the terminal of the test, so that no key reaches it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// testKey presses Ctrl-C in a terminal, which the program sees once.
func testKey(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no terminal can be had: %v", err)
	}
	defer terminal.Close()
	lines := bufio.NewScanner(terminal)
	var got []string
	for lines.Scan() {
		got = append(got, strings.TrimPrefix(lines.Text(), "^C"))
		if lines.Text() == "ready" {
			if _, err := terminal.WriteString("\x03"); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if strings.Join(got, " ") != "ready interrupt" || cmd.ProcessState.ExitCode() != 23 {
		t.Errorf("Ctrl-C made it print %q and end with %v", got, cmd.ProcessState)
	}
}
