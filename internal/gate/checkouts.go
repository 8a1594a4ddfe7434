package gate

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
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

// gitTime is how long git may take if no setting says it.
const gitTime = 5 * time.Second

// CheckoutReader reads the states of checkouts, as git has them.
type CheckoutReader struct{ tree.Reader }

// NewCheckoutReader returns a reader of checkouts that leaves out onward's own files: the store of a list, and the named files; of these
// some may be empty names.
func NewCheckoutReader(t find.List, own ...string) CheckoutReader {
	r := tree.Reader{Folder: filepath.Join(xdg.CacheHome, "onward", "trees"), Without: []string{find.DefaultStoreFolder(), t.Storage.Local.Dir}}
	for _, file := range own {
		if file != "" {
			r.Without = append(r.Without, find.Absolute(file))
		}
	}
	return CheckoutReader{r}
}

// State returns the state of the checkout that a gate runs in; empty if it cannot be told, with the reason.
func (c CheckoutReader) State(set continuation.Settings) (state, noTree string) {
	t, noTree := fromGit(set, func(ctx context.Context) (tree.Tree, error) { return c.Read(ctx, set.GateDir) })
	if noTree != "" {
		return "", noTree
	}
	return t.State(), ""
}

// fromGit asks git about a checkout, for as long as the settings allow, and returns the reason where that is not known.
func fromGit[T any](set continuation.Settings, ask func(ctx context.Context) (T, error)) (answer T, unknown string) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(set.TreeTimeout, gitTime))
	defer cancel()
	is, err := ask(ctx)
	if err != nil {
		return answer, render.Text(err.Error())
	}
	return is, ""
}

// DiffersFromCommit says what a commit that is being made lacks of the files that the gate ran on; empty if it lacks nothing, or if no hook
// of git for a commit started this program.
func DiffersFromCommit(set continuation.Settings) string {
	differs, _ := fromGit(set, func(ctx context.Context) (string, error) { return tree.DiffersFromCommit(ctx, set.GateDir), nil })
	return differs
}

// ChangesCheckout reports whether a file that was written belongs to the checkout of this folder, so that the files there are not as before.
// The other files are onward's own; each may be empty.
func ChangesCheckout(t find.List, file string, others ...string) bool {
	here := continuation.Settings{GateDir: "."}
	without, _ := NewCheckoutReader(t, append(others, file)...).State(here)
	with, _ := NewCheckoutReader(t, others...).State(here)
	return with != without
}

// RemoveStaleCheckouts removes what is kept of checkouts that are gone, or that no list of a store on this machine is of.
func RemoveStaleCheckouts(t find.List) {
	if t.Storage.Shared() {
		return // its lists name repositories, and not folders
	}
	projects, unread := map[string]bool{}, false
	_, err := t.Store.VisitLists(t.Name, 0, func(l session.LoadedList) {
		if l.Doc == nil {
			unread = unread || !l.Moved()
			return
		}
		projects[l.Doc.Project] = true
	})
	if err != nil || unread {
		return // it is not known which are left
	}
	NewCheckoutReader(t).ForgetCheckouts(func(top string) bool {
		p, err := find.Project(top)
		return err == nil && projects[p.Dir]
	})
}

// gateFiles are the files of the checkout in which a gate runs, with its results for them.
type gateFiles struct {
	session.GateFiles
	of      session.Project
	results *session.Results
}

func (g *Runner) checkouts() CheckoutReader { return NewCheckoutReader(g.List, g.Own...) }

// before reads the files before a gate runs.
func (g *Runner) before(set continuation.Settings) (*gateFiles, error) {
	of, err := find.Project(set.GateDir)
	if err != nil {
		return nil, err
	}
	f := &gateFiles{of: of, results: session.ReadResults(g.Storage.Local, of)}
	f.Before, f.NoTree = g.checkouts().State(set)
	if last := f.results.Last(set.Gate); last != nil && f.Before != "" && last.Tree != session.TreeOf(f.Before) {
		f.Since = g.checkouts().changedFiles(set, last.Tree, f.Before)
	}
	return f, nil
}

// known returns the last result of the gate for the same files, where that counts instead of another run; else nil.
func (f *gateFiles) known(set continuation.Settings, now todo.Time) *session.GateResult {
	last, flaky := f.results.LastOn(set.Gate, session.TreeOf(f.Before), now)
	if last == nil || flaky || last.Code != 0 && !set.GateKnown || len(last.Writes) > 0 {
		return nil // a gate that writes files had others when it began than those that it left
	}
	f.After, f.Known, f.Took, f.Sum = f.Before, last.At, last.Took, outputSum(last.Output)
	return session.GateResult{Command: set.Gate, Code: last.Code, Output: last.Output}.WithFiles(f.GateFiles)
}

// mostWritten is how many of the files are kept with a result: they tell whether the user knows about them.
const mostWritten = 3

// recordResult reads the files once the gate has ended, and keeps its result. The user is told once which files the gate writes.
func (g *Runner) recordResult(f *gateFiles, set continuation.Settings, is *session.GateResult, took time.Duration) error {
	f.Took = int(took.Milliseconds())
	if is.Problem == "" {
		f.Sum = outputSum(continuation.PlainTail(is.Output))
	}
	if is.Problem != "" || f.NoTree != "" {
		return nil
	}
	if f.After, f.NoTree = g.checkouts().State(set); f.After == "" {
		return nil
	}
	now, err := g.Clock()
	if err != nil {
		return err
	}
	before, after := session.TreeOf(f.Before), session.TreeOf(f.After)
	if before != after {
		files := g.checkouts().changedFiles(set, before, after)
		if f.Writes = files[:min(len(files), mostWritten)]; len(files) == 0 {
			return nil // git does not name them
		}
		if told := f.results.Writes(set.Gate, f.Writes); !told && g.Note != nil {
			g.Note("the gate writes " + run.FirstFilesText(files) + ": add " + map[bool]string{true: "it", false: "them"}[len(files) == 1] +
				" to .gitignore, or its results cannot be used again")
		}
	}
	if f.ByAgent {
		return nil
	}
	kept, err := session.AddResult(g.Storage.Local, f.of, session.Result{
		Command: set.Gate, Tree: after, Code: is.Code, Output: continuation.PlainTail(is.Output), At: now, Took: int(took.Milliseconds()), Writes: f.Writes,
	})
	if err != nil {
		return nil // it is not used again, but it holds
	}
	_, f.Flaky = kept.LastOn(set.Gate, after, now)
	return nil
}

// Grade tells what a gate that passes shows of the work since a state of the files: what it did on those is only known if it has run
// on them.
func (g *Runner) Grade(set continuation.Settings, start string, is *session.GateResult) run.Proof {
	f := is.Files()
	p := run.Proof{Gated: true, Flaky: f.Flaky, Start: start, Began: f.Before, Now: f.After, NoTree: f.NoTree, Unchanged: start != "" && start == f.Before}
	if set.GateFrom == continuation.FromItem && g.placeItem(&set) != nil {
		return p
	}
	if last, flaky, err := resultOn(g.List, set, start, g.Clock); err == nil && last != nil {
		was := session.GateResult{Command: set.Gate, Code: last.Code}
		p.Before, p.Writes = run.BaselineText(was.WithFiles(session.GateFiles{Flaky: flaky})), last.Writes
	}
	if p.AsksChangedChecks() {
		p.AddChecks(g.checkouts().ChangedChecks(set, start, f.Before, f.After))
	}
	return p
}

// resultOn returns the last result of a gate on a state of the files on this machine, nil if there is none, and whether it is flaky there.
func resultOn(t find.List, set continuation.Settings, state string, clock func() (todo.Time, error)) (last *session.Result, flaky bool, err error) {
	of, err := find.Project(set.GateDir)
	if err != nil {
		return nil, false, err
	}
	now, err := clock() // the gate may have run since this command began
	if err != nil {
		return nil, false, err
	}
	last, flaky = session.ReadResults(t.Storage.Local, of).LastOn(set.Gate, session.TreeOf(state), now)
	return last, flaky, nil
}

// outputSum returns what tells the end of a gate's output from another one, as `git hash-object` does.
func outputSum(output string) string {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	return tree.BlobID(ctx, output)
}

// files returns a state of a checkout, with the commit that has the same files.
func (c CheckoutReader) files(set continuation.Settings, state, commit string) session.Files {
	f := session.Files{Tree: session.TreeOf(state)}
	if f.Tree != "" && commit != "" {
		f.Commit, _ = fromGit(set, func(ctx context.Context) (string, error) { return c.CommitOf(ctx, set.GateDir, f.Tree, commit), nil })
	}
	return f
}

// Evidence returns what git knows about the files before some work and at its end.
func (c CheckoutReader) Evidence(set continuation.Settings, start, commit, end string) (before, after session.Files, changed session.Changed) {
	before, after = c.files(set, start, commit), c.files(set, end, "HEAD")
	if start != "" && end != "" {
		changed = c.changedLines(set, before.Tree, after.Tree)
	}
	return before, after, changed
}

// changedLines names the files that differ between two states of a checkout, with their lines.
func (c CheckoutReader) changedLines(set continuation.Settings, from, to string) (changed session.Changed) {
	stats, unknown := fromGit(set, func(ctx context.Context) ([]tree.Stat, error) { return c.Stats(ctx, set.GateDir, from, to) })
	if unknown != "" {
		return session.Changed{Unknown: unknown}
	}
	for _, s := range stats {
		changed.Count, changed.Added, changed.Removed = changed.Count+1, changed.Added+s.Added, changed.Removed+s.Removed
		changed.Files = append(changed.Files, session.ChangedFile{Path: render.Text(s.Path), Added: s.Added, Removed: s.Removed, Binary: s.Binary})
	}
	return changed
}

// ChangedChecks names the check files that differ between a state of a checkout and one of some others, of those that were there in the
// first one.
func (c CheckoutReader) ChangedChecks(set continuation.Settings, from string, to ...string) (changed []string, unknown string) {
	more := append(tree.GateFiles(set.Gate), continuation.Pathspecs(set.CheckFiles)...)
	return differing(set, to, func(ctx context.Context, to string) ([]string, error) {
		return c.Reader.ChangedChecks(ctx, set.GateDir, session.TreeOf(from), to, more...)
	})
}

// differing names the files that differ in one of some states of a checkout.
func differing(set continuation.Settings, states []string, ask func(ctx context.Context, to string) ([]string, error)) (changed []string, unknown string) {
	for _, to := range slices.Compact(render.Map(states, func(_ int, state *string) string { return session.TreeOf(*state) })) {
		files, unknown := fromGit(set, func(ctx context.Context) ([]string, error) { return ask(ctx, to) })
		if unknown != "" {
			return nil, unknown
		}
		changed = append(changed, render.Map(files, func(_ int, name *string) string { return render.Text(*name) })...)
	}
	slices.Sort(changed)
	return slices.Compact(changed), ""
}

// ChecksAndOthers names the check files that differ between two states of a checkout, new ones too, and the other files that do.
func (c CheckoutReader) ChecksAndOthers(set continuation.Settings, from, to string) (checks, others []string, unknown string) {
	more := append(tree.GateFiles(set.Gate), continuation.Pathspecs(set.CheckFiles)...)
	_, unknown = fromGit(set, func(ctx context.Context) (_ struct{}, err error) {
		checks, others, err = c.Reader.ChecksAndOthers(ctx, set.GateDir, session.TreeOf(from), session.TreeOf(to), more...)
		return struct{}{}, err
	})
	text := func(_ int, name *string) string { return render.Text(*name) }
	return render.Map(checks, text), render.Map(others, text), unknown
}

// ChangedProtected names the protected files that differ between a state of a checkout and one of some others.
func (c CheckoutReader) ChangedProtected(set continuation.Settings, from string, to ...string) (changed []string, unknown string) {
	return differing(set, to, func(ctx context.Context, to string) ([]string, error) {
		return c.Reader.ChangedProtected(ctx, set.GateDir, session.TreeOf(from), to, continuation.Pathspecs(set.ProtectFiles)...)
	})
}

// AddChanges returns a state of a checkout with what differs between two others, except for some files; empty if that is not known.
func (c CheckoutReader) AddChanges(set continuation.Settings, state, from, to string, except []string) string {
	with, _ := fromGit(set, func(ctx context.Context) (string, error) {
		return c.Reader.AddChanges(ctx, set.GateDir, session.TreeOf(state), session.TreeOf(from), session.TreeOf(to), except...)
	})
	return with
}

// changedFiles names the files that differ between two states of a checkout.
func (c CheckoutReader) changedFiles(set continuation.Settings, from, to string) []string {
	changed := c.changedLines(set, session.TreeOf(from), session.TreeOf(to))
	return render.Map(changed.Files, func(_ int, f *session.ChangedFile) string { return f.Path })
}
