//go:build unix

package durable

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/store"
)

// TestRootLeavesFilesToTheOwner checks that files that root creates belong to the owner of the store: lists and their history,
// a journal, and the copy of a damaged document.
func TestRootLeavesFilesToTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes files that are not the owner's")
	}
	const owner = 1234
	s := testStore(t)
	if err := os.Chown(s.Dir, owner, owner); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, s, "a")
	h, err := s.Backend.Hold(schedule.Key(name), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Append(store.Value{}, func(store.Value, error) (store.Line, error) { return store.Line{Data: []byte("line\n")}, nil }); err != nil {
		t.Fatal(err)
	}
	h.Release()
	if err := os.WriteFile(s.Path(name), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Repair(name, store.Restore, noon); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "*", "*"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		info, err := os.Lstat(file)
		if err != nil {
			t.Fatal(err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != owner || stat.Gid != owner {
			t.Errorf("%s is not the owner's", file)
		}
	}
}
