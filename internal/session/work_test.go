package session

import (
	"strings"
	"testing"
)

// TestOfWorker checks that the name of a worker's session is valid, whatever the name of the worker is.
func TestOfWorker(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct{ queue, worker, want string }{
		{"release", "w1", "release.w1"},
		{"release", "codex/c1", "release.codex-c1-"},
		{"release", "codex-c1", "release.codex-c1"},
		{"release", "codex:c1", "release.codex-c1-"},
		{"release", "w1.", "release.w1-"},
		{"release", "wörk", "release.w--rk-"},
		{"release", strings.Repeat("w", 100), "release." + strings.Repeat("w", 100)},
		{strings.Repeat("q", 128), "w1", strings.Repeat("q", 121) + "-"},
		{"release+part", "w1", "release-part.w1-"},
	} {
		queue, err := ParseName(c.queue)
		if err != nil {
			t.Fatal(err)
		}
		got := queue.WorkerSession(c.worker)
		if err := CheckName(got); err != nil {
			t.Errorf("%s and %s: %v", c.queue, c.worker, err)
		}
		if exact := !strings.HasSuffix(c.want, "-"); exact && got.Session != c.want || !strings.HasPrefix(got.Session, c.want) {
			t.Errorf("%s and %s: %s, want %s", c.queue, c.worker, got.Session, c.want)
		}
		if other, taken := seen[got.Session]; taken {
			t.Errorf("%s and %s have the session %s", other, c.worker, got.Session)
		}
		seen[got.Session] = c.worker
	}
}
