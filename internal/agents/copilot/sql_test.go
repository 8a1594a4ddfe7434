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
		{`insert or replace into "todos" VALUES ('a','uno','x','in_progress')`, "", "a:uno:in_progress b:two:pending"},
		{"UPDATE todos SET status = 'done', updated_at = datetime('now') WHERE id = 'a'", "", "a:one:completed b:two:pending"},
		{"-- both\nupdate todos set status='blocked' where id in ('a', 'b', 'z');\nINSERT INTO todo_deps VALUES ('a','b');", "", "a:one:blocked b:two:blocked"},
		{"UPDATE todos SET status='done'", "", "a:one:completed b:two:completed"},
		{"DELETE FROM todos WHERE id = 'a'; INSERT INTO todos (id, title) VALUES ('c', 'three')", "", "b:two:pending c:three:pending"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status | created_at |\n| --- | --- | --- | --- |\n| b | two | done | x |\n| c | three | pending | x |", "a:one:pending b:two:completed c:three:pending"},
		{"SELECT count(*) FROM todos", "1 row(s) returned:\n\n| count(*) |\n| --- |\n| 2 |", "-"},
		{"SELECT id, title FROM todos", "1 row(s) returned:\n\n| id | title |\n| --- | --- |\n| b | a | b |", "-"},
		{"UPDATE todos SET status = 'done' WHERE title LIKE '%n%'", "", "-"},
		{"UPDATE todos SET status = 'done' WHERE id = 'a' AND status = 'pending'", "", "-"},
		{"UPDATE todos SET status = 'someday' WHERE id = 'a'", "", "-"},
		{"UPDATE todos SET status = 'pending' WHERE id = 'a'", "", "-"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\ntwo |\n three | blocked |\n| b | two | done |", "-"},
		{"SELECT * FROM todos", "2 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\n\n two | blocked |\n| b | B | done |", "a:one\n\ntwo:blocked b:B:completed"},
		{"SELECT * FROM todos", "1 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | one\ncut", "-"},
		{"UPDATE other SET status = 'done' WHERE id = 'a'", "", "-"},
		{"CREATE TABLE todos (id TEXT)", "", "-"},
		{"INSERT INTO todos (id, title) VALUES ('c'", "", "-"},
		{"INSERT INTO todos (id) SELECT 'c'", "", "-"},
		{"'", "", "-"},
		{"", "", "-"},
	} {
		items, changed := tools.Todo[0].Apply(native.Saved{Items: saved}, native.Call{Input: object.Value(`{"query":` + strconv.Quote(c.query) + `}`), Said: c.said})
		var got []string
		for _, it := range items {
			got = append(got, it.ID+":"+it.Content+":"+string(it.Status))
		}
		if list := strings.Join(got, " "); changed && list != c.want || !changed && c.want != "-" {
			t.Errorf("%s: got %t %q, want %q", c.query, changed, list, c.want)
		}
	}
	if saved[0].Status != todo.Pending || len(saved) != 2 {
		t.Errorf("the saved list was changed: %+v", saved)
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("INSERT INTO todos (id, title) VALUES ('c', 'x''y')", "| id | title |\n| a | b |")
	f.Fuzz(func(_ *testing.T, query, said string) {
		input := object.Value(`{"query":` + strconv.QuoteToASCII(query) + `}`)
		tools.Todo[0].Apply(native.Saved{Items: []todo.Item{{ID: "a", Content: "one"}}}, native.Call{Input: input, Said: said})
	})
}
