package continuation

import (
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// scene is the input of a decision: the document, the settings and the facts.
type scene struct {
	doc   *session.Document
	facts Facts
	set   Settings
	gone  bool // the process of the owner has ended
}

func (s *scene) led() *session.Ledger { return &s.doc.Continuation }

func (s *scene) failed(class ErrorClass, count int, before time.Duration) {
	s.led().Error = &session.Failure{Class: string(class), Count: count, At: ago(before)}
}

// answered records that a continuation was committed some time ago.
func (s *scene) answered(before time.Duration, key string) {
	s.led().Last = &session.LastDecision{At: ago(before), Rev: s.doc.Rev, Action: "continue", Reason: "continue", Key: key}
}

// claimed leaves one open item, which its agent claims to be done, and whose gate has not passed.
func (s *scene) claimed(problem string) {
	it := item("a", todo.InProgress)
	it.Gate = &todo.Gate{Command: "make a", ClaimedDone: true, Problem: problem}
	s.doc.Todos.Items = []todo.Item{it}
}

// finished closes all items and sets a gate without a result.
func (s *scene) finished() {
	s.doc.Todos.Items = []todo.Item{item("a", todo.Completed), item("b", todo.Cancelled)}
	s.set.Gate = "make test"
}

// proved closes all items and sets a gate with a result.
func (s *scene) proved(code int) {
	s.finished()
	s.facts.Gate = &session.GateResult{Command: "make test", Code: code, Output: "FAIL\n"}
}

// failedBefore records failures of the gate for the current list, which were reported to the agent.
func (s *scene) failedBefore(times int) {
	s.led().Gate = &session.GateResult{Command: "make test", Code: 1, Failures: times, Told: true, Items: todo.Digest(s.doc.Todos.Items)}
}

// listless removes the list and sets a gate.
func (s *scene) listless() {
	s.doc.Todos, s.set.Gate, s.set.GateFrom = session.Todos{}, "make test", FromProject
}

// dropped finishes the list, and records that an open item was left out of it; told means that the agent was asked about it.
func (s *scene) dropped(told bool) {
	s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
	s.led().Dropped = &session.Dropped{At: ago(time.Minute), Items: []session.LostItem{{ID: "b", Content: "item b"}}, Told: told}
}

// denied records turns in a row in which most calls were denied.
func (s *scene) deleted() {
	s.led().Deleted = &session.Dropped{At: ago(time.Minute), Items: []session.LostItem{{ID: "x", Content: "delete me"}}}
}

func (s *scene) denied(turns, calls int) {
	s.led().Denied = &session.DeniedCalls{At: ago(time.Minute), Turns: turns, Calls: calls, Tools: []string{"Bash"}}
}

// queued adds a message to the queue.
func (s *scene) queued(by string) {
	s.facts.Messages = []Queued{{ID: "m1", Text: "look at main.go", By: by}}
}

// sent records that a message of the user was sent before; again means for the second time.
func (s *scene) sent(again bool) {
	s.led().Delivering = &session.Delivery{At: ago(time.Minute), Messages: []session.Message{{ID: "m0", Text: "look"}}, Again: again}
	s.doc.Todos.UpdatedAt = ago(time.Hour)
}

// works records that a turn started some time ago.
func (s *scene) works(before time.Duration) { s.led().Turn = &session.Turn{At: ago(before)} }

func (s *scene) hooked(h Hook) { s.facts.Hook = &h }

func (s *scene) blocks(befores ...time.Duration) {
	s.led().HookBlocks = nil
	for _, d := range befores {
		s.led().HookBlocks = append(s.led().HookBlocks, ago(d).String())
	}
}

func (s *scene) background(kind string, before time.Duration) {
	s.led().Background = []session.BackgroundTask{{ID: "b", Kind: kind, Since: ago(before)}}
}
