package exchange

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"onward/internal/native"
	"onward/internal/todo"
)

// readCSV reads the rows that WriteCSV writes, also after a spreadsheet has changed them. The columns are found by the
// names in the first row, and those that are missing or unknown are passed over, but for the text. A row whose position
// has a dot is a subtask of the item above it.
func readCSV(data []byte) (List, error) {
	r := csv.NewReader(bytes.NewReader(data))
	header, err := r.Read()
	if err != nil {
		return List{}, csvError(r, 0, err)
	}
	columns := map[string]int{}
	for i, name := range header {
		columns[strings.ToLower(strings.TrimSpace(name))] = i
	}
	if _, found := columns["content"]; !found {
		return List{}, csvError(r, 0, fmt.Errorf("%w: the first row names no column \"content\"", todo.ErrData))
	}
	var list List
	seen := map[string]bool{}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return List{}, csvError(r, 0, err)
		}
		row := csvRow{columns: columns, cells: cells}
		if err := row.addTo(&list, seen); err != nil {
			return List{}, csvError(r, row.at, err)
		}
	}
}

// csvRow is one row, and the cell that was read last.
type csvRow struct {
	columns map[string]int
	cells   []string
	at      int
}

// cell returns the text of a cell; empty if there is no such column.
func (r *csvRow) cell(name string) string {
	at, found := r.columns[name]
	if !found {
		return ""
	}
	r.at = at
	return fused(r.cells[at])
}

// addTo appends the row to the list: an item, or a subtask of its last one.
func (r *csvRow) addTo(list *List, seen map[string]bool) error {
	it, err := r.item(seen)
	if err != nil {
		return err
	}
	if !strings.Contains(r.cell("position"), ".") {
		if err := full(len(list.Items), "items"); err != nil {
			return err
		}
		list.Items = append(list.Items, it)
		return nil
	}
	if len(list.Items) == 0 {
		return fmt.Errorf("%w: a subtask without an item above it", todo.ErrData)
	}
	above := &list.Items[len(list.Items)-1]
	if err := full(len(above.Subtasks), "subtasks of one item"); err != nil {
		return err
	}
	above.Subtasks = append(above.Subtasks, todo.Subtask{ID: it.ID, Content: it.Content, Status: it.Status, Reason: it.Reason})
	return nil
}

func (r *csvRow) item(seen map[string]bool) (it todo.Item, err error) {
	if it.Content, err = checkText(r.cell("content")); err != nil {
		return it, err
	}
	if it.ID = native.ShortenID(r.cell("id")); it.ID != "" && seen[it.ID] {
		return it, fmt.Errorf("%w: the id %q is duplicated", todo.ErrData, it.ID)
	}
	seen[it.ID] = true
	it.Status = todo.Pending
	if word := strings.TrimSpace(r.cell("status")); word != "" {
		var known bool
		if it.Status, it.NativeStatus, known = native.ParseStatus(word); !known {
			_, err = todo.ParseStatus(word)
			return it, asData(err)
		}
	}
	if it.Priority, err = todo.ParsePriority(strings.TrimSpace(r.cell("priority"))); err != nil {
		return it, asData(err)
	}
	if reason := r.cell("reason"); reason != "" {
		if it.Reason, err = checkText(reason); err != nil {
			return it, err
		}
	}
	for _, id := range strings.Fields(r.cell("blocked_by")) {
		it.BlockedBy = append(it.BlockedBy, native.ShortenID(id))
	}
	it.CreatedAt, it.UpdatedAt, it.CompletedAt = r.instant("created_at"), r.instant("updated_at"), r.instant("completed_at")
	return it, nil
}

// instant reads a time. If a spreadsheet has rewritten it in a form of its own, it counts as unknown.
func (r *csvRow) instant(name string) todo.Time {
	t, err := time.Parse(time.RFC3339, r.cell(name))
	if err != nil {
		return 0
	}
	return todo.TimeOf(t)
}

// asData turns an error about a word, which would be a usage error, into one about the file.
func asData(err error) error {
	return fmt.Errorf("%w: %s", todo.ErrData, strings.TrimPrefix(err.Error(), todo.ErrSyntax.Error()+": "))
}

// csvError places what is wrong with a row, or with its syntax.
func csvError(r *csv.Reader, cell int, err error) error {
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &syntax):
		return &Error{Line: syntax.Line, Column: max(syntax.Column, 1), Err: fmt.Errorf("%w: %w", todo.ErrData, syntax.Err)}
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it holds no items", todo.ErrData)
	}
	line, column := r.FieldPos(cell)
	return &Error{Line: line, Column: column, Err: err}
}
