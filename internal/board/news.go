package board

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"onward/internal/output"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/supervise"
)

// News notifies the user of sessions that need attention or whose run ends: by a command, and by the bell.
type News struct {
	known   map[session.Name]stand // as they were last seen
	begins  bool                   // the first states that are seen are not reported
	command *string
	bell    func() // nil if the user does not want it

	Problems chan string // the first failure of the command; the watching continues
	failed   bool
	stop     chan os.Signal // is closed to end the command
	ended    sync.WaitGroup
	mu       sync.Mutex
	running  bool
	waiting  []notification // queued until the running command ends; the newest state of each session
}

// stand is the part of a session's state that counts as a change.
type stand struct {
	attention continuation.Attention
	reason    string
}

// notification is the input of a command about a session.
type notification struct {
	name session.Name
	line []byte
}

// NewNews returns what notifies the user by a shell command and by the bell; each may be nil.
func NewNews(command *string, bell func()) *News {
	return &News{known: map[session.Name]stand{}, begins: true, command: command, bell: bell, Problems: make(chan string, 1), stop: make(chan os.Signal)}
}

// endFirstLook ends the first look.
func (n *News) endFirstLook() { n.begins = false }

// record records the state of a session, and reports whether it has changed.
func (n *News) record(row *live.Row) (changed bool) {
	is := stand{row.Standing.Attention, row.Standing.Reason}
	was, known := n.known[row.Name]
	if known && is == was {
		return false
	}
	n.known[row.Name] = is
	if !n.begins && row.Standing.Matters() {
		if n.bell != nil {
			n.bell()
		}
		if n.command != nil {
			n.Send(row)
		}
	}
	return true
}

// Send schedules a run of the command with the state of a session.
func (n *News) Send(row *live.Row) { n.enqueue(notification{row.Name, standingLine(row)}) }

// forget forgets a session that was deleted.
func (n *News) forget(name session.Name) { delete(n.known, name) }

// enqueue schedules a run of the command after the present one. A queued state is replaced by a newer one.
func (n *News) enqueue(t notification) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting = slices.DeleteFunc(n.waiting, func(w notification) bool { return w.name == t.name })
	n.waiting = append(n.waiting, t)
	if !n.running {
		n.running = true
		n.ended.Go(n.run)
	}
}

// dequeue returns the next notification.
func (n *News) dequeue() (notification, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running = len(n.waiting) > 0; !n.running {
		return notification{}, false
	}
	t := n.waiting[0]
	n.waiting = n.waiting[1:]
	return t, true
}

const (
	// NewsTime is how long the command may run.
	NewsTime = 30 * time.Second
	// LastNews is how long the end waits for the command where the user waits for the end.
	LastNews = 2 * time.Second
)

// run runs the command for each notification, one after the other.
func (n *News) run() {
	for t, ok := n.dequeue(); ok; t, ok = n.dequeue() {
		why := n.execute(t)
		if why != "" && !n.failed {
			n.failed = true
			n.Problems <- fmt.Sprintf("--notify %q fails: %s", *n.command, why)
		}
	}
}

// execute runs the command, and returns the reason if it failed.
func (n *News) execute(t notification) string {
	res, err := supervise.Gate{Command: *n.command, Timeout: NewsTime, Input: t.line}.Run(n.stop)
	switch {
	case err != nil:
		return err.Error()
	case res.Problem != "":
		return res.Problem
	case res.Code != 0:
		return fmt.Sprintf("exit code %d: %s", res.Code, continuation.PlainTail(res.Output))
	}
	return ""
}

// Close ends the notifications. Queued ones are still sent within a time. Then the command is ended.
func (n *News) Close(patience time.Duration) {
	done := make(chan struct{})
	go func() {
		n.ended.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
		n.mu.Lock()
		n.waiting = nil
		n.mu.Unlock()
		close(n.stop)
		<-done
	}
}

// standingLine is onward/standing/v1: the state of a session, in a line.
func standingLine(row *live.Row) []byte {
	of := *row
	of.Number = 0 // the number is only valid at this moment
	return render.Encode(append(output.Members{"schema", "onward/standing/v1"}, output.StandingRow(&of)...))
}
