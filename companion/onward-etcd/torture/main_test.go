//go:build unix

package torture

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	long   = flag.Bool("long", false, "run the long form, which takes about 25 minutes")
	seed   = flag.Uint64("seed", 0, "the seed of the plan of faults; 0 draws one")
	during = flag.Duration("for", 0, "how long faults are injected; 0 is 20m with -long, and otherwise 20s")
	parts  = flag.String("work", "lists,messages,calls,questions,sessions", "which kinds of work are done meanwhile")
	calm   = flag.Bool("calm", false, "inject no faults into servers and network")
)

// programs is the folder of onward and onward-etcd.
var programs string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if programs = os.Getenv("ONWARD_TORTURED"); programs != "" { // the programs of a mutant
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "onward-torture-")
	if err == nil {
		defer os.RemoveAll(dir)
		programs = dir
		err = build(dir, "")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build builds both programs into a folder. The overlay, unless it is "", replaces some of their source files.
func build(dir, overlay string) error {
	var all error
	for _, module := range []string{"../../..", ".."} {
		args := []string{"build", "-trimpath", "-o", dir}
		if overlay != "" {
			args = append(args, "-overlay", overlay)
		}
		c := exec.Command("go", append(args, ".")...)
		c.Dir = module
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := c.CombinedOutput(); err != nil {
			all = errors.Join(all, fmt.Errorf("build %s: %w: %s", module, err, said))
		}
	}
	return all
}

// lasting returns how long faults are injected.
func lasting() time.Duration {
	switch {
	case *during > 0:
		return *during
	case *long:
		return 20 * time.Minute
	default:
		return 20 * time.Second
	}
}

// temporary returns a temporary folder, in memory if the system has such a disk: faults are injected above it.
func temporary(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "onward-torture-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Clean(dir)
}
