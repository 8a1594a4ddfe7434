// Package workers lets many workers claim the items of one list, and checks the result.
// The list may be in files, or in a store that several machines share.
package workers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Command returns a command that runs onward on the list.
type Command func(stdin string, args ...string) *exec.Cmd

// Share lets workers claim the items of a list until none is open; a claim lasts for a lease. Some workers are killed
// in the middle of a command, and some die with a claimed item, which is free again when the claim expires. Every eighth
// item has a gate, which fails the first time. No worker may claim an item that another one holds. Each item must be
// completed once, after the items it depends on and after its gate has passed, and none may stay claimed by a dead worker.
func Share(t *testing.T, command Command, lease time.Duration, workers, items int) {
	s := &shared{t: t, command: command, lease: lease, held: map[string]held{}, done: map[string][]string{}, unknown: map[string]bool{}, dir: t.TempDir()}
	s.fill(items)
	var group sync.WaitGroup
	for n := range workers {
		group.Go(func() {
			for life := 1; s.live(fmt.Sprintf("w%d.%d", n+1, life)); life++ {
			}
		})
	}
	group.Wait()
	s.judge(items)
}

type shared struct {
	t       *testing.T
	command Command
	lease   time.Duration

	mu      sync.Mutex
	held    map[string]held     // by id: the last claim of an item that no worker has tried to complete since
	done    map[string][]string // by id: the workers that completed the item
	unknown map[string]bool     // by id: a worker may have completed the item, but was killed, or the answer was lost
	deaths  int
	dir     string   // the folder of the files that gates create
	gates   []string // the files of the gates, in the order of their items
}

// held is a claim: its worker, and a time at which it had not been made yet.
type held struct {
	by    string
	since time.Time
}

// fill creates the list. Every third item depends on one of the ten before it.
func (s *shared) fill(items int) {
	var lines strings.Builder
	for i := range items {
		fmt.Fprintln(&lines, "item", i+1)
	}
	s.must(lines.String(), "--op", "fill", "todo", "add", "-")
	for i := 10; i < items; i += 3 {
		s.must("", "todo", "edit", fmt.Sprint(i+1), "--after", fmt.Sprint(i-rand.IntN(10)))
	}
	for i := 7; i < items; i += 8 {
		gate := filepath.ToSlash(filepath.Join(s.dir, fmt.Sprint("gate-", i+1)))
		s.gates = append(s.gates, gate)
		s.must("", "todo", "edit", fmt.Sprint(i+1), "--gate", fmt.Sprintf("test -e '%s' && echo >'%[1]s.passed' || { echo >'%[1]s'; false; }", gate))
	}
}

// live runs a worker. It reports true if the worker died, and false if it ended because no item is open any more.
func (s *shared) live(name string) (died bool) {
	for {
		asked := time.Now()
		code, out, errs := s.run("todo", "next", "--claim", "--wait", "--as", name, "--format", "id")
		switch code {
		case 0:
		case 10:
			return false
		case 68, 75, 76: // the store was unreachable; the repeated command returns the item that was claimed
			time.Sleep(50 * time.Millisecond)
			continue
		case -1:
			return s.dies()
		default:
			s.t.Errorf("%s: next: exit code %d: %s", name, code, errs)
			return false
		}
		id := strings.TrimSpace(out)
		s.claims(id, name, asked)
		if rand.IntN(12) == 0 {
			return s.dies() // and still holds the item
		}
		if died = s.complete(name, id); died {
			return s.dies()
		}
	}
}

// claims records that a worker claimed an item, and checks that the claim before it had expired.
func (s *shared) claims(id, name string, asked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, is := s.held[id]; is && before.by != name && time.Since(before.since) < s.lease {
		s.t.Errorf("%s got %s, which %s had held for %s", name, id, before.by, time.Since(before.since))
	}
	s.held[id] = held{name, asked}
}

// complete completes an item, and reports whether the worker was killed while doing so.
func (s *shared) complete(name, id string) (killed bool) {
	for {
		s.mu.Lock()
		delete(s.held, id)
		s.mu.Unlock()
		code, out, errs := s.run("--json", "todo", "done", "id:"+id, "--as", name)
		s.mu.Lock()
		switch code {
		case 0:
			if strings.Contains(out, `"changed":true`) {
				s.done[id] = append(s.done[id], name)
			}
		case 1: // the gate failed
		case 75, 68: // 75: the claim has expired and another worker holds the item; 68: nothing was sent
		case 76, -1:
			s.unknown[id] = true
		default:
			s.t.Errorf("%s: done: exit code %d: %s", name, code, errs)
		}
		s.mu.Unlock()
		if code == -1 || code != 1 && code != 68 && code != 76 {
			return code == -1
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (s *shared) dies() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths++
	return true
}

// run runs a command, and kills one of sixteen after some milliseconds. Then the exit code is -1.
func (s *shared) run(args ...string) (code int, out, errs string) {
	c := s.command("", args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		s.t.Error(err)
		return -1, "", ""
	}
	if rand.IntN(16) == 0 {
		defer time.AfterFunc(time.Duration(rand.IntN(20))*time.Millisecond, func() { _ = c.Process.Kill() }).Stop()
	}
	_ = c.Wait()
	return c.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// must runs a command that has to succeed. It repeats it while the store is unreachable, which is safe.
func (s *shared) must(stdin string, args ...string) []byte {
	for tries := 0; ; tries++ {
		c := s.command(stdin, args...)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		if err == nil {
			return stdout.Bytes()
		}
		if code := c.ProcessState.ExitCode(); tries > 20 || code != 68 && code != 75 && code != 76 {
			s.t.Fatalf("onward %s: %v: %s", strings.Join(args, " "), err, stderr.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// judge compares the answers that the workers got with the list.
func (s *shared) judge(items int) {
	var list struct {
		Items []struct {
			ID          string   `json:"id"`
			Status      string   `json:"status"`
			BlockedBy   []string `json:"blocked_by"`
			CompletedAt string   `json:"completed_at"`
			Claim       any      `json:"claim"`
			Claims      int      `json:"claims"`
		} `json:"items"`
	}
	if err := json.Unmarshal(s.must("", "todo", "show", "--json"), &list); err != nil {
		s.t.Fatal(err)
	}
	ended, claims := map[string]string{}, 0
	for _, it := range list.Items {
		ended[it.ID], claims = it.CompletedAt, claims+it.Claims
		by := s.done[it.ID]
		switch {
		case it.Status != "completed" || it.Claim != nil:
			s.t.Errorf("%s is %s, held by %v", it.ID, it.Status, it.Claim)
		case len(by) > 1 || len(by) == 0 && !s.unknown[it.ID]:
			s.t.Errorf("%s was completed by %v", it.ID, by)
		}
		for _, before := range it.BlockedBy {
			if ended[before] > it.CompletedAt {
				s.t.Errorf("%s was completed before %s, which it comes after", it.ID, before)
			}
		}
	}
	for _, gate := range s.gates {
		if err := exec.Command("ls", gate+".passed").Run(); err != nil {
			s.t.Errorf("%s: an item was completed, but its gate has not passed", gate)
		}
	}
	if len(list.Items) != items {
		s.t.Errorf("%d of %d items are left", len(list.Items), items)
	}
	s.t.Logf("%d items, claimed %d times; %d workers died", items, claims, s.deaths)
}
