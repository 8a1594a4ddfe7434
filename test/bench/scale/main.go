// Command scale measures long lists and large stores:
// lists of 10, 1 000 and 10 000 items, and a store of 10 000 sessions.
//
//	go run ./test/bench/scale [-n 15] [-gate]
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/test/bench/paired"
)

func main() { paired.Main("scale", 15, measure) }

func measure(b *paired.Bench, runs int) (over bool, err error) {
	var table []*paired.Command
	for _, size := range []struct {
		items     int
		show, add float64
	}{{10, 2, 2.5}, {1000, 4, 5}, {10000, 12, 20}} {
		id := fmt.Sprintf("items-%d", size.items)
		if err := b.Onward(strings.NewReader(strings.Repeat("an item of a list that has many\n", size.items-1)), "todo", "add", "-", "-q", "--session", id); err != nil {
			return false, err
		}
		table = append(
			table,
			&paired.Command{Name: fmt.Sprintf("todo show --json, %d items", size.items), Args: []string{"todo", "show", "--json", "--session", id}, Budget: size.show},
			&paired.Command{Name: fmt.Sprintf("todo show, %d items", size.items), Args: []string{"todo", "show", "--session", id}, Budget: size.show},
			// The next command deletes the item that this one adds, so that the list keeps its length.
			&paired.Command{
				Name: fmt.Sprintf("todo add, %d items", size.items), Args: []string{"todo", "add", "one more", "--session", id},
				Before: []string{"todo", "delete", "last", "--session", id}, Budget: size.add,
			},
		)
	}
	table = append(table, &paired.Command{Name: "todo list, 3 sessions", Args: []string{"todo", "list", "--session", "items-10"}, Budget: 15})
	over, err = b.Run(runs, table)
	if err != nil {
		return over, err
	}
	if err := populate(b.Store, 10000); err != nil {
		return over, err
	}
	fmt.Println()
	more, err := b.Run(runs, []*paired.Command{
		{Name: "todo list, 10 000 sessions", Args: []string{"todo", "list", "--session", "s-0"}, Budget: 60},
	})
	return over || more, err
}

// populate fills a store with copies of one saved list, each an hour older than the one before.
func populate(store string, sessions int) error {
	folder := filepath.Join(store, "sessions")
	data, err := os.ReadFile(filepath.Join(folder, "items-10.json"))
	if err != nil {
		return err
	}
	newest := time.Now()
	for i := range sessions {
		id := fmt.Sprintf("s-%d", i)
		path := filepath.Join(folder, id+".json")
		if err := os.WriteFile(path, bytes.Replace(data, []byte(`"items-10"`), []byte(`"`+id+`"`), 1), 0o600); err != nil {
			return err
		}
		at := newest.Add(-time.Duration(i) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
	}
	return nil
}
