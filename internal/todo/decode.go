package todo

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrData marks a list from outside that cannot be read.
var ErrData = errors.New("bad list")

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
	Priority     Priority       `json:"priority"`
	ActiveForm   string         `json:"active_form"`
	ActiveCamel  string         `json:"activeForm"`
	NativeStatus string         `json:"native_status"`
	BlockedBy    []string       `json:"blocked_by"`
	BlockedCamel []string       `json:"blockedBy"`
	Reason       string         `json:"reason"`
	CreatedAt    Time           `json:"created_at"`
	CompletedAt  Time           `json:"completed_at"`
	UpdatedAt    Time           `json:"updated_at"`
	Subtasks     []written      `json:"subtasks"`
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
func Decode(data []byte) ([]Item, error) {
	value := jsontext.Value(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%w: the input is empty; an empty list is []", ErrData)
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
			return nil, fmt.Errorf("%w: the object has neither items nor todos", ErrData)
		}
	}
	var list []written
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, decodeError(data, err)
	}
	if value.Kind() != '[' {
		return nil, fmt.Errorf("%w: the list is not an array", ErrData)
	}
	if len(list) > MaxItems {
		return nil, fmt.Errorf("%w: the list has %d items, at most %d are kept", ErrLimit, len(list), MaxItems)
	}
	items := make([]Item, len(list))
	seen := make(map[string]bool, len(list))
	for i, w := range list {
		it, err := w.item()
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
		if it.ID != "" && seen[it.ID] {
			return nil, fmt.Errorf("%w: item %d: the id %q stands twice", ErrData, i+1, it.ID)
		}
		seen[it.ID] = true
		items[i] = it
	}
	return items, nil
}

// item turns a written item into ours.
func (w written) item() (Item, error) {
	text, err := w.text()
	if err != nil {
		return Item{}, err
	}
	status, err := w.status()
	if err != nil {
		return Item{}, err
	}
	if _, err := ParsePriority(string(w.Priority)); err != nil {
		return Item{}, fmt.Errorf("%w: priority %q", ErrData, w.Priority)
	}
	it := Item{
		ID: string(w.ID), Content: text, Status: status, Priority: w.Priority,
		ActiveForm: w.ActiveForm + w.ActiveCamel, NativeStatus: w.NativeStatus,
		BlockedBy: append(w.BlockedBy, w.BlockedCamel...), Reason: w.Reason,
		CreatedAt: w.CreatedAt, CompletedAt: w.CompletedAt, UpdatedAt: w.UpdatedAt,
	}
	for j, sub := range w.Subtasks {
		text, err := sub.text()
		if err != nil {
			return Item{}, fmt.Errorf("subtask %d: %w", j+1, err)
		}
		status, err := sub.status()
		if err != nil {
			return Item{}, fmt.Errorf("subtask %d: %w", j+1, err)
		}
		it.Subtasks = append(it.Subtasks, Subtask{ID: string(sub.ID), Content: text, Status: status})
	}
	return it, nil
}

func (w written) text() (string, error) {
	for _, s := range []*string{w.Content, w.Text, w.Description, w.Subject, w.Title, w.Step} {
		if s != nil {
			text, err := CheckText(*s)
			if errors.Is(err, ErrSyntax) {
				err = fmt.Errorf("%w: the text is empty", ErrData)
			}
			return text, err
		}
	}
	return "", fmt.Errorf("%w: no text (content, text, description, subject, title or step)", ErrData)
}

func (w written) status() (Status, error) {
	switch {
	case w.Status != nil:
		s, err := ParseStatus(*w.Status)
		if err != nil {
			err = fmt.Errorf("%w: status %q (one of pending, in_progress, completed, cancelled, blocked)", ErrData, *w.Status)
		}
		return s, err
	case w.Completed != nil && *w.Completed:
		return Completed, nil
	default:
		return Pending, nil
	}
}

// decodeError names the line and column at which JSON stops making sense.
func decodeError(data []byte, err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		line, column := lineAndColumn(data, syntax.ByteOffset)
		return fmt.Errorf("%w: line %d, column %d: %w", ErrData, line, column, syntax.Err)
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		where := string(semantic.JSONPointer)
		if where == "" {
			where = "the list"
		}
		if semantic.Err != nil {
			return fmt.Errorf("%w: %s: %w", ErrData, where, semantic.Err)
		}
		return fmt.Errorf("%w: %s has the wrong kind of value", ErrData, where)
	}
	return fmt.Errorf("%w: %w", ErrData, err)
}

// lineAndColumn counts both from 1, the column in bytes.
func lineAndColumn(data []byte, offset int64) (line, column int) {
	line, column = 1, 1
	for _, c := range data[:min(int(offset), len(data))] {
		if column++; c == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
