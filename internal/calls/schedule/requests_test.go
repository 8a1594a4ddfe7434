package schedule

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/internal/calls/policy"
	"onward/internal/calls/tool"
)

// judge returns a judge that knows three tools: view only reads, edit requires approval, and free is always allowed but runs alone.
func judge(t rapid.TB, rules ...policy.Rule) Judge {
	t.Helper()
	tools, err := tool.Decode([]byte(`{"schema":"onward/tools/v1","tools":[
		{"name":"view","command":["view"],"kind":"read","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}},
		{"name":"edit","command":["edit"],"kind":"edit","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}},
		{"name":"free","command":["free"],"kind":"edit","confirm":"never"}]}`), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		if err := rules[i].Check(); err != nil {
			t.Fatal(err)
		}
	}
	return Judge{Tools: append(tool.Builtin(), tools...), Mode: policy.Default, Rules: rules, Check: whole}
}

// whole stands in for the validation of schemas: it requires that the argument n is a whole number.
func whole(of *tool.Tool, args jsontext.Value) error {
	if of.Builtin() {
		return of.Check(args)
	}
	var got struct {
		N int `json:"n"`
	}
	return json.Unmarshal(args, &got)
}

// requests parses calls of the form `id:tool` with options: `a:view,after=b,priority=2,wait,batch=x`.
func requests(t testing.TB, text string) []Request {
	t.Helper()
	var out []Request
	for one := range strings.FieldsSeq(text) {
		parts := strings.Split(one, ",")
		var q Request
		q.ID, q.Tool, _ = strings.Cut(parts[0], ":")
		for _, p := range parts[1:] {
			key, value, _ := strings.Cut(p, "=")
			switch key {
			case "after":
				q.After = append(q.After, value)
			case "priority":
				q.Priority = int(value[0] - '0')
			case "wait":
				q.Barrier = true
			case "batch":
				q.Batch = value
			case "args":
				q.Args = jsontext.Value(value)
			default:
				t.Fatalf("option %q", p)
			}
		}
		out = append(out, q)
	}
	return out
}

func submitted(t testing.TB, d *Document, text string) Change {
	t.Helper()
	did, err := Submit(d, requests(t, text), judge(t), noon)
	if err != nil {
		t.Fatal(err)
	}
	return did
}

func statuses(d *Document) string {
	var out []string
	for i := range d.Calls {
		out = append(out, d.Calls[i].ID+"="+string(d.Calls[i].Status))
	}
	return strings.Join(out, " ")
}

func expect(t testing.TB, d *Document, want string) {
	t.Helper()
	if got := statuses(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
