package suggest

import (
	"slices"
	"testing"
)

func TestSuggestedNames(t *testing.T) {
	known := []string{"todo", "pause", "resume", "stop", "set", "tool"}
	for word, want := range map[string][]string{
		"tood":     {"todo", "tool"},
		"tod":      {"todo"},
		"PAUSE":    {"pause"},
		"resum":    {"resume"},
		"setup":    {"stop", "set"},
		"nonsense": nil,
		"next":     nil,
		"tops":     {"todo", "tool"},
		"nets":     nil,
		"x":        nil,
		"foo":      nil,
		"sta":      nil,
		"sotp":     {"stop", "set"},
		"est":      {"set"},
	} {
		if got := Names(word, known); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}
