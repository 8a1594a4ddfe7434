package execute

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/calls/schedule"
)

// TestFollowing lets a call write its output in pieces, and checks what is followed after each piece.
func TestFollowing(t *testing.T) {
	o := Outputs{Dir: t.TempDir()}
	long := strings.Repeat("x", 1<<20) + "\n"
	for _, c := range []struct {
		name    string
		written []string // the pieces; the call ends with the last one
		passed  []string
	}{
		{"whole lines", []string{"", "one\ntwo\n", "three\n"}, []string{"", "one\ntwo\n", "three\n"}},
		{"the beginning of a line waits for its end", []string{"one\ntw", "o\n", ""}, []string{"one\n", "two\n", ""}},
		{"an end without a line's", []string{"one", ""}, []string{"", "one"}},
		{"a long line", []string{long + long, "end"}, []string{long + long, "end"}},
	} {
		call := &schedule.Call{ID: "a", Status: schedule.Executing}
		path := filepath.Join(o.Dir, filepath.FromSlash(OutputPath(name, call.ID)))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		follow := OutputFollower{Outputs: o, Name: name}
		for i, text := range c.written {
			if _, err := f.WriteString(text); err != nil {
				t.Fatal(err)
			}
			if i == len(c.written)-1 {
				call.Status = schedule.Success
			}
			var got strings.Builder
			err := follow.PrintNew(call, func(text string) { got.WriteString(text) })
			if err != nil || got.String() != c.passed[i] {
				t.Errorf("%s, look %d: %.20q (%d bytes), %v", c.name, i+1, got.String(), got.Len(), err)
			}
		}
		f.Close()
	}
}

// TestFollowingEndedCall checks that following a call that has ended returns its stored output.
func TestFollowingEndedCall(t *testing.T) {
	o := Outputs{Dir: t.TempDir()}
	file := outputsDir + "/" + name.String() + "/long.txt"
	if err := o.Write(name, file, []byte("in a file")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		call   schedule.Call
		passed string
	}{
		{"not begun", schedule.Call{Status: schedule.Scheduled}, ""},
		{"ended without a result", schedule.Call{Status: schedule.Cancelled}, ""},
		{"with the call", schedule.Call{Status: schedule.Success, Result: &schedule.Result{Stdout: "out", Stderr: "err"}}, "outerr"},
		{"in a file", schedule.Call{Status: schedule.Success, Result: &schedule.Result{Output: file}}, "in a file"},
		{"in a file that was deleted", schedule.Call{Status: schedule.Success, Result: &schedule.Result{Output: file + "2", Stdout: "cut"}}, "cut"},
	} {
		follow := OutputFollower{Outputs: o, Name: name}
		got := ""
		err := follow.PrintNew(&c.call, func(text string) { got += text })
		if err != nil || got != c.passed {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
