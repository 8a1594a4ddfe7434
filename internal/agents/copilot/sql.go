package copilot

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// The model keeps its todos in a table of a database, todos (id, title, description, status),
// with statements of its own. The plain ones are read: rows that are inserted, changed or deleted
// by their ids, and rows that are shown. A call with any other statement about the table is not
// followed; the next query of the table corrects that.

const sqlTable = "todos"

// asksTodos reports whether a query is about the table of todos.
func asksTodos(input object.Value) bool {
	return slices.ContainsFunc(sqlWords(input.Object().Text("query")), func(w sqlWord) bool { return w.is(sqlTable) })
}

// followQuery returns the list after a query; false leaves the saved one unchanged.
func followQuery(before native.Saved, _ *native.Tool, c native.Call) ([]todo.Item, bool) {
	saved := before.Items
	items, changed := saved, false
	for words := sqlWords(c.Input.Object().Text("query")); len(words) > 0; {
		end := slices.IndexFunc(words, func(w sqlWord) bool { return w.text == ";" && !w.literal })
		statement := words
		if words = nil; end >= 0 {
			statement, words = statement[:end], statement[end+1:]
		}
		if !slices.ContainsFunc(statement, func(w sqlWord) bool { return w.is(sqlTable) }) {
			continue
		}
		rows, ok := sqlRows(statement, items, c.Said)
		if !ok {
			return nil, false
		}
		list := native.Patch(items, rows)
		if list == nil || len(list.Left) > 0 {
			return nil, false
		}
		items, changed = list.Items, true
	}
	return items, changed && !todo.Equal(items, saved)
}

// sqlWord is a word of a statement, a sign or a text in quotes.
type sqlWord struct {
	text    string
	literal bool
}

func (w sqlWord) is(text string) bool { return !w.literal && strings.EqualFold(w.text, text) }

// sqlWords splits a query. Names may be quoted too.
func sqlWords(query string) (words []sqlWord) {
	for query = strings.TrimSpace(query); query != ""; query = strings.TrimLeft(query, " \t\r\n") {
		end := 0
		switch c := query[0]; {
		case strings.HasPrefix(query, "--"):
			_, query, _ = strings.Cut(query, "\n")
			continue
		case strings.IndexByte("'\"`", c) >= 0:
			for end = 1; end < len(query) && (query[end] != c || end+1 < len(query) && query[end+1] == c); end++ {
				if query[end] == c {
					end++ // a doubled quote is one of the text
				}
			}
			text := strings.ReplaceAll(query[1:min(end, len(query))], string([]byte{c, c}), string(c))
			words = append(words, sqlWord{text, c == '\''})
			query = query[min(end+1, len(query)):]
			continue
		default:
			for end < len(query) && strings.IndexByte(" \t\r\n'\"`(),;=*<>|+-/", query[end]) < 0 {
				end++
			}
		}
		end = max(end, 1)
		words, query = append(words, sqlWord{text: query[:end]}), query[end:]
	}
	return words
}

// sqlRows returns what a statement does to the rows of the table, as a list that names what changes.
func sqlRows(words []sqlWord, items []todo.Item, said string) (rows jsontext.Value, ok bool) {
	s := &sqlStatement{words: words}
	w := object.NewWriter(256)
	w.Open('[')
	switch {
	case s.accept("select"), s.accept("with"):
		sqlShown(w, said)
		ok = true // it changes nothing, whatever it shows
	case s.accept("insert"), s.accept("replace"):
		ok = s.insert(w)
	case s.accept("update"):
		ok = s.change(w, items, s.sets)
	case s.accept("delete") && s.accept("from"):
		ok = s.change(w, items, func() ([]string, bool) { return []string{"status", "deleted"}, true })
	}
	w.Close(']')
	return w.Bytes(), ok
}

// sqlStatement is a statement that is being read.
type sqlStatement struct{ words []sqlWord }

func (s *sqlStatement) accept(text string) bool {
	if len(s.words) == 0 || !s.words[0].is(text) {
		return false
	}
	s.words = s.words[1:]
	return true
}

func (s *sqlStatement) next() (w sqlWord) {
	if len(s.words) > 0 {
		w, s.words = s.words[0], s.words[1:]
	}
	return w
}

// skipArguments skips those of a function, such as datetime('now'); it reports whether there are any.
func (s *sqlStatement) skipArguments() bool {
	if !s.accept("(") {
		return false
	}
	for !s.accept(")") && len(s.words) > 0 {
		s.next()
	}
	return true
}

// group reads the content of parentheses.
func (s *sqlStatement) group() (texts []string, ok bool) {
	for ok = s.accept("("); ok && !s.accept(")"); s.accept(",") {
		if len(s.words) == 0 {
			return nil, false
		}
		w := s.next()
		s.skipArguments()
		texts = append(texts, w.text)
	}
	return texts, ok
}

func (s *sqlStatement) insert(w *object.Writer) bool {
	if s.accept("or") {
		s.next()
	}
	if !s.accept("into") || !s.accept(sqlTable) {
		return false
	}
	columns, named := s.group()
	if !named {
		columns = []string{"id", "title", "description", "status"}
	}
	if !s.accept("values") {
		return false
	}
	for {
		values, ok := s.group()
		if !ok || len(values) > len(columns) {
			return false
		}
		w.Open('{')
		for i, text := range values {
			w.SomeString(strings.ToLower(columns[i]), text)
		}
		w.Close('}')
		if !s.accept(",") {
			return len(s.words) == 0
		}
	}
}

// sets reads the columns that an update sets, and what to.
func (s *sqlStatement) sets() (pairs []string, ok bool) {
	if !s.accept("set") {
		return nil, false
	}
	for {
		column := s.next().text
		if !s.accept("=") {
			return nil, false
		}
		value := s.next()
		if !s.skipArguments() && value.literal {
			pairs = append(pairs, strings.ToLower(column), value.text)
		}
		if !s.accept(",") {
			return pairs, true
		}
	}
}

// change writes a row for each id that a statement names, or for all where it names none.
func (s *sqlStatement) change(w *object.Writer, items []todo.Item, to func() ([]string, bool)) bool {
	if !s.accept(sqlTable) {
		return false
	}
	pairs, ok := to()
	if !ok {
		return false
	}
	var ids []string
	switch {
	case !s.accept("where"):
		for _, it := range items {
			ids = append(ids, it.ID)
		}
	case !s.accept("id"):
		return false
	case s.accept("="):
		ids = []string{s.next().text}
	case s.accept("in"):
		if ids, ok = s.group(); !ok {
			return false
		}
	}
	for _, id := range ids {
		if native.IndexOf(items, id) < 0 {
			continue // there is no such row
		}
		w.Open('{')
		w.String("id", id)
		for i := 0; i < len(pairs); i += 2 {
			w.String(pairs[i], pairs[i+1])
		}
		w.Close('}')
	}
	return len(s.words) == 0
}

// sqlShown writes the rows of a result, which is a table: lines of cells between bars. A text of several lines makes
// a row of several. A row with too many cells ends the table.
func sqlShown(w *object.Writer, said string) {
	var columns []string
	var row strings.Builder
	bars := 0
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if row.Len() > 0 {
			row.WriteByte('\n')
		} else if !strings.HasPrefix(line, "| ") {
			continue
		}
		row.WriteString(line)
		bars += strings.Count(line, "|")
		if columns != nil && (bars <= len(columns) || !strings.HasSuffix(line, "|")) {
			continue
		}
		cells := strings.Split(strings.Trim(row.String(), "|"), "|")
		row.Reset()
		bars = 0
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case columns == nil:
			if columns = cells; !slices.Contains(columns, "id") || !slices.Contains(columns, "title") {
				return
			}
			continue
		case len(cells) != len(columns):
			return
		case strings.Trim(cells[0], "-") == "":
			continue
		}
		w.Open('{')
		for i, text := range cells {
			w.SomeString(columns[i], text)
		}
		w.Close('}')
	}
}
