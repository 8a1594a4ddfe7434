package stream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

// TestGarbageIsIgnored rewrites the recordings as other versions and programs might write them.
// Their updates must stay the same.
func TestGarbageIsIgnored(t *testing.T) {
	lenient := func(o *stream.Options) { o.Lenient = true }
	for _, name := range streamtest.Recordings {
		input := streamtest.Recording(t, name)
		want := streamtest.UpdatesOnly(streamtest.Play(t, input))
		for how, mess := range map[string]func(*rand.Rand, string) string{
			"members in any order": func(r *rand.Rand, line string) string { return written(shuffled(r, tree(t, line)), nil) },
			"unknown members": func(r *rand.Rand, line string) string {
				return written(extended(r, tree(t, line)), nil)
			},
			"spaces":    func(_ *rand.Rand, line string) string { return strings.ReplaceAll(printed(line), "\n", " ") },
			"escapes":   func(r *rand.Rand, line string) string { return written(tree(t, line), r) },
			"CRLF":      func(_ *rand.Rand, line string) string { return line + "\r" },
			"marks":     func(_ *rand.Rand, line string) string { return "\ufeff" + line },
			"no spaces": func(_ *rand.Rand, line string) string { return written(tree(t, line), nil) },
		} {
			t.Run(name+"/"+how, func(t *testing.T) {
				if got := streamtest.UpdatesOnly(streamtest.Play(t, messed(input, mess))); got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			})
		}
		t.Run(name+"/lines between", func(t *testing.T) {
			mess := func(r *rand.Rand, line string) string {
				between := []string{
					"", "2026-11-21T10:00:00Z ERROR codex_core: stream disconnected {}", "{", "}", "[]", "null", `"text"`, "{}",
					`{"type":"of_the_future","session_id":"other","todos":[{"content":"no","status":"pending"}]}`, `{"level":"warn","msg":"TodoWrite"}`, `{"type":`, "\x00\xff\xfe",
				}
				return between[r.IntN(len(between))] + "\n" + line
			}
			if got := streamtest.UpdatesOnly(streamtest.Play(t, messed(input, mess))); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
		t.Run(name+"/in one line", func(t *testing.T) {
			var objects []string
			for line := range strings.Lines(input) {
				if json.Valid([]byte(line)) {
					objects = append(objects, strings.TrimSpace(line))
				}
			}
			for _, between := range []string{",", " ", ""} {
				if got := streamtest.UpdatesOnly(streamtest.Play(t, "["+strings.Join(objects, between)+"]", lenient)); len(objects) > 1 && got != want {
					t.Errorf("with %q between the objects:\n%s\nwant:\n%s", between, got, want)
				}
			}
		})
		for how, mess := range map[string]func(*rand.Rand, string) string{
			"printed over lines": func(_ *rand.Rand, line string) string { return printed(line) },
			"logged":             func(_ *rand.Rand, line string) string { return "2026-11-21 10:00:00 [agent] INFO " + line + "\x1b[0m" },
		} {
			t.Run(name+"/"+how, func(t *testing.T) {
				if got := streamtest.UpdatesOnly(streamtest.Play(t, messed(input, mess), lenient)); got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			})
		}
	}
}

// messed applies mess to the lines that are objects.
func messed(input string, mess func(*rand.Rand, string) string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for line := range strings.Lines(input) {
		line = strings.TrimSuffix(line, "\n")
		if json.Valid([]byte(line)) {
			line = mess(r, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func printed(line string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(line), "", "  ") != nil {
		return line
	}
	return b.String()
}

// tree decodes a line into members and elements, in their order.
func tree(t *testing.T, line string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	v, err := readTree(d)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return v
}

func readTree(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := []member{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := readTree(d)
			if err != nil {
				return nil, err
			}
			object = append(object, member{name.(string), v})
		}
		_, err = d.Token()
		return object, err
	case json.Delim('['):
		array := []any{}
		for d.More() {
			v, err := readTree(d)
			if err != nil {
				return nil, err
			}
			array = append(array, v)
		}
		_, err = d.Token()
		return array, err
	}
	return token, nil
}

// shuffled returns a tree with the members of all objects in a random order.
func shuffled(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case []member:
		for i := range v {
			v[i].value = shuffled(r, v[i].value)
		}
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	case []any:
		for i := range v {
			v[i] = shuffled(r, v[i])
		}
	}
	return v
}

// extended returns a tree with unknown members in all objects. Their content would have an effect in another place.
func extended(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case []member:
		for i := range v {
			v[i].value = extended(r, v[i].value)
		}
		decoy := []member{
			{"type", "tool_use"},
			{"name", "TodoWrite"},
			{"id", "decoy"},
			{"todos", []any{[]member{{"content", "decoy"}, {"status", "pending"}}}},
		}
		return append(append([]member{{"x_first", []any{decoy, nil, true, json.Number("1.5e3")}}}, v...), member{fmt.Sprintf("x_%d", r.IntN(9)), decoy})
	case []any:
		for i := range v {
			v[i] = extended(r, v[i])
		}
	}
	return v
}

// written returns a tree as JSON. If escape is not nil, it escapes random letters in names and strings.
func written(v any, escape *rand.Rand) string {
	text := func(s string) string {
		q, _ := json.Marshal(s)
		if escape == nil {
			return string(q)
		}
		var b strings.Builder
		for i := 0; i < len(q); i++ {
			switch c := q[i]; {
			case c == '\\' && q[i+1] == 'u':
				b.Write(q[i : i+6])
				i += 5
			case c == '\\':
				b.Write(q[i : i+2])
				i++
			case (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/') && escape.IntN(8) == 0:
				fmt.Fprintf(&b, `\u%04X`, c)
			default:
				b.WriteByte(c)
			}
		}
		return b.String()
	}
	var parts []string
	switch v := v.(type) {
	case []member:
		for _, m := range v {
			parts = append(parts, text(m.name)+":"+written(m.value, escape))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		for _, one := range v {
			parts = append(parts, written(one, escape))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case string:
		return text(v)
	}
	q, _ := json.Marshal(v)
	return string(q)
}
