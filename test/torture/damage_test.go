package torture

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damage replaces the content of a document.
func (p place) damage(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(p.document(name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p place) document(name string) string {
	return filepath.Join(p.store(), "sessions", name+".json")
}

// damages returns the ways in which a disk, a crash, an editor, another program or a newer version replaces a document.
func damages(good []byte) []struct {
	name    string
	content []byte
	code    int
} {
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	return []struct {
		name    string
		content []byte
		code    int
	}{
		{"empty", nil, 65},
		{"cut in the middle", good[:len(good)/2], 65},
		{"cut at the end", good[:len(good)-2], 65},
		{"NUL bytes", make([]byte, 4096), 65},
		{"NUL bytes at the end", append(bytes.Clone(good), make([]byte, 512)...), 65},
		{"NUL bytes in the middle", append(append(bytes.Clone(good[:40]), make([]byte, 64)...), good[104:]...), 65},
		{"a flipped bit", append(append(bytes.Clone(good[:1]), good[1]^4), good[2:]...), 65},
		{"written twice", append(bytes.Clone(good), good...), 65},
		{"a merge conflict", append([]byte("<<<<<<< HEAD\n"), good...), 65},
		{"a byte order mark", append([]byte("\xef\xbb\xbf"), good...), 65},
		{"UTF-16", []byte("{\x00}\x00"), 65},
		{"bad UTF-8", bytes.Replace(good, []byte("first"), []byte("f\xffrst"), 1), 65},
		{"a duplicate name", bytes.Replace(good, []byte(`{"schema"`), []byte(`{"rev":9,"schema"`), 1), 65},
		{"another session's", bytes.Replace(good, []byte(`"session":"s"`), []byte(`"session":"other"`), 1), 65},
		{"another program's", []byte(`{"name":"package","version":"1.0.0"}`), 65},
		{"another program's list", []byte(`[{"content":"a"}]`), 65},
		{"null", []byte("null\n"), 65},
		{"too deep", []byte(`{"schema":"onward/session/v1","x":` + deep + `}`), 65},
		{"too many brackets", bytes.Repeat([]byte("[],"), 1<<20), 65},
		{"too large", append([]byte(`{"x":"`), bytes.Repeat([]byte("a"), 5<<20)...), 65},
		{"a newer schema", []byte(`{"schema":"onward/session/v9","min_reader":9,"session":"s"}`), 69},
	}
}

// TestDamagedDocument checks that a damaged document does not count as an empty list, also where CI asks,
// and is not overwritten. Each damage is read by every reader, and a third of the commands try to change it: another
// third than for the damage before it, so that each command is tried on seven damages. With -long, all are tried on all.
func TestDamagedDocument(t *testing.T) {
	readers := []string{"todo show", "todo history", "todo assert", "todo export", "check-continue", "check-continue --dry-run --json", "session show", "get"}
	from := newPlace(t)
	from.with = []string{"ONWARD_SESSION=s"}
	from.must(t, "", "todo", "add", "first")
	from.must(t, "", "todo", "add", "old", "-s", "a")
	good, err := os.ReadFile(from.document("s"))
	if err != nil {
		t.Fatal(err)
	}
	for row, d := range damages(good) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			p := from.copy(t)
			p.damage(t, "s", d.content)
			check := func(in, line string, args ...string) {
				t.Helper()
				r := p.run(t, in, nil, append(words(line), args...)...)
				want, quiet := d.code, r.out == "" || strings.HasPrefix(line, "slash")
				if strings.HasPrefix(line, "hook ") {
					// A hook that fails lets the agent go ahead.
					want, quiet = 0, quiet || r.out == "{}\n"
				}
				if r.code != want || !quiet {
					t.Errorf("%s: exit code %d, want %d; it printed %q", line, r.code, want, r.out)
				}
				if problem := complaint(r); problem != "" {
					t.Errorf("%s: %s: %s", line, problem, r.errors)
				}
				if now, err := os.ReadFile(p.document("s")); err != nil || !bytes.Equal(now, d.content) {
					t.Fatalf("%s has written over it: %.200q, %v", line, now, err)
				}
			}
			for _, line := range readers {
				check("", line)
			}
			for i, m := range ofLists() {
				if !*long && i%9 != row%9 {
					continue
				}
				// These change something else, or explicitly delete the document.
				if m.env == nil && !m.parts && m.name != "repair" && m.name != "event that is only activity" {
					check(m.in, m.args)
				}
			}
			for _, line := range []string{"todo list", "session list"} {
				if r := p.run(t, "", nil, words(line)...); !strings.Contains(r.out+r.errors, "s") || r.out == "" || r.code != 0 {
					t.Errorf("%s: exit code %d: %s%s", line, r.code, r.out, r.errors)
				}
			}
			if left := p.temporaries(); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
			if copies := p.files(t, "sessions", ".corrupt-*"); len(copies) > 1 {
				t.Errorf("%d copies were made of one content", len(copies))
			}
			// A user can still delete the damaged session.
			p.must(t, "", "session", "delete", "--yes", "s")
			p.must(t, "", "todo", "add", "anew")
		})
	}
}

// TestDamagedOtherFiles checks that damage to the other files of a store loses no list.
func TestDamagedOtherFiles(t *testing.T) {
	from := newPlace(t)
	from.must(t, "", "todo", "add", "first")
	from.must(t, "", "session", "use", "s")
	from.must(t, "", "todo", "add", "first", "-s", "s")
	for _, row := range []struct {
		file string
		code int // the exit code of todo add
	}{
		{"history/s.jsonl", 0},
		{"sessions/s.lock", 0},
		{"sessions/s.activity", 0},
		{"projects/*.json", 65},
		{"projects/*.lock", 0},
	} {
		for name, content := range map[string][]byte{"empty": nil, "NUL bytes": make([]byte, 700), "text": []byte("x\n"), "half": []byte(`{"rev":`), "large": bytes.Repeat([]byte("a"), 9<<20)} {
			t.Run(row.file+" "+name, func(t *testing.T) {
				t.Parallel()
				p := from.copy(t)
				at := filepath.Join(p.store(), row.file)
				if found, _ := filepath.Glob(at); len(found) == 1 {
					at = found[0]
				}
				if err := os.WriteFile(at, content, 0o600); err != nil {
					t.Fatal(err)
				}
				r := p.run(t, "", nil, "todo", "add", "second")
				if r.code != row.code || complaint(r) != "" {
					t.Errorf("exit code %d, want %d: %s", r.code, row.code, r.errors)
				}
				want := "first second "
				if row.code != 0 {
					want = "first "
				}
				if got := strings.Join(strings.Fields(strings.NewReplacer("1", "", "2", "", "pending", "").Replace(p.must(t, "", "todo", "show", "--format", "plain", "-s", "s"))), " ") + " "; got != want {
					t.Errorf("the list is %q, want %q", got, want)
				}
				if row.code != 0 {
					if now, err := os.ReadFile(at); err != nil || !bytes.Equal(now, content) {
						t.Errorf("it was written over: %.100q, %v", now, err)
					}
				}
			})
		}
	}
}
