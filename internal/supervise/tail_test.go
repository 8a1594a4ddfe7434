package supervise

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTailKeepsTheEnd writes pieces of random sizes. The last bytes must be kept, and at most as many before them.
func TestTailKeepsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end, all := &tail{size: rapid.IntRange(1, 20).Draw(t, "size")}, ""
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 50), 0, 20).Draw(t, "pieces") {
			piece := strings.Repeat(string(rune('a'+i)), n)
			if written, err := end.Write([]byte(piece)); written != n || err != nil {
				t.Fatalf("wrote %d of %d bytes, %v", written, n, err)
			}
			all += piece
			if want := all[max(0, len(all)-end.size):]; end.end() != want || len(end.kept) > 2*end.size {
				t.Fatalf("kept %q of %q, want %q", end.kept, all, want)
			}
		}
	})
}
