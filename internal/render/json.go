package render

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeJSON returns a document of tagged members on one line, without a rune that does not print.
// Bytes that are not UTF-8, such as in the path of a folder, become U+FFFD; members that are JSON already are kept as they are.
func EncodeJSON(document any) []byte {
	data, err := json.Marshal(document, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		panic(err) // a member has a type that JSON cannot express
	}
	return EscapeJSON(append(data, '\n'))
}

// Map maps values and their indices to rows of a table, members of a document or candidates.
func Map[T, U any](values []T, of func(i int, v *T) U) []U {
	out := make([]U, len(values))
	for i := range values {
		out[i] = of(i, &values[i])
	}
	return out
}
