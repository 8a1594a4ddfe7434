package exchange

import (
	"bytes"

	"onward/internal/todo"
)

// readText reads one item from each line that is not blank. A box before the text is its status.
func readText(data []byte) (List, error) {
	var list List
	at := 0
	for line := range bytes.Lines(data) {
		rest := bytes.TrimSpace(line)
		start := at + len(line) - len(bytes.TrimLeft(line, " \t\r\n\v\f"))
		at += len(line)
		if len(rest) == 0 {
			continue
		}
		status := todo.Pending
		if s, width, ok := todo.ParseBox(rest); ok {
			status = s
			start += width
			rest = rest[width:]
		}
		text, err := checkText(string(rest))
		if err == nil {
			err = full(len(list.Items), "items")
		}
		if err != nil {
			return List{}, errorAt(data, start, err)
		}
		list.Items = append(list.Items, todo.Item{Content: text, Status: status})
	}
	return list, nil
}
