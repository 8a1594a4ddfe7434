package install

import "testing"

func TestWhatTeachesAModelToKeepTheList(t *testing.T) {
	for _, c := range []struct {
		is   Report
		want bool
	}{
		{Report{}, false},
		{Report{Server: "/usr/bin/onward-mcp"}, true},
		{Report{Installed: true}, true},
		{Report{Installed: true, Partly: true}, false},
		{Report{Installed: true, Stale: true}, false},
		{Report{Installed: true, Stale: true, Server: "/usr/bin/onward-mcp"}, true},
	} {
		if got := c.is.TeachesTodos(); got != c.want {
			t.Errorf("%+v: got %v", c.is, got)
		}
	}
}
