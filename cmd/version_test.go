package cmd

import "testing"

func TestVersionLine(t *testing.T) {
	for want, b := range map[string]build{
		"onward dev":                                   {Version: "dev"},
		"onward 1.2.0 (revision 0123456789ab)":         {Version: "1.2.0", Revision: "0123456789abcdef"},
		"onward dev (revision 0123456789ab, modified)": {Version: "dev", Revision: "0123456789abcdef", Modified: true},
	} {
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Two programs that were built from different revisions do not belong together, though both have the version dev.
func TestBuildsBelongTogether(t *testing.T) {
	for _, c := range []struct {
		id, other string
		want      bool
	}{
		{build{Version: "1.2.0"}.id(), build{Version: "1.2.0"}.id(), true},
		{build{Version: "1.2.0"}.id(), build{Version: "1.3.0"}.id(), false},
		{build{Version: "dev", Revision: "01"}.id(), build{Version: "dev", Revision: "01", Modified: true}.id(), true},
		{build{Version: "dev", Revision: "01"}.id(), build{Version: "dev", Revision: "02"}.id(), false},
		{build{Version: "dev", Revision: "01"}.id(), build{Version: "dev"}.id(), true},
	} {
		if got := sameBuild(c.id, c.other); got != c.want {
			t.Errorf("%s and %s: %v", c.id, c.other, got)
		}
	}
}
