package schedule

import (
	"bytes"
	"errors"
	"testing"

	"onward/internal/store"
)

// FuzzRequests looks for lines that make the program panic, or that are read as more calls than there are lines.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"id":"a","tool":"shell","args":{"command":"true"},"after":["b"],"priority":2}` + "\n\n" + `{"tool":"count"}`))
	f.Add([]byte(`{"tool":"shell","args":[1]}`))
	f.Add([]byte(`{"tool":"shell","tool":"edit"}`))
	f.Add([]byte("{\"tool\":\"shell\",\"priority\":1e999}\r\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		requests, err := ReadRequests(data)
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if lines := bytes.Count(bytes.TrimSpace(data), []byte("\n")) + 1; len(requests) == 0 || len(requests) > lines {
			t.Fatalf("%d calls in %d lines", len(requests), lines)
		}
	})
}

// resealed returns a text with its checksum, which the fuzzer cannot guess.
func resealed(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("}\n")) {
		return store.Seal(data)
	}
	return data
}

// FuzzDecode looks for a schedule that can be read, but cannot be read back after it is written.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/schedule/v1","min_reader":2,"rev":1,"session":"s","agent":"primary","updated_at":"2026-01-01T09:00:00.000Z","messages":[],"rules":[],"batches":[],"calls":[]}` + "\n"))
	f.Add([]byte(`{"schema":"onward/schedule/v1","rev":1,"session":"s","rules":[{"tool":"shell","decision":"deny"}],"calls":[{"id":"a","tool":"view","args":{},"status":"success"},{"id":"a"}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := decode(resealed(data))
		if err != nil || bytes.Contains(data, []byte("9999-12-31")) || bytes.Contains(data, []byte("0000-01-01")) {
			return
		}
		written := encoded(t, doc)
		again, err := decode([]byte(written))
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		if twice := encoded(t, again); twice != written {
			t.Fatalf("first  %s\nsecond %s", written, twice)
		}
	})
}

// FuzzJournal looks for a journal that is accepted although it is damaged within the length that is known to be complete,
// or that leads to an impossible state of a call.
func FuzzJournal(f *testing.F) {
	line := func(d *Document, status Status) []byte {
		d.Calls[0].Status = status
		return d.entry(Change{Calls: []string{"a"}})
	}
	fresh := func() *Document {
		return &Document{Rev: 3, Calls: []Call{{ID: "a", Tool: "view", Status: Scheduled}, {ID: "b", Tool: "view", Status: Scheduled}}}
	}
	two := append(line(fresh(), Executing), line(fresh(), Success)...)
	f.Add(two, len(two))
	f.Add(two, 0)
	f.Add(two[:len(two)-9], len(two)-9)
	f.Add([]byte(`{"base":3,"calls":[{"id":"z","status":"success"}]}`+"\n"), 0)
	f.Add([]byte(`{"base":2,"calls":[]}`+"\n{"), 0)
	f.Fuzz(func(t *testing.T, data []byte, known int) {
		var lines []byte // the lines with valid checksums
		for text := range bytes.Lines(data) {
			lines = append(lines, resealed(text)...)
		}
		for _, journal := range [][]byte{data, lines} {
			d := fresh()
			if err := d.replayJournal(journal, d.mark(known)); err != nil {
				if !errors.Is(err, store.ErrCorrupt) {
					t.Fatalf("another kind of error: %v", err)
				}
				continue
			}
			if d.journaled > len(journal) || d.journaled < known {
				t.Fatalf("%d of %d bytes were read, and %d are known", d.journaled, len(journal), known)
			}
			if len(d.Calls) != 2 {
				t.Fatalf("%d calls", len(d.Calls))
			}
			for i := range d.Calls {
				if err := d.Calls[i].check(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
