package schedule

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"onward/internal/calls/policy"
	"onward/internal/todo"
)

// MessageAuthor returns who queues a message by a command: the agent that runs it on its own behalf, by the first of its names that is known;
// empty is the user, if a person runs it.
func MessageAuthor(by string, person bool, names ...string) string {
	if by == todo.ByUser && person {
		return ""
	}
	return cmp.Or(append(names, "agent")...)
}

// Guard returns a change of the schedule as whoever makes it may: only a person changes the user's messages, apart from those that were
// sent already, answers for the user whether a call runs, removes what ran, and makes rules. It compares the document before and after, so
// that no command can be forgotten. Whether it is a person is asked only if that matters; may refuses what it gets in words, with what an
// agent may do instead.
func Guard(change func(*Document) (Change, error), sent []string, person func() bool, may func(what, instead string) error) func(*Document) (Change, error) {
	return func(d *Document) (Change, error) {
		messages, rules, waiting := slices.Clone(d.Messages), slices.Clone(d.Rules), d.waitingCalls()
		var ids []string
		for c := range d.all() {
			ids = append(ids, c.ID)
		}
		did, err := change(d)
		if err != nil || did.What == "" {
			return did, err
		}
		if err = CheckMessages(messages, d.Messages, sent); err != nil && !person() {
			return did, err
		}
		if what, instead := answered(waiting, d); what != "" {
			return did, may(what, instead)
		}
		if slices.ContainsFunc(ids, func(id string) bool { return d.Find(id) == nil }) {
			return did, may("remove calls", "`onward schedule cancel ID` cancels one that has not ended; `onward schedule list` shows them all")
		}
		if what := policy.Difference(rules, d.Rules); what != "" {
			return did, may(what, "`onward schedule policy list` shows the rules")
		}
		return did, nil
	}
}

// waitingCalls returns copies of the calls that await approval.
func (d *Document) waitingCalls() (calls []Call) {
	for c := range d.all() {
		if c.Status == Awaiting {
			calls = append(calls, *c)
		}
	}
	return calls
}

// answered says in words which answer the calls have got that awaited approval, with what an agent may do instead; empty if they have none.
func answered(waiting []Call, d *Document) (what, instead string) {
	var denied []string
	for i := range waiting {
		was := &waiting[i]
		is := d.Find(was.ID)
		if is == nil {
			continue
		}
		by := ""
		if is.Approval != nil && is.Approval != was.Approval {
			by = is.Approval.Outcome
		}
		switch {
		case by == outcomeRefused:
			denied = append(denied, is.ID)
		case is.Status == Scheduled && by != "" && by != outcomePolicy:
			return "approve a call", "`onward schedule list` shows what waits for the user"
		case !bytes.Equal(is.Args, was.Args):
			return "modify a call", "`onward schedule cancel " + is.ID + "` cancels it, and `onward schedule submit` submits another"
		}
	}
	if denied != nil {
		return "deny a call", "`onward schedule cancel " + strings.Join(denied, " ") + "` cancels it"
	}
	return "", ""
}

// CheckMessages returns a *todo.Forbidden if an agent has changed or removed a message of the user, or queued one as the user; nil
// if it has not. The messages that were sent already have served.
func CheckMessages(before, after []Message, sent []string) error {
	for i := range before {
		was := &before[i]
		if was.By != "" || slices.Contains(sent, was.Name()) {
			continue
		}
		if !slices.ContainsFunc(after, func(m Message) bool { return m.Name() == was.Name() && m.Text == was.Text && m.By == "" }) {
			return &todo.Forbidden{
				What: fmt.Sprintf("message %d is the user's: an agent may not change or take it", i+1),
				Next: "`onward message list` shows it, and the next prompt brings it", User: fmt.Sprintf("message drop %d", i+1),
			}
		}
	}
	return nil
}
