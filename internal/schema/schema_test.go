package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

func TestNumbersAreWithinRange(t *testing.T) {
	for text, want := range map[string]string{`{"a":[1,1e999]}`: "a/1: the number is too large", `1e999`: ": the number is too large"} {
		if _, err := Decode(jsontext.Value(text)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", text, err)
		}
	}
	if v, err := Decode(jsontext.Value(`1e-999`)); err != nil || v != 0.0 {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestNestingLimit(t *testing.T) {
	if _, err := Decode(jsontext.Value(strings.Repeat("[", 33) + strings.Repeat("]", 33))); !errors.Is(err, object.ErrTooDeep) {
		t.Errorf("got %v", err)
	}
}
