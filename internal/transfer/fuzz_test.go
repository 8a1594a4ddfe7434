package transfer

import (
	"bytes"
	"testing"

	"onward/internal/store"
)

// FuzzReplace renames a session in random bytes. An intact document must stay intact, and be the same after the opposite renaming. Anything
// else must not change.
func FuzzReplace(f *testing.F) {
	f.Add([]byte(`{"session":"app-1","todos":{"session":"app-1"}}`))
	f.Add([]byte(`{"a":[1,"app-1"],"session" : "app-1" }`))
	f.Add([]byte(`["session","app-1"]`))
	f.Add([]byte(`{"session":"app-1"`))
	there := map[string][2]string{"session": {"app-1", "y-2"}}
	back := map[string][2]string{"session": {"y-2", "app-1"}}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("y-2")) {
			t.Skip("it has the new name already")
		}
		for _, was := range [][]byte{text, store.Seal(append(bytes.TrimRight(text, "\n"), '\n'))} {
			_, damaged := store.CheckSeal(was)
			is := replace(was, there)
			if _, err := store.CheckSeal(is); damaged == nil && err != nil {
				t.Fatalf("%q became %q: %v", was, is, err)
			}
			if again := replace(is, back); !bytes.Equal(again, was) {
				t.Fatalf("%q became %q, and came back as %q", was, is, again)
			}
		}
	})
}
