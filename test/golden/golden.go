// Package golden compares the program's output with golden files, which a reviewer has read.
package golden

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Update makes Compare write the golden files instead of comparing them.
var Update = flag.Bool("update", false, "write the golden files")

// Compare fails the test if the golden file differs from got; with -update it writes the file.
// Line ends are not compared: on Windows, git may have changed those of the file.
func Compare(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(string(data), "\r\n", "\n")
	if got == want {
		return
	}
	is, was := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	n := 0
	for n < min(len(is), len(was)) && is[n] == was[n] {
		n++
	}
	line := func(lines []string) string {
		if n == len(lines) {
			return ""
		}
		return lines[n]
	}
	t.Errorf("%s, line %d: got\n%q\nwant\n%q\n-update writes it", path, n+1, line(is), line(was))
}
