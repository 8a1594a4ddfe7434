package session

import (
	"strings"
	"testing"
	"time"

	"onward/internal/todo"
	"onward/test/storetest"
)

func TestResults(t *testing.T) {
	const noon = todo.Time(1_767_258_000_000)
	later := func(d time.Duration) todo.Time { return noon + todo.Time(d.Milliseconds()) }
	result := func(command, tree string, code int, at todo.Time) Result {
		return Result{Command: command, Tree: tree, Code: code, At: at}
	}
	for _, c := range []struct {
		name  string
		kept  []Result
		at    todo.Time
		code  int // of the last result; -1 is none
		flaky bool
	}{
		{"nothing is kept", nil, noon, -1, false},
		{"it passed", []Result{result("make", "a", 0, noon)}, noon, 0, false},
		{"it failed", []Result{result("make", "a", 2, noon)}, noon, 2, false},
		{"another command", []Result{result("make all", "a", 0, noon)}, noon, -1, false},
		{"other files", []Result{result("make", "b", 0, noon)}, noon, -1, false},
		{"a day ago", []Result{result("make", "a", 0, noon)}, later(24 * time.Hour), 0, false},
		{"longer ago", []Result{result("make", "a", 0, noon)}, later(24*time.Hour + time.Second), -1, false},
		{"in the future", []Result{result("make", "a", 0, later(time.Second))}, noon, -1, false},
		{"it failed and passed", []Result{result("make", "a", 1, noon), result("make", "a", 0, noon)}, noon, 0, true},
		{"it passed and failed", []Result{result("make", "a", 0, noon), result("make", "a", 1, noon)}, noon, 1, true},
		{"it failed long ago", []Result{result("make", "a", 1, 1), result("make", "a", 0, noon)}, noon, 0, true},
		{"it failed on other files", []Result{result("make", "b", 1, noon), result("make", "a", 0, noon)}, noon, 0, false},
		{"it passed twice", []Result{result("make", "a", 0, 1), result("make", "a", 0, noon)}, noon, 0, false},
	} {
		r := &Results{}
		for _, is := range c.kept {
			r.Add(is)
		}
		last, flaky := r.LastOn("make", "a", c.at)
		code := -1
		if last != nil {
			code = last.Code
		}
		if code != c.code || flaky != c.flaky {
			t.Errorf("%s: code %d, flaky %v", c.name, code, flaky)
		}
		if last, flaky := r.LastOn("make", "", c.at); last != nil || flaky {
			t.Errorf("%s: a result without files", c.name)
		}
	}
}

// The document of a checkout stays small, whatever its gates print, and the newest results stay.
func TestResultsAreBounded(t *testing.T) {
	b := storetest.NewMemory()
	p := Project{Key: "p"}
	for i := range 3 * mostResults {
		is := Result{Command: "make", Tree: string(rune('a' + i)), Output: strings.Repeat("\x00", 4000), At: 1}
		if _, err := AddResult(b, p, is); err != nil {
			t.Fatal(err)
		}
	}
	kept := ReadResults(b, p)
	if n := len(kept.all); n != mostResults || kept.all[n-1].Tree != string(rune('a'+3*mostResults-1)) {
		t.Errorf("%d results are kept", n)
	}
}
