package notify

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// followed is a file that is being followed, and a channel of its lines.
type followed struct {
	t     *testing.T
	path  string
	r     *Follower
	stop  chan struct{}
	lines *bufio.Reader
	notes []string
}

func follow(t *testing.T, text string) *followed {
	t.Helper()
	f := &followed{t: t, path: filepath.Join(t.TempDir(), "stream.jsonl"), stop: make(chan struct{})}
	if text != "" {
		f.append(text)
	}
	r, err := Follow(f.path, func(note string) { f.notes = append(f.notes, note) }, f.stop)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	f.r, f.lines = r, bufio.NewReader(r)
	return f
}

func (f *followed) append(text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// want waits for the given lines without a time limit, so that a busy machine does not fail the test.
func (f *followed) want(lines ...string) {
	f.t.Helper()
	for _, line := range lines {
		if got, err := f.lines.ReadString('\n'); got != line+"\n" {
			f.t.Fatalf("read %q, %v; want %q", got, err, line)
		}
	}
}

func (f *followed) noted(text string) {
	f.t.Helper()
	if !strings.Contains(strings.Join(f.notes, "\n"), text) {
		f.t.Errorf("%q is not in the notes %q", text, f.notes)
	}
}

func TestGrowingFile(t *testing.T) {
	f := follow(t, "one\ntwo\n")
	f.want("one", "two")
	f.append("three\nfo")
	f.want("three")
	f.append("ur\n")
	f.want("four")
}

func TestFileCreatedLater(t *testing.T) {
	f := follow(t, "")
	f.noted("is not there yet")
	f.append("one\n")
	f.want("one")
}

func TestTruncatedFile(t *testing.T) {
	f := follow(t, "one\nbroken o")
	f.want("one")
	rest := make([]byte, len("broken o"))
	if _, err := io.ReadFull(f.lines, rest); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(f.path, 0); err != nil {
		t.Fatal(err)
	}
	// The incomplete line is completed before the next one starts.
	f.want("")
	f.append("two\n")
	f.want("two")
	f.noted("was cut")
}

// TestRewrittenFileIsReadFromStart truncates a file and writes more into it than it had, before the reader looks again.
func TestRewrittenFileIsReadFromStart(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"another start":       {"one\ntwo\n", "three\nfour\nfive\n"},
		"the same start":      {strings.Repeat("head\n", 200) + "two\n", strings.Repeat("head\n", 200) + "TWO\nthree\n"},
		"the same end":        {"one\n" + strings.Repeat("tail\n", 200), "ONE\n" + strings.Repeat("tail\n", 200) + "more\n"},
		"a line was cut":      {"one\ntw", "three\nfour\n"},
		"a byte more than it": {"one\n", "three\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := follow(t, c.before)
			if _, err := io.ReadFull(f.lines, make([]byte, len(c.before))); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.path, []byte(c.after), 0o600); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(c.before, "\n") {
				f.want("") // the end of the old line comes before the next line
			}
			f.want(strings.Split(strings.TrimSuffix(c.after, "\n"), "\n")...)
			f.noted("was rewritten")
		})
	}
}

func TestReplacedFile(t *testing.T) {
	f := follow(t, "one\n")
	f.want("one")
	if err := os.Rename(f.path, f.path+".1"); err != nil {
		t.Fatal(err)
	}
	f.append("two\n")
	f.want("two")
	f.noted("is a new file")
	// A new file immediately replaces it.
	if err := os.WriteFile(f.path+".new", []byte("three\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		t.Fatal(err)
	}
	f.want("three")
}

func TestLastLinesOfReplacedFile(t *testing.T) {
	f := follow(t, "one\n")
	f.want("one")
	// The reader sees all this at its next look.
	f.append("two\n")
	if err := os.Rename(f.path, f.path+".1"); err != nil {
		t.Fatal(err)
	}
	f.append("three\n")
	f.want("two", "three")
}

func TestStopReturnsPendingInput(t *testing.T) {
	f := follow(t, "one\n")
	f.want("one")
	f.append("two\nthr")
	close(f.stop)
	f.want("two")
	if rest, err := f.lines.ReadString('\n'); rest != "thr" || !errors.Is(err, ErrStopped) {
		t.Errorf("read %q, %v at the end; want what is there, and ErrStopped", rest, err)
	}
}

func TestFollowFolderFails(t *testing.T) {
	r, err := Follow(t.TempDir(), func(string) {}, nil)
	if err != nil {
		t.Skip("a folder cannot be opened here")
	}
	defer r.Close()
	if _, err := r.Read(make([]byte, 8)); err == nil {
		t.Error("reading a folder is no error")
	}
}
