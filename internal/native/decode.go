package native

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// written is an item as some program writes it: every agent has its own names.
type written struct {
	ID           looseID        `json:"id"`
	Content      *string        `json:"content"`
	Text         *string        `json:"text"`
	Description  *string        `json:"description"`
	Subject      *string        `json:"subject"`
	Title        *string        `json:"title"`
	Step         *string        `json:"step"`
	Status       *string        `json:"status"`
	Completed    *bool          `json:"completed"`
	Priority     todo.Priority  `json:"priority"`
	ActiveForm   string         `json:"active_form"`
	ActiveCamel  string         `json:"activeForm"`
	NativeStatus string         `json:"native_status"`
	BlockedBy    []string       `json:"blocked_by"`
	BlockedCamel []string       `json:"blockedBy"`
	Reason       string         `json:"reason"`
	CreatedAt    todo.Time      `json:"created_at"`
	CompletedAt  todo.Time      `json:"completed_at"`
	UpdatedAt    todo.Time      `json:"updated_at"`
	Subtasks     parts          `json:"subtasks"`
	Unknown      jsontext.Value `json:",embed"`
}

// looseID is an id that may be a string or a number.
type looseID string

func (id *looseID) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case '"':
		var s string
		err = json.Unmarshal(v, &s)
		*id = looseID(s)
	case '0':
		*id = looseID(v)
	case 'n':
	default:
		err = errors.New("an id must be a string or a number")
	}
	return err
}

// Decode reads a whole list: an array of items, or an object that holds one as items or todos.
// The text of an item may be called content, text, description, subject, title or step.
func Decode(data []byte) ([]todo.Item, error) {
	value := jsontext.Value(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%w: the input is empty; an empty list is []", todo.ErrData)
	}
	if value.Kind() == '{' {
		var envelope struct {
			Items jsontext.Value `json:"items"`
			Todos jsontext.Value `json:"todos"`
		}
		if err := json.Unmarshal(value, &envelope); err != nil {
			return nil, decodeError(data, err)
		}
		switch {
		case envelope.Items != nil:
			value = envelope.Items
		case envelope.Todos != nil:
			value = envelope.Todos
		default:
			return nil, fmt.Errorf("%w: the object has neither items nor todos", todo.ErrData)
		}
	}
	if value.Kind() != '[' {
		return nil, fmt.Errorf("%w: the list is not an array", todo.ErrData)
	}
	return decodeItems(data, value)
}

// decodeItems reads the items one by one, so that a long list of nothing takes no memory.
func decodeItems(data []byte, list jsontext.Value) ([]todo.Item, error) {
	items := []todo.Item{}
	seen := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewBuffer(list))
	err := eachElement(dec, func(n int, w written) error {
		it, err := w.item()
		if err != nil {
			return fmt.Errorf("item %d: %w", n, err)
		}
		if it.ID != "" && seen[it.ID] {
			return fmt.Errorf("%w: item %d: the id %q stands twice", todo.ErrData, n, it.ID)
		}
		seen[it.ID] = true
		items = append(items, it)
		return nil
	})
	if err != nil {
		return nil, decodeError(data, err)
	}
	if rest := bytes.TrimLeft(list[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		line, column := object.LineAndColumn(data, int64(len(list)-len(rest)))
		return nil, fmt.Errorf("%w: line %d, column %d: something stands behind the list", todo.ErrData, line, column)
	}
	return items, nil
}

// eachElement reads an array of written items, and gives each with its number, counted from 1.
func eachElement(dec *jsontext.Decoder, take func(n int, w written) error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for n := 1; dec.PeekKind() != ']'; n++ {
		if n > todo.MaxItems {
			return fmt.Errorf("%w: there are more items than the at most %d that are kept", todo.ErrLimit, todo.MaxItems)
		}
		var w written
		if err := json.UnmarshalDecode(dec, &w); err != nil {
			return err
		}
		if err := take(n, w); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// parts are the subtasks of an item; they have none themselves.
type parts []todo.Subtask

func (p *parts) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()
	case '[':
	default:
		return fmt.Errorf("%w: the subtasks are not an array", todo.ErrData)
	}
	return eachElement(dec, func(n int, w written) error {
		part, err := w.part()
		if err != nil {
			return fmt.Errorf("subtask %d: %w", n, err)
		}
		*p = append(*p, part)
		return nil
	})
}

// item turns a written item into ours.
func (w written) item() (todo.Item, error) {
	text, err := w.text()
	if err != nil {
		return todo.Item{}, err
	}
	status, own, err := w.status()
	if err != nil {
		return todo.Item{}, err
	}
	if _, err := todo.ParsePriority(string(w.Priority)); err != nil {
		return todo.Item{}, fmt.Errorf("%w: priority %q", todo.ErrData, w.Priority)
	}
	it := todo.Item{
		ID: string(w.ID), Content: text, Status: status, Priority: w.Priority,
		ActiveForm: w.ActiveForm + w.ActiveCamel, NativeStatus: cmp.Or(w.NativeStatus, own),
		BlockedBy: append(w.BlockedBy, w.BlockedCamel...),
		CreatedAt: w.CreatedAt, CompletedAt: w.CompletedAt, UpdatedAt: w.UpdatedAt,
	}
	if w.Reason != "" {
		if it.Reason, err = todo.CheckText(w.Reason); err != nil {
			return todo.Item{}, fmt.Errorf("the reason: %w", err)
		}
	}
	it.Subtasks = w.Subtasks
	return it, nil
}

// part turns a written item into a subtask.
func (w written) part() (todo.Subtask, error) {
	text, err := w.text()
	if err != nil {
		return todo.Subtask{}, err
	}
	status, _, err := w.status()
	if err != nil {
		return todo.Subtask{}, err
	}
	if len(w.Subtasks) > 0 {
		return todo.Subtask{}, fmt.Errorf("%w: a subtask has no subtasks of its own", todo.ErrData)
	}
	return todo.Subtask{ID: string(w.ID), Content: text, Status: status}, nil
}

func (w written) text() (string, error) {
	for _, s := range []*string{w.Content, w.Text, w.Subject, w.Title, w.Step, w.Description} { // as TextMembers
		if s != nil {
			text, err := todo.CheckText(*s)
			if errors.Is(err, todo.ErrSyntax) {
				err = fmt.Errorf("%w: the text is empty", todo.ErrData)
			}
			return text, err
		}
	}
	return "", fmt.Errorf("%w: no text (content, text, description, subject, title or step)", todo.ErrData)
}

// status gives the status, and the word for it where it is another one.
func (w written) status() (s todo.Status, own string, err error) {
	switch {
	case w.Status != nil:
		s, own, ok := Status(*w.Status)
		if !ok {
			return "", "", fmt.Errorf("%w: status %q (one of pending, in_progress, completed, cancelled, blocked)", todo.ErrData, *w.Status)
		}
		return s, own, nil
	case w.Completed != nil && *w.Completed:
		return todo.Completed, "", nil
	default:
		return todo.Pending, "", nil
	}
}

// decodeError says where JSON is not a list.
func decodeError(data []byte, err error) error {
	if _, typed := err.(*json.SemanticError); !typed {
		if errors.Is(err, todo.ErrData) || errors.Is(err, todo.ErrLimit) || errors.Is(err, todo.ErrText) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", todo.ErrData, todo.Problem(data, err))
}
