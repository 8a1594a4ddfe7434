package torture

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// measure as the first argument makes the test program run its other arguments as a command.
const measure = "measure"

func init() {
	if len(os.Args) > 2 && os.Args[1] == measure {
		os.Exit(measured(os.Args[2:]))
	}
}

// measured runs a command and prints its peak memory in kilobytes to standard error.
// This needs a process of its own: Linux charges a new process with the memory of the one that started it,
// and the tests themselves may have used far more than the command.
func measured(words []string) int {
	c := exec.Command(words[0], words[1:]...)
	c.Stdin = os.Stdin
	if said, err := c.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s\n", err, said)
		return 1
	}
	fmt.Fprintln(os.Stderr, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	return 0
}

// TestManyEventsTakeLittleMemory reports 200,000 events in one commit. They must never be in memory all at the same
// time: as events they would take a hundred times the memory of their lines.
func TestManyEventsTakeLittleMemory(t *testing.T) {
	t.Parallel()
	p := mutation{before: three}.prepare(t)
	before := p.must(t, "", "session", "show")
	const events = 200_000
	in := strings.Repeat(`{"type":"stop"}`+"\n", events-1)
	if r := p.run(t, in+"{}\n", nil, "event", "-"); r.code != 65 || !strings.Contains(r.errors, "line 200000") {
		t.Errorf("exit code %d: %s", r.code, r.errors)
	}
	if now := p.must(t, "", "session", "show"); now != before {
		t.Errorf("the refused events have changed\n%s\nto\n%s", before, now)
	}
	c := p.command(in+`{"type":"stop"}`+"\n", []string{os.Args[0], measure}, "event", "-")
	// Garbage that is not collected yet does not count. Without a limit it is up to 120 MB where one processor is free.
	c.Env = append(c.Env, "GOMEMLIMIT=64MiB")
	var used strings.Builder
	c.Stderr = &used
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, used.String())
	}
	kilobytes, err := strconv.Atoi(strings.TrimSpace(used.String()))
	if err != nil {
		t.Fatal(err)
	}
	const most = 96 << 10
	if kilobytes > most {
		t.Errorf("%d events took %d kB of memory, at most %d", events, kilobytes, most)
	}
	now := p.must(t, "", "session", "show")
	if !strings.Contains(now, "revision 5") || !strings.Contains(now, "stopped") {
		t.Errorf("before\n%s\nand after\n%s", before, now)
	}
}
