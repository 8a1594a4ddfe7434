package render

import "strings"

// Markup makes a text safe in HTML and XML, inside an element or an attribute:
// it can neither end what it is in nor hide a character.
func Markup(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(Text(s))
}

// MarkupLines is Markup for lines of text inside an element.
func MarkupLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Markup(lines[i])
	}
	return strings.Join(lines, "\n")
}
