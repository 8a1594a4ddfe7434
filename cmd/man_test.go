package cmd

import (
	"bytes"
	"os/exec"
	"testing"
)

// TestManPages checks every page with the linter of mandoc, if that is installed.
func TestManPages(t *testing.T) {
	pages := ManPages("2026-11-21")
	for _, name := range []string{"onward.1", "onward-todo-add.1", "onward-positions.7"} {
		if pages[name] == nil {
			t.Errorf("there is no page %s", name)
		}
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("there is no mandoc to check the pages with")
	}
	for name, page := range pages {
		c := exec.Command(mandoc, "-T", "lint")
		c.Stdin = bytes.NewReader(page)
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
