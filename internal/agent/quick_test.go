package agent

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestUnescaped compares with a decoder, on strings of the pieces that matter.
func TestUnescaped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		raw := ""
		for range rapid.IntRange(0, 6).Draw(rt, "pieces") {
			raw += rapid.SampledFrom([]string{
				`a`, `é`, `\n`, `\t`, `\"`, `\\`, `\/`, `\b`, `\f`, `\r`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83Dx`, `\u00`, `\x`, `\`, `u0041`,
			}).Draw(rt, "piece")
		}
		quoted := `"` + raw + `"`
		want, err := jsontext.AppendUnquote(nil, quoted)
		k := walker{b: []byte(quoted)}
		got := k.readWord()
		if ok := k.done(); ok != (err == nil) || ok && string(got) != string(want) {
			rt.Errorf("%s: %q, %v; a decoder gives %q, %v", quoted, got, ok, want, err)
		}
	})
}

// TestCursorReads compares the cursor's values with a decoder's, on any JSON.
func TestCursorReads(t *testing.T) {
	for _, text := range []string{`null`, `true`, `false`, `"x"`, `"\u00fc"`, `7`, `-1.5e3`, `["a",7,null,[1],{"b":["c"]}]`, `{"a":{"b":"c"}}`, `[]`, `{}`, `""`} {
		var w word
		var f truth
		var ws words
		for _, v := range []any{&w, &f, &ws} {
			if err := json.Unmarshal([]byte(text), v); err != nil {
				t.Fatal(err)
			}
		}
		k := func() *walker { return &walker{b: []byte(text)} }
		if got := k().readWord(); got != w {
			t.Errorf("%s: text %q, want %q", text, got, w)
		}
		if got := k().readTruth(); got != f {
			t.Errorf("%s: flag %v, want %v", text, got, f)
		}
		got, _ := stdjson.Marshal(k().readWords())
		if want, _ := stdjson.Marshal(ws); string(got) != string(want) {
			t.Errorf("%s: texts %s, want %s", text, got, want)
		}
		if got := k().value(); string(got) != text && text[0] != '7' && text[0] != '-' && text[0] != 'n' && text[0] != 't' && text[0] != 'f' {
			t.Errorf("%s: value %s", text, got)
		}
	}
}

// TestScannedAgrees compares what a walker reads with what a decoder reads, for every type that both can read,
// on objects of the members that these types know, with values of any kind.
func TestScannedAgrees(t *testing.T) {
	types := []func() membered{
		func() membered { return new(claudeLine) }, func() membered { return new(transcriptLine) },
		func() membered { return new(claudeBlock) }, func() membered { return new(claudeTodos) },
		func() membered { return new(taskInput) }, func() membered { return new(taskMade) },
		func() membered { return new(taskChanged) }, func() membered { return new(taskListed) },
		func() membered { return new(codexLine) }, func() membered { return new(rolloutItem) },
		func() membered { return new(rolloutArguments) }, func() membered { return new(rolloutOutput) },
		func() membered { return new(geminiLine) }, func() membered { return new(chatMessage) },
		func() membered { return new(qwenLine) }, func() membered { return new(opencodeLine) },
		func() membered { return new(acpLine) }, func() membered { return new(kimiLine) },
		func() membered { return new(cursorLine) }, func() membered { return new(cursorCall) },
		func() membered { return new(nativeList) }, func() membered { return new(nativeItem) },
	}
	rapid.Check(t, func(rt *rapid.T) {
		fresh := types[rapid.IntRange(0, len(types)-1).Draw(rt, "type")]
		var b bytes.Buffer
		writeJSON(rt, &b, anyMembers(rt, reflect.TypeOf(fresh()).Elem(), 4))
		got, want := fresh(), fresh()
		if !scanned(b.Bytes(), got) {
			return
		}
		if err := json.Unmarshal(b.Bytes(), want); err != nil {
			rt.Fatalf("%T: a decoder refuses %s: %v", want, b.Bytes(), err)
		}
		if g, w := plain(rt, got), plain(rt, want); g != w {
			rt.Errorf("%T, %s\n got %s\nwant %s", want, b.Bytes(), g, w)
		}
	})
}

// plain writes a value so that a list that is empty and one that is none differ only where they do to us.
func plain(t tester, v any) string {
	text, err := stdjson.Marshal(v)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return strings.NewReplacer(`"Content":[]`, `"Content":null`, `"content":[]`, `"content":null`).Replace(string(text))
}

// anyMembers makes an object for a type from the names of its members: values of the right kind mostly, and of any kind.
func anyMembers(rt *rapid.T, typ reflect.Type, depth int) any {
	scalar := func() any {
		return rapid.SampledFrom([]any{"", "x", "a \"b\" ü", nil, true, false, 7, -1.5, []any{}, []any{"x", 7, nil, []any{}}, []member{}, "success"}).Draw(rt, "scalar")
	}
	if depth == 0 || rapid.IntRange(0, 7).Draw(rt, "other kind") == 0 {
		return scalar()
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return anyMembers(rt, typ.Elem(), depth)
	case reflect.Slice:
		if typ == reflect.TypeFor[jsontext.Value]() || typ.Elem().Kind() == reflect.String {
			return scalar()
		}
		var list []any
		for range rapid.IntRange(0, 2).Draw(rt, "length") {
			list = append(list, anyMembers(rt, typ.Elem(), depth-1))
		}
		return list
	case reflect.Struct:
		var object []member
		var add func(typ reflect.Type)
		add = func(typ reflect.Type) {
			for f := range typ.Fields() {
				name := f.Tag.Get("json")
				switch {
				case f.Anonymous:
					add(f.Type)
				case name != "" && rapid.IntRange(0, 2).Draw(rt, "present") > 0:
					object = append(object, member{name, anyMembers(rt, f.Type, depth-1)})
				}
			}
		}
		add(typ)
		if rapid.IntRange(0, 7).Draw(rt, "extra") == 0 {
			object = append(object, member{rapid.SampledFrom([]string{"other", "type", "id"}).Draw(rt, "name"), scalar()})
		}
		return object
	}
	return scalar()
}
