package continuation

import (
	"testing"

	"onward/internal/session"
)

// TestHintNamesWhereASettingWasGiven asks a list that its limit has stopped, with the limit from each place that has one.
func TestHintNamesWhereASettingWasGiven(t *testing.T) {
	limit := func(where, name string) Source {
		return Source{Where: where, Get: func(key string) (string, bool) { return "1", key == "max-total" }, Name: func(string) string { return name }}
	}
	for _, c := range []struct {
		source Source
		agent  string
		own    map[string]string
		want   string
	}{
		{limit(FromFlag, "--max-total"), session.Primary, nil, "`--max-total N`"},
		{limit(FromEnvironment, "ONWARD_MAX_TOTAL"), session.Primary, nil, "`ONWARD_MAX_TOTAL=N`"},
		{limit(FromProject, ""), session.Primary, nil, "`onward set max-total N`"},
		{limit("configuration", ""), session.Primary, nil, "`onward set max-total N`"},
		{limit(FromSession, ""), session.Primary, map[string]string{"max-total": "1"}, "`onward set max-total N --session s`"},
		{limit(FromSession, ""), "helper", map[string]string{"max-total": "1"}, "`onward set max-total N --session s --agent helper`"},
		{limit(FromSession, ""), "helper", nil, "`onward set max-total N --session s`"},
	} {
		set, _, err := Resolve(c.source)
		if err != nil {
			t.Fatal(err)
		}
		doc := document()
		doc.Agent, doc.Settings = c.agent, c.own
		doc.Continuation.TotalPrompt = 1
		d, _ := Decide(doc, Facts{}, set, noon)
		if want := "`onward resume` resets the counters, and " + c.want + " allows more"; d.Reason != "total" || d.Hint != want {
			t.Errorf("from %s: %s, %q, want %q", c.source.Where, d.Reason, d.Hint, want)
		}
	}
}
