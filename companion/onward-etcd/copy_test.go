//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A list is moved from files to servers and back, with its history; writers at the old place learn its new place.
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
