package torture

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/durable"
	"onward/internal/session"
)

// look selects which part of a store is compared.
type look int

const (
	everything   look = iota
	listsOnly         // without the counters, which are neither old nor new between two commits of a command
	callsOnly         // which calls exist, without their state, since a run of a call takes more than one commit
	newestChange      // without the older lines of the history, which are removed before the commit that needs their room
)

// random matches the members that differ from run to run: the ids of items and of operations.
var random = regexp.MustCompile(`"(id|op|sum)":"[^"]*"|"ops":\[[^]]*\]`)

// state returns the content of a store as text, without random parts. It has a line for each document, history and
// file. A document that cannot be read has a line with the error, so that it differs from any that can.
func (p place) state(t testing.TB, how look) string {
	t.Helper()
	var b strings.Builder
	backend := &durable.Store{Dir: p.store()}
	lists := &session.Store{Backend: backend, Notes: backend}
	for _, path := range p.files(t, "sessions", ".json") {
		name, err := session.ParseName(strings.TrimSuffix(filepath.Base(path), ".json"))
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", path, err)
			continue
		}
		doc, err := lists.Load(name)
		if err != nil || doc == nil {
			fmt.Fprintf(&b, "%s: BROKEN: %v\n", name, err)
			continue
		}
		if how == listsOnly {
			for _, it := range doc.Todos.Items {
				fmt.Fprintf(&b, "%s: %s %s\n", name, it.Status, it.Content)
			}
			continue
		}
		data, err := session.Encode(doc)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s", name, random.ReplaceAll(data, []byte("-")))
		history, err := lists.History(name)
		if err != nil {
			t.Fatal(err)
		}
		if how == newestChange {
			history = history[:min(1, len(history))]
		}
		for _, e := range history {
			fmt.Fprintf(&b, "  %d %s %v", e.Rev, e.Change, e.Active)
			for _, it := range e.Items {
				fmt.Fprintf(&b, " [%s %s %d]", it.Status, it.Content, len(it.Subtasks))
			}
		}
		b.WriteString("\n")
	}
	for _, path := range p.files(t, "projects", ".json") {
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s: %s %v\n", filepath.Base(path), data, err)
	}
	p.describeCalls(t, &b, how)
	if how != callsOnly {
		p.describeHome(t, &b)
	}
	return b.String()
}

// describeCalls writes the lines of the tool calls and messages.
func (p place) describeCalls(t testing.TB, b *strings.Builder, how look) {
	t.Helper()
	calls := &schedule.Store{Backend: &durable.Store{Dir: p.store()}}
	for _, path := range p.files(t, "schedules", ".json") {
		name, err := session.ParseName(strings.TrimSuffix(filepath.Base(path), ".json"))
		if err != nil {
			fmt.Fprintf(b, "%s: %v\n", path, err)
			continue
		}
		doc, err := calls.Load(name)
		if err != nil || doc == nil {
			fmt.Fprintf(b, "calls of %s: BROKEN: %v\n", name, err)
			continue
		}
		fmt.Fprintf(b, "calls of %s:", name)
		for i := range doc.Calls {
			c := &doc.Calls[i]
			if how == callsOnly {
				fmt.Fprintf(b, " [%s %s]", c.ID, c.Tool)
				continue
			}
			fmt.Fprintf(b, " [%s %s %s %s %s %s %v]", c.ID, c.Tool, c.Args, c.Status, c.Reason, c.Batch, c.After)
		}
		if how != callsOnly {
			for i := range doc.Rules {
				fmt.Fprintf(b, " rule %s", &doc.Rules[i])
			}
			fmt.Fprintf(b, " batches %v", doc.Batches)
		}
		for _, m := range doc.Messages {
			fmt.Fprintf(b, " message %q", m.Text)
		}
		b.WriteString("\n")
	}
}

// describeHome writes the lines of the files in the home folder: rules, trust and agents' settings, but not the log.
func (p place) describeHome(t testing.TB, b *strings.Builder) {
	t.Helper()
	home := filepath.Join(p.dir, "home")
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "hook.log" || strings.Contains(d.Name(), "tmp-") || strings.HasSuffix(d.Name(), ".tmp") || strings.HasSuffix(d.Name(), ".lock") {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(b, "%s: %q %v\n", path[len(home):], strings.ReplaceAll(string(data), p.dir, "DIR"), err)
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// files returns the paths of the files in a folder of the store that have an ending, without hidden files.
func (p place) files(t testing.TB, folder, ending string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.store(), folder, "[^.]*"+ending))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

// temporaries returns the temporary files of writers, which must be gone after a command.
func (p place) temporaries() []string {
	var found []string
	filepath.WalkDir(p.store(), func(path string, d fs.DirEntry, err error) error {
		// Settings of hooks are written without a lock, so the temporary file of a killed writer is removed only
		// when it is old.
		if err == nil && !d.IsDir() && strings.Contains(d.Name(), "tmp") && filepath.Base(filepath.Dir(path)) != "hooks" {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// contents lists all files of the store except lock files, which are never removed.
func (p place) contents() string {
	var b strings.Builder
	filepath.WalkDir(p.store(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".lock") {
			b.WriteString(path[len(p.store()):] + "\n")
		}
		return nil
	})
	return b.String()
}

// copy returns another place with the same store. The files keep their times, since some commands depend on them.
func (p place) copy(t testing.TB) place {
	t.Helper()
	to := newPlace(t)
	to.work, to.with = p.work, p.with
	to.restore(t, p)
	return to
}

// restore makes the store and the home folder equal to those of another place.
func (p place) restore(t testing.TB, from place) {
	t.Helper()
	for _, folder := range []string{"store", "home"} {
		mirror(t, filepath.Join(p.dir, folder), filepath.Join(from.dir, folder))
	}
}

// mirror makes a folder equal to another one, the times of the files included.
func mirror(t testing.TB, to, from string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, below)
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(copied, 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(copied, data, info.Mode()); err != nil {
			return err
		}
		return os.Chtimes(copied, info.ModTime(), info.ModTime())
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
