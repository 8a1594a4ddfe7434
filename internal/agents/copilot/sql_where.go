package copilot

import (
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// condition reports whether a row matches.
type condition = func(row *todo.Item) bool

// readWhere reads the condition at the end of a statement: comparisons of the id or the status with values, joined by AND.
// Without one, every row matches. Named means that a row is matched by its id.
func (s *sqlStatement) readWhere() (meant condition, named, ok bool) {
	if len(s.words) == 0 {
		return func(*todo.Item) bool { return true }, false, true
	}
	if !s.accept("where") {
		return nil, false, false
	}
	var all []condition
	for {
		one, byID, ok := s.readComparison()
		if !ok {
			return nil, false, false
		}
		all, named = append(all, one), named || byID
		switch {
		case len(s.words) == 0:
			return func(row *todo.Item) bool {
				return !slices.ContainsFunc(all, func(one condition) bool { return !one(row) })
			}, named, true
		case !s.accept("and"):
			return nil, false, false
		}
	}
}

// readComparison reads COLUMN = VALUE, COLUMN != VALUE or COLUMN IN (VALUES), of the id or the status of a row.
func (s *sqlStatement) readComparison() (meant condition, byID, ok bool) {
	column, values, differs := strings.ToLower(s.next().text), []sqlWord(nil), false
	switch {
	case s.accept("="):
		values = []sqlWord{s.next()}
	case s.accept("!", "="), s.accept("<", ">"):
		values, differs = []sqlWord{s.next()}, true
	case s.accept("in"):
		values, _ = s.group()
	}
	var texts []string
	for _, v := range values {
		text, known := v.valueOf(column)
		if !known {
			return nil, false, false
		}
		if column == "status" {
			status, _, _ := native.ParseStatus(text)
			text = string(status)
		}
		texts = append(texts, text)
	}
	of, known := map[string]func(*todo.Item) string{
		"id":     func(row *todo.Item) string { return row.ID },
		"status": func(row *todo.Item) string { return string(row.Status) },
	}[column]
	meant = func(row *todo.Item) bool { return slices.Contains(texts, of(row)) != differs }
	return meant, column == "id" && !differs, known && texts != nil
}
