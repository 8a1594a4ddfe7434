package cmd

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestBoardKeepsColumnsInPlace moves through rows of which some have wider cells. No column moves.
func TestBoardKeepsColumnsInPlace(t *testing.T) {
	now := time.UnixMilli(1_000_000_000_000)
	var rows []live.Row
	for i := range 30 {
		row := live.Row{Saved: session.Saved{Name: session.Name{Session: fmt.Sprintf("s%02d", i)}}}
		row.Standing.Why, row.Standing.Since = "reason", todo.TimeOf(now.Add(-time.Duration(i+1)*time.Hour))
		rows = append(rows, row)
	}
	for _, width := range []int{40, 60, 120} {
		columns := map[int]bool{}
		for selected := range rows {
			frame := boardFrame{rows: rows, selected: selected, totals: "30 sessions", now: now, style: render.Style{ASCII: true}}
			for _, line := range frame.draw(width, 8)[1:] {
				if at := strings.Index(line, "reas"); at >= 0 {
					columns[at] = true
				}
			}
		}
		if len(columns) != 1 {
			t.Errorf("at a width of %d the reason is in columns %v", width, columns)
		}
	}
}
