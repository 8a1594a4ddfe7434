package exchange

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"strings"

	"onward/internal/agents/agent"
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
	JSON     Format = "json"     // our own documents, and everything that `todo write` accepts

	TaskMaster Format = "task-master" // its tasks.json, with tags or without
	PRD        Format = "prd"         // prd.json, as ralph and the loops after it keep it
	Beads      Format = "beads"       // its issues.jsonl
)

// Source is what is known about a file besides its content.
type Source struct {
	Format Format // empty is Auto
	Name   string
	Tag    string      // of the tasks to read, if the file has tasks under several
	Dash   todo.Status // what the box [-] means; empty is what the file says, and else cancelled
}

// AgentFormat is an agent that keeps lists in files; their format has its name.
type AgentFormat struct {
	Name, Title string
	*agent.ListFiles
}

// Agents are those whose files can be read.
type Agents []AgentFormat

// find returns the agent of a format; without a form if there is none.
func (as Agents) find(format Format) AgentFormat {
	for _, a := range as {
		if a.Name == string(format) {
			return a
		}
	}
	return AgentFormat{ListFiles: new(agent.ListFiles)}
}

// FolderFormats returns the formats of lists that are folders, with one file a task.
func (as Agents) FolderFormats() (formats []string) {
	for _, a := range as {
		if a.Tasks {
			formats = append(formats, a.Name)
		}
	}
	return formats
}

// ParseFormat reads the name of a format; the empty string means Auto.
func (as Agents) ParseFormat(s string) (Format, error) {
	formats := as.Formats()
	all := make([]Format, len(formats))
	for i, name := range formats {
		all[i] = Format(name)
	}
	return todo.ParseOneOf("format", cmp.Or(s, string(Auto)), all...)
}

// ParseDash reads what the box [-] means; the empty string is what the file says.
func ParseDash(word string) (todo.Status, error) {
	s, _ := todo.StatusNamed(word)
	if word == "" || s == todo.Cancelled || s == todo.InProgress {
		return s, nil
	}
	return "", &todo.UnknownWordError{Text: fmt.Sprintf("--dash %q (one of cancelled, in-progress)", word), Word: word, Known: []string{"cancelled", "in-progress"}}
}

// Formats returns the names that ParseFormat accepts.
func (as Agents) Formats() []string {
	names := []string{string(Auto), string(Markdown), string(Text), string(CSV), string(JSON), string(TaskMaster), string(PRD), string(Beads)}
	for _, a := range as {
		names = append(names, a.Name)
	}
	return names
}

// detect finds the format of a file by its content, and if that is not enough, by its name.
func (as Agents) detect(name string, data []byte) Format {
	data = bytes.TrimSpace(data)
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ext := path.Ext(base)
	switch {
	case ext == ".json" || ext == ".jsonl" || looksLikeJSON(data):
		return as.detectJSON(base, data)
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

// detectJSON detects the format by the names of the first object's members. What one format claims, those after it do not.
func (as Agents) detectJSON(base string, data []byte) Format {
	array := len(data) > 0 && data[0] == '['
	has := memberNames(data)
	if plan := detectPlan(base, array, has); plan != Auto {
		return plan
	}
	ours := has("schema") || has("items")
	for _, a := range as {
		// A task has none of our own documents' members, and our own documents none of a task's.
		if (a.Tasks || !ours) && a.Claims(base, array, has) {
			return Format(a.Name)
		}
	}
	return JSON
}
