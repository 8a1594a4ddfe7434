package cmd

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// stop decides whether the agent is sent on. Only a continuation, and what it must not forget, is committed.
func (r *hookRun) stop() (hook.Answer, error) {
	if err := r.step("decide"); err != nil {
		return hook.Answer{}, err
	}
	turn := &hook.Turn{Call: r.call, Agent: r.agent, Cap: r.agent.Cap(os.Getenv), StaleAfter: r.set.StaleAfter, Now: r.now}
	list := &hookList{hookRun: r}
	if r.doc != nil {
		list.signs = r.store.Activity(r.name)
		turn.Calls = list.signs.Calls
		r.conversation(turn)
	}
	facts := r.call.Facts
	facts.Named = r.named
	gate, err := r.gate()
	if err != nil {
		return hook.Answer{}, err
	}
	q := ask.Question{List: list, Said: facts, Now: r.now, DryRun: r.call.Ahead, Turn: turn, Gate: gate, Waiting: newWaiting(nil)}
	got, err := q.Ask()
	if err != nil {
		return hook.Answer{}, err
	}
	if r.call.Ahead {
		return hook.Answer{Decision: hook.CountdownJSON(got.Decision, r.set)}, nil
	}
	if got.Changed && turn.Calls > 0 {
		// The calls are in the ledger now. Losing this note only counts them twice.
		_ = r.store.TakeCalls(r.name, session.Activity{Kind: string(continuation.TurnEnd), At: r.now})
	}
	doc := got.Doc
	d, said := got.Decision, hook.Answer{}
	if d.Outcome == continuation.Continue {
		said.Prompt = continuation.Prompt(doc, d, r.set)
	} else {
		said.Notice = render.Text(hook.Notice(d))
		r.subagentEnded()
	}
	if r.agent.Decides {
		said.Decision = decisionJSON(r.name, doc, d, r.set, said.Prompt, false)
	}
	return said, nil
}

// hookList is the list of a hook's conversation, as the question needs it.
type hookList struct {
	*hookRun
	signs session.Activity
	read  bool // the document was handed out; what the agent reports has changed it
}

// Load returns at first the document that the hook has read already.
func (l *hookList) Load() (*session.Document, error) {
	if !l.read {
		l.read = true
		return l.doc, nil
	}
	doc, err := l.store.Load(l.name)
	if doc != nil {
		doc.Release(l.call.Session, l.store.Gone, l.now)
	}
	return doc, err
}

func (l *hookList) Activity() session.Activity { return l.signs }

// Settings are those of the conversation. A hook never counts down: the agent waits for its answer.
func (l *hookList) Settings(*session.Document) (continuation.Settings, error) {
	set := l.set
	set.Countdown = 0
	return set, nil
}

func (l *hookList) Facts(said continuation.Facts) (continuation.Facts, error) {
	if l.doc == nil {
		return said, nil
	}
	facts, _, err := withSchedule(l.files, l.name, said)
	return facts, err
}

func (l *hookList) Update(_ string, _ todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	return l.commit(change)
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

// conversation looks at the conversation's file: how far it has come, what the agent's last message was
// where the event does not bring it, and whether work beside the turn would be lost with it.
// What cannot be read is not known.
func (r *hookRun) conversation(t *hook.Turn) {
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
	from, tail := end(path, info.Size())
	for until := time.Now().Add(maxLate); r.agent.Late && r.call.At != "" && !hook.ReachesTo(tail, r.call.At) && time.Now().Before(until); {
		time.Sleep(maxLate / 30)
		if info, err = os.Stat(path); err != nil {
			return
		}
		from, tail = end(path, info.Size())
	}
	message, said := hook.LastMessage(tail)
	if t.Call.Message == "" {
		t.Call.Message = message
	}
	if t.Length = info.Size(); said > 0 {
		t.Length = from + int64(said)
	}
	if r.call.Kind == hook.Stop && len(r.doc.Continuation.Background) > 0 {
		t.Ends = r.agent.EndsWithTurn(func() []byte { return section(path, 0, hook.MaxHead) })
	}
}

// maxLate is how long an agent that writes the conversation's file late is waited for.
const maxLate = 300 * time.Millisecond

// end reads the end of a file, and where it begins.
func end(path string, size int64) (from int64, tail []byte) {
	from = max(0, size-hook.MaxTail)
	return from, section(path, from, hook.MaxTail)
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
