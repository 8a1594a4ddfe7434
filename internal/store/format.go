package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// ReaderVersion is the version of this program's reader. A document whose min_reader is larger is refused.
// From version 2 on, a document has a checksum, and from 3 on another one: older readers must refuse what they cannot check.
const ReaderVersion = 3

// sealedSince is the version from which on a document has a checksum.
const sealedSince = 2

// Head is the header of a document.
type Head struct {
	Schema    string
	MinReader int
	Name      string // of the document
	Saved     bool   // it was committed once, so that members which are always written must be there
	MovedTo   string // the store that it was moved to; what is here is void
	Arriving  bool   // MovedTo is the store that it comes from: the copy is here, but the original may still be used
	Deleting  bool   // its deletion was begun
}

// CheckUsable is why a document is not to be used in this store; nil if it is.
func (h Head) CheckUsable() error {
	switch {
	case h.Deleting:
		return WrapProblem(ErrBusy, "%w", ErrDeleting)
	case h.MovedTo == "":
		return nil
	case h.Arriving:
		return WrapProblem(ErrMoved, "%w: it comes from the store %s", ErrArriving, h.MovedTo)
	}
	return WrapProblem(ErrMoved, "it is in the store %s now", h.MovedTo)
}

// Document is an entry of a collection: its members are listed once, for reading and writing.
type Document interface {
	object.Object
	Head() Head
	Check() error // validates it
}

// Decode reads the document of a name strictly: no duplicate names, no invalid UTF-8, no trailing
// data, and the checksum matches. A document of reader 1 has no checksum; it must have the members
// that are always written. Edited accepts any checksum, or none: the user has changed the document
// on purpose.
func (k *Spec) Decode(name string, data []byte, edited bool, doc Document) error {
	if err := plausible(data, k.Limit); err != nil {
		return err
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := object.NewReader(dec)
	r.Read(doc)
	err := r.Err()
	if err == nil {
		if _, err = dec.ReadToken(); err == io.EOF {
			err = nil
		} else if err == nil {
			err = errors.New("trailing data after the document")
		}
	}
	switch {
	case errors.Is(err, object.ErrTooDeep), errors.Is(err, object.ErrTooMany):
		return WrapProblem(ErrLimit, "%w", err)
	case err != nil:
		return WrapProblem(ErrCorrupt, "%s", parseProblem(err))
	}
	head, sealed := doc.Head(), true
	if !edited {
		sealed, err = CheckSeal(data)
	}
	if err == nil {
		err = k.checkVersion(head, sealed)
	}
	if err == nil && head.Saved && r.Missing() != "" {
		err = WrapProblem(ErrCorrupt, "the member %q is missing", r.Missing())
	}
	if err == nil {
		err = doc.Check()
	}
	if err == nil && head.Name != name {
		err = WrapProblem(ErrCorrupt, "the file is of session %q", head.Name)
	}
	return err
}

// Encode writes a document with its checksum. The size is a guess, in bytes.
func Encode(doc object.Object, size int) []byte {
	w := object.NewWriter(size)
	w.Write(doc)
	w.EndLine()
	return Seal(w.Bytes())
}

// record is a document that is written whole: it has no revisions, and keeps no operations.
type record struct {
	schema    string
	minReader int
	body      object.Object
}

func (r *record) Fields(f *object.Fields) {
	object.Text(f, "schema", &r.schema)
	f.Int("min_reader", &r.minReader)
	r.body.Fields(f)
	f.Skip("sum")
}

func (r *record) Head() Head {
	return Head{Schema: r.schema, MinReader: r.minReader, Saved: true}
}

func (r *record) Check() error { return nil }

// Read reads a record by the list of its members after the header. The caller validates them.
func (k *Spec) Read(data []byte, body object.Object) error {
	return k.Decode("", data, false, &record{body: body})
}

// Write writes a record with its header and its checksum.
func (k *Spec) Write(body object.Object) []byte {
	return Encode(&record{schema: k.Schema(), minReader: ReaderVersion, body: body}, 1024)
}

// Schema is the version that is written; a newer one may be read if the document allows it.
func (k *Spec) Schema() string { return "onward/" + k.Name + "/v1" }

func (k *Spec) checkVersion(h Head, sealed bool) error {
	switch version, ours := strings.CutPrefix(h.Schema, "onward/"+k.Name+"/v"); {
	case !ours:
		return WrapProblem(ErrForeign, "the file has no onward/%s schema", k.Name)
	case version == "" || strings.Trim(version, "0123456789") != "":
		return WrapProblem(ErrForeign, "the file has the unknown schema %q", h.Schema)
	case h.MinReader > ReaderVersion:
		return WrapProblem(ErrNewer, "the file needs a reader of version %d, this is version %d", h.MinReader, ReaderVersion)
	case h.MinReader >= sealedSince && !sealed:
		return WrapProblem(ErrCorrupt, "%w", ErrChecksum)
	}
	return nil
}

// parseProblem returns where a document becomes invalid.
func parseProblem(err error) string {
	if syntax, invalid := errors.AsType[*jsontext.SyntacticError](err); invalid {
		return fmt.Sprintf("at byte %d: %v", syntax.ByteOffset, syntax.Err)
	}
	return err.Error()
}

// plausible detects the damage that a crash or a full disk leaves, and refuses data over a limit in bytes.
func plausible(data []byte, limit int) error {
	switch {
	case len(data) > limit:
		return WrapProblem(ErrLimit, "the file has more than %d bytes", limit)
	case len(data) == 0:
		return WrapProblem(ErrCorrupt, "the file is empty (0 bytes)")
	case len(bytes.TrimRight(data, "\x00")) == 0:
		return WrapProblem(ErrCorrupt, "the file holds only NUL bytes, as after a crash of the machine")
	case data[len(data)-1] == 0:
		return WrapProblem(ErrCorrupt, "the file ends in NUL bytes, as after a crash of the machine")
	}
	return nil
}
