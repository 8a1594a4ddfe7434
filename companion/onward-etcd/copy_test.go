//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A list is moved from files to servers and back with its history. A command that uses the old place gets an error that names the new one.
func TestCopyFromFilesAndBack(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"))
	files, other := m.with("ONWARD_STORE="+filepath.Join(m.home, "one")), m.with("ONWARD_STORE="+filepath.Join(m.home, "two"))
	files.must("todo", "add", "first")
	files.must("todo", "add", "second")
	m.must("store", "copy", filepath.Join(m.home, "one"), c.URL("team"))
	if got, want := m.must("todo", "show"), files.must("todo", "show"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m.must("todo", "undo")
	if list := m.must("todo", "show"); strings.Contains(list, "second") {
		t.Errorf("its history did not come along: %s", list)
	}
	m.must("store", "copy", "--move", c.URL("team"), filepath.Join(m.home, "two"))
	m.fails(75, filepath.Join(m.home, "two"), "todo", "add", "third")
	if list := other.must("todo", "show"); !strings.Contains(list, "first") || strings.Contains(list, "second") {
		t.Error(list)
	}
	if info := m.must("store", "info"); !strings.Contains(info, "reachable") {
		t.Error(info)
	}
}

// If a session is moved to two places at the same time, one move succeeds, and the other leaves no copy.
func TestTwoMovesFromServers(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"))
	for n := range 5 {
		session := fmt.Sprint("s", n)
		m.must("todo", "add", "first", "-s", session)
		m.must("message", "push", "wait", "-s", session)
		var codes [2]int
		var both sync.WaitGroup
		to := func(i int) string { return filepath.Join(m.home, fmt.Sprint("to", i)) }
		for i := range codes {
			both.Go(func() { codes[i], _, _ = m.run("store", "copy", "--move", c.URL("team"), to(i), session) })
		}
		both.Wait()
		if codes != [2]int{0, 75} && codes != [2]int{75, 0} {
			t.Errorf("codes %v", codes)
		}
		for i, code := range codes {
			at := m.with("ONWARD_STORE=" + to(i))
			if got, _, _ := at.run("todo", "start", "1", "-s", session); (got == 0) != (code == 0) {
				t.Errorf("codes %v, store %d: %d", codes, i, got)
			}
		}
		m.fails(75, "is in the store", "todo", "show", "-s", session)
	}
}

// A list that is too large for the servers is not moved, and the error says what to do. The other lists are copied.
func TestCopyOfTooLargeList(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1, "--max-request-bytes", "20000")
	m := newMachine(t, c.URL("team"))
	from := filepath.Join(m.home, "one")
	files := m.with("ONWARD_STORE=" + from)
	files.must("todo", "add", "first", "-s", "small")
	add := files.command("todo", "add", "-", "-s", "large", "-q")
	add.Stdin = strings.NewReader(strings.Repeat(noise(3000)+"\n"+noise(3000)+"\n", 15))
	if code, out, errs := files.wait(add); code != 0 {
		t.Fatal(code, out, errs)
	}
	before := files.must("todo", "show", "--json", "-s", "large")
	for _, how := range [][]string{nil, {"--move"}} {
		code, _, errs := m.run(append([]string{"store", "copy", from, c.URL("team")}, how...)...)
		if code != 65 || !strings.Contains(errs, `copy session "large": over the limit`) || !strings.Contains(errs, "hint: shorten the list, or let the servers take more: --max-request-bytes") {
			t.Errorf("%v: exit %d: %s", how, code, errs)
		}
		if list := m.must("todo", "list"); !strings.Contains(list, "small") || strings.Contains(list, "large") {
			t.Errorf("%v: at the servers are: %s", how, list)
		}
		if after := files.must("todo", "show", "--json", "-s", "large"); after != before {
			t.Errorf("%v: it was\n%s\nand is\n%s", how, before, after)
		}
	}
	files.must("todo", "done", "1", "-s", "large")
	m.must("todo", "show", "-s", "small")
}
