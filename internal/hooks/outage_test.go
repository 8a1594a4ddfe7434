package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/store"
	"onward/internal/todo"
)

// While a store is down, one hook waits for it after each pause. The pauses double up to the longest, and the first
// success ends them.
func TestOutage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stores", "etcd-1", "outage")
	down := store.WrapProblem(store.ErrUnavailable, "connection refused")
	now := todo.TimeOf(time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC))
	for _, pause := range []time.Duration{1, 2, 4, 8, 15, 15} {
		o := ReadOutage(path)
		if err := o.TryStore(now); err != nil {
			t.Fatalf("before a pause of %d s: %v", pause, err)
		}
		if pause > 1 { // one hook asks, so the others do not
			other := ReadOutage(path)
			if err := other.TryStore(now); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("two ask at the same time: %v", err)
			}
		}
		o.RecordTry(down, now)
		now += todo.Time((pause * time.Second).Milliseconds())
		other := ReadOutage(path)
		if err := other.TryStore(now - 1); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("within a pause of %d s: %v", pause, err)
		}
	}
	for _, c := range []struct {
		err   error
		stays bool
	}{{store.ErrUnknown, true}, {store.ErrBusy, false}} { // a busy store has answered
		o := ReadOutage(path)
		o.RecordTry(c.err, now)
		if _, err := os.Stat(path); (err == nil) != c.stays {
			t.Errorf("%v: the mark stays: %v", c.err, err == nil)
		}
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
	for _, text := range []string{"", "x", "1 2", "1 99999999999999 1000 \ndown"} { // the last one was written by another clock
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := ReadOutage(path)
		if err := o.TryStore(now); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
