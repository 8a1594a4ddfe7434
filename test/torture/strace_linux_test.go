package torture

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// point is one system call of a run: the n-th of its name.
type point struct {
	call string
	n    int
	text string // as strace shows it, to name it in a message
}

func needStrace(t *testing.T) {
	t.Helper()
	if !has("strace") {
		t.Skip("skipped: there is no strace to inject faults with")
	}
	log := filepath.Join(t.TempDir(), "log")
	if said, err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", log, "true").CombinedOutput(); err != nil {
		t.Skipf("skipped: strace may not trace here: %s", said)
	}
}

// call recognises a system call of the log: the thread, the name, the arguments.
var call = regexp.MustCompile(`^(\d+) +(\w+)\((.*)`)

// points lists the system calls of an undisturbed run, from the first that names the store or the home folder.
// Before it, a run has done nothing that could be undone.
func (m mutation) points(t *testing.T, p place) []point {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	if r := p.run(t, m.in, []string{"strace", "-f", "-q", "-o", log}, strings.Fields(m.args)...); r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.errors)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var found []point
	main, begun := "", false
	counts := map[string]int{}
	for line := range strings.Lines(string(data)) {
		f := call.FindStringSubmatch(line)
		if f == nil {
			continue
		}
		if main == "" {
			main = f[1]
		}
		if f[1] != main {
			continue // a thread of the runtime, whose calls come when they please
		}
		counts[f[2]]++
		if begun = begun || strings.Contains(f[3], p.store()) || strings.Contains(f[3], filepath.Join(p.dir, "home")); begun {
			found = append(found, point{f[2], counts[f[2]], f[2] + "(" + strings.TrimSpace(f[3])})
		}
	}
	if len(found) < 20 {
		t.Fatalf("only %d system calls were seen", len(found))
	}
	return found
}

// inject runs a row with a fault at one system call, and reports whether that was reached.
func (m mutation) inject(t *testing.T, p place, at point, fault string) (result, bool) {
	t.Helper()
	log := filepath.Join(p.dir, "log")
	wrap := []string{
		"strace", "-f", "-q", "-o", log, "-e", "trace=" + at.call,
		"-e", "inject=" + at.call + ":" + fault + ":when=" + strconv.Itoa(at.n),
	}
	if strings.HasPrefix(fault, "error=") {
		// It stops at this call only, not at all others to let them pass. To kill, it has to.
		wrap = slices.Insert(wrap, 1, "--seccomp-bpf")
	}
	r := p.run(t, m.in, wrap, strings.Fields(m.args)...)
	if strings.Contains(r.errors, "netpollBreak") {
		return r, false // with this write Go wakes its own threads, as they happen to sleep; no disk is asked
	}
	if r.code == -1 {
		return r, true
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.Contains(string(data), "(INJECTED)")
}

// every returns the step through the points of a sweep.
func every(sample int) int {
	if *form == "sample" || raceDetector {
		return sample
	}
	return 1
}
