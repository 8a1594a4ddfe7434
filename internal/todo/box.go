package todo

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"
)

// ParseBox reads the check box that a text begins with, and the white space after it: [ ] and [x], which every renderer
// knows, and the common signs for the other statuses. An empty box is a blank one, and a star after a box, by which some
// specifications mark what is optional, belongs to it.
func ParseBox(s []byte) (status Status, width int, ok bool) {
	end := bytes.IndexByte(s[:min(len(s), 6)], ']')
	if end < 0 || s[0] != '[' {
		return "", 0, false
	}
	after := bytes.TrimPrefix(s[end+1:], []byte("*"))
	if len(after) > 0 && after[0] != ' ' && after[0] != '\t' {
		return "", 0, false
	}
	sign := cmp.Or(string(s[1:end]), " ")
	status, ok = StatusWhere(func(m *Meaning) bool { return utf8.RuneCountInString(sign) == 1 && strings.Contains(m.Boxes, sign) })
	if !ok {
		return "", 0, false
	}
	rest := bytes.TrimLeft(after, " \t")
	return status, len(s) - len(rest), true
}
