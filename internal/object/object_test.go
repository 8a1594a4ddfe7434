package object

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func readerOf(s string) *Reader { return NewReader(jsontext.NewDecoder(bytes.NewBufferString(s))) }

// sample is an object with a member of every kind.
type sample struct {
	Text  string
	Words []string
	Count int
	Rev   uint64
	On    bool
	At    int64
	Inner *sample
	Rest  jsontext.Value
}

func (s *sample) Fields(f *Fields) {
	Text(f.OmitEmpty(), "text", &s.Text)
	Strings(f.OmitEmpty(), "words", &s.Words)
	f.OmitEmpty().Int("count", &s.Count)
	f.Uint("rev", &s.Rev)
	f.Bool("on", &s.On)
	Time(f, "at", &s.At)
	Pointer(f, "inner", &s.Inner)
	f.Unknown(&s.Rest)
}

func TestValuesSurviveWritingAndReading(t *testing.T) {
	text := rapid.String()
	one := rapid.Custom(func(t *rapid.T) *sample {
		s := &sample{
			Text: text.Draw(t, "text"), Words: rapid.SliceOfN(text, 1, 3).Draw(t, "words"),
			Count: rapid.IntRange(0, 1<<31-1).Draw(t, "count"), Rev: rapid.Uint64Range(0, 1<<62-1).Draw(t, "rev"),
			On: rapid.Bool().Draw(t, "on"), At: rapid.Int64Range(0, 253402300799999).Draw(t, "at"),
		}
		if rapid.Bool().Draw(t, "with more") {
			rest, err := jsontext.AppendQuote([]byte{'{'}, "x"+text.Draw(t, "name"))
			if err != nil {
				t.Fatal(err)
			}
			s.Rest = append(rest, `:{"a":[1,null]}}`...)
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		want := one.Draw(t, "outer")
		want.Inner = one.Draw(t, "inner")
		w := NewWriter(0)
		w.Write(want)
		var got sample
		r := readerOf(string(w.Bytes()))
		r.Read(&got)
		if r.Err() != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("%v\ngot  %+v\nwant %+v\nfrom %s", r.Err(), got, want, w.Bytes())
		}
	})
}

func TestNullValue(t *testing.T) {
	var got sample
	r := readerOf(`{"text":null,"words":null,"count":null,"rev":null,"on":null,"at":null,"inner":null,"more":null}`)
	r.Read(&got)
	if want := (sample{Rest: jsontext.Value(`{"more":null}`)}); r.Err() != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, r.Err())
	}
	r = readerOf(`[null,"a"]`)
	if words := stringsOf(r); r.Err() != nil || !reflect.DeepEqual(words, []string{"", "a"}) {
		t.Errorf("got %q, %v", words, r.Err())
	}
}

func stringsOf(r *Reader) (words []string) {
	r.Array(func() { words = append(words, r.String()) })
	return words
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{`{"text":1}`, "/text: a number where a string belongs"},
		{`{"text":[]}`, "/text: an array where a string belongs"},
		{`{"words":"a"}`, "/words: a string where an array belongs"},
		{`{"words":["a",true]}`, "/words/1: true where a string belongs"},
		{`{"count":"1"}`, "/count: a string where a number belongs"},
		{`{"count":-1}`, "/count: -1 is not a whole number in range"},
		{`{"count":1.5}`, "/count: 1.5 is not a whole number in range"},
		{`{"rev":99999999999999999999}`, "/rev: 99999999999999999999 is not a whole number in range"},
		{`{"on":0}`, "/on: a number where true or false belongs"},
		{`{"at":"noon"}`, `/at: "noon" is not an RFC 3339 time`},
		{`{"at":5}`, "/at: a number where a string belongs"},
		{`{"inner":[]}`, "/inner: an array where an object belongs"},
		{`{"inner":{"inner":{"on":{}}}}`, "/inner/inner/on: an object where true or false belongs"},
		{`[]`, "the document: an array where an object belongs"},
		{`"a"`, "the document: a string where an object belongs"},
	} {
		r := readerOf(c.input)
		r.Read(new(sample))
		if r.Err() == nil || r.Err().Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.input, r.Err(), c.want)
		}
	}
}

func TestNonstrictJSONIsRefused(t *testing.T) {
	for _, input := range []string{
		"", " ", "{", `{"text"`, `{"text":`, `{"text":"a`, `{"text":"a"`, `{"text":"a",}`, `{"words":["a"`, `{"words":["a",]}`,
		`{text:"a"}`, `{"text":'a'}`, `{"text":nul}`, `{"at":"2026-01-01T12:00:00Z" "on":true}`, "\xff", "{\"text\":\"\xff\"}", `{"text":"\ud800"}`,
		`{"text":"a","text":"b"}`,
		`{"more":1,"more":1}`, // a duplicate name is refused even if it is unknown
		`{"more":{"a":1,"a":1}}`,
		`{"t\u0065xt":"a","text":"b"}`,
	} {
		r := readerOf(input)
		r.Read(new(sample))
		if r.Err() == nil {
			t.Errorf("%q was accepted", input)
		}
	}
}

// TestFirstErrorIsKept checks that a reader keeps its first error, so that the caller has to check only at the end.
func TestFirstErrorIsKept(t *testing.T) {
	r := readerOf(`{"text":1,"count":"x","on":3}`)
	var got sample
	r.Read(&got)
	first := r.Err()
	r.Errorf("something else")
	if r.String() != "" || r.int() != 0 || r.Bool() || r.Millis() != 0 || stringsOf(r) != nil || r.Err() != first {
		t.Errorf("got %v after %v", r.Err(), first)
	}
	if !strings.HasPrefix(first.Error(), "/text") {
		t.Errorf("got %v", first)
	}
}

func TestEscapedNamesAreRead(t *testing.T) {
	var got sample
	r := readerOf(`{"t\u0065xt":"a\nb","m\"ore":1,"` + strings.Repeat("long", 40) + `":2}`)
	r.Read(&got)
	want := `{"m\"ore":1,"` + strings.Repeat("long", 40) + `":2}`
	if r.Err() != nil || got.Text != "a\nb" || string(got.Rest) != want {
		t.Errorf("got %+v, %v", got, r.Err())
	}
}

func TestWriterPlacesCommas(t *testing.T) {
	w := NewWriter(0)
	w.Open('{')
	w.unknown(jsontext.Value(`{"a":1}`))
	w.unknown(jsontext.Value(`{}`)) // no members, so no comma is written
	w.unknown(nil)
	w.String("b", `"`)
	w.Name("c")
	w.Open('[')
	w.Close(']')
	w.StringsIfSet("d", []string{"x", "y"})
	w.Name("e")
	w.Open('[')
	w.Open('{')
	w.key("k\n")
	w.value("v")
	w.Close('}')
	w.Raw([]byte(`null`))
	w.Open('[')
	w.Close(']')
	w.Close(']')
	w.Bool("f", false)
	w.TimeMillis("g", 0)
	w.StringIfSet("h", "")
	w.StringsIfSet("k", nil)
	w.Close('}')
	w.EndLine()
	w.Open('{')
	w.Close('}')
	want := `{"a":1,"b":"\"","c":[],"d":["x","y"],"e":[{"k\n":"v"},null,[]],"f":false,"g":"1970-01-01T00:00:00.000Z"}` + "\n{}"
	if got := string(w.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTimesMatchPackageTime draws times, damages some of them, and compares the result with that of package time.
func TestTimesMatchPackageTime(t *testing.T) {
	part := func(t *rapid.T, name string, width, low, high int) string {
		return fmt.Sprintf("%0*d", width, rapid.IntRange(low, high).Draw(t, name))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := part(t, "year", 4, 1, 9999) + "-" + part(t, "month", 2, 0, 13) + "-" + part(t, "day", 2, 0, 32) + "T" +
			part(t, "hour", 2, 0, 25) + ":" + part(t, "minute", 2, 0, 61) + ":" + part(t, "second", 2, 0, 61) + "." + part(t, "milli", 3, 0, 999) + "Z"
		if rapid.IntRange(0, 3).Draw(t, "damage") == 0 {
			i := rapid.IntRange(0, len(s)-1).Draw(t, "where")
			s = s[:i] + rapid.SampledFrom([]string{"", "x", "-", "+", ":", " ", "Z", "é", "0"}).Draw(t, "by") + s[i+1:]
		}
		at, err := time.Parse(time.RFC3339, s)
		r := readerOf(`"` + s + `"`)
		got := r.Millis()
		reads := err == nil && at.Year() > 0 // the year 0 counts as damage
		if (r.Err() == nil) != reads || reads && got != at.UnixMilli() {
			t.Fatalf("%s: the reader says %d, %v, package time %v, %v", s, got, r.Err(), at, err)
		}
	})
}

func TestEveryWrittenTimeIsReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const year1, year9999 = -62135596800000, 253402300799999
		want := rapid.Int64Range(year1, year9999).Draw(t, "ms")
		s := string(AppendMillis(nil, want))
		r := readerOf(`"` + s + `"`)
		if got := r.Millis(); r.Err() != nil || got != want {
			t.Fatalf("%d was written as %s and read as %d, %v", want, s, got, r.Err())
		}
	})
}

func TestTimesInOtherForms(t *testing.T) {
	for s, want := range map[string]string{
		"2026-02-28T23:59:59Z":             "2026-02-28T23:59:59.000Z",
		"2024-02-29T12:00:00.000Z":         "2024-02-29T12:00:00.000Z",
		"2026-01-01T12:00:00.123456789Z":   "2026-01-01T12:00:00.123Z",
		"2026-01-01T12:00:00.5+05:30":      "2026-01-01T06:30:00.500Z",
		"2026-12-31T23:30:00.000000-01:00": "2027-01-01T00:30:00.000Z",
	} {
		r := readerOf(`"` + s + `"`)
		if got := string(AppendMillis(nil, r.Millis())); r.Err() != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", s, got, r.Err(), want)
		}
	}
	for _, s := range []string{"2026-02-29T12:00:00.000Z", "2026-04-31T12:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01", "1767225600"} {
		r := readerOf(`"` + s + `"`)
		if r.Millis(); r.Err() == nil {
			t.Errorf("%s was accepted", s)
		}
	}
}

// FuzzReader reads random input as a sample. It must end with a value or an error,
// and an accepted value must be the same after it was written and read again.
func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"text":"a","words":["b"],"count":1,"rev":2,"on":true,"at":"2026-01-01T12:00:00.000Z","inner":{"x":null},"more":[1]}`))
	f.Add([]byte(`{"text":null,"te\u0078t":"a"}`))
	f.Add([]byte(`{"count":1e9999,"at":"2024-02-29T12:00:00+23:59"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first sample
		r := readerOf(string(data))
		r.Read(&first)
		if r.Err() != nil {
			return
		}
		if at := time.UnixMilli(first.At).UTC(); first.Inner != nil || at.Year() < 0 || at.Year() > 9999 {
			return // a time with a five-digit year cannot be written
		}
		w := NewWriter(0)
		w.Write(&first)
		var second sample
		r = readerOf(string(w.Bytes()))
		r.Read(&second)
		if len(first.Words) == 0 {
			first.Words, second.Words = nil, nil
		}
		if r.Err() != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("%v\nfirst  %+v\nsecond %+v\nwritten %s", r.Err(), first, second, w.Bytes())
		}
	})
}

type box struct {
	Name    string
	Count   int
	Tags    []string
	Inner   *box
	Parts   []box
	Words   map[string]string
	Unknown jsontext.Value
}

func (b *box) Fields(f *Fields) {
	f.Require("name")
	Text(f, "name", &b.Name)
	f.OmitEmpty().Int("count", &b.Count)
	Strings(f.OmitEmpty(), "tags", &b.Tags)
	Pointer(f, "inner", &b.Inner)
	List(f.OmitEmpty(), "parts", &b.Parts)
	Map(f.OmitEmpty(), "words", &b.Words)
	f.Skip("sum")
	f.Unknown(&b.Unknown)
}

// TestFields checks that members are read in any order, that unknown ones are kept, and that all are written in the order of the fields.
func TestFields(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"a"}`: `{"name":"a"}`,
		`{"name":"a","count":1,"tags":["x"],"inner":{"name":"b"}}`:                    `{"name":"a","count":1,"tags":["x"],"inner":{"name":"b"}}`,
		`{"inner":{"count":2,"name":"b"},"tags":["x"],"count":1,"name":"a"}`:          `{"name":"a","count":1,"tags":["x"],"inner":{"name":"b","count":2}}`,
		`{"new":1,"count":1,"":2,"name":"a","newer":{"name":3}}`:                      `{"name":"a","count":1,"new":1,"":2,"newer":{"name":3}}`,
		`{"parts":[{"name":"a","x":1},{"y":2,"name":"b"}],"name":"c","inner":null}`:   `{"name":"c","parts":[{"name":"a","x":1},{"name":"b","y":2}]}`,
		`{"words":{"b":"2","a":"1"},"sum":"passed over","name":"a","tags":[],"z":{}}`: `{"name":"a","words":{"a":"1","b":"2"},"z":{}}`,
	} {
		r := NewReader(jsontext.NewDecoder(strings.NewReader(in)))
		var b box
		r.Read(&b)
		w := NewWriter(0)
		w.Write(&b)
		if r.Err() != nil || r.Missing() != "" || string(w.Bytes()) != want {
			t.Errorf("%s: got %s, %v, missing %q", in, w.Bytes(), r.Err(), r.Missing())
		}
	}
	for _, in := range []string{`{"count":1}`, `{}`, `{"nam":"a"}`, `{"name":"a","inner":{}}`} {
		r := NewReader(jsontext.NewDecoder(strings.NewReader(in)))
		var b box
		if r.Read(&b); r.Missing() != "name" {
			t.Errorf("%s: missing %q, %v", in, r.Missing(), r.Err())
		}
	}
	for _, in := range []string{`[]`, `{"name":1}`, `{"name":"a","name":"b"}`, `{"name":"a"`, `{"parts":[1]}`, `{"x":1,"x":2}`} {
		r := NewReader(jsontext.NewDecoder(strings.NewReader(in)))
		var b box
		if r.Read(&b); r.Err() == nil {
			t.Errorf("%s: read as %+v", in, b)
		}
	}
}

// link has a pointer that is omitted if it is nil, followed by a member that is always written.
type link struct {
	next  *link
	count int
}

func (l *link) Fields(f *Fields) {
	Pointer(f.OmitEmpty(), "next", &l.next)
	f.Int("count", &l.count)
}

func TestMemberBehindANilPointerIsWritten(t *testing.T) {
	w := NewWriter(0)
	w.Write(&link{next: &link{}})
	if got, want := string(w.Bytes()), `{"next":{"count":0},"count":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAppendMillis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
		ms := rapid.Int64Range(first.UnixMilli(), last.UnixMilli()).Draw(t, "ms")
		want := time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
		if got := string(AppendMillis(nil, ms)); got != want {
			t.Fatalf("AppendMillis(%d) = %s, want %s", ms, got, want)
		}
	})
}
