//go:build unix

// Package peers runs onward's tests on other tools, and prints the results as a table.
//
// It runs what `test/torture/peers/install` has put into .cache/peers, and the other tools that are on PATH:
//
//	test/torture/peers/install && ONWARD_PEERS=1 go test -v -timeout 60m ./test/torture/peers
package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The sizes of the tests. A slow tool gets a fifth.
const (
	adds      = 50
	doneOf    = 40
	itemsOf   = 50 // items in the list of which 40 are completed
	edits     = 20
	kills     = 60
	patience  = time.Minute // the time limit of one command
	remaining = 10          // items of the list that is damaged
)

// hostile is text that colours the terminal, renames its window and starts a line that looks like an item.
const hostile = "red \x1b[31mred\x1b]0;window\x07 and\n  99  forged"

func TestPeers(t *testing.T) {
	if os.Getenv("ONWARD_PEERS") == "" {
		t.Skip("skipped: other people's programs are run with ONWARD_PEERS=1; test/torture/peers/install gets them")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(bin, "onward"), "../../..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	cache, err := filepath.Abs("../../../.cache/peers/bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join([]string{bin, cache, os.Getenv("PATH")}, string(os.PathListSeparator)))
	for _, p := range peers() {
		t.Run(p.name, func(t *testing.T) {
			if _, err := exec.LookPath(p.program); err != nil {
				t.Skipf("skipped: %s is not here", p.program)
			}
			p.abuse(t)
		})
	}
}

// abuse runs all tests on a tool, and fails only if the tool is onward and does not pass.
func (p peer) abuse(t *testing.T) {
	row := []string{p.name + " " + p.newBox(t).outputOf(p.version)}
	for _, part := range []struct {
		name string
		run  func(*testing.T) (text string, good bool)
	}{
		{"adds", p.addsAtOnce},
		{"done", p.doneAtOnce},
		{"edits", p.editsAtOnce},
		{"kills", p.killed},
		{"half", p.damaged(func(b []byte) []byte { return b[:len(b)/2] })},
		{"empty", p.damaged(func([]byte) []byte { return nil })},
		{"conflict", p.damaged(conflict)},
		{"codes", p.lies},
		{"escapes", p.escapes},
	} {
		text, good := part.run(t)
		t.Logf("%s: %s: %s", p.name, part.name, text)
		if !good && p.name == "onward" {
			t.Errorf("%s: %s", part.name, text)
		}
		row = append(row, text)
	}
	t.Logf("| %s |", strings.Join(row, " | "))
}

func (p peer) times(n int) int {
	if p.slow {
		return n / 5
	}
	return n
}

// box is a folder with a tool's store, which is empty at first.
type box struct {
	peer
	t   *testing.T
	dir string
}

func (p peer) newBox(t *testing.T) box {
	t.Helper()
	b := box{p, t, t.TempDir()}
	if said, err := exec.Command("git", "init", "-q", b.dir).CombinedOutput(); err != nil {
		t.Skipf("skipped: git init: %s", said)
	}
	for _, args := range p.prepare {
		if r := b.run(args); r.code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, r.code, r.errors)
		}
	}
	for name, text := range p.files {
		path := filepath.Join(b.dir, name)
		text = strings.ReplaceAll(text, "@DIR@", b.dir)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

type result struct {
	code   int // -1 if it was killed or ran into the time limit
	out    []byte
	errors []byte
}

func (b box) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Dir = b.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "LC_ALL=C.UTF-8", "NO_COLOR=1", "DO_NOT_TRACK=1"}
	if b.env != nil {
		cmd.Env = append(cmd.Env, b.env(b.dir)...)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

func (b box) run(args []string) result {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := b.command(ctx, args)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		b.t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.Bytes(), errs.Bytes()}
}

// outputOf returns the version number in what a command prints.
func (b box) outputOf(args []string) string {
	r := b.run(args)
	return regexp.MustCompile(`\d+\.\d+[.\w-]*`).FindString(string(r.out) + string(r.errors))
}

// fill adds n items one after the other, and returns them as the tool lists them.
func (b box) fill(n int) []item {
	b.t.Helper()
	for i := range n {
		if r := b.run(b.add(fmt.Sprint("item ", i))); r.code != 0 {
			b.t.Skipf("skipped: add: exit code %d: %s%s", r.code, r.out, r.errors)
		}
	}
	list := b.items(b.run(b.all).out)
	if len(list) != n {
		b.t.Skipf("skipped: %d items were added, %d are there", n, len(list))
	}
	return list
}

// atOnce starts commands at the same time, and returns how many succeeded.
func (b box) atOnce(lines [][]string) (succeeded int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	begin := make(chan struct{})
	for _, args := range lines {
		all.Go(func() {
			<-begin
			if b.run(args).code == 0 {
				mu.Lock()
				succeeded++
				mu.Unlock()
			}
		})
	}
	close(begin)
	all.Wait()
	return succeeded
}

func (p peer) addsAtOnce(t *testing.T) (string, bool) {
	b, n := p.newBox(t), p.times(adds)
	var lines [][]string
	for i := range n {
		lines = append(lines, p.add(fmt.Sprint("item ", i)))
	}
	ok := b.atOnce(lines)
	there := len(p.items(b.run(p.all).out))
	return fmt.Sprintf("%d of %d succeed, %d are there", ok, n, there), ok == n && there == n
}

func (p peer) doneAtOnce(t *testing.T) (string, bool) {
	b, n := p.newBox(t), p.times(doneOf)
	list := b.fill(p.times(itemsOf))
	var lines [][]string
	for _, it := range list[:n] {
		lines = append(lines, p.done(it.id))
	}
	ok := b.atOnce(lines)
	completed := 0
	after := p.items(b.run(p.all).out)
	for _, it := range after {
		if it.done {
			completed++
		}
	}
	text := fmt.Sprintf("%d of %d succeed, %d are completed", ok, n, completed)
	if len(after) != len(list) {
		text += fmt.Sprintf(", %d of %d items are left", len(after), len(list))
	}
	return text, ok == n && completed == n && len(after) == len(list)
}

func (p peer) editsAtOnce(t *testing.T) (string, bool) {
	if p.edits == nil {
		return "not run", true
	}
	b := p.newBox(t)
	lost, refused := 0, 0
	for _, it := range b.fill(p.times(edits)) {
		two := p.edits(it.id)
		ok := b.atOnce(two[:])
		if ok < 2 {
			refused++
			continue
		}
		text := ""
		if p.show != nil {
			text = string(b.run(p.show(it.id)).out)
		}
		for _, now := range p.items(b.run(p.all).out) {
			if p.show == nil && now.id == it.id {
				text = now.text
			}
		}
		if !strings.Contains(text, p.both[0]) || !strings.Contains(text, p.both[1]) {
			lost++
		}
	}
	text := fmt.Sprintf("%d of %d lose one", lost, p.times(edits))
	if refused > 0 {
		text += fmt.Sprintf(", %d refuse one", refused)
	}
	return text, lost == 0 && refused == 0
}

// killed kills adds with all their processes, at moments that are spread over the time that an add takes.
func (p peer) killed(t *testing.T) (string, bool) {
	b, n := p.newBox(t), p.times(kills)
	confirmed := len(b.fill(p.times(remaining)))
	began := time.Now()
	b.run(p.add("the measure"))
	takes := time.Since(began)
	confirmed++
	tried := confirmed
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.Int64N(int64(takes)*5/4)))
		cmd := b.command(ctx, p.add(fmt.Sprint("more ", i)))
		tried++
		if cmd.Run() == nil {
			confirmed++
		}
		cancel()
	}
	list := b.run(p.all)
	there := len(p.items(list.out))
	next := b.run(p.add("the last"))
	after := len(p.items(b.run(p.all).out))
	var text []string
	if lost := confirmed - there; lost > 0 {
		text = append(text, fmt.Sprintf("%d of %d confirmed are lost", lost, confirmed))
	}
	if there > tried {
		text = append(text, fmt.Sprintf("%d more than were tried", there-tried))
	}
	if list.code != 0 {
		text = append(text, fmt.Sprintf("the list ends with %d", list.code))
	}
	if next.code != 0 || after != there+1 {
		text = append(text, fmt.Sprintf("the next add ends with %d, and %d are there, from %d", next.code, after, there))
	}
	if len(text) == 0 {
		return "nothing lost, the next add works", true
	}
	return strings.Join(text, "; "), false
}

// conflict returns a file with git's markers of a merge conflict.
func conflict(data []byte) []byte {
	half := len(data) / 2
	half += bytes.IndexByte(append(data[half:len(data):len(data)], '\n'), '\n')
	return bytes.Join([][]byte{data[:half], []byte("\n<<<<<<< HEAD\n"), data[half:], []byte("=======\n>>>>>>> other\n")}, nil)
}

// damaged returns a test that damages a file of the list's store, and then shows the list and adds an item.
func (p peer) damaged(how func([]byte) []byte) func(*testing.T) (string, bool) {
	return func(t *testing.T) (string, bool) {
		b := p.newBox(t)
		b.fill(remaining)
		paths, err := filepath.Glob(filepath.Join(b.dir, p.store))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", p.store, err)
		}
		whole, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		damage := how(whole)
		if err := os.WriteFile(paths[0], damage, 0o600); err != nil {
			t.Fatal(err)
		}
		list := b.run(p.all)
		text := fmt.Sprintf("list: %d", list.code)
		if list.code == 0 {
			text += fmt.Sprintf(" with %d of %d", len(p.items(list.out)), remaining)
		}
		next := b.run(p.add("new"))
		after, err := os.ReadFile(paths[0])
		text += fmt.Sprintf("; add: %d", next.code)
		switch {
		case len(damage) == 0 && len(after) > 0:
			text += ", new list"
		case err != nil || !bytes.HasPrefix(after, damage):
			text += ", overwritten"
		case len(after) > len(damage):
			text += ", appended"
		default:
			text += ", file as it was"
		}
		return text, list.code != 0 && next.code != 0 && bytes.Equal(after, damage)
	}
}

// lies runs commands that must fail, and checks their exit codes.
func (p peer) lies(t *testing.T) (string, bool) {
	b := p.newBox(t)
	b.fill(1)
	missing, unknown, empty := b.run(p.done("777")).code, b.run([]string{"no-such-command"}).code, b.run(p.add("")).code
	return fmt.Sprintf("%d, %d, %d", missing, unknown, empty), missing != 0 && unknown != 0 && empty != 0
}

// escapes checks that the list of a hostile item is printed without its control characters.
func (p peer) escapes(t *testing.T) (string, bool) {
	b := p.newBox(t)
	if r := b.run(p.add(hostile)); r.code != 0 {
		return fmt.Sprintf("refused with %d", r.code), true
	}
	out := string(b.run(p.list).out)
	raw := strings.Contains(out, "\x1b[31m") || strings.Contains(out, "\x1b]0;") || strings.Contains(out, "\x07")
	forged := regexp.MustCompile(`(?m)^\s*99\s+forged`).MatchString(out)
	switch {
	case raw && forged:
		return "raw, and a forged line", false
	case raw:
		return "raw", false
	case forged:
		return "a forged line", false
	}
	return "escaped", true
}
