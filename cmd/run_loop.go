package cmd

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/tree"
)

// endLoop interrupts the agent once its turn is a loop: it makes the same call again and again, with the same result, and nothing
// changes.
func (t *turn) endLoop() {
	loop := t.flow.reader.Loop(func(since time.Time) bool {
		return t.listChanged(since) || filesChanged(".", []string{t.Log, t.t.Storage.Address.Text}, since)
	})
	if loop == nil {
		return
	}
	t.loop = loop
	t.kept.Interrupt(interruptPatience)
}

// listChanged reports whether the list has changed since then, and since the last look, or whether that is not known.
func (t *turn) listChanged(since time.Time) bool {
	now, err := t.a.Clock()
	if err != nil {
		return true
	}
	doc, err := t.t.Store.Load(t.t.Name)
	if err != nil {
		return true
	}
	if doc == nil || doc.Todos.Rev == t.list {
		return false
	}
	t.list = doc.Todos.Rev
	return doc.Todos.UpdatedAt.Since(now) <= time.Since(since)
}

// The limits of a look at the files of a project. One that takes longer finds that something may have changed.
const (
	lookTime  = 5 * time.Second
	lookFiles = 200_000
)

// filesChanged reports whether a file below a folder was written, made or committed since then, by the times of the files. Files and
// folders of onward's own are left out. In a checkout of git, so is what git ignores: builds and tests leave that behind. Elsewhere
// it is the hidden folders, in which programs keep their own files.
func filesChanged(dir string, own []string, since time.Time) bool {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	ours := func(path string) bool {
		return slices.ContainsFunc(own, func(o string) bool {
			from, err := filepath.Abs(o)
			at, failed := filepath.Abs(path)
			return o != "" && err == nil && failed == nil && (at == from || strings.HasPrefix(at, from+string(filepath.Separator)))
		})
	}
	newer := func(path string) bool {
		is, err := os.Lstat(path)
		return err == nil && !is.IsDir() && !is.ModTime().Before(since) && !ours(path)
	}
	git := func(args ...string) (string, error) {
		out, err := tree.Command(ctx, dir, args...).Output()
		return string(out), err
	}
	in := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	files, err := git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err == nil {
		head, err := git("rev-parse", "--git-path", "logs/HEAD")
		if err != nil || newer(in(strings.TrimSpace(head))) {
			return true
		}
		for file := range strings.SplitSeq(files, "\x00") {
			if file != "" && newer(in(file)) {
				return true
			}
		}
		return false
	}
	looked, changed := 0, false
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, _ error) error { // what cannot be read, or has gone, is left out
		if entry != nil && entry.IsDir() && path != dir && (entry.Name()[0] == '.' || ours(path)) {
			return fs.SkipDir
		}
		if looked++; looked > lookFiles || ctx.Err() != nil || newer(path) {
			changed = true
			return fs.SkipAll
		}
		return nil
	})
	return changed
}
