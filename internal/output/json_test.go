package output

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/render"
	"onward/internal/todo"
)

// Members are written like those of a struct: raw values unchanged, a nil list as an empty one, and
// invalid UTF-8 as the replacement character.
func TestMembers(t *testing.T) {
	var none []string
	type inner struct {
		At todo.Time `json:"at"`
	}
	raw := jsontext.Value(`{"a":"\u0041"}`)
	want := string(render.EncodeJSON(struct {
		Text  string         `json:"text"`
		None  []string       `json:"none"`
		Raw   jsontext.Value `json:"raw"`
		Inner []inner        `json:"inner"`
	}{"a\xff\x1b", none, raw, []inner{{1}}}))
	got := string(render.EncodeJSON(Members{"text", "a\xff\x1b", "none", none, "raw", raw, "inner", []Members{{"at", todo.Time(1)}}}))
	if got != want {
		t.Errorf("got %s and not %s", got, want)
	}
}
