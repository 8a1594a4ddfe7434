package exchange

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"onward/internal/todo"
)

// Format names a form in which a list is written.
type Format string

// The formats that can be read. Auto means: by the content, and if that is not enough, by the name.
const (
	Auto     Format = "auto"
	Markdown Format = "markdown" // a check list
	Text     Format = "text"     // one item a line
	CSV      Format = "csv"      // a row for each item, below the names of the columns
	JSON     Format = "json"     // our own documents, and whatever `todo write` takes
	Claude   Format = "claude"   // ~/.claude/todos/*.json, and ~/.claude/tasks/ID/ with one file a task
	Llxprt   Format = "llxprt"   // todo-*.json
	Qwen     Format = "qwen"     // ~/.qwen/todos/*.json
	Gemini   Format = "gemini"   // the tracker's folder with one file a task
)

// ParseFormat reads the name of a format; the empty string means Auto.
func ParseFormat(s string) (Format, error) {
	return todo.OneOf("format", cmp.Or(s, "auto"), Auto, Markdown, Text, CSV, JSON, Claude, Llxprt, Qwen, Gemini)
}

// detect finds the format of a file by its content, and if that is not enough, by its name.
func detect(name string, data []byte) Format {
	data = bytes.TrimSpace(data)
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ext := path.Ext(base)
	switch {
	case ext == ".json" || looksLikeJSON(data):
		return detectJSON(base, data)
	case ext == ".csv", bytes.HasPrefix(data, []byte(csvHeader)):
		return CSV
	case hasBox(data), ext == ".md", ext == ".markdown":
		return Markdown
	case ext == ".txt":
		return Text
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if _, ok := parseBullet(first); ok {
		return Markdown
	}
	return Text
}

// looksLikeJSON distinguishes an object or an array of objects from a text,
// which may well begin with a bracket: `[x] done`.
func looksLikeJSON(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	inner := bytes.TrimLeft(data[1:], " \t\r\n")
	switch data[0] {
	case '{':
		return len(inner) == 0 || inner[0] == '"' || inner[0] == '}'
	case '[':
		return len(inner) == 0 || inner[0] == '{' || inner[0] == '"' || len(inner) == 1 && inner[0] == ']'
	}
	return false
}

// detectJSON detects the format by the names of the first object's members.
func detectJSON(base string, data []byte) Format {
	isArray := len(data) > 0 && data[0] == '['
	has := memberNames(data)
	switch {
	case has("subject"), isArray && (has("activeForm") || strings.Contains(base, "-agent-")):
		return Claude
	case has("title") && (has("dependencies") || has("parentId")):
		return Gemini
	case has("schema"), has("items"):
		return JSON
	case has("todos") && has("sessionId"):
		return Qwen
	case has("todos") && has("paused"), strings.HasPrefix(base, "todo-") && (isArray || has("todos")):
		return Llxprt
	}
	return JSON
}
