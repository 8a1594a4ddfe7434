package exchange

import (
	"bytes"
	"path"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// A box with a dash is a cancelled item to Obsidian and to most people, and one in progress to the workflows that write a
// specification first.

// legendStatus returns what a file says that such a box means: a status follows the box, and nothing else does. It returns the empty status
// if the file says nothing, or both.
func legendStatus(data []byte) (said todo.Status) {
	box := []byte(todo.Cancelled.Meaning().Text)
	for at := 0; ; {
		next := bytes.Index(data[at:], box)
		if next < 0 {
			return said
		}
		at += next + len(box)
		line, _, _ := bytes.Cut(data[at:], []byte("\n"))
		words := strings.TrimLeft(string(line[:min(len(line), 80)]), " \t`*_\"'=:–—→(>-")
		if end := strings.IndexAny(words, "`*\"',;.:|()[]<–—\r"); end >= 0 {
			words = words[:end]
		}
		switch s, _, known := native.ParseStatus(strings.TrimSpace(words)); {
		case !known || s != todo.InProgress && s != todo.Cancelled:
		case said != "" && said != s:
			return ""
		default:
			said = s
		}
	}
}

// names reports whether a bullet only says what its box means, as a line of a legend does.
func (b bullet) names(line []byte) bool {
	s, _, known := native.ParseStatus(strings.ToLower(string(line[b.width:])))
	return known && (s == b.status || s == todo.InProgress && b.status == todo.Cancelled)
}

// dashByName returns what it means in the files of programs that are known by their folder.
func (s Source) dashByName() todo.Status {
	for dir := range strings.SplitSeq(path.Dir(strings.ReplaceAll(s.Name, `\`, "/")), "/") {
		if dir == ".kiro" || dir == ".spec-workflow" {
			return todo.InProgress
		}
	}
	return ""
}
