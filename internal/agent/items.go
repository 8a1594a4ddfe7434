package agent

import (
	"slices"
	"strconv"
	"time"

	"onward/internal/native"
	"onward/internal/todo"
)

// nativeItem is an entry of a list as the agents with a list tool write it.
// No agent has all members, and no two agents mean different things by the same one.
type nativeItem struct {
	id         word
	content    word
	status     word
	priority   word
	activeForm word
	after      []string // what the item waits for
	parts      []nativePart
	more       int // how many entries follow that are not kept
}

// nativePart is a part of an entry; it has no status.
type nativePart struct{ id, content word }

// nativeItems is a list as an agent sent it, nil where it sent none. An entry that is no object stands in it as an empty one,
// so that the positions in warnings are the agent's.
type nativeItems []nativeItem

func (l *nativeItems) scan(k *walker) {
	*l = nil
	if !k.array() {
		return
	}
	*l = make(nativeItems, 0, 8)
	for k.element() {
		if n := len(*l); n == todo.MaxItems {
			(*l)[n-1].more++
			k.skip()
			continue
		}
		*l = append(*l, nativeItem{})
		(*l)[len(*l)-1].scan(k)
	}
}

func (n *nativeItem) scan(k *walker) {
	var texts [len(native.TextMembers)]word
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "id":
			n.id = k.word()
		case "status":
			n.status = k.word()
		case "priority":
			n.priority = k.word()
		case "activeForm", "active_form":
			n.activeForm = k.text()
		case "blockedBy", "blocked_by", "dependencies": // Qwen Code, ours, Cursor
			n.after = union(n.after, k.words())
		case "subtasks": // LLxprt Code
			n.scanParts(k)
		default:
			if i := slices.Index(native.TextMembers[:], string(name)); i >= 0 {
				texts[i] = k.text()
			} else {
				k.skip()
			}
		}
	}
	for _, text := range texts {
		if n.content = text; len(text) > 0 {
			break
		}
	}
}

func (n *nativeItem) scanParts(k *walker) {
	n.parts = nil
	if !k.array() {
		return
	}
	for k.element() {
		if k.peek() != '{' || len(n.parts) == maxWords {
			k.skip()
			continue
		}
		var part nativePart
		for name, more := k.object(); more; name, more = k.key() {
			switch string(name) {
			case "id":
				part.id = k.word()
			case "content":
				part.content = k.text()
			default:
				k.skip()
			}
		}
		n.parts = append(n.parts, part)
	}
}

// nativeList is the input of a tool that writes a whole list.
type nativeList struct{ todos nativeItems }

func (l *nativeList) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		if string(name) == "todos" {
			l.todos.scan(k)
		} else {
			k.skip()
		}
	}
}

// listIn finds a list in the first of the values that has one.
func listIn(values ...value) nativeItems {
	for _, v := range values {
		if in, ok := read[nativeList](v); ok && in.todos != nil {
			return in.todos
		}
	}
	return nil
}

// items turns a native list into ours. An entry that cannot be kept is left out with a warning.
func (s *stream) items(list nativeItems) []todo.Item {
	items := make([]todo.Item, 0, len(list))
	s.unread = 0
	for i := range list {
		n := &list[i]
		if n.more > 0 {
			defer s.skipItems(n.more, "more items of a list are left out: the list is full")
		}
		item := todo.Item{ID: string(n.id), Content: string(n.content), ActiveForm: string(n.activeForm), BlockedBy: n.after}
		item.Priority, _ = todo.ParsePriority(string(n.priority))
		item.Status = todo.Pending
		if len(n.status) > 0 {
			var known bool
			if item.Status, item.NativeStatus, known = native.Status(string(n.status)); !known {
				s.skipItem(i, "its status is "+quote(string(n.status)))
				continue
			}
		}
		for _, part := range n.parts {
			if text, err := todo.CheckText(string(part.content)); err == nil {
				item.Subtasks = append(item.Subtasks, todo.Subtask{ID: string(part.id), Content: text})
			}
		}
		items = s.keepItem(items, i, item)
	}
	return items
}

// maxListText is how many bytes the texts of a list can have together. What models write is much less.
const maxListText = 2 << 20

// keepItem appends an item whose text can be kept.
func (s *stream) keepItem(items []todo.Item, i int, item todo.Item) []todo.Item {
	text, err := todo.CheckText(item.Content)
	if len(items) == 0 {
		s.listed = 0
	}
	s.listed += len(text) + len(item.ActiveForm)
	switch {
	case err != nil:
		s.skipItem(i, err.Error())
		return items
	case len(items) == todo.MaxItems, s.listed > maxListText:
		s.skipItem(i, "the list is full")
		return items
	}
	item.Content = text
	return append(items, item)
}

func (s *stream) skipItem(i int, why string) {
	s.sum.ItemsSkipped++
	s.unread++
	s.warn("item %d of a list is left out: %s", i+1, why)
}

// skipItems is skipItem for many at once.
func (s *stream) skipItems(n int, why string) {
	s.sum.ItemsSkipped += n
	s.warn("%d %s", n, why)
}

// millis reads a stream's own time where it is a number, the milliseconds since the Unix epoch; what is no time is 0.
func millis(text word) todo.Time {
	at, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || at < 0 || at > maxMillis {
		return 0
	}
	return todo.Time(at)
}

// maxMillis is the end of the year 9999, the last that can be written.
const maxMillis = 253402300799999

// instant reads a stream's own time; what is no time is 0.
func instant(text word) todo.Time {
	if len(text) == 0 {
		return 0
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return 0
	}
	return todo.TimeOf(at)
}
