//go:build unix

package torture

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a mistake that is made in the code on purpose, which the checker must find.
type mutant struct {
	name string
	file string
	edit []string // old and new text, in pairs
	work string   // the kinds of work that can reveal it
	sign string   // a text in the checker's report that reveals it
}

func mutants() []mutant {
	return []mutant{
		{"a commit compares nothing", "companion/onward-etcd/etcd/commit.go", []string{
			"\tcompare := c.same(c.key, at.at)\n", "\tcompare := c.same(c.key, at.at)[:0]\n",
		}, "lists,sessions", "no order of its operations explains"},
		{"an operation that was made is made again", "internal/store/collection.go", []string{
			"} else if op != \"\" {", "} else if op == \"none\" {",
		}, "lists,messages", "no order of its operations explains"},
		{"messages are printed before they leave the queue", "cmd/message.go", []string{
			"\t\treturn schedule.PopMessages(d, c.Force, sent...), nil\n", "\t\tpopped := schedule.PopMessages(d, c.Force, sent...)\n\t\t_, err := os.Stdout.WriteString(popped.Text + \"\\n\")\n\t\treturn popped, err\n",
			"err := a.printMessages(s, commit.Doc, &commit.Change); err != nil", "err := error(nil); err != nil",
		}, "messages", "prints ["},
	}
}

// overlay writes the mutant's file into a folder, and returns the path of the overlay with which go build uses it.
func (m mutant) overlay(t *testing.T, dir string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "..", "..", m.file))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(m.edit); i += 2 {
		if n := strings.Count(text, m.edit[i]); n != 1 {
			t.Fatalf("%q is %d times in %s: the code has changed, and so must the mutant", m.edit[i], n, m.file)
		}
		text = strings.Replace(text, m.edit[i], m.edit[i+1], 1)
	}
	mutated, list := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {file: mutated}})
	for name, content := range map[string][]byte{mutated: []byte(text), list: replace} {
		if err == nil {
			err = os.WriteFile(name, content, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEveryMutantFindsItsPlace checks that each mutant can still be made from the code: only the long form builds them.
func TestEveryMutantFindsItsPlace(t *testing.T) {
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) { m.overlay(t, t.TempDir()) })
	}
}

// TestEveryMutantIsFound makes each mistake, and runs the checker several times, since it needs a minute or two to find one.
func TestEveryMutantIsFound(t *testing.T) {
	if !*long {
		t.Skip("skipped: it takes some minutes; run it with -long")
	}
	if os.Getenv("ONWARD_TORTURED") != "" {
		t.Skip("skipped: these programs are made elsewhere")
	}
	checker, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := build(dir, m.overlay(t, dir)); err != nil {
				t.Fatal(err)
			}
			for n := range 6 {
				cmd := exec.Command(checker, "-test.run", "TestFaults$", "-test.v", "-for", "60s", "-work", m.work)
				cmd.Env = append(os.Environ(), "ONWARD_TORTURED="+dir)
				said, err := cmd.CombinedOutput()
				if err == nil {
					continue
				}
				_, broken, _ := strings.Cut(string(said), "times a promise was broken")
				if !strings.Contains(broken, m.sign) {
					t.Fatalf("%v, but not for the mistake:\n%s", err, said)
				}
				t.Logf("found in run %d of a minute: %.400s", n+1, broken)
				return
			}
			t.Error("it was not found")
		})
	}
}
