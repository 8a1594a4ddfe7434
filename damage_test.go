package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/todo"
)

// A kind of document of the store, and everything that reads it.
type documentKind struct {
	name    string
	path    string
	readers map[string]func() (string, error)
}

// TestDetectEveryDamagedByte flips bits in every kind of document that only onward writes, and truncates it.
// Each reader must fail, or still return the right answer.
func TestDetectEveryDamagedByte(t *testing.T) {
	for _, size := range []int{0, 2, 400} {
		for _, kind := range kindsOfDocuments(t, size) {
			t.Run(fmt.Sprintf("%s with %d entries", kind.name, size), func(t *testing.T) { damageEverywhere(t, kind) })
		}
	}
}

func damageEverywhere(t *testing.T, kind documentKind) {
	good, err := os.ReadFile(kind.path)
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]string{}
	for name, read := range kind.readers {
		if right[name], err = read(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	check := func(damaged []byte, format string, args ...any) {
		t.Helper()
		if err := os.WriteFile(kind.path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		for name, read := range kind.readers {
			if got, err := read(); err == nil && got != right[name] {
				t.Fatalf("%s: %s goes unnoticed: got %.300q, want %.300q", name, fmt.Sprintf(format, args...), got, right[name])
			}
		}
	}
	// Every byte of a small document is damaged, and a sample of a large one.
	step := 1
	if len(good) > 4000 {
		step = len(good) / 100
	}
	for at := 0; at < len(good); at += step {
		for _, flip := range []byte{1, 1 << (at % 8)} {
			damaged := bytes.Clone(good)
			damaged[at] ^= flip
			check(damaged, "byte %d xor %#x, in %q", at, flip, good[max(0, at-10):min(len(good), at+10)])
		}
		check(good[:at], "the loss of what follows byte %d", at)
	}
}

// memoryDir returns a folder in memory where there is such a disk: thousands of damages are written.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "damage-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// kindsOfDocuments makes a store with a document of each kind, each with that many entries.
func kindsOfDocuments(t *testing.T, size int) []documentKind {
	now := todo.TimeOf(time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC))
	dir, config, folder := memoryDir(t), memoryDir(t), memoryDir(t)
	name := session.Name{Session: "s"}
	backend := &durable.Store{Dir: dir}
	lists := &session.Store{Backend: backend, Notes: backend}
	calls := &schedule.Store{Backend: backend}
	project := session.Project{Dir: folder, Session: "p"}
	files := tool.Files{Disk: durable.ForeignFiles{}, Config: config, Project: folder, Usable: func(tool.Set) error { return nil }}

	_, err := lists.Update(name, "op", now, func(doc *session.Document) (session.Change, error) {
		doc.Todos.Active = true
		for i := range size {
			doc.Todos.Items = append(doc.Todos.Items, todo.Item{
				ID: fmt.Sprint("t", i), Content: "item", Status: todo.Pending, CreatedAt: now, UpdatedAt: now,
				Subtasks: []todo.Subtask{{ID: fmt.Sprint("s", i), Content: "part", Status: todo.Completed}},
			})
		}
		doc.SetOwner(session.Conversation{Agent: "codex", ID: "agent"}, now)
		doc.Set("stagnation", "3")
		doc.Continuation.Paused = &session.Paused{Reason: "why", At: now}
		return session.Change{What: "began", By: "cli", List: true}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = calls.Update(name, "op", now, func(doc *schedule.Document) (schedule.Change, error) {
		for i := range size {
			if _, err := schedule.PushMessage(doc, fmt.Sprint("message ", i), "", now); err != nil {
				return schedule.Change{}, err
			}
			doc.Batches = append(doc.Batches, schedule.Batch{ID: fmt.Sprint("b", i)})
			doc.Calls = append(doc.Calls, schedule.Call{
				ID: fmt.Sprint("c", i), Tool: "shell", Args: []byte(`{"command":"true"}`), Batch: fmt.Sprint("b", i), Status: schedule.Awaiting,
			})
		}
		return schedule.Change{What: "began"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = lists.ChooseSession(project, "s", now.Time()); err != nil {
		t.Fatal(err)
	}
	declared := strings.Repeat(" ", size) + `{"schema":"onward/tools/v1","tools":[{"name":"build","command":["make"]}]}`
	if err := os.Mkdir(filepath.Join(folder, ".onward"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files.ProjectPath(), []byte(declared), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := files.Trust(&durable.Store{Dir: config}, now.Time()); err != nil {
		t.Fatal(err)
	}
	return []documentKind{
		{"a session", lists.Path(name), map[string]func() (string, error){
			"load": func() (string, error) {
				doc, err := lists.Load(name)
				if err != nil {
					return "", err
				}
				data, err := session.Encode(doc)
				return string(data), err
			},
		}},
		{"a schedule", backend.Path(schedule.Key(name)), map[string]func() (string, error){
			"load": func() (string, error) {
				doc, err := calls.Load(name)
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%d %q %v %v %v", doc.Rev, doc.Messages, doc.Calls, doc.Rules, doc.Batches), nil
			},
			"count the messages": func() (string, error) {
				standing, err := calls.Standing(name)
				return fmt.Sprint(standing), err
			},
		}},
		{"a chosen session", backend.Path(project.ChoiceKey()), map[string]func() (string, error){
			"choose": func() (string, error) { return lists.ChosenSession(project) },
		}},
		{"a list of trusted files", filepath.Join(config, "trust.json"), map[string]func() (string, error){
			"load": func() (string, error) {
				tools, err := files.ProjectTools()
				return fmt.Sprint(tools), err
			},
		}},
	}
}
