package system

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/tree"
)

// The limits of a look at the files of a project. One that takes longer finds that something may have changed.
const (
	lookTime  = 5 * time.Second
	lookFiles = 200_000
)

// FilesChanged reports whether a file below a folder was written, made or committed since then, by the times of the files. Files and
// folders of onward's own are left out. In a checkout of git, so is what git ignores: builds and tests leave that behind. Elsewhere
// it is the hidden folders, in which programs keep their own files.
func FilesChanged(dir string, own []string, since time.Time) bool {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	ours := func(path string) bool {
		return slices.ContainsFunc(own, func(o string) bool {
			from, err := filepath.Abs(o)
			at, failed := filepath.Abs(path)
			return o != "" && err == nil && failed == nil && (at == from || strings.HasPrefix(at, from+string(filepath.Separator)))
		})
	}
	newer := func(path string) bool {
		is, err := os.Lstat(path)
		return err == nil && !is.IsDir() && !is.ModTime().Before(since) && !ours(path)
	}
	git := func(args ...string) (string, error) {
		out, err := tree.Git(ctx, dir, args...)
		return string(out), err
	}
	in := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	files, err := git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err == nil {
		head, err := git("rev-parse", "--git-path", "logs/HEAD")
		if err != nil || newer(in(strings.TrimSpace(head))) {
			return true
		}
		for file := range strings.SplitSeq(files, "\x00") {
			if file != "" && newer(in(file)) {
				return true
			}
		}
		return false
	}
	looked, changed := 0, false
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, _ error) error { // what cannot be read, or has gone, is left out
		if entry != nil && entry.IsDir() && path != dir && (entry.Name()[0] == '.' || ours(path)) {
			return fs.SkipDir
		}
		if looked++; looked > lookFiles || ctx.Err() != nil || newer(path) {
			changed = true
			return fs.SkipAll
		}
		return nil
	})
	return changed
}

// agentFiles returns the files of an agent that patterns find, below the folder that a variable names, or below that of its name in the
// user's home.
func agentFiles(variable, folder string, patterns []string) (found []string) {
	home, err := "", error(nil)
	if variable != "" {
		home = os.Getenv(variable)
	}
	if home == "" {
		if home, err = os.UserHomeDir(); err != nil {
			return nil
		}
		home = filepath.Join(home, folder)
	}
	for _, pattern := range patterns {
		names, _ := fs.Glob(os.DirFS(home), pattern) // the folder itself is not a pattern
		for _, name := range names {
			found = append(found, filepath.Join(home, filepath.FromSlash(name)))
		}
	}
	return found
}

// UsageOf reads what a conversation has used from the agent's own files. Any trouble with them means that nothing is known.
func UsageOf(s *agent.UsageFile, conversation string) (total continuation.Usage, known bool) {
	found := agentFiles(s.Variable, s.Folder, s.Patterns(conversation))
	if len(found) == 0 {
		return total, false
	}
	if s.Part != nil {
		return sumOfParts(s, found, conversation)
	}
	own := found[len(found)-1]
	if total, known = lastTotal(s, own, conversation); !known || s.Within == nil {
		return total, known
	}
	for _, name := range agentFiles(s.Variable, s.Folder, []string{s.Later}) {
		if name != own && filepath.Dir(name) >= filepath.Dir(own) && isWithin(s, name, conversation) {
			used, _ := lastTotal(s, name, conversation)
			total.Add(used)
		}
	}
	return total, true
}

// lastTotal reads the total in the end of a file: in more of it, as long as there is none.
func lastTotal(s *agent.UsageFile, name, conversation string) (total continuation.Usage, known bool) {
	f, err := os.Open(name)
	if err != nil {
		return total, false
	}
	defer f.Close()
	info, err := f.Stat()
	for size := int64(agent.UsageFileTail >> 6); err == nil && !known && size <= agent.UsageFileTail; size <<= 2 {
		var tail []byte
		if tail, err = io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-size), size)); err == nil {
			total, known = s.Total(tail, conversation)
		}
		if size >= info.Size() {
			break
		}
	}
	return total, known
}

// isWithin reports whether a file is that of a sub-agent of the conversation.
func isWithin(s *agent.UsageFile, name, conversation string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, agent.UsageFileHead)
	n, _ := io.ReadFull(f, head)
	return s.Within(head[:n], conversation)
}

// longestPart is how long a line of such a file may be: it may have the results of tool calls, too.
const longestPart = 1 << 20

// sumOfParts adds what the lines of files say. A line that is longer than a buffer is left out.
func sumOfParts(s *agent.UsageFile, files []string, conversation string) (total continuation.Usage, known bool) {
	for _, name := range files {
		counted := map[string]bool{}
		f, err := os.Open(name)
		if err != nil {
			return continuation.Usage{}, false
		}
		in, whole := bufio.NewReaderSize(f, longestPart), true
		for {
			line, more, err := in.ReadLine()
			if err != nil {
				break
			}
			if whole && !more && bytes.Contains(line, []byte(s.Mark)) {
				if request, used, is := s.Part(line); is && !counted[request] {
					total.Add(used)
					known, counted[request] = true, request != ""
				}
			}
			whole = !more
		}
		f.Close()
	}
	total.Thread = native.ShortenID(conversation)
	return total, known
}
