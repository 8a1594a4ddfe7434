package cmd

import (
	"reflect"
	"slices"
	"testing"

	continuation "onward/internal/continue"
)

// TestEverySettingHasAFlag compares the flags with the table of settings, in both directions.
// Some settings have no flag, because check-continue is not a hook, claims nothing, and begins no run.
func TestEverySettingHasAFlag(t *testing.T) {
	flags := reflect.TypeFor[settingFlags]()
	table := slices.DeleteFunc(continuation.AllSettings(), func(s continuation.Setting) bool {
		return slices.Contains([]string{"hook-timeout", "claim-lease", "max-turn", "first-gate", "check-files", "protect-files", "tree-timeout"}, s.Key)
	})
	if flags.NumField() != len(table) {
		t.Errorf("%d flags are for %d settings", flags.NumField(), len(table))
	}
	for _, s := range table {
		found := false
		for i := range flags.NumField() {
			found = found || flags.Field(i).Tag.Get("setting") == s.Key
		}
		if !found {
			t.Errorf("no flag is for the setting %s", s.Key)
		}
	}
}
