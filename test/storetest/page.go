package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"onward/internal/object"
	"onward/internal/store"
)

// kind is a collection with a log of its own; that of calls is a journal, whose lines are voided by commits.
var (
	kind  = store.Spec{Name: "page", Folder: "pages", Limit: 1 << 20, Note: ".note", Log: &store.Log{Folder: "past", Ending: ".jsonl", Limit: 1 << 20, Bound: 1 << 18, Lines: 3}}
	calls = store.Spec{Name: "page", Folder: "calls", Limit: 1 << 20, Log: &store.Log{Folder: "calls", Ending: ".journal", Limit: 1 << 20, Journal: true}}
)

// page is the smallest document with a content: a list of lines.
type page struct {
	schema, name string
	minReader    int
	rev          uint64
	ops          []string
	lines        []string
	deleting     bool

	readLog func() ([]byte, error)
}

func (p *page) Fields(f *object.Fields) {
	f.Require("name", "lines")
	object.Text(f, "schema", &p.schema)
	f.Int("min_reader", &p.minReader)
	object.Text(f, "name", &p.name)
	f.Uint("rev", &p.rev)
	object.Strings(f, "ops", &p.ops)
	object.Strings(f, "lines", &p.lines)
	f.OmitEmpty().Bool("deleting", &p.deleting)
	f.Skip("sum")
}

func (p *page) Head() store.Head {
	return store.Head{Schema: p.schema, MinReader: p.minReader, Name: p.name, Saved: p.rev > 0, Deleting: p.deleting}
}

func (p *page) Check() error { return nil }

// rules are the rules of store.Rules for the page of that name.
type rules struct{ name string }

func (rules) ApplyLog(p *page, v store.Value) error {
	p.readLog = v.Lines
	return nil
}

func (r rules) New() *page {
	return &page{schema: "onward/" + kind.Name + "/v1", minReader: store.ReaderVersion, name: r.name}
}

func (rules) Allow(*page) error { return nil }

func (rules) OperationResult(p *page, op string) (string, bool, error) {
	return "before", slices.Contains(p.ops, op), nil
}

func (rules) Commit(p *page, op, did string) (store.Write, error) {
	if did == "" {
		return store.Write{}, nil
	}
	p.rev++
	p.ops = store.KeepOperation(p.ops, store.OperationID(op))
	return store.Write{Data: store.Encode(p, 0), Now: at, Line: fmt.Appendf(nil, "%d %s\n", p.rev, did), Trim: p.rev%5 == 0}, nil
}

func (s Subject) pages(name string) store.Collection[page, string, *page] {
	return store.Collection[page, string, *page]{Backend: s, Kind: &kind, Rules: rules{name}}
}

// add adds a line to a page.
func (s Subject) add(name, op, line string) (store.Commit[page, string], error) {
	return s.pages(name).Update(name, op, func(p *page) (string, error) {
		p.lines = append(p.lines, line)
		return "added " + line, nil
	})
}

func (s Subject) mustAdd(t *testing.T, name, line string) {
	t.Helper()
	if _, err := s.add(name, "", line); err != nil {
		t.Fatal(err)
	}
}

// expect reads a page and compares its lines; "none" means that there must not be a page.
func (s Subject) expect(t *testing.T, name, want string) {
	t.Helper()
	p, err := s.pages(name).Load(name)
	got := "none"
	if p != nil {
		got = strings.Join(p.lines, " ")
	}
	if err != nil || got != want {
		t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
	}
}
