package copilot

import (
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// condition reports whether a row is meant.
type condition = func(row *todo.Item) bool

// where reads the condition at the end of a statement: comparisons of one column with values, joined by AND or by OR, but not
// by both. Without one, every row is meant. Named means that a row is meant by its id.
func (s *sqlStatement) where() (meant condition, named, ok bool) {
	if len(s.words) == 0 {
		return func(*todo.Item) bool { return true }, false, true
	}
	if !s.accept("where") {
		return nil, false, false
	}
	var all []condition
	join, ids := "", 0
	for {
		one, byID, ok := s.comparison()
		if !ok {
			return nil, false, false
		}
		all = append(all, one)
		if byID {
			ids++
		}
		next := strings.ToLower(s.next().text)
		switch {
		case next == "":
			return func(row *todo.Item) bool {
				isMet := func(one condition) bool { return one(row) == (join != "and") }
				return slices.ContainsFunc(all, isMet) == (join != "and")
			}, ids == len(all) || ids > 0 && join == "and", true
		case next != "and" && next != "or" || join != "" && next != join:
			return nil, false, false
		}
		join = next
	}
}

// comparison reads COLUMN = VALUE, COLUMN != VALUE, COLUMN IN (VALUES) or COLUMN NOT IN (VALUES).
func (s *sqlStatement) comparison() (meant condition, byID, ok bool) {
	column, values, differs := strings.ToLower(s.next().text), []sqlWord(nil), false
	switch {
	case s.accept("="):
		values, ok = []sqlWord{s.next()}, true
	case s.accept("!", "="), s.accept("<", ">"):
		values, ok, differs = []sqlWord{s.next()}, true, true
	case s.accept("in"):
		values, ok = s.group()
	case s.accept("not", "in"):
		values, ok = s.group()
		differs = true
	}
	var texts []string
	for _, v := range values {
		text, known := v.valueOf(column)
		if ok = ok && known; !ok {
			return nil, false, false
		}
		if column == "status" {
			status, _, _ := native.Status(text)
			text = string(status)
		}
		texts = append(texts, text)
	}
	of, known := map[string]func(*todo.Item) string{
		"id":     func(row *todo.Item) string { return row.ID },
		"title":  func(row *todo.Item) string { return row.Content },
		"status": func(row *todo.Item) string { return string(row.Status) },
	}[column]
	return func(row *todo.Item) bool { return slices.Contains(texts, of(row)) != differs }, column == "id" && !differs, ok && known
}
