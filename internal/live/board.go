package live

import "onward/internal/session"

// Board is the view of many sessions: their rows in order, those that a filter shows, and the one that is selected.
type Board struct {
	rows   []Row
	shown  []Row
	filter string
	at     int          // the selected row among those that are shown
	name   session.Name // of the selected session; the selection follows it when rows move
}

// Set replaces the rows, which are in order. The selection stays with its session.
func (b *Board) Set(rows []Row) {
	b.rows = rows
	b.applyFilter()
}

// Filter shows only rows with a text; all where it is empty.
func (b *Board) Filter(text string) {
	b.filter = text
	b.applyFilter()
}

// FilterText returns the text of the filter.
func (b *Board) FilterText() string { return b.filter }

// applyFilter finds the rows that are shown, and the selection among them.
func (b *Board) applyFilter() {
	b.shown = b.rows
	if b.filter != "" {
		b.shown = nil
		for i := range b.rows {
			if b.rows[i].matches(b.filter) {
				b.shown = append(b.shown, b.rows[i])
			}
		}
	}
	for i := range b.shown {
		if b.shown[i].Name == b.name {
			b.at = i
			return
		}
	}
	b.Move(0) // the selected session is gone: select the row in its place
}

// Move moves the selection by a number of rows, down if it is positive.
func (b *Board) Move(by int) {
	b.at = max(0, min(b.at+by, len(b.shown)-1))
	b.name = session.Name{}
	if len(b.shown) > 0 {
		b.name = b.shown[b.at].Name
	}
}

// FilteredRows returns the rows that the filter shows, and which of them is selected.
func (b *Board) FilteredRows() (rows []Row, selected int) { return b.shown, b.at }

// Selected returns the selected row; nil if none is shown.
func (b *Board) Selected() *Row {
	if len(b.shown) == 0 {
		return nil
	}
	return &b.shown[b.at]
}
