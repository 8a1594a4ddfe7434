//go:build unix

package torture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// world is one run of the checker.
type world struct {
	t       *testing.T
	dir     string
	servers *cluster.Cluster
	began   time.Time
	over    chan struct{} // closed when no more work may start

	mu      sync.Mutex
	dice    *rand.Rand
	clients []*client
	commands,
	wrong int // number of commands, and of those with a wrong clock
	codes  map[int]int
	killed int
	faults map[string]int
	rows   []string // the rows of the report
	broken []string // descriptions of what went wrong
	seen   []string // all commands, for the history that save writes to a file
}

// throw returns a random number below n.
func (w *world) throw(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dice.IntN(n)
}

// breaks records that a promise of the manual was broken.
func (w *world) breaks(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = append(w.broken, fmt.Sprintf(format, args...))
}

// report adds a row to the report.
func (w *world) report(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows = append(w.rows, fmt.Sprintf(format, args...))
}

// now returns the time since the start.
func (w *world) now() time.Duration { return time.Since(w.began) }

// ended reports whether no more work may start.
func (w *world) ended() bool {
	select {
	case <-w.over:
		return true
	default:
		return false
	}
}

// client runs one command at a time, over its own network connections.
type client struct {
	*world
	name  string
	home  string
	wires []*cluster.Proxy // a proxy for each server
	tap   tap
	sound bool // its commands are not killed, and its clock is correct
}

// newClient returns a client with a home folder. Several clients may share a home, as processes of one machine do.
func (w *world) newClient(name, home string) *client {
	w.t.Helper()
	c := &client{world: w, name: name, home: filepath.Join(w.dir, home)}
	if err := os.MkdirAll(c.home, 0o700); err != nil {
		w.t.Fatal(err)
	}
	for _, n := range w.servers.Nodes {
		wire := cluster.NewProxy(w.t, n.Client)
		wire.Tap = c.tap.watch
		c.wires = append(c.wires, wire)
	}
	w.clients = append(w.clients, c)
	return c
}

func (c *client) hurt() (n int) {
	for _, wire := range c.wires {
		n += wire.DamagedConnections()
	}
	return n
}

// job is a command to run.
type job struct {
	session string
	op      string // an operation id, which makes a retry safe; "" for none
	wait    string // how long it waits for the store; random if empty
	args    []string

	hands func(*os.Process) // called with the running process; nil: it is killed at random
}

// answer is the result of a command.
type answer struct {
	code       int
	out, errs  string
	call, back time.Duration // the times of its start and its end
	killed     bool
}

// open reports whether it is unknown what the command did.
func (a answer) open() bool { return a.killed || a.code == 76 || a.code == 79 }

// longest is the time limit of a command. Each of its requests has a limit, so a command that takes longer hangs.
const longest = 4 * time.Minute

// run runs a command.
func (c *client) run(j job) answer {
	var urls []string
	for _, wire := range c.wires {
		urls = append(urls, wire.Address)
	}
	cmd := exec.Command(filepath.Join(programs, "onward"), j.args...)
	cmd.Dir = c.home
	cmd.Env = []string{
		"HOME=" + c.home, "PATH=" + programs + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "ONWARD_APPROVAL_MODE=yolo",
		"ONWARD_STORE=etcd+plain://" + strings.Join(urls, ",") + "/team", "ONWARD_SESSION=" + j.session,
		"ONWARD_LOCK_TIMEOUT=" + cmp.Or(j.wait, []string{"0", "1s", "3s", "6s"}[c.throw(4)]),
	}
	if j.op != "" {
		cmd.Env = append(cmd.Env, "ONWARD_OP="+j.op)
	}
	if !c.sound && j.hands == nil && c.throw(4) == 0 {
		wrong := time.Duration(c.throw(7200)-3600) * time.Second
		cmd.Env = append(cmd.Env, "ONWARD_NOW="+time.Now().Add(wrong).UTC().Format(time.RFC3339))
		c.mu.Lock()
		c.wrong++
		c.mu.Unlock()
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = cluster.DieWithTest()
	cmd.WaitDelay = time.Second
	c.tap.reset()
	hurt := c.hurt()
	a := answer{call: c.now()}
	if err := cmd.Start(); err != nil {
		c.breaks("%v", err)
		return answer{killed: true}
	}
	hangs := time.AfterFunc(longest, func() {
		c.breaks("onward %s did not end within %v", strings.Join(j.args, " "), longest)
		_ = cmd.Process.Kill()
	})
	switch {
	case j.hands != nil:
		j.hands(cmd.Process)
	case !c.sound && c.throw(30) == 0:
		end := time.AfterFunc(time.Duration(c.throw(200))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		defer end.Stop()
	}
	err := cmd.Wait()
	hangs.Stop()
	a.back = c.now()
	a.out, a.errs = out.String(), errs.String()
	a.killed = cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0
	if a.code = cmd.ProcessState.ExitCode(); err != nil && !a.killed && !isExit(err) && !errors.Is(err, exec.ErrWaitDelay) {
		c.breaks("%v", err)
	}
	c.note(j, a, hurt)
	return a
}

func isExit(err error) bool {
	_, is := errors.AsType[*exec.ExitError](err)
	return is
}

// settled returns how many changes the command sent without getting an answer. It first waits for the proxies,
// which may receive the last request after the command has ended, on a busy machine or a slow network.
func (c *client) settled(a answer) int {
	ended := c.began.Add(a.back)
	for end := time.Now().Add(time.Minute); a.code == 76 && c.tap.unanswered(ended) == 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		open := 0
		for _, wire := range c.wires {
			open += wire.Connections()
		}
		if open == 0 {
			break
		}
	}
	return c.tap.unanswered(ended)
}

// may contains the exit codes that the manual allows for commands under these faults.
var may = map[int]bool{0: true, 1: true, 10: true, 12: true, 13: true, 14: true, 20: true, 21: true, 64: true, 66: true, 68: true, 74: true, 75: true, 76: true, 79: true}

// note records a command, and checks what the manual promises of every command.
func (c *client) note(j job, a answer, hurt int) {
	unanswered := c.settled(a)
	c.mu.Lock()
	c.commands++
	if a.killed {
		c.killed++
	} else {
		c.codes[a.code]++
	}
	c.seen = append(c.seen, fmt.Sprintf("%10.3f %10.3f  %-10s %s op=%s: %s -> %d (killed %v, unanswered %d) %q %q",
		a.call.Seconds(), a.back.Seconds(), c.name, j.session, j.op, strings.Join(j.args, " "), a.code, a.killed, unanswered, a.out, a.errs))
	c.mu.Unlock()
	if a.killed {
		return
	}
	if !may[a.code] {
		c.breaks("onward %s: exit %d: %s", strings.Join(j.args, " "), a.code, a.errs)
	}
	if a.code == 76 && unanswered == 0 && c.hurt() == hurt {
		c.mu.Lock()
		c.faults["76 where nothing was sent"]++
		c.mu.Unlock()
		c.breaks("onward %s: exit 76, but every change that it sent was answered: %s", strings.Join(j.args, " "), a.errs)
	}
}

// tries is how often a command is repeated while its outcome is unknown.
const tries = 12

// try runs a command, and repeats it with the same id while it is unknown whether its change was made; in a third of the
// cases it gives up. A change that was certainly not made is not repeated. The answer has the time of the first start.
// If the answer is open, the change may still be made at any later time.
func (c *client) try(j job) answer {
	a := c.run(j)
	for n := 1; a.open() && j.op != "" && n < tries && (c.sound || c.throw(3) > 0); n++ {
		again := c.run(j)
		switch {
		case again.open():
			if again.out != "" {
				a.out = again.out
			}
		case again.code == 0:
			again.call = a.call
			return again
		case again.code < 68: // it answered; but a request of the first attempt may still arrive
			return a
		}
	}
	return a
}

// again sometimes repeats a command that made a change, as a caller does that died before it recorded the answer a.
// The repeated command must change nothing. A command that changed nothing is not repeated: its id is not
// remembered, so later it may find something to change.
func (c *client) again(j job, a answer) {
	if !strings.Contains(a.errs, "nothing changed") && c.throw(8) == 0 {
		_ = c.run(j)
	}
}

// must repeats a command until it succeeds, and reports whether it did so within some minutes.
func (c *client) must(j job) (answer, bool) {
	j.wait = "20s"
	for end := time.Now().Add(longest); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if a := c.run(j); a.code == 0 && !a.killed {
			return a, true
		}
	}
	c.breaks("onward %s does not succeed within %v", strings.Join(j.args, " "), longest)
	return answer{}, false
}
