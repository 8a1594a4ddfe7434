package cmd

import (
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// A plain form and the grammar agree: they return the same command with the
// same flags and arguments. The lines are random; a failure prints the seed.
func TestPlainFormsMatchTheGrammar(t *testing.T) {
	commands := []string{"check-continue", "hook", "todo show", "todo list", "todo add", "todo done", "todo start", "set"}
	words := []string{
		"--dry-run", "--wait", "--context", "--context-text", "claude", "codex", "--json", "-q", "-s", "demo", "--session=x", "-qs",
		"yolo", "true", "-", "text of an item", "", "3", "1-2", "--as", "w1", "--limit=3", "--explain", "--at", "last", "--agent", "--store=d", "--json=false", "--op",
		"--dry-run=false", "--wait=yes", "--context=no", "--limit", "--limit=5s", "--context-text=", "--context-text=a b", "--own-code", "5",
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	plain, refused := 0, 0
	for range 10_000 {
		args := strings.Fields(commands[random.IntN(len(commands))])
		for range random.IntN(6) {
			at := len(args)
			if random.IntN(3) == 0 {
				at = random.IntN(len(args) + 1)
			}
			args = append(args[:at], append([]string{words[random.IntN(len(words))]}, args[at:]...)...)
		}
		a := newApp(args, nil, io.Discard, io.Discard)
		got := a.plain()
		if got == nil {
			refused++
			continue
		}
		plain++
		want := a.line.Command.Make()
		if err := a.program().Parse(a.line, want); err != nil {
			t.Fatalf("seed %d: onward %q is plain, and the grammar says: %v", seed, args, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: onward %q is plainly %+v, and by the grammar %+v", seed, args, got, want)
		}
	}
	if plain < 1000 || refused < 1000 {
		t.Errorf("%d lines were plain, and %d were not", plain, refused)
	}
}
