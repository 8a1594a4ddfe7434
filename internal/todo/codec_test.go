package todo

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/internal/object"
)

func write(items []Item) []byte {
	w := object.NewWriter(0)
	object.WriteList(w, items)
	return w.Bytes()
}

func read(t testing.TB, data []byte) []Item {
	t.Helper()
	r := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(data)))
	items := ReadItems(r)
	if r.Err() != nil {
		t.Fatalf("%v in %s", r.Err(), data)
	}
	return items
}

func TestItemsSurviveWritingAndReading(t *testing.T) {
	texts := rapid.String()
	times := rapid.Map(rapid.Int64Range(0, 253402300799999), func(n int64) Time { return Time(n) })
	rest := rapid.SampledFrom([]jsontext.Value{nil, jsontext.Value(`{"x":1}`), jsontext.Value(`{"ü\n":{"y":[null,"z"]},"é":"\\"}`)})
	subtask := rapid.Custom(func(t *rapid.T) Subtask {
		return Subtask{
			ID: texts.Draw(t, "id"), Content: texts.Draw(t, "content"),
			Status: rapid.SampledFrom(append(Statuses(), "")).Draw(t, "status"), Unknown: rest.Draw(t, "rest"),
		}
	})
	item := rapid.Custom(func(t *rapid.T) Item {
		return Item{
			ID: texts.Draw(t, "id"), Content: texts.Draw(t, "content"), Status: rapid.SampledFrom(Statuses()).Draw(t, "status"),
			Priority: rapid.SampledFrom([]Priority{"", High, Low}).Draw(t, "priority"), ActiveForm: texts.Draw(t, "active"),
			NativeStatus: texts.Draw(t, "native"), BlockedBy: rapid.SliceOfN(texts, 0, 3).Draw(t, "blocked by"), Reason: texts.Draw(t, "reason"),
			CreatedAt: times.Draw(t, "created"), UpdatedAt: times.Draw(t, "updated"), CompletedAt: times.Draw(t, "completed"),
			Subtasks: rapid.SliceOfN(subtask, 0, 3).Draw(t, "parts"), Unknown: rest.Draw(t, "rest"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(item, 0, 4).Draw(t, "items")
		data := write(items)
		r := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(data)))
		got := ReadItems(r)
		if r.Err() != nil || !Equal(got, items) {
			t.Fatalf("%v\ngot  %+v\nwant %+v\nfrom %s", r.Err(), got, items, data)
		}
		if again := write(got); !bytes.Equal(again, data) {
			t.Fatalf("written again: %s\nbefore: %s", again, data)
		}
	})
}

// TestALongListTakesLittleMoreThanItsItems checks the memory of reading lists whose first items are shorter or longer than the others.
func TestALongListTakesLittleMoreThanItsItems(t *testing.T) {
	for _, first := range []int{1, 40, 50, 400} {
		items := make([]Item, 8000)
		for i := range items {
			length := 40
			if i < 20 {
				length = first
			}
			items[i] = Item{ID: "a", Content: strings.Repeat("a", length), Status: Pending}
		}
		r := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(fmt.Appendf(nil, `{"items":%s}`, write(items)))))
		var got []Item
		r.Object(func(string) { got = ReadItems(r) })
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		if len(got) != len(items) || cap(got) > len(items)*3/2 {
			t.Errorf("first items of %d letters: there is room for %d items in a list of %d", first, cap(got), len(got))
		}
	}
}

// TestMembersOfANewerVersionSurvive checks that unknown members are kept, so that an older onward does not delete those of a newer one.
func TestMembersOfANewerVersionSurvive(t *testing.T) {
	const data = `[{"id":"a","content":"a","status":"pending","created_at":"2026-01-01T09:00:00.000Z","updated_at":"2026-01-01T09:00:00.000Z",` +
		`"subtasks":[{"id":"x","content":"x","status":"pending","weight":2}],"colour":{"name":"red"},"due":null}]`
	items := read(t, []byte(data))
	if got := string(write(items)); got != data {
		t.Errorf("got  %s\nwant %s", got, data)
	}
	edit, err := SetStatus(items, ranges(t, "1"), Completed, "", noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"weight":2`, `"colour":{"name":"red"}`, `"due":null`} {
		if got := string(write(edit.Items)); !strings.Contains(got, want) {
			t.Errorf("%s is lost in %s", want, got)
		}
	}
}

// TestEveryFieldOfAnItemIsWritten fails if a field was added to Item without its member in the JSON.
func TestEveryFieldOfAnItemIsWritten(t *testing.T) {
	full := Item{
		ID: "a", Content: "b", Status: Blocked, Priority: High, ActiveForm: "c", NativeStatus: "d", BlockedBy: []string{"e"}, Reason: "f", By: ByUser, Assignee: "s",
		CreatedAt: 1, UpdatedAt: 2, CompletedAt: 3, Subtasks: []Subtask{{ID: "g", Content: "h", Status: Blocked, Reason: "r", By: ByUser, Unknown: []byte(`{"i":1}`)}},
		Claim: &Claim{By: "w", Host: "x", Number: 2, Since: 4, Until: 5, Lease: 6, Start: "t", Process: &Process{Host: "y", Boot: "z", Namespace: "p", PID: 1, Start: "q", Unknown: []byte(`{"o":1}`)}, Unknown: []byte(`{"k":1}`)}, Claims: 7,
		Gate: &Gate{Command: "m", ClaimedDone: true, ByAgent: true, At: 8, Code: 9, Problem: "n", Output: "o", Unknown: []byte(`{"l":1}`)}, NeedsProof: true,
		Unknown: []byte(`{"j":1}`),
	}
	for _, v := range []reflect.Value{reflect.ValueOf(full), reflect.ValueOf(full.Subtasks[0]), reflect.ValueOf(*full.Claim), reflect.ValueOf(*full.Claim.Process), reflect.ValueOf(*full.Gate)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Fatalf("this test forgets %s", v.Type().Field(i).Name)
			}
		}
	}
	if got := read(t, write([]Item{full})); !reflect.DeepEqual(got, []Item{full}) {
		t.Errorf("got %+v, want %+v", got, full)
	}
}

// TestTimesBeyondFourDigitYears checks times with five-digit years. One that is written but cannot be read would make the whole document unreadable.
func TestTimesBeyondFourDigitYears(t *testing.T) {
	for _, at := range []string{"9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"} {
		r := object.NewReader(jsontext.NewDecoder(bytes.NewBufferString(`"` + at + `"`)))
		created := Time(r.Millis())
		if r.Err() != nil {
			continue // the time may also be refused
		}
		r = object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(write([]Item{{ID: "a", Content: "a", Status: Pending, CreatedAt: created}}))))
		if ReadItems(r); r.Err() != nil {
			t.Errorf("%s: what was written cannot be read: %v", at, r.Err())
		}
	}
}
