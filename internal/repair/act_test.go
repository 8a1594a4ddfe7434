package repair

import (
	"errors"
	"testing"

	"onward/internal/store"
)

func TestWhatARemedyDoes(t *testing.T) {
	damaged := store.Diagnosis{Problem: errors.New("damaged")}
	for _, c := range []struct {
		found  Found
		remedy store.Remedy
		want   string
	}{
		{Found{}, store.Restore, "restore a file"},
		{Found{Settings: damaged}, store.Restore, "accept that the project has no settings"},
		{Found{}, store.Accept, "accept a file that was edited by hand"},
		{Found{Settings: damaged}, store.Accept, "accept a file that was edited by hand"},
	} {
		if got := c.found.Act(c.remedy); got != c.want {
			t.Errorf("%v: got %q, want %q", c.remedy, got, c.want)
		}
	}
}
