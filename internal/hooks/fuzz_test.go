package hooks

import (
	"os"
	"path/filepath"
	"testing"

	"onward/internal/todo"
)

// FuzzOutage searches for the file of an outage after which no hook ever asks the store again.
func FuzzOutage(f *testing.F) {
	for _, seed := range []string{"1000 2000 1000000000 \nno route to host", "1 1 9223372036854775807", "0 0 0", "-1 -1 -1", "x", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "outage")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		now := todo.Time(1_700_000_000_000)
		for range 3 { // at most the longest pause later, a hook asks again
			o := ReadOutage(path)
			if o.TryStore(now) == nil {
				if o.since != 0 && (o.pause <= 0 || o.pause > mostPause) {
					t.Fatalf("a pause of %v", o.pause)
				}
				return
			}
			now += todo.Time(mostPause.Milliseconds())
		}
		t.Fatal("no hook asks again")
	})
}
