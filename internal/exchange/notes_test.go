package exchange

import (
	"strings"
	"testing"

	"onward/internal/todo"
)

func TestNotesOfAnImport(t *testing.T) {
	for _, c := range []struct {
		list   List
		chosen bool
		want   string
	}{
		{List{}, false, ""},
		{List{Flattened: 1}, false, "subtasks have one level: 1 deeper one moved up, below the item"},
		{List{Absent: 2}, false, "left out 2 references to a dependency that the file does not have"},
		{List{Dashed: 1, Dash: todo.Cancelled}, false, "1 item with [-] read as cancelled; --dash in-progress reads [-] as in progress"},
		{List{Dashed: 2, Dash: todo.InProgress}, false, "2 items with [-] read as in progress; --dash cancelled reads [-] as cancelled"},
		{List{Dashed: 2, Dash: todo.InProgress}, true, ""},
		{List{Boxless: 3, Absent: 1}, false, "left out 1 reference to a dependency that the file does not have|3 bullets without a box left out: this file marks its items with boxes"},
	} {
		if got := strings.Join(c.list.Notes(c.chosen), "|"); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.list, got, c.want)
		}
	}
}

func TestNotesOfAnUpdate(t *testing.T) {
	for _, c := range []struct {
		did  UpdateResult
		want string
	}{
		{UpdateResult{}, `"plan.md" has these statuses already`},
		{UpdateResult{Changed: 2}, `wrote the status of 2 items into "plan.md"`},
		{UpdateResult{Changed: 1, Untold: 1, Apart: 2, Extra: 1}, `wrote the status of 1 item into "plan.md"|1 item left as before: the file has no way to say the status|2 items of the file not in the list|1 item of the list not in the file`},
	} {
		if got := strings.Join(c.did.Notes("plan.md"), "|"); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.did, got, c.want)
		}
	}
}

func TestIsTaskFile(t *testing.T) {
	for name, want := range map[string]bool{"1.json": true, "a.b.json": true, ".1.json": false, "1.JSON": false, "1.json~": false, "json": false} {
		if IsTaskFile(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}
