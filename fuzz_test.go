package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadersAreFuzzed finds the packages that parse foreign bytes. Each must have a fuzz target, or
// be listed here with the package that has it.
func TestReadersAreFuzzed(t *testing.T) {
	elsewhere := map[string]string{
		"cmd":                           "internal/native",       // which decodes what cmd reads
		"internal/agents/kimi":          "internal/night/system", // which reads the files of sessions
		"internal/agents/gemini":        "internal/night/system",
		"internal/schema":               "companion/onward-schema",    // which fuzzes the questions
		"companion/onward-etcd/cluster": "companion/onward-etcd/etcd", // which starts its servers
	}
	reads := regexp.MustCompile(`json\.Unmarshal|jsontext\.NewDecoder|object\.(Parse|ReadMembers|NewReader)\(|\.Decode\(|ReadLine\(|ReadForeign\(|url\.Parse\(|gzip\.NewReader|io\.ReadAll\(|fmt\.Sscan`)
	readers, targets := map[string]bool{}, map[string]bool{}
	for _, root := range []string{"cmd", "internal", "companion"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			dir := filepath.ToSlash(filepath.Dir(path))
			switch {
			case strings.HasSuffix(path, "_test.go"):
				targets[dir] = targets[dir] || bytes.Contains(text, []byte("\nfunc Fuzz"))
			case reads.Match(text):
				readers[dir] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(readers) < 15 {
		t.Fatalf("found only %d packages that read", len(readers))
	}
	for dir := range readers {
		if at, named := elsewhere[dir]; !targets[dir] && (!named || !targets[at]) {
			t.Errorf("%s reads what others wrote, and has no fuzz target", dir)
		}
	}
}
