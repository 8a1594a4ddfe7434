package agent

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// nativeItem is an entry of a list as the agents with a list tool write it.
// No agent has all members, and no two agents mean different things by the same one.
type nativeItem struct {
	ID          word `json:"id"`
	Content     word `json:"content"`     // Claude Code
	Description word `json:"description"` // Gemini CLI
	Status      word `json:"status"`
	Priority    word `json:"priority"`
	ActiveForm  word `json:"activeForm"`
}

// nativeItems is a list as an agent sent it. An entry that is no object stands in it as an empty one,
// so that the positions in warnings are the agent's.
type nativeItems []nativeItem

func (l *nativeItems) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nativeItems{}
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		item, _ := object[nativeItem](v)
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
		text := n.Content
		if text == "" {
			text = n.Description
		}
		item := todo.Item{ID: string(n.ID), Content: string(text), ActiveForm: string(n.ActiveForm)}
		item.Priority, _ = todo.ParsePriority(string(n.Priority))
		var known bool
		if item.Status, item.NativeStatus, known = status(string(n.Status)); !known {
			s.skipItem(i, "its status is "+quote(string(n.Status)))
			continue
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

// status reads an agent's word for a status. The native word is given where it is not ours.
func status(word string) (s todo.Status, native string, known bool) {
	s, err := todo.ParseStatus(word)
	return s, "", err == nil
}

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
