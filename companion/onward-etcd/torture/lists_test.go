//go:build unix

package torture

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/anishathalye/porcupine"
)

// This file checks lists by the manual: `todo add` appends an item, and starts a list if none is active;
// `todo done` completes an item; `todo clear` ends the list; `todo load` copies the list of another session; `todo undo N`
// reverts the last N changes, of which those that were undone are not counted. A command that changes nothing is not a change.

// version is a list after a change, with the version before it, to which undo leads. Equal versions are the same pointer.
type version struct {
	before *version
	list   string // "" if none is active; otherwise the items, each followed by a semicolon
}

// versions contains all versions that the model has created.
type versions struct {
	mu  sync.Mutex
	all map[version]*version
}

func (v *versions) of(before *version, list string) *version {
	v.mu.Lock()
	defer v.mu.Unlock()
	key := version{before, list}
	one := v.all[key]
	if one == nil {
		one = &key
		v.all[key] = one
	}
	return one
}

// The operations on a list. An answer is nil if it is unknown, and gone if there was no such list or item.
type (
	add   struct{ item string }
	done  struct{ item string }
	undo  struct{ n int }
	empty struct{} // todo clear
	load  struct{ list string }
	show  struct{}
)

// gone is the answer of a command that ended with 66.
const gone = "66"

// active is the start of the text of an active list; the items follow.
const active = "list:"

func listModel() porcupine.Model {
	known := &versions{all: map[version]*version{}}
	return porcupine.Model{
		Init: func() any { return known.of(nil, "") },
		Step: func(state, input, output any) (bool, any) {
			s := state.(*version)
			next, answer := known.step(s, input)
			return output == nil || output == answer, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%T%v -> %v", input, input, output) },
		DescribeState:     func(state any) string { return state.(*version).list },
	}
}

// step returns the version of the list after an operation, and the answer of the operation.
func (v *versions) step(s *version, input any) (*version, any) {
	switch do := input.(type) {
	case show:
		return s, s.list
	case add:
		list := s.list
		if list == "" {
			list = active
		}
		return v.of(s, list+do.item+"=pending;"), ""
	case done:
		open := do.item + "=pending;"
		switch {
		case strings.Contains(s.list, ":"+open), strings.Contains(s.list, ";"+open):
			return v.of(s, strings.Replace(s.list, open, do.item+"=completed;", 1)), ""
		case strings.Contains(s.list, do.item+"=completed;"):
			return s, ""
		}
		return s, gone
	case load:
		return v.of(s, do.list), ""
	case empty:
		if s.list == "" {
			return s, ""
		}
		return v.of(s, ""), ""
	case undo:
		to := s
		for range do.n {
			if to = to.before; to == nil {
				return s, gone
			}
		}
		return to, ""
	}
	panic(fmt.Sprintf("no operation: %T", input))
}

// items reads the output of `todo show --json`. It returns the list as the model writes it, and the ids of the items.
func items(out string) (list string, ids map[string]string) {
	var doc struct {
		Active bool `json:"active"`
		Items  []struct{ ID, Content, Status string }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		return "unreadable: " + out, nil
	}
	if !doc.Active {
		return "", nil
	}
	list, ids = active, map[string]string{}
	for _, it := range doc.Items {
		list += it.Content + "=" + it.Status + ";"
		ids[it.Content] = it.ID
	}
	return list, ids
}

// lists is the work of several writers and readers, all on the same list.
type lists struct {
	*world
	mu      sync.Mutex
	rounds  []*round
	now     *round
	sources []string // the lists of the sessions that can be loaded, as the model writes them
}

// source returns the name of the n-th session with a list to load.
func source(n int) string { return fmt.Sprint("source", n) }

// open creates the sessions whose lists are loaded.
func (l *lists) open(c *client) {
	for n := range 2 {
		var list string
		for i := range n + 1 {
			item := fmt.Sprintf("source.%d.%d", n, i)
			if _, ok := c.must(job{session: source(n), op: item, args: []string{"todo", "add", item}}); !ok {
				return
			}
			list += item + "=pending;"
		}
		l.sources = append(l.sources, active+list)
	}
}

// join returns the present round, or starts the next one.
func (l *lists) join() *round {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || !l.now.begin() {
		l.now = &round{history: history{name: fmt.Sprint("list", len(l.rounds))}, most: 150}
		l.rounds = append(l.rounds, l.now)
	}
	return l.now
}

// plain reports whether a round only adds and completes items, so that each item has its own history.
func (l *lists) plain(r *round) bool {
	return strings.HasSuffix(r.name, "1") || strings.HasSuffix(r.name, "4")
}

// work changes and reads lists.
func (l *lists) work(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		r := l.join()
		item := fmt.Sprintf("i%d.%d", who, n)
		luck := c.throw(100)
		if l.plain(r) && luck >= 75 {
			luck = c.throw(75)
		}
		j := job{session: r.name, op: "op-" + item}
		switch {
		case luck < 30:
			j.args = []string{"todo", "add", item}
			l.do(c, who, r, j, add{item})
		case luck < 55:
			l.look(c, who, r)
		case luck < 75:
			l.complete(c, who, r, j)
		case luck < 90:
			back := 1 + c.throw(6)/5
			j.args = []string{"todo", "undo", fmt.Sprint(back)}
			l.do(c, who, r, j, undo{back})
		case luck < 94:
			j.args = []string{"todo", "clear"}
			l.do(c, who, r, j, empty{})
		default:
			from := c.throw(len(l.sources))
			j.args = []string{"todo", "load", source(from)}
			l.do(c, who, r, j, load{l.sources[from]})
		}
	}
}

// do runs a change and records it. A command that certainly changed nothing is not part of the history.
func (l *lists) do(c *client, who int, r *round, j job, input any) {
	switch a := c.try(j); {
	case a.open():
		r.add(who, input, nil, a)
	case a.code == 0:
		c.again(j, a)
		r.add(who, input, "", a)
	case a.code == 66:
		r.add(who, input, gone, a)
	}
}

// look reads the list, records what it read, and returns the ids of the items.
func (l *lists) look(c *client, who int, r *round) map[string]string {
	a := c.run(job{session: r.name, args: []string{"todo", "show", "--json"}})
	if a.killed || a.code != 0 {
		return nil
	}
	list, ids := items(a.out)
	r.add(who, show{}, list, a)
	return ids
}

// complete completes an item of the list.
func (l *lists) complete(c *client, who int, r *round, j job) {
	var names []string
	ids := l.look(c, who, r)
	for name := range ids {
		names = append(names, name)
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	item := names[c.throw(len(names))]
	j.args = []string{"todo", "done", "id:" + ids[item]}
	l.do(c, who, r, j, done{item})
}

// close reads every list a last time, and judges the histories.
func (l *lists) close(c *client) {
	var whole, single []history
	for _, r := range l.rounds {
		if a, ok := c.must(job{session: r.name, args: []string{"todo", "show", "--json"}}); ok {
			list, _ := items(a.out)
			r.add(0, show{}, list, a)
		}
		whole = append(whole, r.history)
		if l.plain(r) {
			single = append(single, perItem(r.history)...)
		}
	}
	l.judge("lists, with undo, clear and load", listModel(), whole)
	l.judge("items of lists", itemModel(), single)
}

// perItem splits the history of a list into one for each item: the item's own operations, and its status in each reading of the list.
func perItem(h history) []history {
	of := map[string]*history{}
	for _, op := range h.ops {
		if a, is := op.Input.(add); is {
			of[a.item] = &history{name: h.name + "-" + a.item}
		}
	}
	for _, op := range h.ops {
		item := ""
		switch do := op.Input.(type) {
		case add:
			item = do.item
		case done:
			item = do.item
		case show:
			for name, one := range of {
				seen := op
				seen.Output = statusOf(op.Output.(string), name)
				one.ops = append(one.ops, seen)
			}
			continue
		}
		of[item].ops = append(of[item].ops, op)
		if op.Output == nil {
			of[item].open++
		}
	}
	var all []history
	for _, one := range of {
		all = append(all, *one)
	}
	return all
}

// statusOf returns the status of an item in a list; "" if the item is missing, and several statuses if it is duplicated.
func statusOf(list, item string) string {
	var found []string
	for part := range strings.SplitSeq(strings.TrimPrefix(list, active), ";") {
		if name, status, _ := strings.Cut(part, "="); name == item {
			found = append(found, status)
		}
	}
	return strings.Join(found, " and ")
}

// itemModel is the model of a single item, which is only added and completed.
func itemModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			switch s := state.(string); input.(type) {
			case add:
				return s == "", "pending"
			case done:
				if s == "" {
					return output == nil || output == gone, s
				}
				return output == nil || output == "", "completed"
			default:
				return output == s, s
			}
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%T%v -> %v", input, input, output) },
	}
}
