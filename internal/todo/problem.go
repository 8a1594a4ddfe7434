package todo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// ErrData is the error about a list of another program that cannot be read.
var ErrData = errors.New("bad list")

// DescribeJSONError describes what is wrong with a JSON document that could not be decoded, without the names of Go's types:
// the line and column at which it stops making sense, or the JSON pointer of a value that does not fit.
func DescribeJSONError(data []byte, err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return object.DescribeError(data, err)
	}
	if _, typed := err.(*json.SemanticError); !typed {
		if errors.Is(err, ErrData) || errors.Is(err, ErrLimit) || errors.Is(err, ErrText) {
			return err
		}
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		where := string(semantic.JSONPointer)
		switch {
		case errors.Is(semantic.Err, json.ErrUnknownName):
			return fmt.Errorf("unknown member %q", strings.TrimPrefix(where, "/"))
		case where == "":
			where = "the document"
		}
		if semantic.Err != nil {
			return fmt.Errorf("%s: %w", where, semantic.Err)
		}
		return fmt.Errorf("%s has the wrong kind of value", where)
	}
	return err
}
