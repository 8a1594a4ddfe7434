//go:build unix

package torture

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// This file checks scheduled calls by the manual: only one process at a time runs the calls of a session; a call never
// runs twice, even if processes die or freeze; a call whose runner died or lost its lease is `interrupted`; the result of
// a call never changes.

// calls is the work of processes that submit, run and list calls.
type calls struct {
	*world
	effects string // a file with a line for each start of a call
	ends    string // a file with a line for each call that ran to its end

	mu        sync.Mutex
	rounds    []*batch
	submitted int
	open      int
	runs      int
	dead      int // runners that were killed
	failed    int // runners that ended with an error, and may have lost their lease without being stopped
	frozen    int // runners that were stopped for longer than their lease
	hit       int // frozen runners that were stopped while a call ran
	stopping  bool
	changed   int // calls whose result changed
}

// batch contains the calls of a session.
type batch struct {
	session string
	begun   int
	ids     map[string]bool // ids of calls whose submission was acknowledged
	ended   map[string]end  // results that a process has seen
}

// end is the result of a call, and the time when a process first saw it.
type end struct {
	status string
	known  time.Duration
}

// lease is how long a runner may freeze without losing its calls, by docs/fleet.md.
const lease = 10 * time.Second

func (s *calls) join() *batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.rounds); n > 0 && s.rounds[n-1].begun < 60 {
		s.rounds[n-1].begun++
		return s.rounds[n-1]
	}
	b := &batch{session: fmt.Sprint("calls", len(s.rounds)), begun: 1, ids: map[string]bool{}, ended: map[string]end{}}
	s.rounds = append(s.rounds, b)
	return b
}

// present returns the session whose calls the client runs next: mostly the newest one, sometimes the one before.
func (s *calls) present(c *client) *batch {
	back := c.throw(4) / 3
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rounds) == 0 {
		return nil
	}
	return s.rounds[max(0, len(s.rounds)-1-back)]
}

// submit submits calls, each of which appends a line to a file.
func (s *calls) submit(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		b := s.join()
		id := fmt.Sprintf("c%d.%d", who, n)
		args, err := json.Marshal(map[string]string{"command": fmt.Sprintf("echo %s >> %s; sleep %d.%d; echo %[1]s >> %[5]s", id, s.effects, c.throw(6)/5, c.throw(5), s.ends)})
		if err != nil {
			s.breaks("%v", err)
			return
		}
		a := c.try(job{session: b.session, op: "op-" + id, args: []string{"schedule", "submit", "shell", "--id", id, "--args", string(args)}})
		s.mu.Lock()
		if a.open() {
			s.open++
		} else if a.code == 0 {
			s.submitted++
			b.ids[id] = true
		}
		s.mu.Unlock()
		pauseFor(time.Duration(c.throw(400)) * time.Millisecond)
	}
}

// look lists the calls of a session.
func (s *calls) look(c *client, who int) {
	for !c.ended() {
		if b := s.present(c); b != nil {
			if a := c.run(job{session: b.session, args: []string{"schedule", "list", "--json"}}); !a.killed && a.code == 0 {
				s.saw(b, a)
			}
		}
		pauseFor(time.Duration(c.throw(1500)) * time.Millisecond)
	}
}

// one is a call in the output of a command.
type one struct {
	ID, Status string
	Error      struct{ Class string }
}

// saw compares the output of a command with the results seen before, and returns the listed calls.
func (s *calls) saw(b *batch, a answer) (listed []one) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(a.out) {
		var doc struct {
			one
			Calls []one
		}
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			continue // a partial line of a process that was killed
		}
		for _, call := range append(doc.Calls, doc.one) {
			was := b.ended[call.ID]
			final := call.Status == "success" || call.Status == "error" || call.Status == "cancelled"
			switch {
			case final && was.status == "":
				b.ended[call.ID] = end{call.Status, a.back}
			case was.status == "" || was.status == call.Status:
			case final || was.known < a.call && doc.ID == "": // a run prints what happened during its time, a list prints the present state
				s.changed++
				s.breaks("call %s had ended as %s, and is %s", call.ID, was.status, call.Status)
			}
		}
		listed = append(listed, doc.Calls...)
	}
	return listed
}

// run runs calls. Some runners are killed, and some are stopped until their lease has expired.
func (s *calls) run(c *client, who int) {
	for !c.ended() {
		b := s.present(c)
		if b == nil {
			pauseFor(100 * time.Millisecond)
			continue
		}
		j := job{session: b.session, args: []string{"schedule", "run", "--json"}, hands: func(*os.Process) {}}
		var killed *time.Timer
		switch luck := c.throw(100); {
		case luck < 8:
			j.hands = func(p *os.Process) {
				killed = time.AfterFunc(time.Duration(c.throw(800))*time.Millisecond, func() { _ = p.Kill() })
			}
		case luck < 20 && s.mayStop():
			j.hands = s.stop(c)
		}
		a := c.run(j)
		if killed != nil {
			killed.Stop()
		}
		s.mu.Lock()
		s.runs++
		switch {
		case a.killed:
			s.dead++
		case a.code >= 64 && !strings.Contains(a.errs, "another process runs them"):
			s.failed++
		}
		s.mu.Unlock()
		if a.code != 79 { // 79: not all results could be recorded
			s.saw(b, a)
		}
	}
}

// mayStop allows only one runner at a time to be stopped, so that the other one can take its calls over.
func (s *calls) mayStop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return false
	}
	s.stopping = true
	return true
}

// running reports whether a call has started and not ended. Each call ends with a line in the file, except those of dead runners.
func (s *calls) running() bool {
	begun, _ := os.ReadFile(s.effects)
	ended, _ := os.ReadFile(s.ends)
	last := strings.Fields(string(begun))
	return len(last) > 0 && !slices.Contains(strings.Fields(string(ended)), last[len(last)-1])
}

// stop returns a function that stops a process, mostly while it runs a call, and lets it continue after its lease has expired.
func (s *calls) stop(c *client) func(*os.Process) {
	return func(p *os.Process) {
		pauseFor(time.Duration(50+c.throw(400)) * time.Millisecond)
		for end := time.Now().Add(2 * time.Second); !s.running() && time.Now().Before(end); {
			pauseFor(20 * time.Millisecond)
		}
		hit := s.running()
		if p.Signal(syscall.SIGSTOP) == nil {
			until := time.Now().Add(lease + 3*time.Second)
			for time.Now().Before(until) && !c.ended() {
				pauseFor(100 * time.Millisecond)
			}
			if p.Signal(syscall.SIGCONT) == nil {
				s.mu.Lock()
				if s.frozen++; hit {
					s.hit++
				}
				s.mu.Unlock()
			}
		}
		s.mu.Lock()
		s.stopping = false
		s.mu.Unlock()
	}
}

// close runs the remaining calls, and compares their results with the lines that they wrote.
func (s *calls) close(c *client) {
	ran := map[string]int{}
	statuses := map[string]string{}
	interrupted, there := 0, 0
	for _, b := range s.rounds {
		for end := time.Now().Add(longest); ; {
			a := c.run(job{session: b.session, wait: "20s", args: []string{"schedule", "run", "--json"}})
			s.saw(b, a)
			if a.code == 0 || a.code == 21 || time.Now().After(end) {
				break
			}
		}
		a, _ := c.must(job{session: b.session, args: []string{"schedule", "list", "--json"}})
		for _, call := range s.saw(b, a) {
			there++
			statuses[call.ID] = call.Status
			switch {
			case call.Status == "error" && call.Error.Class == "interrupted":
				interrupted++
			case call.Status != "success":
				s.breaks("call %s is %s (%s) at the end", call.ID, call.Status, call.Error.Class)
			}
		}
		for id := range b.ids {
			if statuses[id] == "" {
				s.breaks("call %s was acknowledged, and is not there", id)
			}
		}
	}
	twice, missing := 0, 0
	data, err := os.ReadFile(s.effects)
	if err != nil && len(s.rounds) > 0 && s.submitted > 20 {
		s.breaks("no call has run: %v", err)
	}
	for id := range strings.FieldsSeq(string(data)) {
		ran[id]++
	}
	for id, n := range ran {
		if n > 1 {
			twice++
			s.breaks("call %s ran %d times", id, n)
		}
	}
	for id, status := range statuses {
		if status == "success" && ran[id] != 1 {
			missing++
			s.breaks("call %s is a success, and ran %d times", id, ran[id])
		}
	}
	if interrupted > s.dead+s.frozen+s.failed {
		s.breaks("%d calls were interrupted, but only %d runners were killed, %d frozen, and %d ended with an error", interrupted, s.dead, s.frozen, s.failed)
	}
	s.report("calls: %d acknowledged, %d of unknown outcome, %d there; %d ran, %d of them twice; %d interrupted; %d results lost or changed",
		s.submitted, s.open, there, len(ran), twice, interrupted, s.changed+missing)
	s.report("runners: %d, of which %d were killed, %d ended with an error, and %d were frozen for longer than their lease, %d of them while a call ran",
		s.runs, s.dead, s.failed, s.frozen, s.hit)
}

// pauseFor sleeps between two pieces of work, so that runners sometimes have to wait for calls.
func pauseFor(d time.Duration) { time.Sleep(d) }
