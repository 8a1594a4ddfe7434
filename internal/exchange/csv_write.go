package exchange

import (
	"encoding/csv"
	"strings"

	"onward/internal/todo"
)

// csvHeader names the columns.
const csvHeader = "position,id,status,priority,content,reason,blocked_by,created_at,updated_at,completed_at"

// WriteCSV writes a list by RFC 4180: a header, then a row for each item and each subtask.
// Every cell goes through clean, which may be nil.
//
// A spreadsheet takes a cell that begins with one of = + - @ for a formula and runs it,
// so such a cell has a ' in front, as has one that begins with a tab, a line break or a ' of its own.
// Who takes one leading ' away has the text.
func WriteCSV(items []todo.Item, clean func(string) string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	row := func(cells ...string) {
		for i, cell := range cells {
			if clean != nil {
				cell = clean(cell)
			}
			cells[i] = defuse(cell)
		}
		_ = w.Write(cells) // a strings.Builder takes everything
	}
	row(strings.Split(csvHeader, ",")...)
	for i := range items {
		it := &items[i]
		row(
			todo.Ref{Item: i, Sub: -1}.Label(), it.ID, string(it.Status), string(it.Priority), it.Content, it.Reason,
			strings.Join(it.BlockedBy, " "), instant(it.CreatedAt), instant(it.UpdatedAt), instant(it.CompletedAt),
		)
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			row(todo.Ref{Item: i, Sub: j}.Label(), sub.ID, string(sub.StatusOrPending()), "", sub.Content, sub.Reason, "", "", "", "")
		}
	}
	w.Flush()
	return b.String()
}

// instant is a time as JSON has it, or nothing for never.
func instant(t todo.Time) string {
	if t == 0 {
		return ""
	}
	return t.String()
}

// fused takes away what defuse put in front of a cell.
func fused(cell string) string {
	if rest, marked := strings.CutPrefix(cell, "'"); marked && defuse(rest) != rest {
		return rest
	}
	return cell
}

// defuse makes a cell that a spreadsheet would run into text. The wide forms of the signs count too.
func defuse(cell string) string {
	for _, sign := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "'", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(cell, sign) {
			return "'" + cell
		}
	}
	return cell
}
