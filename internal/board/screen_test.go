package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestBoardFoot draws the lines below the rows: the selected session, shortened to the width, and the keys.
// The key that ends the view comes first.
func TestBoardFoot(t *testing.T) {
	derived := live.Row{StoredList: session.StoredList{Name: session.Name{Session: "tour-d1ed9bfcc4e0312a5aeaffee29ecc18a"}}, Item: live.Item{Position: "2", Text: "write the tests of the parser"}}
	for _, c := range []struct {
		width int
		said  string
		want  []string
	}{
		{90, "", []string{"tour-d1ed9bfcc4e0312a5aeaffee29ecc18a  2 write the tests of the parser"}},
		{60, "", []string{"tour-d1ed9bf...  2 write the tests of the parser"}},
		{30, "", []string{"tour-d1ed...  2 write the", "tests of the parser"}},
		{60, "stopped", []string{"stopped"}},
	} {
		frame := boardFrame{rows: []live.Row{derived}, foot: []string{c.said, boardKeys}, style: render.Style{ASCII: true}}
		lines := frame.draw(c.width, 12)
		keys := lines[len(lines)-1]
		if !strings.HasPrefix(keys, "q quit  ") {
			t.Errorf("at a width of %d the keys are %q", c.width, keys)
		}
		if got := lines[len(lines)-1-len(c.want) : len(lines)-1]; !slices.Equal(got, c.want) || lines[len(lines)-2-len(c.want)] != "" {
			t.Errorf("at a width of %d: %q, want %q", c.width, lines, c.want)
		}
	}
}

// TestBoardKeepsColumnsInPlace scrolls through rows, of which some have wider cells. The columns stay where they are.
func TestBoardKeepsColumnsInPlace(t *testing.T) {
	now := time.UnixMilli(1_000_000_000_000)
	var rows []live.Row
	for i := range 30 {
		row := live.Row{StoredList: session.StoredList{Name: session.Name{Session: fmt.Sprintf("s%02d", i)}}}
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

// TestDetailOfADamagedList checks that the line below the table says how to repair the selected list.
func TestDetailOfADamagedList(t *testing.T) {
	hint := func(error) string { return "`onward repair lost` shows what can be restored" }
	got := rowDetail(&live.Row{Err: errors.New("it is corrupt")}, render.Style{}, hint)
	if want := "it is corrupt; `onward repair lost` shows what can be restored"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
