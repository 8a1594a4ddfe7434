package cmd

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/cli"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

type repairCmd struct {
	Session string `arg:"" name:"session" optional:"" complete:"session" help:"The session; default: the current one. SESSION+AGENT is a sub-agent's list."`
	Yes     bool   `short:"y" help:"Restore the newest good state; without it, nothing is written."`
	Accept  bool   `help:"Accept a file that was edited by hand, if it is valid."`
}

// Run reports what is wrong with a session's files, of its list and its tool calls, and with --yes repairs them,
// or with --accept accepts them as they are.
func (c *repairCmd) Run(a *app) error {
	if c.Yes && c.Accept {
		return cli.Usagef("--yes and --accept exclude each other: restore the newest good state, or accept the file as it is")
	}
	t, err := a.targetNamed(c.Session)
	if err != nil {
		return err
	}
	if doc, err := t.store.Load(t.name); c.Session != "" && doc == nil && err == nil {
		return fmt.Errorf("%w: %q", session.ErrNoSession, t.name)
	}
	calls := t.calls()
	list, ofCalls := t.store.Diagnose, calls.Diagnose
	switch {
	case c.Yes:
		list = func(name session.Name) (session.Diagnosis, error) { return t.store.Repair(name, t.now) }
		ofCalls = calls.Repair
	case c.Accept:
		list = func(name session.Name) (session.Diagnosis, error) { return t.store.Accept(name, t.now) }
		ofCalls = func(name session.Name) (schedule.Diagnosis, error) { return calls.Accept(name, t.now) }
	}
	writes := c.Yes || c.Accept
	d, err := list(t.name)
	if err != nil {
		return err
	}
	a.committed = writes && d.Problem != nil
	of, err := ofCalls(t.name)
	if err != nil && a.committed {
		return fmt.Errorf("%w: the list is repaired, its tool calls are not: %w", store.ErrNotDurable, err)
	}
	if err != nil {
		return err
	}
	a.committed = a.committed || writes && of.Problem != nil
	policies := policies(t.files.local.Wait)
	rules := policies.Lost()
	gone := errors.Is(rules, store.ErrGone)
	if a.committed && rules != nil && !gone {
		return fmt.Errorf("%w: the session is repaired, whether the rules are there is not known: %w", store.ErrNotDurable, rules)
	}
	found := repaired{Name: t.name, List: d, Calls: of, Wrote: writes, Rules: rules}
	if c.Accept && gone {
		if err := policies.Forget(); err != nil {
			return err
		}
		found.Forgot = true
	}
	a.show(found.JSON(), found.Text(a.style(), t.now.Time()))
	if (d.Problem != nil || of.Problem != nil) && !writes || found.Rules != nil && !found.Forgot {
		return cli.Answer(exitData)
	}
	return nil
}

// repaired is what repair found of a session, and what it did.
type repaired struct {
	Name   session.Name
	List   session.Diagnosis
	Calls  schedule.Diagnosis
	Rules  error // why the file of rules is missing; nil where it is there, or never was
	Wrote  bool
	Forgot bool // that there are no rules is accepted
}

func (r *repaired) sound() bool {
	return r.List.Problem == nil && r.Calls.Problem == nil && r.Rules == nil
}

// Text shows what repair found, and what to do next where it did not write.
func (r *repaired) Text(style render.Style, now time.Time) string {
	if r.sound() {
		return fmt.Sprintf("session %s is sound\n", r.Name)
	}
	text := ""
	if r.List.Problem != nil {
		text = repairOfList(r.Name, r.List, r.Wrote, style, now)
	}
	if r.Calls.Problem != nil {
		text += repairOfCalls(r.Name, r.Calls, r.Wrote, style)
	}
	if r.Rules != nil {
		end := []string{"next", "restore policy.json from a backup, or accept with `onward repair --accept` that there are no rules"}
		if r.Forgot {
			end = []string{"done", "there are no rules"}
		}
		text += style.Paragraphs([][]string{{"found", "policy.json: " + render.Text(r.Rules.Error())}, end})
	}
	return text
}

func repairOfCalls(name session.Name, d schedule.Diagnosis, wrote bool, style render.Style) string {
	rows := [][]string{{"found", render.Text(d.Problem.Error())}}
	if d.Copy != "" {
		rows = append(rows, []string{"copy", render.Text(d.Copy)})
	}
	switch {
	case d.Accepted:
		return style.Paragraphs(append(rows, []string{"done", "the tool calls and messages are accepted as they are in the file"}))
	case wrote:
		return style.Paragraphs(append(rows, []string{"done", "the session has no tool calls and no messages"}))
	}
	next := fmt.Sprintf("`onward repair %s --yes` moves the file aside; the session has no tool calls and no messages then", name)
	return style.Paragraphs(append(rows, []string{"next", next}))
}

func repairOfList(name session.Name, d session.Diagnosis, wrote bool, style render.Style, now time.Time) string {
	rows := [][]string{{"found", render.Text(d.Problem.Error())}}
	row := func(label, format string, args ...any) {
		rows = append(rows, []string{label, fmt.Sprintf(format, args...)})
	}
	if d.Accepted {
		row("done", "the list is accepted as it is in the file; `onward todo undo -s %s` returns to the one before", name)
		return style.Paragraphs(rows)
	}
	for _, path := range d.Copies {
		row("copy", "%s", render.Text(path))
	}
	switch {
	case d.Good != nil:
		row("good", "%s, after: %s, %s", render.Totals(todo.Count(d.Good.Items)), render.Text(d.Good.Change), render.Age(d.Good.At, now))
	default:
		row("good", "no state is known")
	}
	switch {
	case wrote && d.Good != nil:
		row("done", "the good state is back; counters, settings and the owner start afresh")
	case wrote:
		row("done", "the session starts with an empty list")
	case d.Good != nil:
		row("next", "`onward repair %s --yes` brings the good state back", name)
	default:
		row("next", "`onward repair %s --yes` starts the session with an empty list", name)
	}
	return style.Paragraphs(rows)
}

// JSON is onward/repair/v1: what repair found and did.
func (r *repaired) JSON() any {
	type good struct {
		Rev    uint64      `json:"rev"`
		At     todo.Time   `json:"at"`
		Change string      `json:"change"`
		Active bool        `json:"active"`
		Counts todo.Counts `json:"counts"`
	}
	type damage struct {
		Problem string `json:"problem"`
		Copy    string `json:"copy,omitzero"`
	}
	d, calls := &r.List, &r.Calls
	out := struct {
		header
		Sound    bool     `json:"sound"`
		Repaired bool     `json:"repaired"`
		Accepted bool     `json:"accepted,omitzero"`
		Problem  string   `json:"problem,omitzero"`
		Copies   []string `json:"copies"`
		Good     *good    `json:"good,omitzero"`
		Calls    *damage  `json:"calls,omitzero"`
		Rules    string   `json:"rules,omitzero"`
	}{
		header: headerOf("onward/repair/v1", r.Name), Sound: r.sound(), Repaired: r.Wrote && !r.sound() && (r.Rules == nil || r.Forgot),
		Accepted: d.Accepted || calls.Accepted || r.Forgot, Copies: d.Copies,
	}
	if d.Problem != nil {
		out.Problem = d.Problem.Error()
	}
	if g := d.Good; g != nil {
		out.Good = &good{g.Rev, g.At, g.Change, g.Active, todo.Count(g.Items)}
	}
	if calls.Problem != nil {
		out.Calls = &damage{calls.Problem.Error(), calls.Copy}
	}
	if r.Rules != nil {
		out.Rules = r.Rules.Error()
	}
	return out
}
