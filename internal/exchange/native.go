package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// native is an item or task as some program wrote it.
type native struct {
	todo.Item
	parent string // of the tracker: the task that it is a part of
	gone   bool   // the task was deleted, or its program shows it to nobody
	at     int    // where it begins
}

// draft is an item that is being read.
type draft struct {
	native
	seen  uint // a bit for each member that was read
	texts [6]struct {
		text  string
		at    int
		given bool
	}
}

// nativeReader reads JSON member by member and knows at each moment where it stands.
type nativeReader struct {
	format Format
	data   []byte
	dec    *jsontext.Decoder
	r      *object.Reader
	at     int   // offset of the value that is being read
	err    error // the first refusal, with its place

	flattened int // subtasks of subtasks
}

func newNativeReader(format Format, data []byte) *nativeReader {
	// Names that nobody asks for may stand twice; to remember them all would take more memory than the file.
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	return &nativeReader{format: format, data: data, dec: dec, r: object.NewReader(dec)}
}

// mark remembers where the next value begins.
func (n *nativeReader) mark() {
	n.at = int(n.dec.InputOffset())
	for n.at < len(n.data) && bytes.IndexByte([]byte(" \t\r\n:,"), n.data[n.at]) >= 0 {
		n.at++
	}
}

// refuse keeps the first error, and ends the reading.
func (n *nativeReader) refuse(at int, err error) {
	if n.err == nil && n.r.Err() == nil {
		n.err = errorAt(n.data, at, err)
		n.r.Refuse("refused")
	}
}

func (n *nativeReader) refusef(at int, format string, args ...any) {
	n.refuse(at, fmt.Errorf("%w: "+format, append([]any{todo.ErrData}, args...)...))
}

// failure gives the first error with its place.
func (n *nativeReader) failure() error {
	if n.err != nil || n.r.Err() == nil {
		return n.err
	}
	return n.misread(n.r.Err())
}

// misread gives what the decoder says, with the place where it stopped.
func (n *nativeReader) misread(err error) error {
	at := n.at
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at, err = int(syntax.ByteOffset), syntax.Err
	}
	return errorAt(n.data, at, fmt.Errorf("%w: %w", todo.ErrData, err))
}

// list reads the whole input: an array, an object that holds one, or one task.
func (n *nativeReader) list() ([]native, error) {
	if len(bytes.TrimSpace(n.data)) == 0 {
		return nil, fmt.Errorf("%w: it is empty; an empty list is []", todo.ErrData)
	}
	var list []native
	n.mark()
	if n.dec.PeekKind() == '{' {
		list = n.envelope()
	} else {
		list = n.array()
	}
	if n.failure() == nil {
		n.mark()
		if _, err := n.dec.ReadToken(); err == nil {
			n.refusef(n.at, "there is a second value; the JSON lines of an agent are read by onward ingest")
		} else if !errors.Is(err, io.EOF) {
			n.err = n.misread(err)
		}
	}
	if n.failure() == nil {
		n.checkIDs(list)
	}
	return list, n.failure()
}

// envelope reads an object that holds a list as items or todos. That of a format with one file a task may be a task itself.
func (n *nativeReader) envelope() []native {
	found := false
	var list []native
	single := n.format == Claude || n.format == Gemini
	task := draft{native: native{at: n.at}}
	n.r.Object(func(name string) bool {
		n.mark()
		switch {
		case name == "items" || name == "todos":
			if !n.r.Null() {
				if found {
					n.refusef(n.at, "the object has two lists")
				}
				list, found = n.array(), true
			}
		case single:
			n.member(&task, name)
		default:
			n.r.Skip()
		}
		return true
	})
	switch {
	case found || n.failure() != nil:
		return list
	case single:
		n.complete(&task)
		return []native{task.native}
	}
	n.refusef(task.at, "the object has neither items nor todos")
	return nil
}

func (n *nativeReader) array() []native {
	var list []native
	n.r.Array(func() {
		n.mark()
		if err := full(len(list), "items"); err != nil {
			n.refuse(n.at, err)
			return
		}
		it := n.item()
		list = append(list, it)
	})
	return list
}

func (n *nativeReader) item() native {
	it := draft{native: native{at: n.at}}
	if n.r.Null() {
		n.refusef(it.at, "null where an object belongs")
	}
	n.r.Object(func(name string) bool {
		n.mark()
		n.member(&it, name)
		return true
	})
	n.complete(&it)
	return it.native
}

// member reads one member of an item.
func (n *nativeReader) member(it *draft, name string) {
	known := [...]string{
		"content", "text", "description", "subject", "title", "step", "id", "status", "completed", "priority",
		"active_form", "activeForm", "native_status", "blocked_by", "blockedBy", "dependencies", "reason",
		"subtasks", "parentId", "created_at", "updated_at", "completed_at",
	}
	if name == "metadata" && n.format == Claude {
		n.metadata(it)
		return
	}
	index := slices.Index(known[:], name)
	if index < 0 || index >= len(known)-3 && n.format != JSON {
		n.r.Skip() // times, too: every program has its own form of them
		return
	}
	if it.seen&(1<<index) != 0 {
		n.refusef(n.at, "%q stands twice in one object", name)
		return
	}
	it.seen |= 1 << index
	switch name {
	case "id":
		it.ID = n.looseID()
	case "status":
		n.status(it)
	case "completed":
		if n.r.Bool() && it.Status == "" {
			it.Status = todo.Completed
		}
	case "priority":
		n.priority(it)
	case "active_form", "activeForm":
		it.ActiveForm = n.r.String()
	case "native_status":
		it.NativeStatus = n.r.String()
	case "blocked_by", "blockedBy", "dependencies":
		n.r.Array(func() {
			n.mark()
			if err := full(len(it.BlockedBy), "ids in "+name); err != nil {
				n.refuse(n.at, err)
				return
			}
			it.BlockedBy = append(it.BlockedBy, n.looseID())
		})
	case "reason":
		n.reason(it)
	case "subtasks":
		n.subtasks(it)
	case "parentId":
		it.parent = n.looseID()
	case "created_at":
		it.CreatedAt = todo.Time(n.r.Millis())
	case "updated_at":
		it.UpdatedAt = todo.Time(n.r.Millis())
	case "completed_at":
		it.CompletedAt = todo.Time(n.r.Millis())
	default:
		if t := &it.texts[index]; !n.r.Null() {
			t.at, t.text, t.given = n.at, n.r.String(), true
		}
	}
}
