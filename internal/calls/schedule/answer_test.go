package schedule

import (
	"errors"
	"testing"

	"onward/internal/store"
)

func TestNextCallThatAwaitsApproval(t *testing.T) {
	d := &Document{Calls: []Call{{ID: "c1", Status: Success}, {ID: "c2", Status: Awaiting}, {ID: "c3", Status: Awaiting}}}
	for _, c := range []struct {
		later []string
		want  string
	}{{nil, "c2"}, {[]string{"c2"}, "c3"}, {[]string{"c3", "c2"}, ""}} {
		got := d.NextAwaiting(c.later)
		if got == nil != (c.want == "") || got != nil && got.ID != c.want {
			t.Errorf("%q left for later: got %v, want %q", c.later, got, c.want)
		}
	}
	if got := (*Document)(nil).NextAwaiting(nil); got != nil {
		t.Errorf("without calls: got %v", got)
	}
}

func TestNewArgumentsAreOfOneTool(t *testing.T) {
	d := &Document{Calls: []Call{{ID: "c1", Tool: "shell"}}}
	for _, c := range []struct {
		id, tool string
		want     error
	}{{"c1", "shell", nil}, {"c1", "deploy", store.ErrBusy}, {"c2", "shell", nil}} {
		if err := d.CheckTool(c.id, c.tool); !errors.Is(err, c.want) {
			t.Errorf("%s of %s: %v", c.id, c.tool, err)
		}
	}
}
