package exchange

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"onward/internal/native"
	"onward/internal/todo"
)

// decodeWithin reads an input, and fails the test if the total of the allocations was more than four times the input
// and 1 MiB, in addition to the memory of the list.
func decodeWithin(t *testing.T, format Format, data []byte) (List, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := Decode(format, "", data)
	runtime.ReadMemStats(&after)
	grown := uint64(0)
	for i := range list.Items {
		grown += 6 * uint64(unsafe.Sizeof(native.Entry{}))
		grown += 6 * uint64(len(list.Items[i].BlockedBy)) * uint64(unsafe.Sizeof(""))
		grown += 6 * uint64(len(list.Items[i].Subtasks)) * uint64(unsafe.Sizeof(todo.Subtask{}))
	}
	most := 4*uint64(len(data)) + 1<<20 + grown
	// If the input was refused, the size of the list that was read until then is unknown.
	if took := after.TotalAlloc - before.TotalAlloc; err == nil && took > most {
		t.Fatalf("%d bytes took %d, at most %d are allowed", len(data), took, most)
	}
	return list, err
}

// check fails the test unless the items of a list can be saved, and exported and read again.
func check(t *testing.T, list List) {
	t.Helper()
	for _, it := range list.Items {
		if text, err := todo.CheckText(it.Content); err != nil || text != it.Content || !it.Status.Known() {
			t.Fatalf("accepted %+v", it)
		}
		for _, sub := range it.Subtasks {
			if text, err := todo.CheckText(sub.Content); err != nil || text != sub.Content || sub.Status != "" && !sub.Status.Known() {
				t.Fatalf("accepted %+v", sub)
			}
		}
	}
	if len(list.Items) == 0 {
		return
	}
	text := WriteMarkdown(list.Items)
	again, err := Decode(Markdown, "", []byte(text))
	if err != nil || WriteMarkdown(again.Items) != text {
		t.Fatalf("%q is not read back: %v", text, err)
	}
}

func fuzz(f *testing.F, formats ...Format) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "import", "*.*"))
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			if list, err := decodeWithin(t, format, data); err == nil {
				check(t, list)
			}
		}
	})
}

func FuzzAuto(f *testing.F)     { fuzz(f, Auto) }
func FuzzMarkdown(f *testing.F) { fuzz(f, Markdown) }
func FuzzText(f *testing.F)     { fuzz(f, Text) }
func FuzzJSON(f *testing.F)     { fuzz(f, JSON) }
func FuzzPlans(f *testing.F)    { fuzz(f, TaskMaster, PRD, Beads) }
func FuzzAgents(f *testing.F)   { fuzz(f, Claude, Llxprt, Qwen, Gemini) }

// TestDecodeMemoryOfHostileFiles checks the limit of memory for inputs that are made to need much of it.
func TestDecodeMemoryOfHostileFiles(t *testing.T) {
	const n = 400_000
	for _, c := range []struct {
		name   string
		format Format
		input  string
	}{
		{"a text in short lines", Markdown, "- [ ] a\n" + strings.Repeat("  b\n", 16_000)},
		{"two texts in turn", Markdown, "- [ ] a\n" + strings.Repeat("  - [ ] b\n\n  c\n", 5000)},
		{"blank lines", Markdown, "- [ ] a\n" + strings.Repeat("\n", n)},
		{"prose", Markdown, "- [ ] a\n\n" + strings.Repeat("prose\n", n)},
		{"fences", Markdown, "- [ ] a\n\n" + strings.Repeat("```x\n", n)},
		{"references", Markdown, "- [ ] a" + strings.Repeat("&#00066;", 60_000)},
		{"nested boxes", Markdown, "- [ ] a\n" + strings.Repeat(" ", 5000) + "- [ ] b"},
		{"unknown members", JSON, `[{"content":"a",` + strings.Repeat(`"b":1,`, n) + `"c":1}]`},
		{"different members", JSON, `[{"content":"a"` + members(n/10) + `}]`},
		{"a deep value", JSON, `[{"content":"a","x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}]`},
		{"a long value", Qwen, `{"x":"` + strings.Repeat(`\u0041`, n) + `","todos":[]}`},
		{"descriptions", Claude, `{"subject":"a","description":"` + strings.Repeat("b", n) + `"}`},
		{"escapes", JSON, `[{"content":"` + strings.Repeat(`\n`, 30_000) + `a"}]`},
		{"a plan", TaskMaster, `{"tasks":[` + strings.Repeat(`{"title":"a","status":"done","dependencies":[]},`, 9_000) + `{"title":"a"}]}`},
		{"issues", Beads, strings.Repeat(`{"id":"","title":"a","status":"open"}`+"\n", 9_000)},
		{"parts", PRD, `[{"title":"a","subtasks":[` + strings.Repeat(`{"title":"a","passes":true},`, 9_000) + `{"title":"a"}]}]`},
		{"blocked by many", JSON, `[{"content":"a","blocked_by":[` + strings.Repeat(`"1",`, 9_000) + `"2"]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := decodeWithin(t, c.format, []byte(c.input))
			if err != nil {
				t.Fatal(err)
			}
			check(t, list)
		})
	}
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"`)
		b.WriteString(strings.Repeat("k", 1+i%7))
		b.WriteString(string(rune('a' + i%26)))
		b.WriteString(`":0`)
	}
	return b.String()
}
