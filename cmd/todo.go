package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/native"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// edit changes the current list and reports the change.
func (a *app) edit(t find.List, change func(items []todo.Item, now todo.Time) (todo.Edit, error)) error {
	return a.change(t, func(doc *session.Document) (session.Change, error) {
		e, err := change(doc.Todos.Current(), t.Now)
		if err != nil {
			return session.Change{}, err
		}
		return continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Change: e.What, Source: "cli", By: a.by(t),
		}, t.Now)
	})
}

// change changes a list and describes the change.
func (a *app) change(t find.List, how func(*session.Document) (session.Change, error)) error {
	commit, err := a.update(t, how)
	if err != nil {
		return err
	}
	a.noteLeftBehind(t.ProjectsLeftByFirst(commit))
	return a.changed(t, commit)
}

// by returns who changes the list with this command.
func (a *app) by(t find.List) string { return t.Author(a.inner || isTerminal(a.in)) }

// changed prints the change of a commit.
func (a *app) changed(t find.List, commit session.Commit) error {
	if a.JSON {
		a.writeJSON(output.ChangeJSON(t.Name, commit))
		return nil
	}
	a.printChange(commit.Changed, commit.Change)
	return nil
}

// printChange prints a change.
func (a *app) printChange(changed bool, did session.Change) {
	if !changed {
		a.printNote("nothing changed")
		return
	}
	style := a.style()
	a.report(style.Cut(render.Text(did.What), style.Width) + "\n")
	const shown = 10
	touched := did.Touched
	for _, it := range touched[:min(shown, len(touched))] {
		a.report(style.Cut("  "+it.Position+"  "+render.Text(it.Content), style.Width) + "\n")
	}
	if more := len(touched) - shown; more > 0 {
		a.report(fmt.Sprintf("  +%d more\n", more))
	}
}

type todoAddCmd struct {
	Args     []string `arg:"" empty:"" name:"text" optional:"" form:"[POS] TEXT…" help:"The text, after a position if you want one; - reads one item per line from stdin."`
	At       string   `placeholder:"POS" complete:"position" help:"Where to put it: N, last, N.M, N.last or id:ID."`
	Status   string   `placeholder:"S" complete:"status" help:"pending, in_progress, completed, cancelled or blocked."`
	Priority string   `placeholder:"P" complete:"=high|medium|low" help:"high, medium or low."`
	After    []string `placeholder:"POS" complete:"item" help:"An item that must be closed first, by position or id; repeatable."`
	Gate     *string  `placeholder:"COMMAND" complete:"gate" help:"A command that must pass before the item is completed; only a person can set one."`

	RequireProof bool `help:"A run on the item must prove it; only a person can require that."`
}

// Run adds items.
func (c *todoAddCmd) Run(a *app, t find.List) error {
	if len(c.Args) == 0 {
		return cli.WithHint(cli.Usagef("which item?"), "for example `onward todo add 'fix the parser'`; see `onward todo add --help`")
	}
	at, words, err := todo.SplitPosition(c.At, c.Args, a.line.Literal)
	if err != nil {
		return c.misplaced(a, err, words)
	}
	draft := todo.Draft{After: c.After, NeedsProof: c.RequireProof}
	if c.RequireProof {
		if err := find.RequirePerson("say whether an item requires proof", "`onward todo show` shows which items do"); err != nil {
			return err
		}
	}
	if c.Gate != nil {
		if err := find.RequirePerson("set a gate", "`onward todo show` shows which items have one"); err != nil {
			return err
		}
		if err := t.TrustTypedItemGate(*c.Gate); err != nil {
			return err
		}
		draft.Gate = *c.Gate
	}
	if c.Status != "" {
		if draft.Status, err = todo.StatusNamed(c.Status); err != nil {
			return err
		}
	}
	if draft.Priority, err = todo.ParsePriority(c.Priority); err != nil {
		return err
	}
	texts := []string{strings.Join(words, " ")}
	if a.isDash(words) {
		if texts, err = a.lines(); err != nil {
			return err
		}
	}
	drafts := make([]todo.Draft, len(texts))
	for i, text := range texts {
		drafts[i] = draft
		drafts[i].Content = text
	}
	return c.misplaced(a, a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.Add(items, at, drafts, now)
	}), words)
}

// misplaced adds a hint to an error about a position: how to write a text that looks like one.
func (c *todoAddCmd) misplaced(a *app, err error, words []string) error {
	taken := c.At == "" && len(words) < len(c.Args) && (errors.Is(err, todo.ErrNoText) || strings.TrimSpace(strings.Join(words, "")) != "")
	if !taken || !errors.Is(err, todo.ErrSyntax) && !errors.Is(err, todo.ErrNotFound) {
		return err
	}
	again := shellquote.Join(c.Args...)
	if a.inner { // no shell reads the line
		again = strings.Join(c.Args, " ")
	}
	return cli.WithHint(err, "a text that looks like a position goes after --: `onward todo add -- "+again+"`")
}

// lines reads standard input as one item a line, and skips blank lines.
func (a *app) lines() ([]string, error) {
	data, err := a.readStdin()
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out, nil
}

type todoDeleteCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Ranges []string `arg:"" name:"range" complete:"range" ask:"which item?" example:"1" help:"N, last, N.M, id:ID, N-M, N.M-N.K or all."`
}

// Run removes items.
func (c *todoDeleteCmd) Run(a *app, t find.List) error {
	ranges, err := todo.ParseRanges(c.Ranges)
	if err != nil {
		return a.hintPositionsApart(err)
	}
	return a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.Delete(items, ranges, now)
	})
}

type todoSetCmd struct {
	ofSaved `embed:""`

	workerFlags `embed:""`

	Status string   `arg:"" complete:"status" ask:"which status, of which item?" example:"done 1" help:"pending, in_progress, completed, cancelled or blocked."`
	Ranges []string `arg:"" name:"range" complete:"range" ask:"which item?" example:"1" help:"N, last, N.M, id:ID, N-M, N.M-N.K or all."`
	Reason string   `placeholder:"R" help:"Why it is blocked."`
}

// Run sets the status of items.
func (c *todoSetCmd) Run(a *app, t find.List) error {
	status, err := todo.StatusNamed(c.Status)
	if err != nil {
		last := len(c.Ranges) - 1
		if _, isStatus := todo.StatusNamed(c.Ranges[last]); isStatus == nil {
			words := append([]string{c.Ranges[last], c.Status}, c.Ranges[:last]...)
			err = cli.WithHint(err, "did you mean `onward todo set "+strings.Join(words, " ")+"`?")
		}
		return err
	}
	return a.setStatus(t, status, c.Ranges, c.Reason, c.workerFlags)
}

func (a *app) setStatus(t find.List, status todo.Status, args []string, reason string, who workerFlags) error {
	ranges, err := todo.ParseRanges(args)
	if err != nil {
		return a.hintPositionsApart(err)
	}
	w, err := who.worker(a, t)
	if err != nil {
		return err
	}
	if status == todo.Completed {
		return a.proveAndComplete(t, ranges, reason, w)
	}
	if err := gate.PrepareWorkerToStart(t, &w, ranges, status); err != nil {
		return err
	}
	return a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.SetStatusBy(items, ranges, status, reason, w, now)
	})
}

// todoStatusCmd is a short form of set.
type todoStatusCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Ranges []string `arg:"" name:"range" complete:"range" ask:"which item?" example:"1" help:"N, last, N.M, id:ID, N-M, N.M-N.K or all."`
	status todo.Status
}

// Run sets the status that the command is named for.
func (c *todoStatusCmd) Run(a *app, t find.List) error {
	return a.setStatus(t, c.status, c.Ranges, "", c.workerFlags)
}

// hintPositionsApart adds to an error about positions in one word the command line in which they are apart.
func (a *app) hintPositionsApart(err error) error {
	words := append([]string{"onward"}, a.line.Path...)
	for _, arg := range a.line.Args {
		words = append(words, todo.MeantRanges(arg)...)
	}
	if line := shellquote.Join(words...); errors.Is(err, todo.ErrSyntax) && !slices.Equal(words[1+len(a.line.Path):], a.line.Args) {
		return cli.WithHint(err, "did you mean `"+line+"`?")
	}
	return err
}

type todoBlockCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Ranges []string `arg:"" name:"range" complete:"range" ask:"which item?" example:"1" help:"N, last, N.M, id:ID, N-M, N.M-N.K or all."`
	Reason string   `placeholder:"R" help:"What it waits for."`
}

// Run marks items that cannot be worked on now.
func (c *todoBlockCmd) Run(a *app, t find.List) error {
	if n := len(c.Ranges); n > 1 && c.Reason == "" {
		// `todo block 1 the key is missing` looks right to a reader of `pause REASON`.
		if _, err := todo.ParseRanges(c.Ranges[:1]); err == nil {
			if _, err := todo.ParseRanges(c.Ranges); err != nil {
				return cli.WithHint(err, "a reason follows --reason: `onward todo block "+shellquote.Join(c.Ranges[0], "--reason", strings.Join(c.Ranges[1:], " "))+"`")
			}
		}
	}
	return a.setStatus(t, todo.Blocked, c.Ranges, c.Reason, c.workerFlags)
}

type todoClearCmd struct {
	ofSaved `embed:""`
}

// Run archives the list.
func (c *todoClearCmd) Run(a *app, t find.List) error {
	return a.replaceList(t, continuation.Event{Type: continuation.Cleared, Source: "cli", By: a.by(t), Person: a.isPerson(), Change: "cleared the list"})
}

type todoWriteCmd struct{}

// Run replaces the whole list, as a model's todo_write tool does.
func (c *todoWriteCmd) Run(a *app, t find.List) error {
	data, err := a.readStdin()
	if err != nil {
		return err
	}
	items, err := native.Decode(data)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	return a.replaceList(t, continuation.Event{Type: continuation.Todos, Items: items, Source: "cli", By: a.by(t), Writer: *a.authority(t), Change: "wrote the list"})
}

// applyAndTell applies one event to a list and reports its effect.
func (a *app) applyAndTell(t find.List, e continuation.Event) error {
	return a.change(t, func(doc *session.Document) (session.Change, error) { return continuation.Apply(doc, e, t.Now) })
}

// replaceList is applyAndTell for an event after which the list is another one. Whoever begins it is told what still holds
// its agent back.
func (a *app) replaceList(t find.List, e continuation.Event) error {
	commit, err := a.apply(t, e)
	if err != nil {
		return err
	}
	a.noteLeftBehind(t.ProjectsLeftByFirst(commit))
	a.tellHeld(t, commit)
	return a.changed(t, commit)
}

// tellHeld notes what still holds the agent of a changed list back.
func (a *app) tellHeld(t find.List, commit session.Commit) {
	if commit.IsNew() {
		if why := output.WhyHeld(t.Name, commit.Doc); why != "" {
			a.printNote(why)
		}
	}
}
