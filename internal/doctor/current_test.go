package doctor

import (
	"errors"
	"fmt"
	"testing"

	"onward/internal/session"
	"onward/internal/store"
)

func TestFindingAboutTheCurrentSession(t *testing.T) {
	other := errors.New("disk")
	for _, c := range []struct {
		err   error
		state State
		hint  string
	}{
		{nil, Good, ""},
		{fmt.Errorf("read it: %w", store.ErrCorrupt), Bad, "choose again with `onward session use`"},
		{fmt.Errorf("read it: %w", store.ErrForeign), Bad, "choose again with `onward session use`"},
		{fmt.Errorf("read it: %w", store.ErrPermission), Bad, "name it"},
		{fmt.Errorf("read it: %w", store.ErrOtherUser), Bad, "name it"},
		{session.ErrUnnamed, Note, "name it"},
		{other, "", ""},
	} {
		found, err := Current(session.Name{Session: "demo"}, c.err, func(error) string { return "name it" })
		if c.state == "" {
			if !errors.Is(err, other) {
				t.Errorf("%v: got %v", c.err, err)
			}
			continue
		}
		if err != nil || found.State != c.state || found.Hint != c.hint {
			t.Errorf("%v: got %+v, %v", c.err, found, err)
		}
	}
}
