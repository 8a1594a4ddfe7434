package object

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// DescribeError describes what is wrong with invalid JSON, and where it becomes invalid;
// any other error comes back as it is.
func DescribeError(data []byte, err error) error {
	syntax, invalid := errors.AsType[*jsontext.SyntacticError](err)
	if !invalid {
		return err
	}
	line, column := LineAndColumn(data, syntax.ByteOffset)
	return fmt.Errorf("line %d, column %d: %w", line, column, syntax.Err)
}

// LineAndColumn counts both from 1, the column in bytes.
func LineAndColumn(data []byte, offset int64) (line, column int) {
	before := data[:min(int(offset), len(data))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// Parse reads a document that users write, by the list of its members after the schema. An unknown member
// is an error, because a misspelt one would be silently without effect.
func Parse(data []byte, schema string, o Object) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := &Reader{dec: dec, strict: true}
	doc := written{body: o}
	switch r.Read(&doc); {
	case r.err != nil:
		return DescribeError(data, r.err)
	case doc.schema != schema:
		return fmt.Errorf("the schema is %q, not %q", doc.schema, schema)
	}
	return CheckEnd(data, dec)
}

// written is a document that users write by hand.
type written struct {
	schema string
	body   Object
}

func (d *written) Fields(f *Fields) {
	Text(f, "schema", &d.schema)
	d.body.Fields(f)
}

// EncodeReadable writes a readable document, with a member on each line.
func EncodeReadable(schema string, o Object) []byte {
	w := NewWriter(1024)
	w.Write(&written{schema, o})
	out := jsontext.Value(w.Bytes())
	_ = out.Indent(jsontext.WithIndent("  ")) // it is valid
	return append(out, '\n')
}

// CheckEnd returns an error if the text has more than the value that a decoder has read.
func CheckEnd(data []byte, dec *jsontext.Decoder) error {
	if rest := data[dec.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		line, column := LineAndColumn(data, dec.InputOffset()+int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))))
		return fmt.Errorf("line %d, column %d: there is text after the object", line, column)
	}
	return nil
}
