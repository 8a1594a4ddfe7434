package agent

import (
	"cmp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// nativeItem is an entry of a list as the agents with a list tool write it.
// No agent has all members, and no two agents mean different things by the same one.
type nativeItem struct {
	ID          word `json:"id"`
	Content     word `json:"content"`     // Claude Code and most others
	Description word `json:"description"` // Gemini CLI
	Title       word `json:"title"`       // Kimi CLI
	Status      word `json:"status"`
	Priority    word `json:"priority"`
	ActiveForm  word `json:"activeForm"`

	BlockedBy    words `json:"blockedBy"`    // Qwen Code
	Dependencies words `json:"dependencies"` // Cursor
	Subtasks     parts `json:"subtasks"`     // LLxprt Code
}

// parts are the parts of an entry; they have no status.
type parts []nativePart

type nativePart struct {
	ID      word `json:"id"`
	Content word `json:"content"`
}

func (l *parts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nil
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		if part, ok := objectAs[nativePart](v); ok {
			*l = append(*l, part)
		}
		return nil
	})
}

// nativeItems is a list as an agent sent it, nil where it sent none. An entry that is no object stands in it as an empty one,
// so that the positions in warnings are the agent's.
type nativeItems []nativeItem

func (l *nativeItems) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nil
	if d.PeekKind() == jsontext.KindBeginArray {
		*l = nativeItems{}
	}
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		item, _ := objectAs[nativeItem](v)
		*l = append(*l, item)
		return nil
	})
}

// nativeList is the input of a tool that writes a whole list.
type nativeList struct {
	Todos nativeItems `json:"todos"`
}

// items turns a native list into ours. An entry that cannot be kept is left out with a warning.
func (s *stream) items(native nativeItems) []todo.Item {
	items := make([]todo.Item, 0, len(native))
	for i, n := range native {
		item := todo.Item{
			ID: string(n.ID), Content: string(cmp.Or(n.Content, n.Description, n.Title)), ActiveForm: string(n.ActiveForm),
			BlockedBy: union(n.BlockedBy, n.Dependencies),
		}
		item.Priority, _ = todo.ParsePriority(string(n.Priority))
		var known bool
		if item.Status, item.NativeStatus, known = s.status(string(n.Status)); !known {
			s.skipItem(i, "its status is "+quote(string(n.Status)))
			continue
		}
		for _, part := range n.Subtasks {
			if text, err := todo.CheckText(string(part.Content)); err == nil {
				item.Subtasks = append(item.Subtasks, todo.Subtask{ID: string(part.ID), Content: text})
			}
		}
		items = s.keepItem(items, i, item)
	}
	return items
}

// keepItem appends an item whose text can be kept.
func (s *stream) keepItem(items []todo.Item, i int, item todo.Item) []todo.Item {
	text, err := todo.CheckText(item.Content)
	switch {
	case err != nil:
		s.skipItem(i, err.Error())
		return items
	case len(items) == todo.MaxItems:
		s.skipItem(i, "the list is full")
		return items
	}
	item.Content = text
	return append(items, item)
}

func (s *stream) skipItem(i int, why string) {
	s.sum.ItemsSkipped++
	s.warn("item %d of a list is left out: %s", i+1, why)
}

// status reads an agent's word for a status, which may be one that only this agent has.
func (s *stream) status(word string) (is todo.Status, native string, known bool) {
	if s.a.status != nil {
		if own, ok := s.a.status(word); ok {
			return own, word, true
		}
	}
	return status(word)
}

// status reads an agent's word for a status. The native word is given where it is not ours.
func status(word string) (s todo.Status, native string, known bool) {
	s, err := todo.ParseStatus(word)
	return s, "", err == nil
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
	if text == "" {
		return 0
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return 0
	}
	return todo.TimeOf(at)
}
