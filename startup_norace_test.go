//go:build !race

package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"onward/cmd"
)

// maxAllocations is how often check-continue may allocate with a list of 20 items: 298 times, plus what the runtime
// allocates in the meantime. In a linked worktree, it also reads three small files of git. This is not counted with the race
// detector, which makes pools drop their contents.
const maxAllocations = 310

func TestHotCommandAllocatesLittle(t *testing.T) {
	run := func(stdin string, args ...string) int {
		return cmd.Main(append(args, "--session", "demo"), strings.NewReader(stdin), io.Discard, io.Discard)
	}
	t.Setenv("ONWARD_STORE", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.Mkdir(".git", 0o700); err != nil {
		t.Fatal(err)
	}
	if code := run(strings.Repeat("an item of a list of twenty\n", 20), "todo", "add", "-"); code != 0 {
		t.Fatalf("todo add: exit %d", code)
	}
	n := testing.AllocsPerRun(20, func() {
		if code := run("", "check-continue", "--dry-run"); code != 0 {
			t.Errorf("check-continue: exit %d", code)
		}
	})
	t.Logf("%v allocations", n)
	if n > maxAllocations {
		t.Errorf("check-continue allocates %v times, at most %d", n, maxAllocations)
	}
}
