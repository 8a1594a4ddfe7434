package ask

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// saved saves an input and returns the documents without the members that depend on the number of commits.
func saved(t *testing.T, input []byte, flushEach bool, between func(*session.Store, int)) map[string]*session.Document {
	t.Helper()
	backend := storetest.NewMemory()
	backend.Contended = true // every change is made twice, which must make no difference
	s := &Saver{Store: &session.Store{Backend: backend, Notes: backend}, Name: session.Name{Session: "s"}, StaleAfter: time.Hour, Now: 1_767_258_000_000}
	r := agents.NewReader(bytes.NewReader(input), stream.Options{Saved: s.SavedList})
	for n := 0; ; n++ {
		updates, err := r.Next()
		if failed := s.Add(CloneUpdates(updates)); failed != nil {
			t.Fatal(failed)
		}
		if between != nil {
			between(s.Store, n)
		}
		if flushEach || err != nil {
			if failed := s.Flush(); failed != nil {
				t.Fatal(failed)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	docs := map[string]*session.Document{}
	_, err := s.Store.VisitLists(s.Name, 0, func(list session.LoadedList) {
		if list.Err != nil {
			t.Fatal(list.Err)
		}
		d := list.Doc
		d.Rev, d.Todos.Rev, d.Op, d.OperationIDs = 0, 0, "", nil // these depend on the number of commits
		docs[list.Name.String()] = d
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// TestCombinedCommits saves each recording line by line, and in one commit. The documents must be equal.
func TestCombinedCommits(t *testing.T) {
	recordings, err := filepath.Glob(filepath.Join("..", "..", "testdata", "streams", "*", "*.jsonl"))
	if err != nil || len(recordings) == 0 {
		t.Fatal(recordings, err)
	}
	for _, name := range recordings {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			input, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			one, all := saved(t, input, true, nil), saved(t, input, false, nil)
			if len(one) != len(all) {
				t.Fatalf("%d documents, and %d where commits are combined", len(one), len(all))
			}
			for file, d := range one {
				if a, b := encoded(t, d), encoded(t, all[file]); a != b {
					t.Errorf("%s line by line:\n%s\nall at once:\n%s", file, a, b)
				}
			}
		})
	}
}

func encoded(t *testing.T, d *session.Document) string {
	t.Helper()
	data, err := session.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCombinedCommitsMeetAnother changes the document while updates wait for their commit. They must be applied to
// the changed list.
func TestCombinedCommitsMeetAnother(t *testing.T) {
	input := []byte(`{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"ü ✅","completed":false}]}}
{"type":"turn.completed"}` + "\n" +
		`{"type":"item.updated","item":{"id":"i","type":"todo_list","items":[{"text":"A","completed":false},{"text":"B","completed":false}]}}` + "\n")
	docs := saved(t, input, false, func(store *session.Store, n int) {
		if n != 1 {
			return
		}
		_, err := store.Update(session.Name{Session: "s"}, "", 1_767_258_000_000, func(d *session.Document) (session.Change, error) {
			d.Todos.Items, d.Todos.Active = []todo.Item{{ID: "kept", Content: "A", Status: todo.InProgress, CreatedAt: 1, UpdatedAt: 1}}, true
			return session.Change{What: "another", List: true}, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	items := docs["s"].Todos.Items
	if len(items) != 2 || items[0].ID != "kept" || items[0].Status != todo.InProgress {
		t.Errorf("got %+v; want the other's item with its id and its status, and B", items)
	}
}

// TestConversationEndsWithItsReader kills the reader of a stream. After that, another conversation may own the list.
// If a hook has recorded the process of the agent, that process decides instead.
func TestConversationEndsWithItsReader(t *testing.T) {
	reader, theirs, alive := &session.Process{PID: 1}, &session.Process{PID: 2}, map[int]bool{1: true, 2: true}
	backend := storetest.NewMemory()
	store := &session.Store{Backend: backend, Notes: backend, Gone: func(p *session.Process) bool { return p != nil && !alive[p.PID] }}
	name, now := session.Name{Session: "s"}, todo.Time(1_767_258_000_000)
	s := &Saver{Store: store, Name: name, Now: now, Reader: reader}
	r := agents.NewReader(bytes.NewReader([]byte(`{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.updated","item":{"id":"i","type":"todo_list","items":[{"text":"A","completed":false}]}}
`)), stream.Options{Saved: s.SavedList})
	for {
		updates, err := r.Next()
		if failed := errors.Join(s.Add(CloneUpdates(updates)), s.Flush()); failed != nil {
			t.Fatal(failed)
		}
		if err != nil {
			break
		}
	}
	doc, err := store.Load(name)
	if err != nil || !doc.Owner.Process.Is(reader) || !doc.Owner.Excludes("b", time.Hour, now) {
		t.Fatalf("owner %+v, %v", doc.Owner, err)
	}
	if got := s.process(theirs); got != theirs {
		t.Errorf("the agent's own process is there, and the conversation ends with %+v", got)
	}
	alive[1], alive[2] = false, false
	if got := s.process(theirs); got != reader {
		t.Errorf("the agent's own process is gone, and the conversation ends with %+v", got)
	}
	if doc.ReleaseOwner("b", store.Gone, now); doc.Owner.Excludes("b", time.Hour, now) {
		t.Error("the reader is gone, and its conversation keeps the list")
	}
}
