package torture

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestKilledIngestHasSavedWhatItPrinted kills an ingest whose input arrives faster than it can save. Events are
// printed after their commit, so the store must have every printed event, and reading the whole input again completes the list.
func TestKilledIngestHasSavedWhatItPrinted(t *testing.T) {
	onlyLong(t)
	t.Parallel()
	const lines, step = 20_000, 3
	var stream strings.Builder
	stream.WriteString(`{"type":"thread.started","thread_id":"t1"}` + "\n" + `{"type":"turn.started"}` + "\n")
	for n := range lines {
		fmt.Fprintf(&stream, `{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"item %d","completed":false}]}}`+"\n", n)
	}
	number := regexp.MustCompile(`item (\d+)`)
	item := func(text string) int { // the number of the first item in a text; -1 if there is none
		if found := number.FindStringSubmatch(text); found != nil {
			if n, err := strconv.Atoi(found[1]); err == nil {
				return n
			}
		}
		return -1
	}
	cut := 0
	for kill := 1; kill < lines/2; kill *= step {
		p := newPlace(t)
		cmd := p.command("", nil, "ingest", "--save", "--session", "s")
		in, out := io.Pipe()
		cmd.Stdin = in
		go func() { _, _ = io.WriteString(out, stream.String()) }() // the kill closes the pipe, and so ends this
		events, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		printed := -1
		for n, read := 0, bufio.NewReader(events); ; n++ {
			line, err := read.ReadString('\n')
			if err != nil { // the last line was cut off by the kill
				break
			}
			if strings.Contains(line, `"item `) {
				printed = item(line)
			}
			if n == kill {
				_ = cmd.Process.Kill()
			}
		}
		in.Close()
		_ = cmd.Wait()
		if printed < 0 {
			t.Fatalf("killed after %d events: no list was printed", kill)
		}
		saved := item(p.must(t, "", "todo", "show", "--format", "plain", "--session", "s"))
		if saved < printed {
			t.Errorf("killed after %d events: item %d is saved, and item %d was printed", kill, saved, printed)
		}
		if saved < lines-1 {
			cut++
		}
		whole := filepath.Join(p.dir, "stream.jsonl")
		if err := os.WriteFile(whole, []byte(stream.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		p.must(t, "", "ingest", "--save", "--emit", "none", "--session", "s", whole)
		if saved := item(p.must(t, "", "todo", "show", "--format", "plain", "--session", "s")); saved != lines-1 {
			t.Errorf("killed after %d events: the whole input leads to item %d", kill, saved)
		}
	}
	if cut == 0 {
		t.Error("no ingest was killed before its end")
	}
}
