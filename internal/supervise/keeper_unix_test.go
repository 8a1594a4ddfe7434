//go:build unix

package supervise

import (
	"io"
	"os"
	"testing"
	"time"
)

// TestAKeeperThatDoesNotObey kills a keeper that carries out no order, as one that is stopped.
func TestAKeeperThatDoesNotObey(t *testing.T) {
	was := keeperPatience
	keeperPatience = 50 * time.Millisecond
	defer func() { keeperPatience = was }()
	orphans := 0
	k, err := StartKept([]string{"sleep"}, []string{"60"}, os.Environ(), io.Discard, func() { orphans++ })
	if err != nil {
		t.Fatal(err)
	}
	k.Begin("")
	k.Interrupt(time.Millisecond)
	_, _ = io.Copy(io.Discard, k.Output)
	if code := k.Wait(); code != killed+9 || orphans != 1 {
		t.Errorf("got exit code %d, and asked %d times for what the program left", code, orphans)
	}
}

// TestAKeeperThatIsKilled ends the output although what the keeper has started holds it, and bears no mark: on Linux that is killed.
func TestAKeeperThatIsKilled(t *testing.T) {
	was := keeperPatience
	keeperPatience = 50 * time.Millisecond
	defer func() { keeperPatience = was }()
	k, err := StartKept([]string{"sh", "-c", "sleep 600 & kill -9 $$"}, nil, os.Environ(), io.Discard, func() {})
	if err != nil {
		t.Fatal(err)
	}
	k.Begin("")
	_, _ = io.Copy(io.Discard, k.Output)
	if code := k.Wait(); code != killed+9 {
		t.Errorf("got exit code %d", code)
	}
}
