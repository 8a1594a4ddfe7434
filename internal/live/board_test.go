package live

import (
	"testing"

	"pgregory.net/rapid"

	"onward/internal/session"
)

func rowOf(name, item string) Row {
	return Row{StoredList: session.StoredList{Name: session.Name{Session: name}}, Item: Item{"1", item}}
}

// TestSelectionStaysWithItsSession moves and filters the rows. The same session must stay selected.
func TestSelectionStaysWithItsSession(t *testing.T) {
	var b Board
	b.Set(nil)
	b.Move(1)
	if b.Selected() != nil {
		t.Error("something of nothing is selected")
	}
	a, c, d := rowOf("a", "parse"), rowOf("c", "test"), rowOf("d", "parse")
	expect := func(when, name string, shown int) {
		t.Helper()
		rows, at := b.FilteredRows()
		if len(rows) != shown || b.Selected().Name.Session != name || rows[at].Name.Session != name {
			t.Errorf("%s: %q of %d rows", when, b.Selected().Name, len(rows))
		}
	}
	b.Set([]Row{a, c, d})
	expect("at first", "a", 3)
	b.Move(1)
	b.Set([]Row{d, a, c})
	expect("in another order", "c", 3)
	b.Filter("PARSE")
	expect("filtered away", "a", 2)
	b.Move(100)
	expect("at the end", "a", 2)
	b.Move(-100)
	expect("at the start", "d", 2)
	b.Filter("")
	expect("all again", "d", 3)
	b.Set([]Row{a, c})
	expect("its session is gone", "a", 2)
}

func TestSelectionStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Board
		names := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				var rows []Row
				for _, name := range rapid.SliceOfNDistinct(names, 0, 5, rapid.ID[string]).Draw(t, "rows") {
					rows = append(rows, rowOf(name, ""))
				}
				b.Set(rows)
			case 1:
				b.Filter(rapid.OneOf(names, rapid.Just("")).Draw(t, "filter"))
			case 2:
				b.Move(rapid.IntRange(-10, 10).Draw(t, "by"))
			}
			rows, at := b.FilteredRows()
			if r := b.Selected(); (r == nil) != (len(rows) == 0) || r != nil && r.Name != rows[at].Name {
				t.Fatalf("%v is selected at %d of %d", r, at, len(rows))
			}
		}
	})
}
