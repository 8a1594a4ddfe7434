package cmd

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/render"
	"onward/internal/session"
)

// stop decides whether the agent is sent on. Only a continuation, and what it must not forget, is committed.
func (r *hookRun) stop() (hook.Answer, error) {
	if err := r.step("decide"); err != nil {
		return hook.Answer{}, err
	}
	q := hook.Question{
		Call: r.call, Agent: r.agent, Cap: r.agent.Cap(os.Getenv),
		Settings: r.set, Now: r.now, Named: r.named,
	}
	doc := r.doc
	if doc != nil {
		var err error
		if q.Call.Facts, _, err = withSchedule(r.store, r.name, q.Call.Facts); err != nil {
			return hook.Answer{}, err
		}
		signs := r.store.Activity(r.name)
		q.ReadRev, q.Calls, q.ActiveAt = doc.Rev, signs.Calls, signs.At
		r.conversation(&q, doc)
	}
	v, err := q.Decide(doc)
	if err != nil {
		return hook.Answer{}, err
	}
	if r.call.Ahead {
		return hook.Answer{Decision: hook.CountdownJSON(v.Decision, r.set)}, nil
	}
	if v.Matters {
		err := r.commit(func(now *session.Document) (session.Change, error) {
			doc = now
			v, err = q.Decide(now)
			if err != nil || !v.Matters {
				return session.Change{}, err
			}
			return v.Change, nil
		})
		if err != nil {
			return hook.Answer{}, err
		}
	}
	if v.Matters && q.Calls > 0 {
		// The calls are in the ledger now. Losing this note only counts them twice.
		_ = r.store.TakeCalls(r.name, session.Activity{Kind: string(continuation.TurnEnd), At: r.now})
	}
	d, said := v.Decision, hook.Answer{}
	if d.Outcome == continuation.Continue {
		said.Prompt = continuation.Prompt(doc, d, r.set)
	} else {
		said.Notice = render.Text(hook.Notice(d))
		r.subagentEnded()
	}
	if r.agent.Decides {
		said.Decision = render.DecisionJSON(r.name, doc, d, r.set, said.Prompt, false)
	}
	return said, nil
}

// subagentEnded takes a sub-agent that ends off the main list's background work.
// Where that fails, it stops to count by itself after a while.
func (r *hookRun) subagentEnded() {
	if r.call.Kind != hook.SubagentStop || r.call.SubAgent == "" {
		return
	}
	doc, err := r.store.Load(r.main)
	if err != nil || doc == nil {
		return
	}
	end := r.call
	end.List = nil
	end.Events = []continuation.Event{{Type: continuation.BackgroundEnd, ID: r.call.SubAgent}}
	if did, err := end.Take(doc, r.set.StaleAfter, r.now); err != nil || did.What == "" {
		return
	}
	_, err = r.store.Update(r.main, "", r.now, func(doc *session.Document) (session.Change, error) {
		return end.Take(doc, r.set.StaleAfter, r.now)
	})
	if err != nil {
		r.app.logHook(r.agent.Name, err)
	}
}

// conversation looks at the conversation's file: how long it is, what the agent's last message was
// where the event does not bring it, and whether work beside the turn would be lost with it.
// What cannot be read is not known.
func (r *hookRun) conversation(q *hook.Question, doc *session.Document) {
	path := r.call.Transcript
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if r.step("transcript") != nil || !filepath.IsAbs(path) {
		return
	}
	// A pipe or a device would wait for its other end.
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	q.Length = info.Size()
	if q.Call.Message == "" {
		q.Call.Message = hook.LastMessage(section(path, max(0, q.Length-hook.MaxTail), hook.MaxTail))
	}
	if r.call.Kind == hook.Stop && len(doc.Continuation.Background) > 0 {
		q.Ends = r.agent.EndsWithTurn(func() []byte { return section(path, 0, hook.MaxHead) })
	}
}

// section reads a section of a file; what cannot be read is nothing.
func section(path string, from, length int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, from, length))
	if err != nil {
		return nil
	}
	return data
}
