package cmd

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"onward/internal/ingest"
)

// TestFilesAreConcatenated reads files one after the other. Nothing is added except a missing line break at the end of a file.
func TestFilesAreConcatenated(t *testing.T) {
	dir := t.TempDir()
	for want, files := range map[string][]string{
		"":                {""},
		"a":               {"a"},
		"a\n":             {"a\n"},
		"a\nb\nc":         {"a", "b\n", "c"},
		"a\n\nb":          {"", "a\n\n", "", "b"},
		"a\nb\n":          {"a", "b", ""},
		"\xef\xbb\xbf\na": {"\xef\xbb\xbf", "a"},
	} {
		var c ingestCmd
		for i, text := range files {
			name := filepath.Join(dir, string(rune('a'+i)))
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c.Files = append(c.Files, name)
		}
		for how, slow := range map[string]func(io.Reader) io.Reader{"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader} {
			in, closeAll, err := c.open(new(app), nil, nil)
			if _, quick := in.(*ingest.StoppableReader); err != nil || !quick {
				t.Fatal(quick, err)
			}
			got, err := io.ReadAll(slow(in))
			if closeAll(); err != nil || string(got) != want {
				t.Errorf("%q %s: %q, %v; want %q", files, how, got, err, want)
			}
		}
	}
}
