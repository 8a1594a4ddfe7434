package exchange

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/todo"
)

// detectPlan recognises a plan by the members of its first object; Auto is none.
func detectPlan(base string, array bool, has func(string) bool) Format {
	switch {
	case has("schema") || has("items") || has("todos"):
		return Auto
	case has("issue_type"), base == "issues.jsonl":
		return Beads
	case array && (has("testStrategy") || base == "tasks.json" && has("title")):
		return TaskMaster
	case array && (base == "prd.json" || has("passes")), has("userStories"), has("stories"), !array && base == "prd.json":
		return PRD
	case !array && (has("tasks") || has("master") || base == "tasks.json"):
		return TaskMaster
	}
	return Auto
}

// readPlan reads a plan. Of a task with a title and a description, the title is its text.
func readPlan(s Source, data []byte) (List, error) {
	at, end := 0, len(data)
	if s.Format != Beads && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		found, err := chooseTasks(s, data)
		if err != nil {
			return List{}, err
		}
		at, end = found.at, found.end
	}
	entries, flattened, err := native.DecodeFile(data[at:end], native.Form{Plan: true, Lines: s.Format == Beads})
	var wrong *native.Error
	if errors.As(err, &wrong) {
		return List{}, errorAt(data, at+wrong.At, wrong.Err)
	} else if err != nil {
		return List{}, err
	}
	entries = slices.DeleteFunc(entries, func(e native.Entry) bool { return e.Gone })
	if s.Format == PRD {
		slices.SortStableFunc(entries, func(a, b native.Entry) int { return cmp.Compare(uint(a.Plan.Order)-1, uint(b.Plan.Order)-1) }) // without one last
	}
	list := List{Items: make([]todo.Item, len(entries)), Flattened: flattened, places: make([]place, len(entries))}
	for i := range entries {
		e := &entries[i]
		list.places[i] = placeOf(e.Plan, at)
		it := &list.Items[i]
		*it = e.Item
		it.Status, it.NativeStatus = cmp.Or(e.Status, todo.Pending), ""
		for j := range it.Subtasks {
			it.Subtasks[j].ID = "" // they are numbered within their task
		}
		if s.Format == Beads && e.Plan.Order > 0 {
			it.Priority = []todo.Priority{todo.High, todo.High, todo.Medium, todo.Low}[min(e.Plan.Order-1, 3)]
		}
	}
	list.Absent = dropUnknownDependencies(list.Items)
	if s.Format == Beads {
		dependOnParts(list.Items, entries)
	}
	if at, chain := findCycle(list.Items); at >= 0 {
		return List{}, errorAt(data, list.places[at].At, fmt.Errorf("%w: %q would wait for itself (%s); remove one of these dependencies", todo.ErrData, list.Items[at].ID, chain))
	}
	return list, nil
}

// placeOf returns where an entry is in a file in which its list begins at a place.
func placeOf(e *native.Planned, at int) place {
	moved := func(p *native.Place) mark {
		p.At, p.End = p.At+at, p.End+at
		for i := range p.Says {
			p.Says[i].At, p.Says[i].End = p.Says[i].At+at, p.Says[i].End+at
		}
		return mark{Place: p}
	}
	p := place{mark: moved(&e.Place), parts: make([]mark, len(e.Parts))}
	for i := range e.Parts {
		p.parts[i] = moved(&e.Parts[i])
	}
	return p
}

// taskList is a list of tasks in a file.
type taskList struct {
	name           string // the tag of task-master's tasks, or else the member
	at, end, tasks int
}

// chooseTasks finds the list in an object: the one that is named, or the only one that has tasks.
func chooseTasks(s Source, data []byte) (taskList, error) {
	f := listFinder{dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)), data: data, members: []string{"tasks"}}
	if s.Format == PRD {
		f.members = []string{"userStories", "stories", "tasks"}
	}
	if err := f.searchObject("", s.Format == TaskMaster); err != nil {
		return taskList{}, err
	}
	if _, err := f.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return taskList{}, f.wrong("there is a second value")
	}
	if len(f.lists) == 0 {
		return taskList{}, errorAt(data, 0, fmt.Errorf("%w: the object has no list %q", todo.ErrData, f.members[0]))
	}
	empty := func(l taskList) bool { return l.tasks == 0 }
	found := slices.Clone(f.lists)
	switch {
	case s.Tag != "":
		found = slices.DeleteFunc(found, func(l taskList) bool { return l.name != s.Tag })
	case !slices.ContainsFunc(found, func(l taskList) bool { return !empty(l) }):
		found = found[:1]
	default:
		found = slices.DeleteFunc(found, empty)
	}
	if len(found) == 1 {
		return found[0], nil
	}
	several := &ListsError{Missing: s.Tag}
	for _, l := range f.lists {
		several.Names = append(several.Names, l.name)
	}
	return taskList{}, several
}

// ListsError says that it is not known which list of a file to read. It is an ErrData.
type ListsError struct {
	Names   []string // all that the file has
	Missing string   // the one that was asked for; empty if none was
}

func (e *ListsError) Error() string {
	names := strings.Join(e.Names, ", ")
	if e.Missing != "" {
		return fmt.Sprintf("%v: it has no list %q (one of %s)", todo.ErrData, e.Missing, names)
	}
	return fmt.Sprintf("%v: it has %d lists (%s)", todo.ErrData, len(e.Names), names)
}

// Unwrap returns ErrData.
func (e *ListsError) Unwrap() error { return todo.ErrData }

// listFinder finds the lists in an object.
type listFinder struct {
	dec     *jsontext.Decoder
	data    []byte
	members []string // that can be a list
	lists   []taskList
}

func (f *listFinder) wrong(what string) error {
	return errorAt(f.data, int(f.dec.InputOffset()), fmt.Errorf("%w: %s", todo.ErrData, what))
}

func (f *listFinder) fail(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return errorAt(f.data, int(syntax.ByteOffset), fmt.Errorf("%w: %w", todo.ErrData, syntax.Err))
	}
	return f.wrong(err.Error())
}

// searchObject goes through the object of a tag or, with tagged, through one that holds such objects.
func (f *listFinder) searchObject(tag string, tagged bool) error {
	if token, err := f.dec.ReadToken(); err != nil {
		return f.fail(err)
	} else if token.Kind() != '{' {
		return f.wrong("it is neither an object nor an array")
	}
	seen := map[string]bool{}
	for f.dec.PeekKind() == '"' {
		token, err := f.dec.ReadToken()
		if err != nil {
			return f.fail(err)
		}
		name := token.String()
		kind := f.dec.PeekKind()
		isList := kind == '[' && slices.Contains(f.members, name)
		if (isList || kind == '{' && tagged) && seen[name] {
			return f.wrong(fmt.Sprintf("%q is duplicated in one object", name))
		}
		switch {
		case isList:
			seen[name] = true
			err = f.list(cmp.Or(tag, name))
		case kind == '{' && tagged:
			seen[name] = true
			if err := f.searchObject(name, false); err != nil {
				return err
			}
		default:
			err = f.dec.SkipValue()
		}
		if err != nil {
			return f.fail(err)
		}
	}
	if _, err := f.dec.ReadToken(); err != nil {
		return f.fail(err)
	}
	return nil
}

// list skips a list, and remembers where it is.
func (f *listFinder) list(name string) error {
	_, err := f.dec.ReadToken()
	l := taskList{name: name, at: int(f.dec.InputOffset()) - 1}
	for err == nil && f.dec.PeekKind() != ']' {
		l.tasks++
		err = f.dec.SkipValue()
	}
	if err == nil {
		_, err = f.dec.ReadToken()
	}
	l.end = int(f.dec.InputOffset())
	f.lists = append(f.lists, l)
	return err
}

// dropUnknownDependencies removes the dependencies on what the list does not have, and returns how many there were. The one on a part of an
// item, as in 2.1, becomes one on the item.
func dropUnknownDependencies(items []todo.Item) (absent int) {
	known := make(map[string]bool, len(items))
	for i := range items {
		known[items[i].ID] = true
	}
	for i := range items {
		var ids []string
		for _, id := range items[i].BlockedBy {
			if whole, _, part := strings.Cut(id, "."); part && !known[id] && known[whole] {
				if id = whole; id == items[i].ID {
					continue
				}
			}
			if !known[id] {
				absent++
			} else if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		items[i].BlockedBy = ids
	}
	return absent
}

// dependencyGraph returns for each item the places of those that it waits for, and the places of all items by their ids.
func dependencyGraph(items []todo.Item) (waits [][]int, index map[string]int) {
	index = make(map[string]int, len(items))
	for i := range items {
		if id := items[i].ID; id != "" {
			index[id] = i
		}
	}
	waits = make([][]int, len(items))
	for i := range items {
		for _, id := range items[i].BlockedBy {
			if at, found := index[id]; found {
				waits[i] = append(waits[i], at)
			}
		}
	}
	return waits, index
}

// dependOnParts lets an issue wait for the issues that are parts of it, except for those that wait for it.
func dependOnParts(items []todo.Item, entries []native.Entry) {
	waits, index := dependencyGraph(items)
	waiting := make([][]int, len(items)) // the items that wait for each one
	for i := range waits {
		for _, at := range waits[i] {
			waiting[at] = append(waiting[at], i)
		}
	}
	parts := make([][]int, len(items))
	for i := range entries {
		if whole, found := index[entries[i].Parent]; found {
			parts[whole] = append(parts[whole], i)
		}
	}
	for whole := range parts {
		if len(parts[whole]) == 0 {
			continue
		}
		behind := map[int]bool{whole: true}
		for next := []int{whole}; len(next) > 0; {
			at := next[0]
			next = next[1:]
			for _, i := range waiting[at] {
				if !behind[i] {
					behind[i] = true
					next = append(next, i)
				}
			}
		}
		for _, i := range parts[whole] {
			if !behind[i] {
				waiting[i] = append(waiting[i], whole)
				items[whole].BlockedBy = append(items[whole].BlockedBy, items[i].ID)
			}
		}
	}
}

// findCycle finds an open item that waits for itself, and names those on the way; -1 if there is none.
func findCycle(items []todo.Item) (at int, chain string) {
	waits, _ := dependencyGraph(items)
	left := make([]bool, len(items)) // they lead into no circle
	var way []int
	var follow func(i int) bool
	follow = func(i int) bool {
		if left[i] || !items[i].Status.Open() {
			return false
		}
		begun := slices.Index(way, i)
		if way = append(way, i); begun >= 0 {
			way = way[begun:]
			return true
		}
		if slices.ContainsFunc(waits[i], follow) {
			return true
		}
		left[i], way = true, way[:len(way)-1]
		return false
	}
	for i := range items {
		if follow(i) {
			var ids []string
			for _, j := range way {
				ids = append(ids, items[j].ID)
			}
			return way[0], strings.Join(ids, " → ")
		}
	}
	return -1, ""
}
