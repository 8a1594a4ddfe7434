package cmd

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/install"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/tree"
)

// ask decides whether the agent continues. Within a run, nothing else decides that.
func (r *runner) ask() (run.Action, error) {
	now, err := r.now()
	if err != nil {
		return run.Action{}, err
	}
	if err := r.giveTurn(); err != nil {
		return run.Action{}, err
	}
	flags := r.values()
	facts := r.spent(&r.record, now)
	facts.ToolCalls = new(int)                           // the tool calls of the last turn were counted while it was read
	facts.PendingToolCalls, facts.Ended = new(int), true // the agent has ended, and so have its calls
	facts.Prompts = r.record.Prompts
	facts.TaskWaits, facts.Again, facts.Idle = r.machine.Waits(), r.machine.Tasked(), r.machine.Task && !r.machine.Acted
	facts.Switch = todoToolHint(r.Agent)
	waiting := newWaiting(r.t.Watch)
	waiting.signals = r.signals
	defer waiting.Close()
	q := ask.Question{
		List: asked{r.t, find.ReadConfig(), flags, false, false}, Name: r.t.Name, Said: facts, Now: now,
		Waiting: waiting, Notes: askNotes{r.a, waiting}, Gate: &runGate{gate: r.a.gate(r.t), run: r},
	}
	got, err := q.Ask()
	if err != nil {
		return run.Action{}, err
	}
	if err := r.stillThere(got.Doc); err != nil {
		return run.Action{}, err
	}
	r.a.committed = r.a.committed || got.Changed
	a := run.Answer{Decision: got.Decision, Over: continuation.UsedUp(got.Doc, facts, got.Settings, now)}
	if limit := got.Settings.MaxDuration; limit > 0 {
		a.Left = max(0, limit-r.record.Began.Since(now))
	}
	if f := got.Doc.Ledger().Error; f != nil {
		a.Class, a.Since = continuation.ErrorClass(f.Class), f.Since
	}
	if a.Reason == continuation.Permissions {
		a.Hint = r.allowing(got.Doc.Ledger().Denied.Tools)
	}
	r.acted(todo.Digest(got.Doc.Current()) != r.record.List)
	a.Unchanged = got.Decision.Outcome == continuation.Finished && r.unchanged(got.Settings)
	r.record.Count(got.Decision.Outcome == continuation.Continue, got.Decision.Messages)
	r.answer = got.Prompt()
	if got.Decision.Reason == continuation.Sent {
		r.answer = "" // the record has it, until a turn has worked on it
		r.record.Hear(got.Decision.Messages)
		r.lost = got.Decision.Lost
		r.record.Asked = cmp.Or(got.Decision.Asked, r.record.Asked)
	}
	return r.machine.Answered(a, now), nil
}

// unchanged reports whether the checkout in which the gate passes is as it was before the first turn: then the gate passed
// before as well, whatever the agent called.
func (r *runner) unchanged(set continuation.Settings) bool {
	return !r.record.GateFailed && r.record.Start != "" && r.record.Start == stateOf(set.GateDir)
}

// treeTime is how long the state of a checkout may take to read.
const treeTime = 5 * time.Second

// stateOf returns the state of the checkout that a folder is in; empty where it cannot be told.
func stateOf(dir string) string {
	ctx, cancel := context.WithTimeout(context.Background(), treeTime)
	defer cancel()
	t, err := tree.Reader{Folder: filepath.Join(xdg.CacheHome, "onward", "trees")}.Read(ctx, dir)
	if err != nil {
		return ""
	}
	return t.State()
}

// acted notes that something shows that the work was begun, if it does.
func (r *runner) acted(is bool) {
	r.record.Acted = r.record.Acted || is
	r.machine.Acted = r.record.Acted
}

// spent returns the consumption that a budget is compared with, by the record of the run.
func (r *runner) spent(record *session.Run, now todo.Time) continuation.Facts {
	facts := continuation.Facts{ElapsedMS: new(int64(now - record.Began))}
	if record.Tokens > 0 {
		facts.SpendTokens = new(int64(record.Tokens))
	}
	if r.program.Costs {
		facts.SpendUSD = new(float64(record.Micros) / 1e6)
	}
	return facts
}

// runGate is the gate of a run, and reports its result.
type runGate struct {
	*gate
	run *runner
}

// Prove runs the gate.
func (g *runGate) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	if now, err := g.run.now(); err == nil {
		g.Now = now
	}
	g.run.shown.does(&g.run.record, g.Now, "runs the gate", 0)
	proof, err := g.gate.Prove(set, shared)
	if proof != nil {
		g.run.acted(!proof.Passed())
		g.run.record.GateFailed = g.run.record.GateFailed || !proof.Passed()
		text := fmt.Sprintf("the gate fails with exit code %d: %s", proof.Code, proof.Command)
		switch {
		case proof.Problem != "":
			text = "the gate has no result: " + proof.Problem
		case proof.Passed():
			text = "the gate passes: " + proof.Command
		}
		g.run.tell(event{Type: "gate", Turn: g.run.record.Turns, Command: proof.Command, Code: &proof.Code, Problem: proof.Problem}, text)
	}
	return proof, err
}

// knows reports whether installed hooks or the MCP server tell the agent's model how to keep the list.
func (r *runner) knows() bool {
	installed, err := (&hooksStatusCmd{Agent: r.Agent}).reports(r.a)
	return err == nil && slices.ContainsFunc(installed, func(i install.Report) bool { return i.Server != "" || i.Installed && !i.Partly && !i.Stale })
}

// unheard returns the words of the user that are part of a prompt: those that no turn has worked on. A conversation that has
// them gets them again only if there is nothing else to say.
func (r *runner) unheard(act run.Action, conversation string) string {
	if r.record.Heard && conversation != "" && (act.Text != run.Prompt || r.answer != "") {
		return ""
	}
	return continuation.Words(r.record.Messages)
}

// text returns the prompt of a turn, of which words of the user may be a part. A new conversation knows nothing of the one before;
// in one that is resumed, the words stand alone.
func (r *runner) text(act run.Action, words string, anew bool) (string, error) {
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil {
		return "", err
	}
	set, err := r.settings(doc)
	if err != nil {
		return "", err
	}
	if doc == nil {
		doc = &session.Document{Session: r.t.Name.Session, Agent: r.t.Name.AgentID()}
	}
	text := ""
	switch act.Text {
	case run.Task:
		return continuation.TaskPrompt(r.t.Name, r.task, words, r.knows(), set), nil
	case run.ListOnly:
		text = continuation.ListPrompt(doc)
	case run.Prompt:
		text = r.answer
	}
	switch {
	case anew:
		text = continuation.HandoverPrompt(doc, continuation.Handover{Task: r.task, Said: r.record.Said, Asked: r.record.Asked, Words: words, Prompt: text}, set)
	case words != "":
		text = continuation.WithLost(words, r.lost)
	}
	r.lost = nil
	if r.queue != nil && !anew { // the handover of an item has the task already
		text = continuation.ForItem(text, r.queue.text)
	}
	return text, nil
}

// progress describes how far the list has come.
func (r *runner) progress() string {
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil || len(doc.Current()) == 0 {
		return ""
	}
	counts := todo.Count(doc.Current())
	return fmt.Sprintf(", %d of %s open", counts.Open, todo.Plural(counts.Total, "item"))
}
