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

// point is a system call of a run: the n-th of its name.
type point struct {
	call string
	n    int
	text string // as strace prints it, for messages
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

// call matches a system call in the log, with the thread, the name and the arguments as groups.
var call = regexp.MustCompile(`^(\d+) +(\w+)\((.*)`)

// points lists the system calls of an undisturbed run, from the first that names the store or the home folder:
// before it, a run has changed nothing.
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
			continue // a thread of Go's runtime, whose calls differ from run to run
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

// inject runs a row with a fault at one system call, and reports whether the run made that call.
func (m mutation) inject(t *testing.T, p place, at point, fault string) (result, bool) {
	t.Helper()
	log := filepath.Join(p.dir, "log")
	wrap := []string{
		"strace", "-f", "-q", "-o", log, "-e", "trace=" + at.call,
		"-e", "inject=" + at.call + ":" + fault + ":when=" + strconv.Itoa(at.n),
	}
	if strings.HasPrefix(fault, "error=") {
		// strace then stops the program at this call only, which is faster. For a kill, it has to stop at all of them.
		wrap = slices.Insert(wrap, 1, "--seccomp-bpf")
	}
	r := p.run(t, m.in, wrap, strings.Fields(m.args)...)
	if strings.Contains(r.errors, "netpollBreak") {
		return r, false // a write with which Go wakes a thread of its own, and not one to a file
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

// every returns the step from one point of a sweep to the next.
func every(sample int) int {
	if *form == "sample" || raceDetector {
		return sample
	}
	return 1
}
