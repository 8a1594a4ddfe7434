package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"hash/fnv"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Every document that only onward writes ends with a checksum of all bytes before it.
// Without one, a damaged byte in a name hides a list or a rule, and the document still parses.
//
// CRC-32 detects every damage within 32 bits, and misses one in 2^32 of all others. The processor computes it, at more
// than a gigabyte a second. Up to reader 2, it was FNV-1a of 64 bits, which goes byte by byte; both are accepted.
// Neither protects against forgery: a user who may write a document may change it.

// The end of a sealed object, around the digits of the checksum.
const (
	sealOpen  = `,"sum":"`
	sealClose = "\"}\n"
	sumDigits = 8  // of CRC-32
	oldDigits = 16 // of FNV-1a
)

// Checksum returns a hash of data as text: 64 bits of FNV-1a.
func Checksum(data []byte) string {
	h := fnv.New64a()
	h.Write(data)
	return fmt.Sprintf("%016x", h.Sum64())
}

// Seal adds the checksum to a JSON object as its last member, and replaces one that it has.
// The object ends in a brace and a line feed.
func Seal(object []byte) []byte {
	content, _, sealed := cutSeal(object)
	if !sealed {
		content = bytes.TrimSuffix(object, []byte("}\n"))
	}
	sum := checksum(content)
	return append(append(append(content, sealOpen...), sum...), sealClose...)
}

// checksum returns the digits of the CRC-32 of a document.
func checksum(content []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(content)) }

// cutSeal splits a document before its checksum, where it ends with one.
func cutSeal(data []byte) (content, sum []byte, sealed bool) {
	rest, ok := bytes.CutSuffix(data, []byte(sealClose))
	for _, digits := range []int{sumDigits, oldDigits} {
		if at := len(rest) - digits; ok && !sealed && at > 0 {
			sum = rest[at:]
			content, sealed = bytes.CutSuffix(rest[:at], []byte(sealOpen))
		}
	}
	return content, sum, sealed
}

// line is one line of a log.
type line struct {
	object.Object
	unknown jsontext.Value
}

func (l *line) Fields(f *object.Fields) {
	l.Object.Fields(f)
	f.Unknown(&l.unknown)
}

// ReadLine reads a line of a log, without its line feed. A line without a checksum is of version 1,
// which wrote no members but those of the list; any other member is a damaged checksum.
func ReadLine(text []byte, o object.Object) error {
	sealed, err := CheckSeal(append(bytes.Clone(text), '\n'))
	if err != nil {
		return err
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	r := object.NewReader(dec)
	l := line{Object: o}
	switch r.Read(&l); {
	case r.Err() != nil:
		return r.Err()
	case !sealed && l.unknown != nil || r.Missing() != "":
		return ErrChecksum
	}
	return object.CheckEnd(text, dec)
}

// CheckSeal reports whether data ends with a checksum. One that does not match is an error.
func CheckSeal(data []byte) (sealed bool, err error) {
	content, sum, sealed := cutSeal(data)
	expected := ""
	switch {
	case !sealed:
		return false, nil
	case len(sum) == sumDigits:
		expected = checksum(content)
	default:
		expected = Checksum(content)
	}
	if expected != string(sum) {
		err = WrapProblem(ErrCorrupt, "%w", ErrChecksum)
	}
	return true, err
}
