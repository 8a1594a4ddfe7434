package cmd

import (
	"context"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/internal/tree"
)

// treeTime is how long the state of a checkout may take to read.
const treeTime = 5 * time.Second

// trees returns a reader of checkouts that leaves out onward's own files: the store, and the named files, of which some may be
// empty names.
func trees(t find.List, own ...string) tree.Reader {
	r := tree.Reader{Folder: filepath.Join(xdg.CacheHome, "onward", "trees"), Without: []string{find.HomeStore(), t.Storage.Local.Dir}}
	for _, file := range own {
		if file != "" {
			r.Without = append(r.Without, find.Absolute(file))
		}
	}
	return r
}

// checkoutState returns the state of the checkout that a folder is in; empty where it cannot be told, with the reason.
func checkoutState(trees tree.Reader, dir string) (state, noTree string) {
	t, noTree := fromGit(func(ctx context.Context) (tree.Tree, error) { return trees.Read(ctx, dir) })
	if noTree != "" {
		return "", noTree
	}
	return t.State(), ""
}

// fromGit asks git about a checkout, for treeTime at most, and returns the reason where that is not known.
func fromGit[T any](ask func(ctx context.Context) (T, error)) (answer T, unknown string) {
	ctx, cancel := context.WithTimeout(context.Background(), treeTime)
	defer cancel()
	is, err := ask(ctx)
	if err != nil {
		return answer, render.Text(err.Error())
	}
	return is, ""
}

// gateFiles are the files of the checkout in which a gate runs, with its results for them.
type gateFiles struct {
	session.GateFiles
	of      session.Project
	results *session.Results
}

func (g *gate) trees() tree.Reader { return trees(g.List, g.own...) }

// before reads the files before a gate runs.
func (g *gate) before(set continuation.Settings) (*gateFiles, error) {
	of, err := find.Project(set.GateDir)
	if err != nil {
		return nil, err
	}
	f := &gateFiles{of: of, results: session.ReadResults(g.Storage.Local, of)}
	f.Before, f.NoTree = checkoutState(g.trees(), set.GateDir)
	return f, nil
}

// known returns the last result of the gate for the same files, where that counts instead of another run; else nil.
func (f *gateFiles) known(set continuation.Settings, now todo.Time) *session.GateResult {
	last, flaky := f.results.On(set.Gate, session.TreeOf(f.Before), now)
	if last == nil || flaky || last.Code != 0 {
		return nil
	}
	f.After, f.Known, f.Took, f.Sum = f.Before, last.At, last.Took, outputSum(last.Output)
	return session.GateResult{Command: set.Gate, Output: last.Output}.On(f.GateFiles)
}

// mostWritten is how many of the files are kept with a result: they tell whether the user knows of them.
const mostWritten = 3

// ran reads the files once the gate has ended, and keeps its result. The user is told once which files the gate writes.
func (g *gate) ran(f *gateFiles, set continuation.Settings, is *session.GateResult, took time.Duration) error {
	f.Took = int(took.Milliseconds())
	if is.Problem == "" {
		f.Sum = outputSum(continuation.Tail(is.Output))
	}
	if is.Problem != "" || f.NoTree != "" {
		return nil
	}
	if f.After, f.NoTree = checkoutState(g.trees(), set.GateDir); f.After == "" {
		return nil
	}
	now, err := g.clock()
	if err != nil {
		return err
	}
	before, after := session.TreeOf(f.Before), session.TreeOf(f.After)
	if before != after {
		files, _ := changedFiles(g.trees(), set.GateDir, before, after)
		f.Writes = files[:min(len(files), mostWritten)]
		if told := f.results.Writes(set.Gate, f.Writes); len(files) > 0 && !told && g.note != nil {
			g.note("the gate writes " + run.Named(files) + ": add " + map[bool]string{true: "it", false: "them"}[len(files) == 1] +
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

// outputSum returns what tells the end of a gate's output from another one, as `git hash-object` does.
func outputSum(output string) string {
	ctx, cancel := context.WithTimeout(context.Background(), treeTime)
	defer cancel()
	return tree.Blob(ctx, output)
}

// filesOf returns a state of a checkout, with the commit that has the same files.
func filesOf(trees tree.Reader, dir, state, commit string) session.Files {
	f := session.Files{Tree: session.TreeOf(state)}
	if f.Tree != "" && commit != "" {
		ctx, cancel := context.WithTimeout(context.Background(), treeTime)
		defer cancel()
		f.Commit = trees.CommitOf(ctx, dir, f.Tree, commit)
	}
	return f
}

// changedLines names the files that differ between two states of a checkout, with their lines.
func changedLines(trees tree.Reader, dir, from, to string) (c session.Changed) {
	stats, unknown := fromGit(func(ctx context.Context) ([]tree.Stat, error) { return trees.Stats(ctx, dir, from, to) })
	if unknown != "" {
		return session.Changed{Unknown: unknown}
	}
	for _, s := range stats {
		c.Count, c.Added, c.Removed = c.Count+1, c.Added+s.Added, c.Removed+s.Removed
		c.Files = append(c.Files, session.ChangedFile{Path: render.Text(s.Path), Added: s.Added, Removed: s.Removed, Binary: s.Binary})
	}
	return c
}

// changedChecks names the check files that differ between two states of a checkout, of those that were there in the first one.
func changedChecks(trees tree.Reader, set continuation.Settings, from, to string) (changed []string, unknown string) {
	more := append(tree.GateFiles(set.Gate), continuation.Pathspecs(set.CheckFiles)...)
	changed, unknown = fromGit(func(ctx context.Context) ([]string, error) {
		return trees.ChangedChecks(ctx, set.GateDir, session.TreeOf(from), session.TreeOf(to), more...)
	})
	return render.Each(changed, func(_ int, name *string) string { return render.Text(*name) }), unknown
}

// changedFiles names the files that differ between two states of a checkout, of those that pathspecs name.
func changedFiles(trees tree.Reader, dir, from, to string, pathspecs ...string) (changed []string, unknown string) {
	changes, unknown := fromGit(func(ctx context.Context) ([]tree.Change, error) {
		return trees.Changes(ctx, dir, session.TreeOf(from), session.TreeOf(to), pathspecs...)
	})
	return render.Each(changes, func(_ int, c *tree.Change) string { return render.Text(c.Path) }), unknown
}
