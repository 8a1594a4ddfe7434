package session

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

// filler sets every field of a value to a different value that is not zero.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Type() {
	case reflect.TypeFor[jsontext.Value]():
		v.SetBytes(fmt.Appendf(nil, `{"x%d":[null,{"y":%d}]}`, f.n, f.n))
		return
	case reflect.TypeFor[todo.Status]():
		v.SetString(string(todo.Statuses()[f.n%len(todo.Statuses())]))
		return
	case reflect.TypeFor[todo.Time]():
		v.SetInt(int64(noon) + int64(f.n))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key)
			f.fill(value)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("ü\n\"%d", f.n))
	case reflect.Int:
		v.SetInt(int64(f.n))
	case reflect.Uint64:
		v.SetUint(uint64(f.n))
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("a field of a new kind: " + v.Type().String())
	}
}

func fullDocument() *Document {
	var d Document
	new(filler).fill(reflect.ValueOf(&d).Elem())
	d.Schema, d.MinReader = Schema, store.ReaderVersion
	return &d
}

// decode decodes a document without checking its name.
func decode(data []byte) (*Document, error) {
	var doc Document
	if err := storetest.Decode(&kind, data, &doc); err != nil {
		return nil, err
	}
	return &doc, nil
}

// TestEveryFieldSurvives fails if a field was added to the document but not to wire.go.
func TestEveryFieldSurvives(t *testing.T) {
	want := fullDocument()
	data, _, err := encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v\nfrom %s", got, want, data)
	}
	again, _, err := encode(got)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("written again: %s, %v", again, err)
	}
}

func TestEveryFieldOfAnEntrySurvives(t *testing.T) {
	var want, got Entry
	new(filler).fill(reflect.ValueOf(&want).Elem())
	list := object.NewWriter(0)
	object.WriteList(list, want.Items)
	w := object.NewWriter(0)
	want.written = list.Bytes()
	w.Write(&want)
	want.written = nil
	r := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(w.Bytes())))
	r.Read(&got)
	if r.Err() != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", r.Err(), got, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a":`, object.MaxDepth+1) + "1" + strings.Repeat("}", object.MaxDepth+1)
	item := func(members string) string {
		return `{"schema":"onward/session/v1","todos":{"items":[{` + members + `}]}}`
	}
	many := strings.Repeat(`{"id":"a","content":"a","status":"pending"},`, todo.MaxItems)
	for _, c := range []struct {
		name, input string
		kind        error
		want        string
	}{
		{"an empty file", "", store.ErrCorrupt, "0 bytes"},
		{"NUL bytes", strings.Repeat("\x00", 4096), store.ErrCorrupt, "only NUL"},
		{"NUL bytes behind a document", "{}\n" + strings.Repeat("\x00", 512), store.ErrCorrupt, "ends in NUL"},
		{"half a document", `{"schema":"onward/session/v1","rev":`, store.ErrCorrupt, "at byte"},
		{"two documents", `{"schema":"onward/session/v1"}{}`, store.ErrCorrupt, "trailing data"},
		{"text behind", `{"schema":"onward/session/v1"} x`, store.ErrCorrupt, "at byte 31"},
		{"bad UTF-8", "{\"schema\":\"\xff\"}", store.ErrCorrupt, "UTF-8"},
		{"a name twice", `{"schema":"onward/session/v1","rev":1,"rev":2}`, store.ErrCorrupt, "duplicate"},
		{"an item's name twice", item(`"id":"a","id":"b"`), store.ErrCorrupt, "duplicate"},
		{"another kind of value", `{"schema":"onward/session/v1","todos":[]}`, store.ErrCorrupt, "/todos"},
		{"a list", `[]`, store.ErrCorrupt, "an array where an object belongs"},
		{"null", `null`, store.ErrForeign, "no onward/session schema"},
		{"another program's file", `{"todos":[{"content":"a"}]}`, store.ErrCorrupt, ""},
		{"another program's object", `{"name":"x","version":1}`, store.ErrForeign, "no onward/session schema"},
		{"another document of ours", `{"schema":"onward/schedule/v1"}`, store.ErrForeign, "no onward/session schema"},
		{"a schema without a version", `{"schema":"onward/session/v"}`, store.ErrForeign, "unknown schema"},
		{"a schema with a strange version", `{"schema":"onward/session/v1x"}`, store.ErrForeign, "unknown schema"},
		{"a newer onward's", `{"schema":"onward/session/v2","min_reader":4}`, store.ErrNewer, "version 4"},
		{"an item without an id", item(`"content":"a","status":"pending"`), store.ErrCorrupt, "item 1 has no id"},
		{"an unknown status", item(`"id":"a","content":"a","status":"done"`), store.ErrCorrupt, "unknown status"},
		{"a long text", item(`"id":"a","status":"pending","content":"` + strings.Repeat("a", todo.MaxText+1) + `"`), store.ErrLimit, "item 1"},
		{"too many items", `{"schema":"onward/session/v1","todos":{"items":[` + many + `{"id":"a","content":"a","status":"pending"}]}}`, store.ErrLimit, "10001"},
		{"too deep", `{"schema":"onward/session/v1","x":` + deep + `}`, store.ErrLimit, "deeper"},
		{"too deep in the list", `{"schema":"onward/session/v1","todos":{"x":` + deep + `}}`, store.ErrLimit, "deeper"},
		{"too deep in the ledger", `{"schema":"onward/session/v1","continuation":{"x":` + deep + `}}`, store.ErrLimit, "deeper"},
		{"too deep in an item", item(`"id":"a","content":"a","status":"pending","x":` + deep), store.ErrLimit, "deeper"},
		{"deeper than any reader goes", strings.Repeat("[", 20_000), store.ErrCorrupt, ""},
		{"too large", `{"x":"` + strings.Repeat("a", maxDocument) + `"}`, store.ErrLimit, "bytes"},
	} {
		doc, err := decode([]byte(c.input))
		if !errors.Is(err, c.kind) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.kind, c.want)
		}
		if err == nil && doc != nil {
			t.Errorf("%s: it was read", c.name)
		}
	}
}

func TestDepthIsLimitedEverywhere(t *testing.T) {
	deep := strings.Repeat(`{"a":`, object.MaxDepth+1) + "1" + strings.Repeat("}", object.MaxDepth+1)
	for _, c := range []string{
		`"owner":{"agent":"a","x":%s}`,
		`"continuation":{"last":{"x":%s}}`,
		`"continuation":{"paused":{"x":%s}}`,
		`"continuation":{"error":{"x":%s}}`,
		`"continuation":{"background":[{"id":"a","x":%s}]}`,
		`"todos":{"items":[{"id":"a","content":"a","status":"pending","subtasks":[{"id":"b","content":"b","x":%s}]}]}`,
	} {
		if _, err := decode(fmt.Appendf(nil, `{"schema":"onward/session/v1",`+c+`}`, deep)); !errors.Is(err, store.ErrLimit) {
			t.Errorf("%s: got %v", c, err)
		}
	}
}

// TestReadsOlderChecksum checks that a document of version 2 is read, that any damaged byte in it is detected, and that it is written
// with the present checksum.
func TestReadsOlderChecksum(t *testing.T) {
	const older = `{"schema":"onward/session/v1","min_reader":2,"rev":2,"op":"occc812b820d5cc66","ops":["o10fedbf4ae8a5411","occc812b820d5cc66"],"session":"paused","agent":"primary","created_at":"2026-11-26T03:23:19.267Z","updated_at":"2026-11-26T03:23:19.282Z","todos":{"active":true,"source":"cli","rev":1,"updated_at":"2026-11-26T03:23:19.267Z","items":[{"id":"terqc4","content":"only","status":"pending","by":"user","created_at":"2026-11-26T03:23:19.267Z","updated_at":"2026-11-26T03:23:19.267Z"}]},"continuation":{"turns":0,"attempts":0,"stagnation":0,"total_prompt":0,"total_session":0,"tool_calls":0,"paused":{"reason":"wait","at":"2026-11-26T03:23:19.282Z"}},"sum":"28a84db662c2303f"}` + "\n"
	doc, err := decode([]byte(older))
	if err != nil || len(doc.Todos.Items) != 1 || doc.Continuation.Paused == nil {
		t.Fatalf("got %+v, %v", doc, err)
	}
	for at := range older {
		damaged := []byte(older)
		damaged[at] ^= 1
		if _, err := decode(damaged); err == nil {
			t.Errorf("the damage at byte %d is not noticed: %s", at, damaged)
		}
	}
	data, _, err := encode(doc)
	if again, problem := decode(data); err != nil || problem != nil || again.MinReader != store.ReaderVersion {
		t.Errorf("written again: %s, %v, %v", data, err, problem)
	}
}

// TestNullMark checks that a mark that is null neither pauses an agent nor removes the owner of its list.
func TestNullMark(t *testing.T) {
	doc, err := decode([]byte(`{"schema":"onward/session/v1","owner":null,"todos":null,"settings":null,"continuation":{"paused":null,"error":null,"last":null,"background":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	if l := doc.Continuation; doc.Owner != nil || l.Paused != nil || l.Error != nil || l.Last != nil || l.Background != nil {
		t.Errorf("got owner %v, paused %v, error %v, last %v", doc.Owner, l.Paused, l.Error, l.Last)
	}
}

// TestSubtasksAreCheckedToo checks that invalid subtasks are refused, since every later reader has to understand what was accepted.
func TestSubtasksAreCheckedToo(t *testing.T) {
	for _, sub := range []string{
		`{"id":"b","content":"b","status":"done"}`,
		`{"content":"b"}`,
		`{"id":"b","content":"` + strings.Repeat("a", todo.MaxText+1) + `"}`,
	} {
		data := `{"schema":"onward/session/v1","todos":{"items":[{"id":"a","content":"a","status":"pending","subtasks":[` + sub + `]}]}}`
		if _, err := decode([]byte(data)); err == nil {
			t.Errorf("accepted %.60s", sub)
		}
	}
}

func TestEncodeRefusesUnreadableDocument(t *testing.T) {
	d := newDocument(name, noon)
	text := strings.Repeat("a", todo.MaxText)
	for i := range 70 {
		d.Todos.Items = append(d.Todos.Items, todo.Item{ID: fmt.Sprint(i), Content: text, Status: todo.Pending})
	}
	if _, _, err := encode(d); !errors.Is(err, store.ErrLimit) {
		t.Errorf("got %v", err)
	}
}

// FuzzDecode looks for a document that can be read, but not after it was written again.
func FuzzDecode(f *testing.F) {
	data, _, err := encode(fullDocument())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"onward/session/v1","x":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasSuffix(data, []byte("}\n")) {
			data = store.Seal(data) // the fuzzer cannot guess the checksum
		}
		first, err := decode(data)
		if err != nil || bytes.Contains(data, []byte("9999-12-31")) || bytes.Contains(data, []byte("0000-01-01")) {
			return
		}
		written, _, err := encode(first)
		if err != nil {
			return
		}
		second, err := decode(written)
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		again, _, err := encode(second)
		if err != nil || !bytes.Equal(written, again) {
			t.Fatalf("%v\nfirst  %s\nsecond %s", err, written, again)
		}
	})
}

// TestIDsAreUniqueInAList checks that duplicate ids are refused, since a command with such an id could change the wrong item.
func TestIDsAreUniqueInAList(t *testing.T) {
	data := []byte(`{"schema":"onward/session/v1","session":"s","todos":{"items":[` +
		`{"id":"a","content":"x","status":"pending"},{"id":"a","content":"y","status":"pending"}]}}`)
	if _, err := decode(data); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}
