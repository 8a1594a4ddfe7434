package buildid

import "testing"

// Programs of different revisions do not belong together, even if both have the version dev.
func TestBuildsBelongTogether(t *testing.T) {
	for _, c := range []struct {
		id, other string
		want      bool
	}{
		{Of("1.2.0", ""), Of("1.2.0", ""), true},
		{Of("1.2.0", ""), Of("1.3.0", ""), false},
		{Of("dev", "01"), Of("dev", "01"), true},
		{Of("dev", "01"), Of("dev", "02"), false},
		{Of("dev", "01"), Of("dev", ""), true},
	} {
		if got := Same(c.id, c.other); got != c.want {
			t.Errorf("%s and %s: %v", c.id, c.other, got)
		}
	}
}
