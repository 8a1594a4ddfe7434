package durable

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"onward/internal/store"
)

// FuzzLock looks for the content of a lock file that makes a writer lose a document, or remove
// another file.
func FuzzLock(f *testing.F) {
	for _, seed := range []string{
		"saved\n\n\n", "new\n.a.tmp-1\njournal 3 7\n", "gone\n\n\n", "saved\n.a.tmp-/../../b.json\n\n", "gone\n.a.tmp-1\n", "saved", "\n\n\n\n", "",
	} {
		f.Add([]byte(seed))
	}
	dir := memoryDir(f)
	folder := filepath.Join(dir, doc.Kind.Folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, recordSize+1))
	others := []string{filepath.Join(dir, "b.json"), filepath.Join(folder, "b.json"), filepath.Join(folder, ".b.tmp-1"), filepath.Join(folder, "a.json")}
	f.Fuzz(func(t *testing.T, record []byte) {
		for _, path := range append(others, filepath.Join(folder, "a.lock")) {
			if err := os.WriteFile(path, record, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tx, err := beginTransaction(dir, doc, patience{wait: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range others {
			if data, err := os.ReadFile(path); err != nil || string(data) != string(record) {
				t.Fatalf("%s is now %q, %v", path, data, err)
			}
		}
		_, old, err := readFile(tx.root, doc.path(), 1<<20)
		if err == nil {
			err = tx.replace(store.Write{Data: []byte("two"), Now: time.Now()}, old)
		}
		tx.end()
		if err != nil {
			t.Fatal(err)
		}
		root, err := OpenIfExists(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if data, _, err := readFile(root, doc.path(), 10); err != nil || string(data) != "two" {
			t.Fatalf("the document is %q, %v", data, err)
		}
		if state, mark := doc.recorded(root); state != stateSaved || len(mark) > recordSize {
			t.Fatalf("recorded %q, %q", state, mark)
		}
	})
}

// FuzzForeign reads random files that are smaller and larger than the limit.
func FuzzForeign(f *testing.F) {
	f.Add([]byte("a"), int64(0))
	f.Add([]byte{}, int64(0))
	f.Add([]byte("0123456789"), int64(10))
	path := filepath.Join(memoryDir(f), "file")
	f.Fuzz(func(t *testing.T, data []byte, limit int64) {
		if limit < 0 {
			return
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadForeign(path, limit)
		if fits := int64(len(data)) <= limit; fits != (err == nil) || fits && string(got) != string(data) {
			t.Fatalf("%d bytes of at most %d: %d, %v", len(data), limit, len(got), err)
		}
	})
}
