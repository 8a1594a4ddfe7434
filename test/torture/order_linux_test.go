package torture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRenamedFilesAreSynced checks the order of the system calls of each changing command: the new file is synced
// before it replaces the old one, and its folder is synced before the command ends.
// It needs neither root nor a crash. The tests in the folder powerloss cut the power.
func TestRenamedFilesAreSynced(t *testing.T) {
	needStrace(t)
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			p := m.prepare(t)
			log := filepath.Join(t.TempDir(), "log")
			wrap := []string{"strace", "-f", "-q", "-y", "-o", log, "-e", "trace=write,pwrite64,fsync,renameat,unlinkat,exit_group"}
			if r := p.run(t, m.in, wrap, strings.Fields(m.args)...); r.code != 0 {
				t.Fatalf("exit code %d: %s", r.code, r.errors)
			}
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			problems, commits := unsynced(string(data))
			for _, problem := range problems {
				t.Error(problem)
			}
			// The settings of agents are not documents of the store. The sweeps check them.
			if commits == 0 && m.name != "event that is only activity" && !strings.HasPrefix(m.args, "hooks ") {
				t.Error("it has not committed anything")
			}
		})
	}
}

var (
	onFile   = regexp.MustCompile(`(write|pwrite64|fsync)\(\d+<([^>]*)>`)
	onRename = regexp.MustCompile(`renameat\(\d+<([^>]*)>, "([^"]*)", \d+<([^>]*)>, "([^"]*)"`)
	onUnlink = regexp.MustCompile(`unlinkat\(\d+<([^>]*)>, "([^"]*)"`)
)

// unsynced reads a log of system calls. It returns the files that were not synced in time, as texts, and the number
// of documents that were replaced or deleted.
func unsynced(log string) (problems []string, commits int) {
	written := map[string]bool{} // files that are not yet synced
	changed := map[string]bool{} // folders of documents that are not yet synced
	for line := range strings.Lines(log) {
		if strings.Contains(line, " = -1 ") {
			continue
		}
		if f := onFile.FindStringSubmatch(line); f != nil {
			if f[1] == "fsync" {
				delete(written, f[2])
				delete(changed, f[2])
			} else {
				written[f[2]] = true
			}
		}
		if f := onRename.FindStringSubmatch(line); f != nil {
			if from := filepath.Join(f[1], f[2]); written[from] {
				problems = append(problems, "it was renamed before it was on disk: "+from)
			}
			if strings.HasSuffix(f[4], ".json") {
				changed[f[3]] = true
				commits++
			}
		}
		if f := onUnlink.FindStringSubmatch(line); f != nil && strings.HasSuffix(f[2], ".json") {
			changed[f[1]] = true
			commits++
		}
		// Standard output confirms the change, so it must be on disk by now.
		if len(changed) > 0 && (strings.Contains(line, "write(1<") || strings.Contains(line, "exit_group(")) {
			for folder := range changed {
				problems = append(problems, "it was told before it was on disk: "+folder)
			}
			changed = map[string]bool{}
		}
	}
	return problems, commits
}
