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

// Notifier notifies the user of sessions that need attention or whose run ends: by a command, and by the bell.
type Notifier struct {
	known   map[session.Name]notifiedState // as they were last seen
	begins  bool                           // the first states that are seen are not reported
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

// notifiedState is the part of a session's state that counts as a change.
type notifiedState struct {
	attention continuation.Attention
	reason    string
}

// notification is the input of a command about a session.
type notification struct {
	name session.Name
	line []byte
}

// NewNotifier returns what notifies the user by a shell command and by the bell; each may be nil.
func NewNotifier(command *string, bell func()) *Notifier {
	return &Notifier{known: map[session.Name]notifiedState{}, begins: true, command: command, bell: bell, Problems: make(chan string, 1), stop: make(chan os.Signal)}
}

// endFirstLook ends the first look.
func (n *Notifier) endFirstLook() { n.begins = false }

// recordState records the state of a session, and reports whether it has changed.
func (n *Notifier) recordState(row *live.Row) (changed bool) {
	is := notifiedState{row.Standing.Attention, row.Standing.Reason}
	was, known := n.known[row.Name]
	if known && is == was {
		return false
	}
	n.known[row.Name] = is
	if !n.begins && row.Standing.NotifiesUser() {
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
func (n *Notifier) Send(row *live.Row) { n.enqueue(notification{row.Name, standingLine(row)}) }

// forget forgets a session that was deleted.
func (n *Notifier) forget(name session.Name) { delete(n.known, name) }

// enqueue schedules a run of the command after the present one. A queued state is replaced by a newer one.
func (n *Notifier) enqueue(t notification) {
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
func (n *Notifier) dequeue() (notification, bool) {
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
	// NotifyTimeout is how long the command may run.
	NotifyTimeout = 30 * time.Second
	// FinalNotifyTimeout is how long the end waits for the command if the user waits for the end.
	FinalNotifyTimeout = 2 * time.Second
)

// run runs the command for each notification, one after the other.
func (n *Notifier) run() {
	for t, ok := n.dequeue(); ok; t, ok = n.dequeue() {
		why := n.execute(t)
		if why != "" && !n.failed {
			n.failed = true
			n.Problems <- fmt.Sprintf("--notify %q fails: %s", *n.command, why)
		}
	}
}

// execute runs the command, and returns the reason if it failed.
func (n *Notifier) execute(t notification) string {
	res, err := supervise.Gate{Command: *n.command, Timeout: NotifyTimeout, Input: t.line}.Run(n.stop)
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
func (n *Notifier) Close(patience time.Duration) {
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
	return render.EncodeJSON(append(output.Members{"schema", "onward/standing/v1"}, output.StandingJSON(&of)...))
}
