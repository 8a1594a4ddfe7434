package continuation

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxTemplate limits a prompt template, in bytes.
const maxTemplate = maxPrompt

// The minimum sizes of the parts of a prompt, in bytes, with the longest names.
const (
	leastTag    = len(tag) + 20
	leastTask   = 3    // the task is shortened to three dots
	leastStatus = 70   // "[Status: 10000/10000 completed, 10000 remaining]"
	leastList   = 50   // "+10000 more"
	leastPrompt = 1500 // with yolo, in its longest tier
)

// Template is the user's own text of the prompt. The zero value is the built-in text.
type Template struct {
	parts []string // text and the name of a placeholder in turn; it ends with text
}

// placeholder returns what a part of the prompt needs at least, which a template can name in braces.
func placeholder(name string) (least int, ok bool) {
	switch name {
	case "task":
		return leastTask, true
	case "status":
		return leastStatus, true
	case "list":
		return leastList, true
	case "prompt":
		return leastPrompt, true
	}
	return 0, false
}

// ParseTemplate reads a template. Braces around anything but lower-case letters, - and _ are text.
func ParseTemplate(text string) (Template, error) {
	switch {
	case len(text) > maxTemplate:
		return Template{}, fmt.Errorf("it has more than %d bytes", maxTemplate)
	case !utf8.ValidString(text):
		return Template{}, errors.New("it is not valid UTF-8")
	case strings.TrimSpace(text) == "":
		return Template{}, errors.New("it is empty")
	}
	var t Template
	least, at := leastTag+len(text), 0
	for _, m := range regexp.MustCompile(`\{([a-z_-]+)\}`).FindAllStringSubmatchIndex(text, -1) {
		begin, end, name := m[0], m[1], text[m[2]:m[3]]
		need, known := placeholder(name)
		if !known {
			line := strings.Count(text[:begin], "\n") + 1
			column := utf8.RuneCountInString(text[strings.LastIndex(text[:begin], "\n")+1:begin]) + 1
			return Template{}, fmt.Errorf("line %d, column %d: unknown placeholder {%s} (one of {task}, {status}, {list}, {prompt})", line, column, name)
		}
		t.parts = append(t.parts, text[at:begin], name)
		least += need - (end - begin)
		at = end
	}
	t.parts = append(t.parts, text[at:])
	if over := least - maxPrompt; over > 0 {
		return Template{}, fmt.Errorf("it is %d bytes too long: a prompt has at most %d, of which {prompt} may need %d and {list} %d", over, maxPrompt, leastPrompt, leastList)
	}
	return t, nil
}

// fill replaces names by their values. Values are not searched for names.
func (t Template) fill(values map[string]string) string {
	var b strings.Builder
	for i, part := range t.parts {
		if i%2 == 1 {
			part = values[part]
		}
		b.WriteString(part)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
