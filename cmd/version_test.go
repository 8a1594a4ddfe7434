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
