package todo

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// ReadItems reads an array of items. Of more than MaxItems it keeps one too many, for the caller to refuse.
func ReadItems(r *object.Reader) []Item {
	var items []Item
	r.Array(func() {
		if len(items) > MaxItems {
			r.Skip()
			return
		}
		if len(items) == cap(items) {
			// append alone grows a long list by a quarter, and copies it again and again.
			items = slices.Grow(items, len(items)+4)
		}
		items = append(items, Item{})
		readItem(r, &items[len(items)-1])
	})
	return items
}

// ItemList is a list within a document that is read by its types. Of more than MaxItems it is an error.
type ItemList []Item

// UnmarshalJSONFrom reads the items one by one, since an item takes many times the memory of its text.
func (l *ItemList) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	r := object.NewReader(dec)
	items := ReadItems(r)
	if err := r.Err(); err != nil {
		return err
	}
	if len(items) > MaxItems {
		return fmt.Errorf("%w: more than %d items", ErrLimit, MaxItems)
	}
	*l = items
	return nil
}

func readItem(r *object.Reader, it *Item) {
	it.Unknown = r.Object(func(name string) bool {
		switch name {
		case "id":
			it.ID = r.String()
		case "content":
			it.Content = r.String()
		case "status":
			it.Status = Status(r.Word())
		case "priority":
			it.Priority = Priority(r.Word())
		case "active_form":
			it.ActiveForm = r.String()
		case "native_status":
			it.NativeStatus = r.Word()
		case "by":
			it.By = r.Word()
		case "blocked_by":
			it.BlockedBy = r.Strings()
		case "reason":
			it.Reason = r.String()
		case "created_at":
			it.CreatedAt = Time(r.Millis())
		case "updated_at":
			it.UpdatedAt = Time(r.Millis())
		case "completed_at":
			it.CompletedAt = Time(r.Millis())
		case "subtasks":
			r.Array(func() {
				it.Subtasks = append(it.Subtasks, Subtask{})
				readSubtask(r, &it.Subtasks[len(it.Subtasks)-1])
			})
		default:
			return false
		}
		return true
	}, "id", "content", "status")
}

func readSubtask(r *object.Reader, t *Subtask) {
	t.Unknown = r.Object(func(name string) bool {
		switch name {
		case "id":
			t.ID = r.String()
		case "content":
			t.Content = r.String()
		case "status":
			t.Status = Status(r.Word())
		default:
			return false
		}
		return true
	}, "id", "content")
}

// WriteItems writes an array of items.
func WriteItems(w *object.Writer, items []Item) {
	w.Open('[')
	for i := range items {
		w.Open('{')
		items[i].WriteMembers(w, func() { writeSubtasks(w, items[i].Subtasks) })
		w.Close('}')
	}
	w.Close(']')
}

// WriteMembers writes what stands between the braces of an item;
// its subtasks, where it has some, are written by the caller's function.
func (it *Item) WriteMembers(w *object.Writer, subtasks func()) {
	w.String("id", it.ID)
	w.String("content", it.Content)
	w.String("status", string(it.Status))
	w.SomeString("priority", string(it.Priority))
	w.SomeString("active_form", it.ActiveForm)
	w.SomeString("native_status", it.NativeStatus)
	w.SomeStrings("blocked_by", it.BlockedBy)
	w.SomeString("reason", it.Reason)
	w.SomeString("by", it.By)
	w.Millis("created_at", int64(it.CreatedAt))
	w.Millis("updated_at", int64(it.UpdatedAt))
	w.SomeMillis("completed_at", int64(it.CompletedAt))
	if len(it.Subtasks) > 0 {
		w.Name("subtasks")
		subtasks()
	}
	w.Rest(it.Unknown)
}

func writeSubtasks(w *object.Writer, subs []Subtask) {
	w.Open('[')
	for i := range subs {
		w.Open('{')
		subs[i].WriteMembers(w)
		w.Close('}')
	}
	w.Close(']')
}

// WriteMembers writes what stands between the braces of a subtask.
func (t *Subtask) WriteMembers(w *object.Writer) {
	w.String("id", t.ID)
	w.String("content", t.Content)
	w.SomeString("status", string(t.Status))
	w.Rest(t.Unknown)
}

// Read reads an item that a change was about.
func (t *Touched) Read(r *object.Reader) {
	r.Object(func(name string) bool {
		switch name {
		case "position":
			t.Position = r.String()
		case "id":
			t.ID = r.String()
		case "content":
			t.Content = r.String()
		case "status":
			t.Status = Status(r.Word())
		default:
			return false
		}
		return true
	})
}

// WriteTouched writes the items that a change was about.
func WriteTouched(w *object.Writer, list []Touched) {
	w.Open('[')
	for _, t := range list {
		w.Open('{')
		w.String("position", t.Position)
		w.String("id", t.ID)
		w.String("content", t.Content)
		w.String("status", string(t.Status))
		w.Close('}')
	}
	w.Close(']')
}

// WriteCounts writes totals as an object.
func WriteCounts(w *object.Writer, c Counts) {
	w.Open('{')
	w.Int("total", c.Total)
	w.Int("open", c.Open)
	for _, s := range Statuses {
		w.Int(string(s), c.Of(s))
	}
	w.Close('}')
}

// UnmarshalJSONFrom reads an item where it is part of something that is read by reflection.
func (it *Item) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	r := object.NewReader(dec)
	readItem(r, it)
	return r.Err()
}
