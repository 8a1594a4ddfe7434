package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzStat reads the kernel's record of a process. A program chooses its own name in it, so parentheses,
// spaces and line breaks in the name must not be read as other members.
func FuzzStat(f *testing.F) {
	f.Add("claude", "S", 17, "123456")
	f.Add("a) Z 1 (b", "S", 4194304, "0")
	f.Add("\n) (", "Z", 0, "99")
	f.Add("0", "\u2000", 0, "0")
	f.Fuzz(func(t *testing.T, name, state string, parent int, start string) {
		parseStat(1, []byte(name+state+start)) // must not panic
		if !isWord(state) || !isWord(start) {
			return
		}
		record := fmt.Appendf(nil, "1 (%s) %s %d%s %s 0 0\n", name, state, parent, strings.Repeat(" 0", 17), start)
		got, ok := parseStat(1, record)
		want := program{pid: 1, parent: parent, start: start, ended: state == "Z" || state == "X", name: name}
		if !ok || got.pid != want.pid || got.parent != want.parent || got.start != want.start || got.ended != want.ended || got.name != want.name {
			t.Errorf("%q is read as %+v, %v", record, got, ok)
		}
	})
}

// isWord reports whether a text can be a member of the record, which is one word.
func isWord(s string) bool {
	return slices.Equal(strings.Fields(s), []string{s}) && !strings.Contains(s, ")")
}
