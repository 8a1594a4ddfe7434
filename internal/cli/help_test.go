package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Help for a narrow terminal is not wider than the terminal, except for examples and words that cannot be broken.
func TestHelpFitsNarrowTerminals(t *testing.T) {
	for _, width := range []int{30, 40, 60, 80} {
		for _, text := range []string{"--[no-]can-write and other flags that are explained", "one two three"} {
			h := helpWriter{width: width}
			h.writeRows([][2]string{{"--pending-tool-calls=N", text}, {"x", text}})
			h.paragraph("  ", text)
			for line := range strings.Lines(h.String()) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
					t.Errorf("at %d columns, %q has %d", width, line, n)
				}
			}
		}
	}
}
