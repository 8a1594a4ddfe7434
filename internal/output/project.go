package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Project is what a user wants to know first of a project: its last run, and what comes next.
type Project struct {
	Row     *live.Row        // nil if there is no session
	Run     *session.Run     // the record of the last run; nil if that is done, or if there was none
	Receipt *session.Receipt // of the last run that has ended; nil if there is none
	AtWork  bool             // the run has not ended
	Old     bool             // it ended too long ago to go on
	Waiting int              // messages of the user that no agent has got
	Again   string           // the command line that continues the run
	Agent   string           // an agent that can be started, if no run has named one
}

// CanGoOn reports whether the user can continue the last run.
func (p Project) CanGoOn(now todo.Time) bool { return !p.AtWork && p.Run.CanGoOn(now) }

// Known reports whether there is anything to show.
func (p Project) Known() bool {
	return p.Run != nil || p.Receipt != nil || p.Row != nil && p.Row.Standing.State != continuation.IsEmpty && p.Row.Standing.State != continuation.IsCleared
}

// Fact is one of the things that are known of a project, with the word for what it is about.
type Fact struct {
	Key, Text string
	lines     int // of a screen that it may fill; 0 for a command, which is never cut, since half of it cannot be typed
}

// Facts returns what is known of a project, each in the words that every view has for it.
func (p Project) Facts(now time.Time) []Fact {
	list, queued := "", ""
	if p.Waiting > 0 {
		queued = todo.Plural(p.Waiting, "message") + " of yours, for the next turn"
	}
	if p.Row != nil && p.Row.Active && p.Row.Counts.Total > 0 {
		list = render.Totals(p.Row.Counts)
		if p.Row.Item.Text != "" {
			list += "; next: " + p.Row.Item.Position + "  " + p.Row.Item.Text
		}
	}
	all := []Fact{
		{"run", p.task(), 1},
		{"state", p.state(now), 2},
		{"spent", p.spent(now), 1},
		{"proof", p.proof(now), 2},
		{"queued", queued, 1},
		{"list", list, 1},
		{"next", p.next(), 0},
	}
	return slices.DeleteFunc(all, func(f Fact) bool { return f.Text == "" })
}

// ProjectText shows a project in a few lines.
func ProjectText(p Project, style render.Style, now time.Time) string {
	var b strings.Builder
	width := cmp.Or(style.Width, 80)
	for _, f := range p.Facts(now) {
		switch text := render.Text(f.Text); f.lines {
		case 1:
			fmt.Fprintf(&b, "%-7s %s\n", f.Key, style.Cut(text, max(width-8, 16)))
		case 2:
			style.WriteHanging(&b, fmt.Sprintf("%-8s", f.Key), 8, style.Cut(text, max(2*width-24, 16)))
		default:
			fmt.Fprintf(&b, "%-7s %s\n", f.Key, text)
		}
	}
	return b.String()
}

// ended reports whether the receipt is that of the last run.
func (p Project) ended() bool { return p.Receipt != nil && (p.Run == nil || p.Run.HasEnded()) }

// task is the agent and the first line of its task.
func (p Project) task() string {
	task, agent := "", p.lastAgent()
	switch {
	case p.ended():
		task = p.Receipt.Task
	case p.Run != nil:
		task = p.Run.Task
	default:
		return ""
	}
	task, _, _ = strings.Cut(strings.TrimSpace(task), "\n")
	task = cmp.Or(task, "the list, without a task")
	if agent == "" {
		return task
	}
	return agent + ": " + task
}

// lastAgent is the agent of the last run; empty if that is not known.
func (p Project) lastAgent() string {
	switch {
	case p.ended():
		return p.Receipt.LastAgent()
	case p.Run != nil:
		return p.Run.Agent
	}
	return ""
}

// agent is the one to start next, for the user to type. Other programs than the known agents need more words than their name.
func (p Project) agent() string {
	if last := p.lastAgent(); last != "" && last != "generic" {
		return last
	}
	return p.Agent
}

// state is that of the session, in the words of every other view, and since when.
func (p Project) state(now time.Time) string {
	if p.Row == nil {
		return ""
	}
	text := p.Row.Standing.State.Words()
	if at := p.Row.Standing.Since; at != 0 {
		text += ", " + render.Age(at, now)
	}
	if why := WhyText(p.Row.Standing); why != "" {
		text += ": " + why
	}
	return text
}

// spent is what the last run has cost.
func (p Project) spent(now time.Time) string {
	switch {
	case p.ended():
		return p.Receipt.Spent()
	case p.Run != nil:
		until := todo.TimeOf(now)
		if !p.AtWork && p.Row != nil { // it was cut off, and nobody knows when: what it wrote last is the last that is known
			until = cmp.Or(p.Run.Seen, p.Row.Standing.Since)
		}
		return p.Run.SpentText(until, p.Row != nil && p.Row.Standing.State == continuation.IsCutOff)
	}
	return ""
}

// proof is what is known about the work of the last run.
func (p Project) proof(now time.Time) string {
	gate, results := "", []session.ProofResult(nil)
	switch {
	case p.ended() && p.Receipt.Outcome == string(run.Done):
		return strings.TrimPrefix(p.Receipt.Grade+": "+p.Receipt.Message, ": ")
	case p.ended():
		gate, results = p.Receipt.Gate, p.Receipt.Results
	case p.Run != nil:
		gate, results = p.Run.ProvingGate(), p.Run.Results
	default:
		return ""
	}
	switch {
	case gate == "":
		return "none: there is no gate"
	case len(results) == 0:
		return "none yet: the gate has not run: " + gate
	}
	last := results[len(results)-1]
	text := fmt.Sprintf("none: the gate failed with exit code %d,", last.Code)
	switch {
	case last.Code == 0:
		text = "none yet: the gate passed"
	case last.Code < 0:
		text = "none: the gate has no result"
	}
	return text + " " + render.Age(last.At, now) + ": " + gate
}

// DoneHint returns the next step after a run that is done. The flags lead to its session.
func DoneHint(grade run.Grade, flags ...string) string {
	with := func(words ...string) string { return "`" + shellquote.Join(append(words, flags...)...) + "`" }
	if grade == run.Proven {
		return with("onward", "report") + " shows what happened, " + with("onward", "proof", "show") + " what is proven"
	}
	return with("onward", "report") + " shows what happened"
}

// next is the command that a user types next.
func (p Project) next() string {
	state := continuation.State("")
	if p.Row != nil {
		state = p.Row.Standing.State
	}
	switch {
	case state == continuation.NeedsYou && p.Row.Standing.Reason == "damaged":
		return "`onward repair` shows what can be restored"
	case p.AtWork && state == continuation.IsWaiting && p.Row.Standing.Reason != "background": // which goes on without its user
		return "`onward resume` tries now, `onward watch` shows the run, and `onward stop` ends it"
	case p.AtWork && state == continuation.IsStopped:
		return "`onward resume` lets the run go on after its turn, which ends it otherwise"
	case p.AtWork:
		return "`onward watch` shows it at work, and `onward reply 'TEXT'` tells its agent something"
	case state == continuation.NeedsYou && p.Row.Standing.Reason == "approval":
		return "`onward schedule list --status awaiting_approval` shows what it would do"
	case state == continuation.NeedsYou && p.Row.Standing.Reason == "paused" && p.Old:
		return "`onward reply 'ANSWER'` answers, and names the command of a new run"
	case state == continuation.NeedsYou && p.Row.Standing.Reason == "paused":
		return "`onward reply 'ANSWER'` answers, and goes on"
	case state == continuation.IsStopped && p.Row.Standing.Reason == "stopped":
		return "`onward resume` lets an agent go on again"
	case state == continuation.NeedsYou && p.Run.Next() != "":
		return p.Run.Next()
	case state == continuation.IsDone && p.ended():
		return DoneHint(run.Grade(p.Receipt.Grade))
	case state == continuation.IsDone: // after its run was cut off
		return DoneHint("")
	case p.Again != "":
		return p.Again
	case state == continuation.IsUnproven:
		return "`onward todo assert` runs the gate"
	case p.Row != nil && p.Row.Counts.Open > 0:
		return "`onward run " + p.agent() + "` works on the list"
	}
	return "`onward run " + p.agent() + " 'the task'` starts an agent"
}
