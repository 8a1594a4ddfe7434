package torture

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/exchange"
	"onward/internal/native"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// decoders returns all functions that decode input of other programs.
func decoders(t testing.TB) []struct {
	name   string
	decode func([]byte)
} {
	dir := t.TempDir()
	backend := &durable.Store{Dir: dir}
	lists := &session.Store{Backend: backend, Notes: backend}
	if err := os.MkdirAll(dir+"/history", 0o700); err != nil {
		t.Fatal(err)
	}
	return []struct {
		name   string
		decode func([]byte)
	}{
		{"session document", func(data []byte) { decode(data) }},
		{"history", func(data []byte) {
			if os.WriteFile(dir+"/history/s.jsonl", data, 0o600) == nil {
				lists.Entries(session.Name{Session: "s"})
			}
		}},
		{"todo write", func(data []byte) { native.Decode(data) }},
		{"facts", func(data []byte) { continuation.ReadFacts(data) }},
		{"calls", func(data []byte) { schedule.ReadRequests(data) }},
		{"import", func(data []byte) {
			exchange.Agents(nil).Decode(exchange.Source{Format: exchange.Auto, Name: "x"}, data)
		}},
		{"import of markdown", func(data []byte) {
			exchange.Agents(nil).Decode(exchange.Source{Format: exchange.Markdown, Name: "x"}, data)
		}},
		{"import of JSON", func(data []byte) {
			exchange.Agents(nil).Decode(exchange.Source{Format: exchange.JSON, Name: "x"}, data)
		}},
		{"import of a plan", func(data []byte) { exchange.Agents(nil).Decode(exchange.Source{Format: exchange.PRD}, data) }},
		// The system does not accept longer arguments.
		{"positions", func(data []byte) { todo.ParseRanges([]string{string(data[:128<<10])}) }},
	}
}

// bombs returns inputs that are made to use much memory in a decoder. Each has about size bytes.
func bombs(size int) map[string]string {
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (size-len(head)-len(tail))/len(part)) + tail
	}
	doc := `{"schema":"onward/session/v1","session":"s",`
	item := `{"id":"a","content":"a","status":"pending"},`
	return map[string]string{
		"nothing in brackets":        fill("[", "[],", "[]]"),
		"empty items":                fill("[", "{},", "{}]"),
		"small items":                fill("[", item, "{}]"),
		"texts":                      fill("[", `"",`, `""]`),
		"numbers":                    fill("[", "1,", "1]"),
		"null":                       fill("[", "null,", "null]"),
		"depth":                      fill("", "[", ""),
		"deep objects":               fill("", `{"a":`, ""),
		"one long text":              fill(`[{"content":"`, "a", `"}]`),
		"one escaped text":           fill(`[{"content":"`, `\u0041`, `"}]`),
		"subtasks":                   fill(`[{"content":"a","subtasks":[`, "{},", `{}]}]`),
		"blockers":                   fill(`[{"content":"a","blocked_by":[`, `"",`, `""]}]`),
		"a long number":              fill("[", "1", "]"),
		"an envelope":                fill(`{"items":[`, "{},", `{}]}`),
		"a document's items":         fill(doc+`"todos":{"items":[`, "{},", `{}]}}`),
		"a document's small items":   fill(doc+`"todos":{"items":[`, item, `{}]}}`),
		"a document's subtasks":      fill(doc+`"todos":{"items":[{"id":"a","content":"a","status":"pending","subtasks":[`, "{},", `{}]}]}}`),
		"a document's operations":    fill(doc+`"ops":[`, `"",`, `""]}`),
		"a document's background":    fill(doc+`"continuation":{"background":[`, `{},`, `{}]}}`),
		"a document's unknown":       fill(doc+`"x":[`, `[],`, `[]]}`),
		"entries":                    fill("", `{"rev":1}`+"\n", ""),
		"calls":                      fill("", "{}\n", ""),
		"an entry's items":           fill(`{"rev":1,"items":[`, "{},", "{}]}\n"),
		"an entry's touched":         fill(`{"rev":1,"touched":[`, "{},", "{}]}\n"),
		"check list":                 fill("", "- [ ] a\n", ""),
		"bullets":                    fill("", "-\n", ""),
		"lines":                      fill("", "\n", ""),
		"deep bullets":               fill("- [ ] a\n", " ", "- a"),
		"references":                 fill("- [ ] ", "&#x1b;", "\n"),
		"open references":            fill("- [ ] ", "&", "\n"),
		"numbers without end":        fill("", "1", ""),
		"ranges":                     fill("", "1-9 ", ""),
		"NUL":                        fill("", "\x00", ""),
		"bad UTF-8":                  fill("", "\xff", ""),
		"quotes":                     fill("", `"`, ""),
		"a name for each value":      names(size, "{"),
		"a document with many names": names(size, doc),
	}
}

// names returns an object with as many members as fit into size bytes, after the text head.
func names(size int, head string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `"%x":1,`, i)
	}
	return b.String() + `"z":1}`
}

// TestInputsUseBoundedMemory checks how much a decoder allocates in total, garbage included:
// at most 36 bytes for each byte of its input, also when the input is a bomb: a subtask, which three bytes can be, takes 104.
func TestInputsUseBoundedMemory(t *testing.T) {
	onlyLong(t)
	const size = 3 << 20
	inputs := bombs(size)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		data := []byte(inputs[name])
		for _, d := range decoders(t) {
			if used, limit := allocated(func() { d.decode(data) }), 36*len(data)+1<<20; used > limit {
				t.Errorf("%s, %s: %d bytes for an input of %d", d.name, name, used, len(data))
			}
		}
	}
}

// decode reads data as the document of a list.
func decode(data []byte) (*session.Document, error) {
	backend, name := storetest.NewMemory(), session.Name{Session: "s"}
	backend.Damage(session.Key(name), data)
	return (&session.Store{Backend: backend}).Load(name)
}

// TestListMemoryMatchesItsText checks that a decoded list uses at most 4 bytes for each byte of its document, and 1 MiB.
func TestListMemoryMatchesItsText(t *testing.T) {
	for name, text := range map[string]string{"short texts": "a", "long texts": strings.Repeat("long ", 50)} {
		doc := session.Document{Schema: session.Schema, Session: "s", Agent: session.Primary}
		for i := range 10_000 {
			doc.Todos.Items = append(doc.Todos.Items, todo.Item{
				ID: fmt.Sprintf("%06x", i), Content: fmt.Sprint(text, i), Status: todo.Pending, CreatedAt: 1_700_000_000_000, UpdatedAt: 1_700_000_000_000,
			})
		}
		data, err := session.Encode(&doc)
		if err != nil {
			t.Fatal(err)
		}
		var got *session.Document
		before := live()
		if got, err = decode(data); err != nil {
			t.Fatal(err)
		}
		if used := live() - before; used > 4*len(data)+1<<20 {
			t.Errorf("%s: %d bytes are kept of a document of %d", name, used, len(data))
		}
		runtime.KeepAlive(got)
	}
}

// allocated returns how many bytes a function allocates.
func allocated(run func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// live returns how many bytes of the heap are in use after a garbage collection.
func live() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
