package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"onward/internal/durable"
	"onward/internal/object"
)

// ErrTrust marks a list of trusted files that cannot be read.
var ErrTrust = errors.New("nothing is trusted")

// trusted is what the user has trusted: the content of each file, by its path.
// A digest would do, but linking a digest that cannot be forged costs every start of the program 2 %.
type trusted map[string]string

// maxTrust is how large the list of trusted files may be: it holds each of them whole.
const maxTrust = 64 << 20

func (f Files) trustPath() string { return filepath.Join(f.Config, "trust.json") }

// trusted reads what the user has trusted; nothing where there is no file.
func (f Files) trusted() (trusted, error) {
	data, err := durable.ReadForeign(f.trustPath(), maxTrust)
	if errors.Is(err, fs.ErrNotExist) {
		return trusted{}, nil
	}
	var t trusted
	if err == nil {
		t, err = decodeTrusted(data)
	} else {
		err = durable.SystemError(err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", ErrTrust, f.trustPath(), err)
	}
	return t, nil
}

// trust adds texts to what is trusted.
func (f Files) trust(found map[string]string, wait time.Duration) error {
	return Rewrite(f.Config, "trust", wait, func([]byte, error) ([]byte, error) {
		files, err := f.trusted()
		if err != nil {
			return nil, err
		}
		maps.Copy(files, found)
		return files.encode(), nil
	})
}

// gatePath names the gate of a list in the table of trusted texts: its document, and within it the setting.
func gatePath(document string) string { return document + "#gate" }

// TrustGate trusts the command of a gate that a session document contains.
func (f Files) TrustGate(document, command string, wait time.Duration) error {
	trusted, err := f.TrustsGate(document, command)
	if trusted || err != nil {
		return err
	}
	return f.trust(map[string]string{gatePath(document): command}, wait)
}

// TrustsGate reports whether a gate is trusted as it is.
func (f Files) TrustsGate(document, command string) (bool, error) {
	trusted, err := f.trusted()
	return trusted[gatePath(document)] == command, err
}

func decodeTrusted(data []byte) (trusted, error) {
	t := trusted{}
	err := durable.Format{Kind: "trust", Limit: maxKept}.Decode(data, false, func(r *object.Reader) (h durable.Header) {
		h.Saved = true
		r.Object(func(name string) bool {
			switch name {
			case "schema":
				h.Schema = r.String()
			case "min_reader":
				h.MinReader = r.Int()
			case "files":
				r.Object(func(path string) bool {
					t[path] = r.String()
					return true
				})
			default:
				r.Skip()
			}
			return true
		}, "files")
		return h
	})
	return t, err
}

func (t trusted) encode() []byte {
	w := object.NewWriter(4096)
	w.Open('{')
	w.String("schema", "onward/trust/v1")
	w.Int("min_reader", durable.Reader)
	w.Name("files")
	w.Open('{')
	for _, path := range slices.Sorted(maps.Keys(t)) {
		w.Key(path)
		w.Value(t[path])
	}
	w.Close('}')
	w.Close('}')
	w.Line()
	return durable.Seal(w.Bytes())
}
