package cmd

import (
	"reflect"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

type checkContinueCmd struct {
	DryRun  bool    `help:"Decide, but commit nothing."`
	Explain bool    `help:"Show every check with its result."`
	Wait    bool    `help:"Sleep through exit 13 and ask again; ends at once when another process changes the session."`
	MaxWait *string `placeholder:"D" help:"The longest wait in all; default 1h."`
	Facts   string  `placeholder:"-" complete:"=-" help:"Read the facts as one JSON object from stdin, in snake case."`

	factFlags    `embed:"" group:"facts"`
	settingFlags `embed:"" group:"settings"`
}

// Run decides, commits what is to be remembered, and prints the prompt or why there is none.
func (c *checkContinueCmd) Run(a *app) error {
	maxWait := time.Hour
	if c.MaxWait != nil {
		var err error
		if maxWait, err = continuation.ParseDuration(*c.MaxWait); err != nil {
			return notDuration("--max-wait", *c.MaxWait)
		}
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	facts, err := c.facts(a)
	if err != nil {
		return err
	}
	facts.Named = t.named
	// The clock goes on from where it was set, so that a replay can wait too.
	start, began := t.now, time.Now()
	told := "" // what it waits for, as far as that was said
	for {
		mark := ""
		if c.Wait {
			mark = t.mark()
		}
		doc, d, set, err := c.decide(a, t, &facts)
		if err != nil {
			return err
		}
		waited := time.Since(began)
		if d.Outcome != continuation.Wait || !c.Wait || waited >= maxWait {
			return c.answer(a, t, doc, d, set)
		}
		if d.Reason != told {
			told = d.Reason
			a.note(d.Message + "; waiting")
		}
		t.pause(mark, min(d.RetryAfter, maxWait-waited))
		t.now = start + todo.Time(time.Since(began).Milliseconds())
		// What the caller said of the last turn was true of the last turn.
		facts.ToolCalls = nil
	}
}

// decide answers once. What is to be remembered is committed, after the countdown where there is one.
func (c *checkContinueCmd) decide(a *app, t target, said *continuation.Facts) (*session.Document, continuation.Decision, continuation.Settings, error) {
	doc, err := t.store.Load(t.name)
	if doc != nil && said.ReadRev == 0 {
		said.ReadRev = doc.Rev // whoever waits still asks what it asked first
	}
	var facts continuation.Facts
	if err == nil {
		facts, err = withQueue(t.store.Dir, t.name, *said)
	}
	if err != nil {
		return nil, continuation.Decision{}, continuation.Settings{}, err
	}
	set, err := c.settings(t, doc)
	if err != nil {
		return nil, continuation.Decision{}, set, err
	}
	if doc != nil {
		if doc.Continuation.CompactedAt != 0 {
			facts.ActiveAt = t.store.Activity(t.name).At
		}
		if d, ok := repeated(doc, a.op(), facts, set, t.now); ok {
			return doc, d, set, nil
		}
	}
	d, ledger := continuation.Decide(doc, facts, set, t.now)
	if c.DryRun || doc == nil || reflect.DeepEqual(ledger, doc.Continuation) {
		return doc, d, set, nil
	}
	op := "" // only a continuation is worth the id: any other answer is asked anew
	if d.Outcome == continuation.Continue {
		took, cancelled := a.countdown(t, d, set, func() bool { return c.over(t, *said) })
		t.now += todo.Time(took.Milliseconds())
		if facts, err = withQueue(t.store.Dir, t.name, *said); err != nil {
			return nil, d, set, err
		}
		op, facts.CountdownCancelled = a.op(), cancelled
	}
	return c.commit(a, t, op, facts, doc, set)
}

// withQueue adds the messages that wait for the agent to those that the caller knows of.
func withQueue(store string, name session.Name, facts continuation.Facts) (continuation.Facts, error) {
	n, err := schedule.Waiting(store, name)
	if n > 0 {
		if facts.QueuedMessages != nil {
			n += *facts.QueuedMessages
		}
		facts.QueuedMessages = &n
	}
	return facts, err
}

// settings resolves the settings for a list as it stands.
func (c *checkContinueCmd) settings(t target, doc *session.Document) (continuation.Settings, error) {
	parent, err := t.parent()
	if err != nil {
		return continuation.Settings{}, err
	}
	return settings(c.values(), doc, parent)
}

// over reports whether the list is not to be continued any more, as it stands now.
func (c *checkContinueCmd) over(t target, said continuation.Facts) bool {
	doc, err := t.store.Load(t.name)
	if err != nil {
		return true // it is told at the end
	}
	facts, err := withQueue(t.store.Dir, t.name, said)
	if err != nil {
		return true
	}
	set, err := c.settings(t, doc)
	d, _ := continuation.Decide(doc, facts, set, t.now)
	return err != nil || d.Outcome != continuation.Continue
}

// commit decides again on the list as it stands under the lock, and commits the ledger.
// The document that was read and its settings are used where nothing has changed since.
func (c *checkContinueCmd) commit(a *app, t target, op string, facts continuation.Facts, read *session.Document, set continuation.Settings) (*session.Document, continuation.Decision, continuation.Settings, error) {
	var d continuation.Decision
	commit, err := a.updateOnce(t, op, func(doc *session.Document) (session.Change, error) {
		if doc.Rev != read.Rev {
			var err error
			if set, err = c.settings(t, doc); err != nil {
				return session.Change{}, err
			}
		}
		var ledger session.Ledger
		d, ledger = continuation.Decide(doc, facts, set, t.now)
		if reflect.DeepEqual(ledger, doc.Continuation) {
			return session.Change{}, nil
		}
		if d.Outcome == continuation.Continue && op != "" {
			ledger.Last.Op, ledger.Last.Tier, ledger.Last.Allowed = op, string(d.Tier), d.Stagnation.Max
		}
		doc.Continuation = ledger
		return session.Change{What: d.Reason, By: "cli"}, nil
	})
	if !commit.Again {
		return commit.Doc, d, set, err
	}
	if set, err = c.settings(t, commit.Doc); err != nil {
		return nil, d, set, err
	}
	if d, ok := repeated(commit.Doc, op, facts, set, t.now); ok {
		return commit.Doc, d, set, nil
	}
	return c.commit(a, t, "", facts, read, set)
}

// repeated gives the continuation that an operation came to before, and the document its revision.
func repeated(doc *session.Document, op string, facts continuation.Facts, set continuation.Settings, now todo.Time) (continuation.Decision, bool) {
	d, ok := continuation.Repeat(doc, op, facts, set, now)
	if last := doc.Continuation.Last; ok && last != nil && last.Op == op {
		doc.Rev = last.Rev
	}
	return d, ok
}

// answer prints a decision; its outcome is the exit code.
func (c *checkContinueCmd) answer(a *app, t target, doc *session.Document, d continuation.Decision, set continuation.Settings) error {
	prompt := ""
	if d.Outcome == continuation.Continue {
		prompt = continuation.Prompt(doc, d, set)
	}
	if a.JSON {
		a.write(render.DecisionJSON(t.name, doc, d, prompt, c.Explain))
	} else {
		if c.Explain {
			a.err.Write([]byte(render.Explain(d)))
		}
		a.print(prompt)
		if prompt == "" {
			a.note(d.Message)
		}
	}
	if code := outcomeCode(d.Outcome); code != exitOK {
		return answer(code)
	}
	return nil
}
