package cmd

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden help texts anew")

// The help of everything is a golden file in testdata/help: of the program, of each group and command,
// and of each topic. What is written for a narrow terminal ends in -40.
func TestHelp(t *testing.T) {
	type text struct{ file, columns, args string }
	texts := []text{{"onward", "80", ""}, {"onward-40", "40", ""}, {"todo-add-40", "40", "todo add"}, {"check-continue-100", "200", "check-continue"}}
	names := paths(commands(), "")
	for _, c := range commands() {
		if c.sub != nil {
			names = append(names, c.name)
		}
	}
	for _, name := range names {
		texts = append(texts, text{strings.ReplaceAll(name, " ", "-"), "80", name})
	}
	for _, name := range topics() {
		texts = append(texts, text{"topic-" + name, "80", name}, text{"topic-" + name + "-40", "40", name})
	}
	written := map[string]bool{}
	for _, text := range texts {
		written[text.file+".txt"] = true
		t.Run(text.file, func(t *testing.T) {
			t.Setenv("COLUMNS", text.columns)
			var out, errs bytes.Buffer
			if code := Main(append([]string{"help"}, strings.Fields(text.args)...), nil, &out, &errs); code != exitOK {
				t.Fatalf("code %d, %s", code, &errs)
			}
			golden(t, filepath.Join("testdata", "help", text.file+".txt"), out.String())
			for line := range strings.Lines(out.String()) {
				if strings.TrimRight(line, " \n")+"\n" != line {
					t.Errorf("%q ends in a space", line)
				}
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "help"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !written[e.Name()] {
			t.Errorf("testdata/help/%s is the help of nothing", e.Name())
		}
	}
}

// golden compares a text with a file, or writes the file with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); w != got {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, w)
	}
}

// What is laid out for a narrow terminal is no wider than it, except for examples and what cannot be broken.
func TestHelpFitsNarrowTerminals(t *testing.T) {
	for _, width := range []int{30, 40, 60, 80} {
		for _, text := range []string{"--[no-]can-write and other flags that are explained", "one two three"} {
			h := helpWriter{width: width}
			h.rows([][2]string{{"--pending-tool-calls=N", text}, {"x", text}})
			h.paragraph("  ", text)
			for line := range strings.Lines(h.String()) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
					t.Errorf("at %d columns, %q has %d", width, line, n)
				}
			}
		}
	}
}
