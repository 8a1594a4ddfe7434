package copilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// The model keeps its todos in a table of a database, todos (id, title, description, status, …), with statements of its own.
// Those are understood that models write, and that the program's own instructions show to them:
//
//	INSERT INTO todos (id, title, …) VALUES ('a', 'one', …), …, also with OR REPLACE or OR IGNORE
//	UPDATE todos SET status = 'done', … WHERE id IN ('a', 'b')
//	UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' … ELSE status END
//	DELETE FROM todos WHERE id = 'a'
//	CREATE TABLE IF NOT EXISTS todos (…), before the first rows
//	SELECT …, whose result table counts
//
// A call with any other statement about the table is not understood, and leaves the list as it was;
// the next query that shows the table corrects it.

const sqlTable = "todos"

// asksTodos reports whether a query is about the table of todos.
func asksTodos(input object.Value) bool {
	return slices.ContainsFunc(sqlWords(input.Object().Text("query")), sqlWord.isTable)
}

// understands reports whether all statements of a query that are about the table are among those above.
func understands(input object.Value) bool {
	_, ok := followQuery(native.SavedList{}, nil, native.Call{Input: input})
	return ok
}

// follow returns the list after a query; false leaves the saved one unchanged.
func follow(before native.SavedList, tool *native.Tool, c native.Call) ([]todo.Item, bool) {
	items, ok := followQuery(before, tool, c)
	return items, ok && !todo.Equal(items, before.Items)
}

// followQuery returns the list after a query; false if a statement is not understood.
func followQuery(before native.SavedList, _ *native.Tool, c native.Call) ([]todo.Item, bool) {
	items := before.Items
	for words := sqlWords(c.Input.Object().Text("query")); len(words) > 0; {
		end := slices.IndexFunc(words, func(w sqlWord) bool { return w.is(";") })
		statement := words
		if words = nil; end >= 0 {
			statement, words = statement[:end], statement[end+1:]
		}
		if !slices.ContainsFunc(statement, sqlWord.isTable) {
			continue
		}
		rows, ok := changedRows(statement, native.SavedList{Items: items, Since: before.Since}, c.Said)
		if !ok {
			return nil, false
		}
		list := native.Patch(items, rows)
		if list == nil || len(list.Left) > 0 {
			return nil, false
		}
		items = list.Items
	}
	return items, true
}

// sqlWord is a word of a statement, a sign or a text in quotes.
type sqlWord struct {
	text    string
	literal bool
}

func (w sqlWord) is(text string) bool { return !w.literal && strings.EqualFold(w.text, text) }

// isTable reports whether the word names the table, perhaps with the name of its database.
func (w sqlWord) isTable() bool {
	return w.is(sqlTable) || !w.literal && strings.HasSuffix(strings.ToLower(w.text), "."+sqlTable)
}

// valueOf returns the text or the whole number that a column gets; false for an expression, and for a status that nobody knows.
func (w sqlWord) valueOf(column string) (string, bool) {
	known := w.literal || w.text != "" && strings.Trim(w.text, "0123456789") == ""
	if column == "status" && known {
		_, _, known = native.ParseStatus(w.text)
	}
	return w.text, known
}

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

// changedRows returns what a statement does to the rows of the table, as a list that names what changes; false if the
// statement is not understood.
func changedRows(words []sqlWord, saved native.SavedList, said string) (rows jsontext.Value, ok bool) {
	s := &sqlStatement{words: words}
	w := object.NewWriter(256)
	w.Open('[')
	switch {
	case s.accept("select"):
		writeShownRows(w, saved, said)
		ok = true // it changes nothing, whatever it shows
	case s.accept("create", "table"):
		ok, s.words = true, nil // the table was there or it is empty
	case s.accept("insert", "into", sqlTable):
		ok = s.insertRows(w, saved, "")
	case s.accept("insert", "or", "ignore", "into", sqlTable):
		ok = s.insertRows(w, saved, "ignore")
	case s.accept("insert", "or", "replace", "into", sqlTable):
		ok = s.insertRows(w, saved, "replace")
	case s.accept("update", sqlTable, "set"):
		var settings []setting
		if settings, ok = s.readSettings(); ok {
			ok = s.updateRows(w, saved, settings)
		}
	case s.accept("delete", "from", sqlTable):
		ok = s.updateRows(w, saved, []setting{{column: "status", to: "deleted"}})
	}
	w.Close(']')
	return w.Bytes(), ok && (len(s.words) == 0 || words[0].is("select"))
}

// sqlStatement is a statement that is being read.
type sqlStatement struct{ words []sqlWord }

// accept skips the next words if they are these.
func (s *sqlStatement) accept(texts ...string) bool {
	for i, text := range texts {
		if i >= len(s.words) || !s.words[i].is(text) {
			return false
		}
	}
	s.words = s.words[len(texts):]
	return true
}

func (s *sqlStatement) next() (w sqlWord) {
	if len(s.words) > 0 {
		w, s.words = s.words[0], s.words[1:]
	}
	return w
}

// readValue reads what stands before the next comma, the end of the parentheses or a condition. An expression has no value of its own.
func (s *sqlStatement) readValue() (one sqlWord) {
	for n, depth := 0, 0; len(s.words) > 0; n++ {
		w := s.words[0]
		switch {
		case depth == 0 && (w.is(",") || w.is(")") || w.is("where")):
			return one
		case w.is("("):
			depth++
		case w.is(")"):
			depth--
		}
		if one = s.next(); n > 0 {
			one = sqlWord{}
		}
	}
	return one
}

// group reads values between parentheses that commas separate.
func (s *sqlStatement) group() (values []sqlWord, ok bool) {
	if !s.accept("(") {
		return nil, false
	}
	for len(s.words) > 0 {
		values = append(values, s.readValue())
		if s.accept(")") {
			return values, true
		}
		if !s.accept(",") {
			break
		}
	}
	return nil, false
}

// insertRows writes new rows. Either is what becomes of a row whose id is in the table: ignore or replace. A row that is new in
// the table is pending, unless it names a status, even if an earlier conversation left an item with its id.
func (s *sqlStatement) insertRows(w *object.Writer, saved native.SavedList, either string) bool {
	columns, ok := s.group()
	at := slices.IndexFunc(columns, func(w sqlWord) bool { return w.is("id") })
	names := slices.ContainsFunc(columns, func(w sqlWord) bool { return w.is("status") })
	for ok = ok && at >= 0 && s.accept("values"); ok; ok = s.accept(",") {
		values, whole := s.group()
		if !whole || len(values) != len(columns) {
			return false
		}
		i := native.IndexOf(saved.Items, values[at].text)
		there := i >= 0 && inTable(saved, &saved.Items[i])
		if there && either == "ignore" {
			continue
		}
		w.Open('{')
		if !names && (!there || either == "replace") {
			w.String("status", string(todo.Pending))
		}
		for i := range values {
			if !sqlMember(w, columns[i], values[i]) {
				return false
			}
		}
		w.Close('}')
	}
	return len(s.words) == 0
}

// sqlMember writes what a column gets. Other columns than these three are not kept, so they may get anything.
func sqlMember(w *object.Writer, column, to sqlWord) bool {
	name := strings.ToLower(column.text)
	if name != "id" && name != "title" && name != "status" {
		return true
	}
	text, ok := to.valueOf(name)
	w.String(name, text)
	return ok
}

// setting is a column that an update sets, and what a row gets there: a text, or by CASE one for each of some ids.
type setting struct {
	column, to string
	cases      map[string]string
	keeps      bool // CASE leaves the other rows as they are; without ELSE it gives them NULL, which is not kept
}

// of returns what a row gets, or nothing if it stays as it is; false if what it gets is not kept.
func (set *setting) of(id string) (string, bool) {
	if set.cases == nil {
		return set.to, true
	}
	to, ok := set.cases[id]
	return to, ok || set.keeps
}

// readSettings reads the columns that an update sets.
func (s *sqlStatement) readSettings() (all []setting, ok bool) {
	for {
		set := setting{column: strings.ToLower(s.next().text)}
		if !s.accept("=") || set.column == "id" {
			return nil, false
		}
		switch {
		case set.column != "title" && set.column != "status":
			s.readValue()
		case s.readSetting(&set):
			all = append(all, set)
		default:
			return nil, false
		}
		if !s.accept(",") {
			return all, true
		}
	}
}

// readSetting reads a value, or CASE id WHEN ID THEN VALUE … ELSE COLUMN END.
func (s *sqlStatement) readSetting(set *setting) (ok bool) {
	if !s.accept("case", "id") {
		set.to, ok = s.readValue().valueOf(set.column)
		return ok
	}
	set.cases = map[string]string{}
	for s.accept("when") {
		id, isID := s.next().valueOf("id")
		ok = isID && s.accept("then")
		to, isValue := s.next().valueOf(set.column)
		if !ok || !isValue {
			return false
		}
		set.cases[id] = cmp.Or(set.cases[id], to)
	}
	set.keeps = s.accept("else", set.column)
	return s.accept("end")
}

// inTable reports whether an item is a row of the table. The user's own items and those of an earlier conversation are not.
func inTable(saved native.SavedList, it *todo.Item) bool {
	return it.By != todo.ByUser && !native.PredatesConversation(it, saved.Since)
}

// updateRows writes the rows of the list that the end of a statement means. The list can have items that are not in the table,
// which only their ids can mean.
func (s *sqlStatement) updateRows(w *object.Writer, saved native.SavedList, settings []setting) bool {
	meant, named, ok := s.readWhere()
	for i := range saved.Items {
		it := &saved.Items[i]
		if meant == nil || !meant(it) || !named && !inTable(saved, it) {
			continue
		}
		w.Open('{')
		w.String("id", it.ID)
		for _, set := range settings {
			text, kept := set.of(it.ID)
			w.StringIfSet(set.column, text)
			ok = ok && kept
		}
		w.Close('}')
	}
	return ok
}

// writeShownRows writes the rows of a result, which is a table: lines of cells between bars. A text of several lines makes
// a row of several. A row with too many cells ends the table. Where it lacks the ids or the titles, only rows that are known count.
func writeShownRows(w *object.Writer, saved native.SavedList, said string) {
	var columns []string
	var row strings.Builder
	bars, id, title := 0, -1, -1
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
			columns = cells
			id, title = slices.Index(columns, "id"), slices.Index(columns, "title")
			if status := slices.Contains(columns, "status"); id < 0 && title < 0 || !status && (id < 0 || title < 0) {
				return
			}
			continue
		case len(cells) != len(columns):
			return
		case !slices.ContainsFunc(cells, func(c string) bool { return strings.Trim(c, "-") != "" }):
			continue
		}
		known, is := "", false
		if id >= 0 && cells[id] != "" && !strings.EqualFold(cells[id], "null") {
			known, is = cells[id], title >= 0 || native.IndexOf(saved.Items, cells[id]) >= 0
		} else if title >= 0 {
			known, is = titledRow(saved, cells[title], id >= 0)
		}
		if !is {
			continue
		}
		w.Open('{')
		w.StringIfSet("id", known)
		for i, text := range cells {
			if i != id {
				w.StringIfSet(columns[i], text)
			}
		}
		w.Close('}')
	}
}

// titledRow returns the id of the item that a row without an id is, by its title; false if it may be one of several, or where none
// has the title, unless such a row may be new.
func titledRow(saved native.SavedList, title string, mayBeNew bool) (id string, ok bool) {
	found := 0
	for i := range saved.Items {
		if it := &saved.Items[i]; it.Content == title && inTable(saved, it) {
			id, found = it.ID, found+1
		}
	}
	return id, found == 1 || found == 0 && mayBeNew && title != ""
}
