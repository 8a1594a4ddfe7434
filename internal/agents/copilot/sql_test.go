package copilot

import (
	"strconv"
	"strings"
	"testing"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

func TestQueriesOfTheTodoTable(t *testing.T) {
	saved := []todo.Item{{ID: "a", Content: "one", Status: todo.Pending}, {ID: "b", Content: "two", Status: todo.Pending}}
	for _, c := range []struct{ query, said, want string }{
		{"INSERT INTO todos (id, title, description, status) VALUES ('c','It''s three','x','done'), ('d', 'four (4), too', NULL, 'in_progress');", "", "a:one:pending b:two:pending c:It's three:completed d:four (4), too:in_progress"},
		{"-- Example\nINSERT INTO todos (id, title) VALUES\n  (7, 'seven');\nINSERT INTO todo_deps (todo_id, depends_on) VALUES ('a', 'b');", "", "a:one:pending b:two:pending 7:seven:pending"},
		{"UPDATE todos SET status='done' WHERE id='a'; UPDATE todos SET status = 'blocked', description = 'no key', updated_at = CURRENT_TIMESTAMP WHERE id = 'b'", "", "a:one:completed b:two:blocked"},
		{"update Todos set title = 'uno' where ID = 'a'", "", "a:uno:pending b:two:pending"},
		{"UPDATE todos SET status = 'done' WHERE id = 'z'", "", "-"},
		{"UPDATE todos SET status = 'pending' WHERE id = 'a'", "", "-"},
		{"UPDATE todos SET status = 'done'", "", "a:one:completed b:two:completed"},
		{"UPDATE todos SET status='done' WHERE id IN ('a', 'b', 'z')", "", "a:one:completed b:two:completed"},
		{"UPDATE todos SET status='done' WHERE id IN ('a'); SELECT id, status FROM todos WHERE id IN ('a')", "", "a:one:completed b:two:pending"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a' AND status = 'pending'", "", "a:one:completed b:two:pending"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a' AND status != 'pending'", "", "-"},
		{"UPDATE todos SET status = 'in_progress' WHERE id = 'a'; UPDATE todos SET status = 'done' WHERE status <> 'in_progress'", "", "a:one:in_progress b:two:completed"},
		{"UPDATE todos SET status = 'done', updated_at = datetime('now', 'localtime'), description = description || ' (ok)' WHERE id = 'a'", "", "a:one:completed b:two:pending"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a'; DELETE FROM todos", "", ""},
		{"DELETE FROM todos WHERE status = 'done'", "", "-"},
		{"CREATE TABLE IF NOT EXISTS todos (id TEXT PRIMARY KEY, status TEXT DEFAULT 'pending'); INSERT INTO todos (id, title) VALUES ('c', 'three')", "", "a:one:pending b:two:pending c:three:pending"},
		{"INSERT OR REPLACE INTO todos (id, title) VALUES ('a', 'uno'), ('c', 'three')", "", "a:uno:pending b:two:pending c:three:pending"},
		{"UPDATE todos SET status = 'done'; INSERT OR REPLACE INTO todos (id, title) VALUES ('a', 'uno')", "", "a:uno:pending b:two:completed"},
		{"INSERT OR IGNORE INTO todos (id, title, status) VALUES ('a', 'uno', 'done'), ('c', 'three', 'done')", "", "a:one:pending b:two:pending c:three:completed"},
		{"INSERT INTO todos (id, title, created_at) VALUES ('c', 'three', datetime('now'))", "", "a:one:pending b:two:pending c:three:pending"},
		{"DELETE FROM todos WHERE id = 'a'; INSERT INTO todos (id, title) VALUES ('c', 'three')", "", "b:two:pending c:three:pending"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status | created_at |\n| --- | --- | --- | --- |\n| b | two | done | x |\n| c | three | pending | x |", "a:one:pending b:two:completed c:three:pending"},
		{"SELECT count(*) FROM todos", "1 row(s) returned:\n\n| count(*) |\n| --- |\n| 2 |", "-"},
		{"SELECT t.* FROM todos t WHERE NOT EXISTS (SELECT 1 FROM todo_deps td WHERE td.todo_id = t.id)", "0 row(s) returned.", "-"},
		{"SELECT id, title FROM todos", "1 row(s) returned:\n\n| id | title |\n| --- | --- |\n| b | a | b |", "-"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\ntwo |\n three | blocked |\n| b | two | done |", "-"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\n\n two | blocked |\n| b | B | done |", "a:one\n\ntwo:blocked b:B:completed"},
		{"SELECT * FROM todos", "1 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\ncut", "-"},
		{"SELECT id, status FROM todos ORDER BY id", "3 row(s) returned:\n\n| id | status |\n| --- | --- |\n| a | done |\n| b | in_progress |\n| z | done |", "a:one:completed b:two:in_progress"},
		{"SELECT status, id FROM todos WHERE id = 'b'", "1 row(s) returned:\n\n| status | id |\n| --- | --- |\n| done | b |", "a:one:pending b:two:completed"},
		{"SELECT title, status FROM todos", "3 row(s) returned:\n\n| title | status |\n| --- | --- |\n| one | done |\n| two | in_progress |\n| three | done |", "a:one:completed b:two:in_progress"},
		{"SELECT title FROM todos", "1 row(s) returned:\n\n| title |\n| --- |\n| one |", "-"},
		{"SELECT status, count(*) FROM todos GROUP BY status", "1 row(s) returned:\n\n| status | count(*) |\n| --- | --- |\n| done | 2 |", "-"},
		{"SELECT * FROM todos", "3 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| NULL | three | pending |\n|  | four | done |\n| NULL | one | done |", "a:one:completed b:two:pending :three:pending :four:completed"},
		{"SELECT id, description FROM todos", "1 row(s) returned:\n\n| id | description |\n| --- | --- |\n| b | done |", "-"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' WHEN 'b' THEN 'in_progress' ELSE status END WHERE id IN ('a', 'b')", "", "a:one:completed b:two:in_progress"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' ELSE status END, updated_at = CURRENT_TIMESTAMP", "", "a:one:completed b:two:pending"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' END WHERE id = 'a'", "", "a:one:completed b:two:pending"},
		{"UPDATE other SET status = 'done' WHERE id = 'a'", "", "-"},
		{"'", "", "-"},
		{"", "", "-"},

		// statements that the reader does not understand
		{"UPDATE todos SET status = 'done' WHERE title LIKE '%n%'", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a' OR id = 'b'", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id NOT IN ('a')", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE title = 'one'", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE (id = 'a')", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE priority = 1", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id > 'a'", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id IN (SELECT todo_id FROM todo_deps)", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a' LIMIT 1", "", "?"},
		{"UPDATE todos SET title = title || '!' WHERE id = 'a'", "", "?"},
		{"UPDATE todos SET status = lower('DONE') WHERE id = 'a'", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' END", "", "?"}, // the other row has no status then
		{"UPDATE todos SET status = CASE WHEN id = 'a' THEN 'done' ELSE status END", "", "?"},
		{"UPDATE todos SET status = CASE status WHEN 'pending' THEN 'done' ELSE status END", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' ELSE 'pending' END", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN a THEN 'done' ELSE status END", "", "?"},
		{"UPDATE todos SET status = 'done' WHERE id IN ()", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'someday' ELSE status END", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN lower('DONE') ELSE status END", "", "?"},
		{"UPDATE todos SET status = CASE title WHEN 'one' THEN 'done' ELSE status END", "", "?"},
		{"UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' ELSE status", "", "?"},
		{"UPDATE todos SET status = 'someday' WHERE id = 'a'", "", "?"},
		{"UPDATE todos SET id = 'c' WHERE id = 'a'", "", "?"},
		{"UPDATE main.todos SET status = 'done' WHERE id = 'a'", "", "?"},
		{"WITH x AS (SELECT 'a' AS id) UPDATE todos SET status = 'done' WHERE id IN (SELECT id FROM x)", "", "?"},
		{"INSERT INTO \"todos\" VALUES ('a', 'uno')", "", "?"},
		{"INSERT INTO todos (title) VALUES ('c')", "", "?"},
		{"INSERT INTO todos (id, title) VALUES ('c', NULL)", "", "?"},
		{"INSERT INTO todos (id, title) VALUES ('c', 'x' || 'y')", "", "?"},
		{"INSERT INTO todos (id, title) VALUES ('c'", "", "?"},
		{"INSERT INTO todos (id) SELECT 'c'", "", "?"},
		{"DROP TABLE todos", "", "?"},
		{"CREATE TRIGGER t AFTER INSERT ON todos BEGIN SELECT 1; UPDATE todos SET status = 'done'; END", "", "?"},
	} {
		input := object.Value(`{"query":` + strconv.QuoteToASCII(c.query) + `}`)
		if _, ok := followQuery(native.SavedList{Items: saved}, nil, native.Call{Input: input, Said: c.said}); ok != (c.want != "?") {
			t.Errorf("%s: understood: %t", c.query, ok)
		}
		items, changed := tools.Todo[0].Apply(native.SavedList{Items: saved}, native.Call{Input: input, Said: c.said})
		var got []string
		for _, it := range items {
			got = append(got, it.ID+":"+it.Content+":"+string(it.Status))
		}
		if list := strings.Join(got, " "); changed && list != c.want || !changed && len(c.want) > 1 {
			t.Errorf("%s: got %t %q, want %q", c.query, changed, list, c.want)
		}
	}
	if saved[0].Status != todo.Pending || len(saved) != 2 {
		t.Errorf("the saved list was changed: %+v", saved)
	}
}

// TestQueriesLeaveOtherItems reads statements that mean every row of the table, in a list that has items besides those of the table.
func TestQueriesLeaveOtherItems(t *testing.T) {
	saved := native.SavedList{Since: 100, Items: []todo.Item{
		{ID: "a", Content: "one", Status: todo.Pending, CreatedAt: 100},
		{ID: "b", Content: "earlier", Status: todo.Pending, CreatedAt: 99},
		{ID: "c", Content: "mine", Status: todo.Pending, CreatedAt: 101, By: todo.ByUser},
	}}
	for query, want := range map[string]int{
		"UPDATE todos SET status = 'done'":                                               1,
		"UPDATE todos SET status = 'done' WHERE status != 'done'":                        1,
		"UPDATE todos SET status = 'done' WHERE id IN ('a', 'b') AND status = 'pending'": 2,
	} {
		items, _ := tools.Todo[0].Apply(saved, native.Call{Input: object.Value(`{"query":` + strconv.QuoteToASCII(query) + `}`)})
		if got := todo.Count(items).Of(todo.Completed); got != want {
			t.Errorf("%s: %d are completed, want %d", query, got, want)
		}
	}
}

// TestQueriesInsertNewRows reads statements of a second conversation, whose table is empty, in a list with a completed item
// that the first one left.
func TestQueriesInsertNewRows(t *testing.T) {
	left := todo.Item{ID: "a", Content: "one", Status: todo.Completed, CreatedAt: 99}
	for query, want := range map[string]todo.Status{
		"INSERT INTO todos (id, title) VALUES ('a', 'one')":                               todo.Pending,
		"INSERT OR IGNORE INTO todos (id, title) VALUES ('a', 'one')":                     todo.Pending,
		"INSERT OR REPLACE INTO todos (id, title) VALUES ('a', 'one')":                    todo.Pending,
		"INSERT INTO todos (id, title, status) VALUES ('a', 'one', 'in_progress')":        todo.InProgress,
		"CREATE TABLE todos (id TEXT); INSERT INTO todos (id, title) VALUES ('a', 'one')": todo.Pending,
	} {
		items, _ := tools.Todo[0].Apply(native.SavedList{Since: 100, Items: []todo.Item{left}}, native.Call{Input: object.Value(`{"query":` + strconv.QuoteToASCII(query) + `}`)})
		if len(items) != 1 || items[0].Status != want {
			t.Errorf("%s: got %v, want %s", query, items, want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("INSERT INTO todos (id, title) VALUES ('c', 'x''y')", "| id | title |\n| a | b |")
	f.Fuzz(func(_ *testing.T, query, said string) {
		input := object.Value(`{"query":` + strconv.QuoteToASCII(query) + `}`)
		tools.Todo[0].Apply(native.SavedList{Items: []todo.Item{{ID: "a", Content: "one"}}}, native.Call{Input: input, Said: said})
	})
}
