package stream

import (
	"slices"
	"strings"

	"onward/internal/todo"
)

// Unread is a kind of line, or of what a line holds, that an agent wrote and its room does not know. Agents change
// without notice, and what a newer version sends must not be lost in silence.
type Unread struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// maxUnread is how many kinds of a session are named.
const maxUnread = 20

// CountUnread counts a kind that the session's room does not know; path is its type, and the types within that.
// A name is an identifier. Anything else is text that happens to be in the place of one.
func (s *Session) CountUnread(path ...string) {
	for _, name := range path {
		if !isName(name) {
			return
		}
	}
	name, kinds := strings.Join(path, "/"), &s.Counts.Unread
	i := slices.IndexFunc(*kinds, func(u Unread) bool { return u.Name == name })
	switch {
	case i >= 0:
		(*kinds)[i].Count++
	case len(*kinds) < maxUnread:
		*kinds = append(*kinds, Unread{name, 1})
	}
}

// CountUnknown counts a word as unread, below a path of types, unless it is one of the known ones. An empty word is not counted.
func (s *Session) CountUnknown(word Word, known []string, path ...string) {
	if len(word) > 0 && !slices.Contains(known, string(word)) {
		s.CountUnread(append(slices.Clip(path), string(word))...)
	}
}

// isName reports whether a word is an identifier, as all kinds of lines have been so far.
func isName(word string) bool {
	const most = 60
	if word == "" || len(word) > most {
		return false
	}
	for _, b := range []byte(word) {
		letter := b|0x20 >= 'a' && b|0x20 <= 'z'
		if !letter && (b < '0' || b > '9') && !strings.ContainsRune("_-.:$", rune(b)) {
			return false
		}
	}
	return true
}

// unread counts a line whose type the present agent does not write. A line that names another session, or none where
// each of the agent's lines names its own, is not the agent's; nor is one of a type that another agent in the input writes.
func (r *Reader) unread(l *Line) {
	s := r.now.stream()
	for i, p := range r.parsers {
		if p != nil && r.adapters[i].knows(l.Type) {
			return
		}
	}
	id := l.Either("session_id", "sessionId").Word()
	if len(id) > 0 && string(id) != s.ID || len(id) == 0 && s.a.LooksLikeOthers {
		return
	}
	s.CountUnread(string(l.Type))
}

// unreadText names what of a session was not read; empty if all was.
func (s *Counts) unreadText() string {
	if len(s.Unread) == 0 {
		return ""
	}
	who := s.Title
	if s.Version != "" {
		who += " " + s.Version
	}
	names := make([]string, 0, len(s.Unread))
	for _, u := range s.Unread {
		names = append(names, u.Name+" ("+todo.Plural(u.Count, "time")+")")
	}
	return who + " sent " + todo.Plural(len(s.Unread), "kind") + " of lines that this version of onward does not know: " + strings.Join(names, ", ")
}
