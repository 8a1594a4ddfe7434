package install

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"onward/internal/agents/settings"
	"onward/internal/store"
)

// FuzzSettings looks for a settings file, in JSON with comments or in TOML, that a second install changes again,
// or in which an uninstall leaves a part of the hooks.
func FuzzSettings(f *testing.F) {
	f.Add([]byte("{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]},]},\n}\n"), false)
	f.Add([]byte(bom+`{"model":"x","hooks":null}`), false)
	f.Add([]byte(`{"hooks":{"Stop":{},"Stop":[]}}`), false)
	f.Add([]byte("model = \"x\"\r\n[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n"), true)
	f.Add([]byte("[a.b]\nc = { d = [1, 2,] } # mine\n[[hooks]]"), true)
	f.Fuzz(func(t *testing.T, before []byte, toml bool) {
		s := small("/bin/onward")
		if toml { // in TOML, the hooks are one list, and each names its event
			s.TOML, s.Grouped = true, false
			s.Form = []settings.Member{{Name: "event", Kind: settings.EventName}, {Name: "command", Kind: settings.CommandLine}, {Name: "timeout", Kind: settings.TimeLimit}}
		}
		put, err := s.put(before, nil)
		if err != nil {
			if !errors.Is(err, ErrParse) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if again, err := s.put(put, nil); err != nil || !bytes.Equal(again, put) {
			t.Fatalf("before\n%q\nput\n%q\nput again\n%q\n%v", before, put, again, err)
		}
		cut, err := s.removeOwn(put, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cut == nil {
			return
		}
		if left, err := s.inspect(cut); err != nil || left.some {
			t.Fatalf("before\n%q\ncut\n%q\nleft %+v, %v", before, cut, left, err)
		}
	})
}

// FuzzReceipt searches for a receipt that is ignored, or accepted for another file.
func FuzzReceipt(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/hooks-receipt/v1","min_reader":2,"path":"/settings.json","written":"00","backup":"/b","copied":"00","folders":["/a"],"granted":["x/"]}` + "\n"))
	f.Add([]byte(`{"schema":"onward/hooks-receipt/v1","path":"/settings.json","written":"00"}` + "\n"))
	f.Add([]byte(`{"schema":"onward/hooks-receipt/v1","path":"/other.json","written":"00","path":"/settings.json"}`))
	f.Add([]byte{})
	dir, path := f.TempDir(), "/settings.json"
	at := receiptPath(dir, path)
	if err := (&receipt{path: path, written: digest(nil)}).write(dir, nil); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasSuffix(data, []byte("}\n")) {
			data = store.Seal(data) // the fuzzer cannot guess the checksum
		}
		if err := os.WriteFile(at, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := readReceipt(dir, path)
		if err != nil {
			if !errors.Is(err, ErrReceipt) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if r.path == "" {
			if other, err := openReceipt(at); err != nil || other.path == path {
				t.Fatalf("taken for none: %+v, %v", other, err)
			}
			return
		}
		if err := r.write(dir, nil); err != nil {
			t.Fatal(err)
		}
		again, err := readReceipt(dir, path)
		if err != nil || again.written != r.written || again.backup != r.backup || !slices.Equal(again.folders, r.folders) || !slices.Equal(again.granted, r.granted) {
			t.Fatalf("%+v, and then %+v, %v", r, again, err)
		}
	})
}

// FuzzOwnFile searches for a file of another program, such as a hook of git, that is mistaken for
// onward's own and removed.
func FuzzOwnFile(f *testing.F) {
	ours := gitScript(Options{Program: "/bin/it's", Hook: "pre-push"})
	f.Add([]byte(ours))
	f.Add([]byte("#!/bin/sh\nonward='/bin/x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := ownFile{text: ours, between: [2]string{"onward=", "\n"}, decode: unquoted}
		is, err := file.inspect(data)
		cut, _ := file.removeOwn(data, nil, nil)
		if err != nil || is.some != (cut == nil && data != nil) {
			t.Fatalf("%+v, %v; cut to %q", is, err, cut)
		}
		if put, err := file.put(data, nil); err != nil || is.some && string(put) != ours || !is.some && data != nil && !bytes.Equal(put, data) {
			t.Fatalf("%q became %q, %v", data, put, err)
		}
	})
}
