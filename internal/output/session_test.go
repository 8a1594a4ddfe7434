package output

import (
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/session"
)

// An answer to a session that waits for none is never led to another one than the user named.
func TestReplyHint(t *testing.T) {
	asks := func(name, project, why string) live.Row {
		return live.Row{StoredList: session.StoredList{Name: session.Name{Session: name}}, Project: project, Standing: continuation.Standing{Why: why}}
	}
	asking := []live.Row{asks("shop-0a1b2c3d", "/w/shop", "paused: which database?"), asks("site-4e5f6071", "/w/site", "paused: which port?")}
	for _, c := range []struct {
		asking []live.Row
		meant  string
		named  bool
		want   string
	}{
		{nil, "here-01234567", false, ""},
		{asking, "here-01234567", false, "`onward reply --session shop-0a1b2c3d 'use 80'` answers session \"shop-0a1b2c3d\", paused: which database?; `onward reply --session site-4e5f6071 'use 80'` answers session \"site-4e5f6071\", paused: which port?"},
		{asking, "site", true, "`onward reply --session site-4e5f6071 'use 80'` answers session \"site-4e5f6071\", paused: which port?"},
		{asking, "blog", true, ""},
	} {
		if got := ReplyHint(c.asking, c.meant, c.named, "use 80"); got != c.want {
			t.Errorf("%s, named: %v: %s", c.meant, c.named, got)
		}
	}
	if got := ReplyHint(asking[1:], "here", false, "--yes"); !strings.HasPrefix(got, "`onward reply --session site-4e5f6071 -- --yes` answers") {
		t.Errorf("an answer with a hyphen: %s", got)
	}
}
