//go:build unix

package supervise

import (
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	"onward/internal/process"
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

// TestNameDuringATurn names the process that adopts what a killed keeper leaves, for as long as that may be there: what is below it is
// the agent's, though it may have cleared its environment.
func TestNameDuringATurn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the name of a process")
	}
	was := process.Name()
	k, err := StartKept([]string{"sh", "-c", "read begun; kill -9 $$"}, nil, os.Environ(), io.Discard, func() {
		if name := process.Name(); name != TurnName {
			t.Errorf("while the orphans are ended, the name is %q", name)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	restore := rename(RunnerName)
	if name := process.Name(); name != RunnerName {
		t.Errorf("with a gate, the name is %q", name)
	}
	restore()
	k.Begin("")
	_, _ = io.Copy(io.Discard, k.Output)
	if k.Wait(); process.Name() != was {
		t.Errorf("then the name is %q, and was %q", process.Name(), was)
	}
}
