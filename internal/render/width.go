package render

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// columns returns the number of columns that a text may take, and cut counts the same way.
//
// A cluster of several runes, such as an emoji with a skin tone, is one sign on some terminals
// and its parts side by side on others. The larger of both is counted, so that a line fits on either.
func columns(text string) int {
	n := 0
	for g := clusters(text); g.Next(); {
		n += clusterColumns(g.Value(), g.Width())
	}
	return n
}

// clusters goes through what is drawn as one sign each. An escape sequence of our
// own, such as a colour, counts as one of no width: Text lets no other through.
func clusters(text string) displaywidth.Graphemes[string] {
	return displaywidth.Options{ControlSequences: true}.StringGraphemes(text)
}

func clusterColumns(cluster string, together int) int {
	if utf8.RuneCountInString(cluster) == 1 || cluster[0] == '\x1b' {
		return together
	}
	apart := 0
	for _, r := range cluster {
		apart += displaywidth.Rune(r)
	}
	return max(together, apart)
}

// cut shortens a text to a number of columns and ends it with a mark where there is room for one.
// It never cuts within a cluster, so no accent loses its letter.
func cut(text string, limit int, mark string) string {
	markColumns := columns(mark)
	if markColumns > limit {
		mark, markColumns = "", 0
	}
	n, at, end := 0, 0, 0 // end is where the text is cut, if it has to be
	for g := clusters(text); g.Next(); {
		n += clusterColumns(g.Value(), g.Width())
		at += len(g.Value())
		if n <= limit-markColumns {
			end = at
		}
		if n > limit {
			// What only shapes its neighbours has one neighbour less now.
			return strings.TrimRight(text[:end], "\u200c\u200d\u00a0\u202f") + mark
		}
	}
	return text
}
