package cmd

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/tree"
)

// treeTime is how long the state of a checkout may take to read.
const treeTime = 5 * time.Second

// trees reads the states of checkouts.
func trees() tree.Reader { return tree.Reader{Folder: filepath.Join(xdg.CacheHome, "onward", "trees")} }

// checkoutState returns the state of the checkout that a folder is in; empty where it cannot be told, with the reason.
func checkoutState(dir string) (state, noTree string) {
	ctx, cancel := context.WithTimeout(context.Background(), treeTime)
	defer cancel()
	t, err := trees().Read(ctx, dir)
	if err != nil {
		return "", render.Text(err.Error())
	}
	return t.State(), ""
}

// gateFiles are the files of the checkout in which a gate runs, with its results for them.
type gateFiles struct {
	session.GateFiles
	of      session.Project
	results *session.Results
}

// before reads the files before a gate runs.
func (g *gate) before(set continuation.Settings) (*gateFiles, error) {
	of, err := find.Project(set.GateDir)
	if err != nil {
		return nil, err
	}
	f := &gateFiles{of: of, results: session.ReadResults(g.Storage.Local, of)}
	f.Before, f.NoTree = checkoutState(set.GateDir)
	return f, nil
}

// known returns the last result of the gate for the same files, where that counts instead of another run; else nil.
func (f *gateFiles) known(set continuation.Settings, now todo.Time) *session.GateResult {
	last, flaky := f.results.On(set.Gate, session.TreeOf(f.Before), now)
	if last == nil || flaky || last.Code != 0 {
		return nil
	}
	f.After, f.Known = f.Before, last.At
	return session.GateResult{Command: set.Gate, Output: last.Output}.On(f.GateFiles)
}

// ran reads the files once the gate has ended, and keeps its result. The user is told once which files the gate writes.
func (g *gate) ran(f *gateFiles, set continuation.Settings, is *session.GateResult, took time.Duration) error {
	if is.Problem != "" || f.NoTree != "" {
		return nil
	}
	if f.After, f.NoTree = checkoutState(set.GateDir); f.After == "" {
		return nil
	}
	now, err := g.clock()
	if err != nil {
		return err
	}
	before, after := session.TreeOf(f.Before), session.TreeOf(f.After)
	if before != after {
		f.Writes = g.writes(set.GateDir, before, after)
		if told := f.results.Writes(set.Gate, f.Writes); len(f.Writes) > 0 && !told && g.note != nil {
			g.note("the gate writes " + strings.Join(f.Writes, ", ") + ": add " + map[bool]string{true: "it", false: "them"}[len(f.Writes) == 1] +
				" to .gitignore, or its results cannot be used again")
		}
	}
	kept, err := session.AddResult(g.Storage.Local, f.of, session.Result{
		Command: set.Gate, Tree: after, Code: is.Code, Output: continuation.Tail(is.Output), At: now, Took: int(took.Milliseconds()), Writes: f.Writes,
	})
	if err != nil {
		return nil // it is not used again, but it holds
	}
	_, f.Flaky = kept.On(set.Gate, after, now)
	return nil
}

// mostWritten is how many files a line names.
const mostWritten = 3

// writes names the files that differ between two trees of a checkout, the first of them.
func (g *gate) writes(dir, from, to string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), treeTime)
	defer cancel()
	changes, err := trees().Changes(ctx, dir, from, to)
	if err != nil {
		return nil
	}
	names := render.Each(changes[:min(len(changes), mostWritten)], func(_ int, c *tree.Change) string { return render.Text(c.Path) })
	if more := len(changes) - mostWritten; more > 0 {
		names = append(names, todo.Plural(more, "other file"))
	}
	return names
}
