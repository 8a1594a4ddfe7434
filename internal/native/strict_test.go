package native

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// show returns a list on one line: `·a xb(xb1 -b2)`.
func show(items []todo.Item) string {
	marks := map[todo.Status]string{todo.Pending: "·", todo.InProgress: ">", todo.Completed: "x", todo.Cancelled: "-", todo.Blocked: "?"}
	var words []string
	for _, it := range items {
		word := marks[it.Status] + it.Content
		var parts []string
		for _, part := range it.Subtasks {
			parts = append(parts, marks[part.Status]+part.Content)
		}
		if parts != nil {
			word += "(" + strings.Join(parts, " ") + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"an empty array", `[]`, ""},
		{"white space around", " \n[ ]\n", ""},
		{"content", `[{"content":"a"}]`, "·a"},
		{"text", `[{"text":"a"}]`, "·a"},
		{"description", `[{"description":"a"}]`, "·a"},
		{"subject", `[{"subject":"a"}]`, "·a"},
		{"title", `[{"title":"a"}]`, "·a"},
		{"step", `[{"step":"a"}]`, "·a"},
		{"content before description", `[{"description":"b","content":"a"}]`, "·a"},
		{"null counts as left out", `[{"content":null,"text":"a","status":null,"id":null}]`, "·a"},
		{"statuses", `[{"text":"a","status":"in_progress"},{"text":"b","status":"cancelled"}]`, ">a -b"},
		{"completed", `[{"text":"a","completed":true},{"text":"b","completed":false}]`, "xa ·b"},
		{"the agents' words for a status", `[{"text":"a","status":"done"},{"text":"b","status":"todo"},{"text":"c","status":"in-progress"}]`, "xa ·b >c"},
		{"a status and completed", `[{"text":"a","completed":false,"status":"pending"}]`, "·a"},
		{"items", `{"items":[{"content":"a"}]}`, "·a"},
		{"todos", `{"todos":[{"content":"a"}],"counts":{"total":1}}`, "·a"},
		{"parts", `[{"content":"a","subtasks":[{"text":"x","completed":true},{"id":2,"content":"y"}]}]`, "·a(xx y)"},
		{"subtasks of a subtask follow it on its level", `[{"content":"a","subtasks":[{"text":"b","subtasks":[{"text":"c","status":"done"}]}]}]`, "·a(b xc)"},
		{"text is trimmed", `[{"content":"  a  "}]`, "·a"},
		{"unknown members", `[{"content":"a","colour":{"r":1}}]`, "·a"},
	} {
		items, err := Decode([]byte(c.input))
		if got := show(items); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
	}
}

func TestDecodeDetails(t *testing.T) {
	items, err := Decode([]byte(`[
		{"id":7,"content":"a","activeForm":"doing a","blockedBy":["8"],"priority":"high","native_status":"doing"},
		{"id":"8","content":"b","active_form":"doing b","blocked_by":["7"],"status":"blocked","reason":"no key",
		 "created_at":"2026-01-01T12:00:00+02:00","completed_at":"2026-01-01T10:00:00.123456Z"}]`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := items[0], items[1]
	if a.ID != "7" || a.ActiveForm != "doing a" || fmt.Sprint(a.BlockedBy) != "[8]" || a.Priority != todo.High || a.NativeStatus != "doing" {
		t.Errorf("got %+v", a)
	}
	if b.ID != "8" || b.ActiveForm != "doing b" || b.Reason != "no key" ||
		b.CreatedAt.String() != "2026-01-01T10:00:00.000Z" || b.CompletedAt.String() != "2026-01-01T10:00:00.123Z" {
		t.Errorf("got %+v", b)
	}
}

func TestDecodeRefuses(t *testing.T) {
	many := "[" + strings.Repeat(`{"text":"a"},`, todo.MaxItems) + `{"text":"a"}]`
	for _, c := range []struct {
		name, input string
		kind        error
		want        string
	}{
		{"nothing", " \n", todo.ErrData, "an empty list is []"},
		{"null", `null`, todo.ErrData, "not an array"},
		{"a string", `"a"`, todo.ErrData, ""},
		{"an object without a list", `{"a":1}`, todo.ErrData, "neither items nor todos"},
		{"an object with something else", `{"items":{}}`, todo.ErrData, ""},
		{"a list of strings", `["a"]`, todo.ErrData, "/0"},
		{"half a list", `[{"text":"a"}`, todo.ErrData, "line 1, column 14"},
		{"not JSON, on a later line", "[\n  {\"text\": \"a\"},\n  oops]", todo.ErrData, "line 3, column 3"},
		{"something behind", "[]\n[]", todo.ErrData, "line 2, column 1"},
		{"a name twice", "[{\"text\":\"a\",\n\"text\":\"b\"}]", todo.ErrData, "line 2"},
		{"a name twice inside an object", `{"todos":[{"text":"a","text":"b"}]}`, todo.ErrData, "line 1"},
		{"a duplicate name in an unknown member", `[{"text":"a","x":{"y":1,"y":2}}]`, todo.ErrData, "line 1"},
		{"bad UTF-8", "[{\"text\":\"\xff\"}]", todo.ErrData, "UTF-8"},
		{"half a surrogate pair", `[{"text":"\ud800"}]`, todo.ErrData, ""},
		{"NUL in a text", `[{"text":"a\u0000"}]`, todo.ErrText, "item 1"},
		{"no text", `[{"text":"a"},{"status":"pending"}]`, todo.ErrData, "item 2"},
		{"an empty text", `[{"text":" "}]`, todo.ErrData, "empty"},
		{"an empty text of a part", `[{"text":"a","subtasks":[{"text":""}]}]`, todo.ErrData, "subtask 1"},
		{"an unknown status", `[{"text":"a","status":"someday"}]`, todo.ErrData, "pending, in_progress"},
		{"an unknown status of a part", `[{"text":"a","subtasks":[{"text":"x","status":"someday"}]}]`, todo.ErrData, "subtask 1"},
		{"an unknown priority", `[{"text":"a","priority":"urgent"}]`, todo.ErrData, "urgent"},
		{"a list as id", `[{"text":"a","id":[]}]`, todo.ErrData, "id"},
		{"the same id twice", `[{"text":"a","id":"1"},{"text":"b","id":1}]`, todo.ErrData, "is duplicated"},
		{"an invalid time", `[{"text":"a","created_at":"yesterday"}]`, todo.ErrData, "created_at"},
		{"a reason with NUL", `[{"text":"a","reason":"x\u0000"}]`, todo.ErrText, "the reason"},
		{"a part of a part without a text", `[{"text":"a","subtasks":[{"text":"b"},{"text":"c","subtasks":[{}]}]}]`, todo.ErrData, "subtask 1"},
		{"parts that nest without end", strings.Repeat(`[{"text":"a","subtasks":`, 40), todo.ErrData, "it nests deeper than 32"},
		{"too many parts", `[{"text":"a","subtasks":` + many + `}]`, todo.ErrLimit, "more than 10000"},
		{"too many items", many, todo.ErrLimit, "more than 10000"},
		{"a text too long", `[{"text":"` + strings.Repeat("a", todo.MaxText+1) + `"}]`, todo.ErrLimit, "item 1"},
	} {
		items, err := Decode([]byte(c.input))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || items != nil {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.kind, c.want)
		}
	}
}

// TestWhatMayBeDoneIsNotPending reads items without a status that may be done: a strict reader refuses them, and a lenient one
// leaves them out.
func TestWhatMayBeDoneIsNotPending(t *testing.T) {
	for _, c := range []struct{ member, says string }{
		{`"completed_at":"2026-01-01T00:00:00Z"`, "it has no status, and it has a completed_at"},
		{`"closedAt":1750000000`, "it has no status, and it has a closedAt"},
		{`"open":false`, "it has no status, and its open is false"},
		{`"pending":false`, "it has no status, and its pending is false"},
		{`"stage":"done"`, `it has no status, and its stage is "done"`},
		{`"passes":1`, "its passes is neither true nor false"},
	} {
		list := `[{"content":"a",` + c.member + `}]`
		if items, err := Decode([]byte(list)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: decoded as %v: %v", list, items, err)
		}
		if read := Read(jsontext.Value(list)); len(read.Items) > 0 || len(read.Left) != 1 || read.Left[0].Why.Error() != c.says {
			t.Errorf("%s: read as %+v", list, read)
		}
	}
	for _, member := range []string{`"completed_at":null`, `"closedAt":null`, `"open":true`, `"done":false`, `"optional":false`, `"closed_at":"x","status":"pending"`} {
		list := `[{"content":"a",` + member + `}]`
		if items, err := Decode([]byte(list)); err != nil || items[0].Status != todo.Pending {
			t.Errorf("%s: decoded as %v: %v", list, items, err)
		}
		if read := Read(jsontext.Value(list)); len(read.Items) != 1 || read.Items[0].Status != todo.Pending {
			t.Errorf("%s: read as %+v", list, read)
		}
	}
}

// FuzzDecode looks for input that makes the reader of foreign lists panic, or accept an invalid list.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[{"id":7,"content":"a","subtasks":[{"text":"x"}]}]`))
	f.Add([]byte(`{"todos":[{"step":"a","completed":true}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := Decode(data)
		if err != nil {
			return
		}
		for _, it := range items {
			if _, err := todo.ParseStatus(string(it.Status)); err != nil || strings.TrimSpace(it.Content) == "" {
				t.Fatalf("accepted %+v", it)
			}
		}
	})
}

// TestDecodeMemoryIsBounded reads small inputs that would need much memory.
func TestDecodeMemoryIsBounded(t *testing.T) {
	for _, unit := range []string{`{},`, `{"text":"a","subtasks":[]},`, `[],`, `null,`} {
		data := []byte("[" + strings.Repeat(unit, 4<<20/len(unit)) + `{}]`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Decode(data); err == nil {
			t.Errorf("%s: accepted", unit)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(4*len(data)+1<<20) {
			t.Errorf("%s: %d bytes of input took %d", unit, len(data), used)
		}
	}
}
