// Package powerloss simulates power failures while onward works, and checks every state that the disk may have then.
//
// The store is on an ext4 file system on a loop device, whose file a FUSE server in this test provides and logs.
// The log is replayed up to each point, with the writes that were not flushed left out or reordered,
// and the image is mounted as after a reboot. Every list must be intact, with every change that onward had confirmed.
// The same is done with an onward that does not sync. Then the test must find losses; otherwise it proves nothing.
package powerloss

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "ten times as many crashes")

// confirmed is the state that a command confirmed, and the number of requests to the disk by then.
type confirmed struct {
	asked int
	rev   map[string]int // of each session
}

func TestPowerLoss(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("skipped: to mount a disk needs root")
	}
	synced := build(t, nil)
	unsynced := build(t, map[string]string{"f.Sync()": "error(nil)", "d.Sync()": "error(nil)", "h.log.Sync()": "error(nil)"})
	for _, c := range []struct {
		name, options, program string
		must                   func(sum) bool
	}{
		{"synced", "", synced, sum.good},
		{"synced, no help of ext4", "noauto_da_alloc,data=writeback", synced, sum.good},
		{"control: not synced", "", unsynced, sum.bad},
		{"control: not synced, no help of ext4", "noauto_da_alloc,data=writeback", unsynced, sum.bad},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := crashes(t, c.program, c.options, c.must)
			t.Logf("%d crashes: %d corrupt, %d with a confirmed change lost, %d not mountable; %d with a file left over", s.crashes, s.corrupt, s.lost, s.unmountable, s.leftovers)
			if !c.must(s) {
				t.Error("that is not as it must be")
			}
		})
	}
}

// deleted stands for the revision of a deleted session.
const deleted = -1

// sum counts the states of the store over all crashes.
type sum struct {
	crashes, corrupt, lost, unmountable, leftovers int
	refused                                        int // stores in which the next command failed
}

func (s sum) good() bool { return s.crashes > 0 && s.corrupt+s.lost+s.unmountable+s.refused == 0 }
func (s sum) bad() bool  { return s.corrupt+s.lost > 0 }

func crashes(t *testing.T, program, options string, must func(sum) bool) sum {
	disk, blank, mounted := recordingDisk(t, options)
	store := filepath.Join(mounted, "state", "onward")
	states := work(t, program, store, disk)

	random := rand.New(rand.NewPCG(1, 2))
	points := 200
	if *long {
		points = 2000
	}
	log := disk.log[:states[len(states)-1].asked]
	t.Logf("%d commands asked %d things of the disk", len(states)-1, len(log))
	image := filepath.Join(t.TempDir(), "image")
	at := t.TempDir()
	var s sum
	for n := range points {
		s.crashes++
		asked := len(log) * (n + 1) / points
		how := []string{"all", "nothing", "some", "some"}[n%4]
		if err := os.WriteFile(image, crash(blank, log, asked, how, random), 0o600); err != nil {
			t.Fatal(err)
		}
		unmount, err := mountAt(t, image, at, "")
		if err != nil {
			s.unmountable++
			continue
		}
		before := s
		problem := s.look(program, filepath.Join(at, "state", "onward"), states, asked)
		unmount()
		if problem != "" && s != before && must(sum{crashes: 1}) {
			t.Errorf("crash %d, %s written behind the last flush: %s", n, how, problem)
		}
	}
	return s
}

// work changes an old list and new ones, one command after the other, and returns the states that were confirmed.
func work(t *testing.T, program, store string, disk *recorder) []confirmed {
	t.Helper()
	rev := map[string]int{}
	states := []confirmed{{disk.length(), map[string]int{}}}
	for n := range 70 {
		session, args := "main", []string{"todo", "add", fmt.Sprint("item ", n, strings.Repeat(" and more", n))}
		switch {
		case n%10 == 5:
			args = []string{"todo", "done", "last"}
		case n%10 == 8:
			args = []string{"event", "user-prompt", "--prompt-key", fmt.Sprint(n)}
		case n%7 == 6:
			session = fmt.Sprint("other-", n)
		case n%11 == 9:
			session = fmt.Sprint("gone-", n)
		case n%11 == 10 && rev[fmt.Sprint("gone-", n-1)] == 1:
			session = fmt.Sprint("gone-", n-1)
			args = []string{"session", "delete", "--yes", session}
		}
		if out, err := run(program, store, session, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
		rev[session]++
		if args[1] == "delete" {
			rev[session] = deleted
		}
		now := map[string]int{}
		for name, r := range rev {
			now[name] = r
		}
		states = append(states, confirmed{disk.length(), now})
		if n%9 == 0 {
			// Another program syncs its own file, which makes ext4 write some of onward's data too.
			other := filepath.Join(filepath.Dir(store), "other")
			if f, err := os.OpenFile(other, os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				fmt.Fprint(f, n)
				f.Sync()
				f.Close()
			}
		}
	}
	return states
}

func run(program, store, session string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = []string{"HOME=/nonexistent", "ONWARD_STORE=" + store, "ONWARD_SESSION=" + session}
	return cmd
}

// look checks the store after a crash. Every list must be intact and have every change that was confirmed by then, and at
// most one that was not, and the next writer must succeed. It returns what is wrong, or "".
func (s *sum) look(program, store string, states []confirmed, asked int) (problem string) {
	had := states[0]
	for _, c := range states {
		if c.asked <= asked {
			had = c
		}
	}
	sessions := states[len(states)-1].rev
	for session := range sessions {
		var errs bytes.Buffer
		cmd := run(program, store, session, "session", "show", "--json")
		cmd.Stderr = &errs
		out, err := cmd.Output()
		var doc struct {
			Rev   int
			Todos struct {
				Items []struct{ Content string }
			}
		}
		switch {
		case cmd.ProcessState.ExitCode() == 66:
			if had.rev[session] == 1 && sessions[session] == deleted {
				doc.Rev = 1 // its deletion had begun
			}
		case err != nil:
			s.corrupt++
			return fmt.Sprintf("session %s: %s", session, errs.String())
		default:
			if err := json.Unmarshal(out, &doc); err != nil {
				s.corrupt++
				return fmt.Sprintf("session %s: %v", session, err)
			}
		}
		if had.rev[session] == deleted {
			if doc.Rev != 0 {
				s.lost++
				return fmt.Sprintf("session %s was deleted, and is there", session)
			}
			continue
		}
		if doc.Rev < had.rev[session] {
			s.lost++
			return fmt.Sprintf("session %s is at rev %d, and %d was confirmed", session, doc.Rev, had.rev[session])
		}
		if doc.Rev > had.rev[session]+1 {
			s.corrupt++
			return fmt.Sprintf("session %s is at rev %d, and only %d were made", session, doc.Rev, had.rev[session]+1)
		}
	}
	for session := range sessions {
		if out, err := run(program, store, session, "todo", "add", "next").CombinedOutput(); err != nil {
			s.refused++
			return fmt.Sprintf("session %s: the next command: %s", session, out)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(store, "*", "*tmp*")); len(left) > 0 {
		s.leftovers++
	} else if left, _ := filepath.Glob(filepath.Join(store, "*", ".*tmp*")); len(left) > 0 {
		s.leftovers++
	}
	return ""
}

// build builds the program with changes to the source of its commits, and returns its path.
func build(t *testing.T, replaced map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for i, file := range []string{"internal/durable/commit.go", "internal/durable/replace_unix.go", "internal/durable/log.go"} {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for from, to := range replaced {
			text = strings.ReplaceAll(text, from, to)
		}
		if replaced != nil && text == string(data) {
			t.Fatalf("%s syncs nothing any more", file)
		}
		at := filepath.Join(dir, fmt.Sprint(i, ".go"))
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(root, file)] = at
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "onward")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}
