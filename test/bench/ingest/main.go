// Command ingest compares how fast onward, grep and jq read the same transcripts.
//
// A transcript repeats recordings of the agents' own programs, each time with other session ids.
// The first one is a recording of Claude Code with many calls between its lines that read the source files of this module,
// as in ordinary work. The others contain far more calls of todo tools than ordinary work does.
// The last one is a single long session, whose lists are saved.
// The three programs read it in turn, and the result is the ratio of their times:
// seconds drift with the machine, ratios do less.
//
//	go run ./test/bench/ingest [-size 1024] [-n 5] [-gate]
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	mostOfGrep = 5  // onward may take at most so many times as long as grep
	leastOfJq  = 10 // jq must take at least so many times as long as onward

	mostOfGrepSaved  = 6 // the same where lists are saved
	leastOfJqToSaved = 1
)

// kinds are the transcripts, each with the pattern of the recordings that it repeats.
var kinds = []struct {
	name, recordings string
	saves            bool
}{
	{"Claude Code, at work", atWork, false},
	{"all agents", "*/*.jsonl", false},
	{"Codex, exec --json", "codex/exec-ok.jsonl", false},
	{"Codex, rollout", "codex/rollout-*.jsonl", false},
	{"Claude Code, TodoWrite", "claude/stream-todowrite.jsonl", false},
	{"Claude Code, todo calls only", "claude/stream-tasks.jsonl", false},
	{"Claude Code, transcript", "claude/transcript-*.jsonl", false},
	{"Gemini CLI", "gemini/stream-ok.jsonl", false},
	{"Codex, rollout, --save", "codex/rollout-ok-and-resume.jsonl", true},
}

const atWork = "claude/stream-todowrite.jsonl and files"

func main() {
	size := flag.Int64("size", 1024, "MiB of the first transcript; the others have a quarter of it")
	rounds := flag.Int("n", 5, "counted rounds")
	only := flag.String("only", "", "only the transcripts whose name contains this")
	gate := flag.Bool("gate", false, "exit 1 where the first transcript or the last one misses a target")
	flag.Parse()
	ok, err := measure(*size<<20, *rounds, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(2)
	}
	if *gate && !ok {
		os.Exit(1)
	}
}

func measure(size int64, rounds int, only string) (ok bool, err error) {
	ok = true
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	onward := filepath.Join(dir, "onward")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", onward, "onward")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("build: %w: %s", err, out)
	}
	fmt.Printf("%-30s  %6s  %10s  %12s  %10s\n", "transcript", "MiB", "onward", "times grep", "faster jq")
	for i, kind := range kinds {
		file := filepath.Join(dir, "transcript.jsonl")
		if i == 1 {
			size /= 4
		}
		if !strings.Contains(kind.name, only) {
			continue
		}
		if err := write(file, kind.recordings, kind.saves, size); err != nil {
			return false, err
		}
		word := "todo"
		reads := []string{onward, "ingest", "--quiet", "--emit", "none", file}
		if kind.saves {
			word = "update_plan" // as in the others, a word of the calls
			reads = append(reads, "--save", "--session", "bench", "--store", filepath.Join(dir, "store"))
		}
		times, err := race(rounds, [][]string{
			reads,
			{"grep", "-c", word, file},
			{"jq", "-c", ".type", file},
		})
		if err != nil {
			return false, err
		}
		overGrep, underJq := ratio(times[0], times[1]), ratio(times[2], times[0])
		fmt.Printf("%-30s  %6d  %5.0f MB/s  %12.1f  %10.1f\n", kind.name, size>>20, float64(size)/1e6/middle(times[0]).Seconds(), overGrep, underJq)
		switch {
		case i == 0:
			ok = overGrep <= mostOfGrep && underJq >= leastOfJq
		case kind.saves:
			ok = ok && overGrep <= mostOfGrepSaved && underJq >= leastOfJqToSaved
		}
	}
	fmt.Printf("median of %d rounds, in which each program reads the file once; at most %d times grep -c, at least %d times as fast as jq -c .type; with --save %d and %d\n",
		rounds, mostOfGrep, leastOfJq, mostOfGrepSaved, leastOfJqToSaved)
	return ok, nil
}

var uuid = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

var call = regexp.MustCompile(`\bcall_\d+\b`)

// write repeats recordings up to a size, each time with other ids of sessions and messages, or of one session with other ids of calls.
func write(file, recordings string, one bool, size int64) error {
	var text []byte
	pattern, work := strings.CutSuffix(recordings, " and files")
	names, err := filepath.Glob(filepath.Join("testdata", "streams", filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		return errors.Join(err, fmt.Errorf("no recording %s here; run this in the folder of the module", recordings))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text = append(text, data...)
	}
	if work {
		if text, err = reading(text); err != nil {
			return err
		}
	}
	ids := uuid.FindAllIndex(text, -1)
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for n, written := 0, int64(0); written < size; n++ {
		next := text
		if one {
			next = call.ReplaceAll(text, fmt.Appendf(nil, "${0}_%d", n))
		} else {
			for _, at := range ids {
				copy(text[at[0]+9:], fmt.Sprintf("%04x-%04x", n>>16&0xffff, n&0xffff))
			}
		}
		m, err := w.Write(next)
		if err != nil {
			return err
		}
		written += int64(m)
	}
	return errors.Join(w.Flush(), f.Close())
}

// reading inserts into a recording calls that read files, three after each line.
func reading(recording []byte) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join("internal", "*", "*.go"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, errors.New("no source file here"))
	}
	session := regexp.MustCompile(`"session_id":"[^"]*"`)
	var out []byte
	n := 0
	for line := range bytes.Lines(recording) {
		if len(line) > 20_000 {
			continue
		}
		out = append(out, line...)
		id := session.Find(line)
		for range 3 {
			source, err := os.ReadFile(files[n%len(files)])
			if err != nil {
				return nil, err
			}
			quoted, err := json.Marshal(string(source))
			if err != nil {
				return nil, err
			}
			n++
			out = fmt.Appendf(out, `{"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"r%d","name":"Read","input":{"file_path":"/home/dev/%d.go"}}]},"parent_tool_use_id":null,%s}`+"\n", n, n, n, id)
			out = fmt.Appendf(out, `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"r%d","type":"tool_result","content":%s}]},"parent_tool_use_id":null,%s,"tool_use_result":{"type":"text","file":{"content":%s}}}`+"\n", n, quoted, id, quoted)
		}
	}
	return out, nil
}

// race runs the commands in turn. The first round fills the caches and does not count.
func race(rounds int, commands [][]string) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(commands))
	for round := range rounds + 1 {
		for i, args := range commands {
			took, err := timed(args)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], took)
			}
		}
	}
	return times, nil
}

// timed runs a command whose output goes through a pipe: grep stops at the first line if its output is not read.
func timed(args []string) (time.Duration, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Stderr = nil
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if err := c.Start(); err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		return 0, err
	}
	err = c.Wait()
	took := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && args[0] == "grep" {
		err = nil // grep ends with 1 if no line matches
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return took, nil
}

// ratio is the median of the rounds' ratios.
func ratio(over, under []time.Duration) float64 {
	var all []float64
	for i := range over {
		all = append(all, float64(over[i])/float64(under[i]))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func middle(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
