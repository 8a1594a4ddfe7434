package native

import (
	"bytes"
	"strings"

	"onward/internal/todo"
)

// CheckList reads a list that a model keeps as a text: each line with a check box is an item, with any bullet, and
// the other lines are prose. It returns nil for a text that has words and no check box.
func CheckList(text string) *List {
	list := &List{Items: []todo.Item{}}
	boxes, size := 0, 0
	for line := range strings.Lines(text) {
		s := bullet([]byte(strings.TrimSpace(line)))
		status, width, ok := todo.ParseBox(s)
		if !ok {
			continue
		}
		boxes++
		content, err := todo.CheckText(string(s[width:]))
		size += len(content)
		switch {
		case boxes > todo.MaxItems:
			list.More++
		case err != nil:
			list.Left = append(list.Left, Skipped{At: boxes - 1, Why: err})
		case size > maxListText:
			list.Left = append(list.Left, Skipped{At: boxes - 1, Why: errFull, Text: content})
		default:
			list.add(Entry{Item: todo.Item{Content: content, Status: status}})
		}
	}
	if boxes == 0 && strings.TrimSpace(text) != "" {
		return nil
	}
	return list
}

// bullet returns a line without the bullet or the number that it begins with.
func bullet(line []byte) []byte {
	if rest := bytes.TrimLeft(line, "0123456789"); len(rest) < len(line) && len(rest) > 0 && (rest[0] == '.' || rest[0] == ')') {
		return bytes.TrimLeft(rest[1:], " \t")
	}
	return bytes.TrimLeft(line, "-*+ \t")
}
