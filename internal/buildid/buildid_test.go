package buildid

import (
	"runtime/debug"
	"testing"
)

// A program that `go install` fetched has the version of its module. Go names one for a checkout too, which only the revision tells apart.
func TestFetchedModuleHasItsVersion(t *testing.T) {
	for _, c := range []struct {
		main debug.Module
		want string
	}{
		{debug.Module{Version: "v0.1.0", Sum: "h1:x"}, "0.1.0"},
		{debug.Module{Version: "v0.0.0-20261127230000-0123456789ab", Sum: "h1:x"}, "0.0.0-20261127230000-0123456789ab"},
		{debug.Module{Version: "v0.1.0"}, "dev"},
		{debug.Module{Version: "(devel)"}, "dev"},
	} {
		if got := fetched(&debug.BuildInfo{Main: c.main}); got != c.want {
			t.Errorf("%+v: %s, not %s", c.main, got, c.want)
		}
	}
	if got := Version("1.2.3"); got != "1.2.3" {
		t.Errorf("the release's version became %s", got)
	}
}

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
