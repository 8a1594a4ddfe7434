package install

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzSettings looks for a settings file, as JSON with comments or as TOML, that an install changes twice,
// or in which an uninstall leaves something of ours.
func FuzzSettings(f *testing.F) {
	f.Add([]byte("{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]},]},\n}\n"), false)
	f.Add([]byte(bom+`{"model":"x","hooks":null}`), false)
	f.Add([]byte(`{"hooks":{"Stop":{},"Stop":[]}}`), false)
	f.Add([]byte("model = \"x\"\r\n[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n"), true)
	f.Add([]byte("[a.b]\nc = { d = [1, 2,] } # mine\n[[hooks]]"), true)
	f.Fuzz(func(t *testing.T, before []byte, toml bool) {
		s := small("/bin/onward")
		if toml { // its hooks are one list, and each names its event
			s.toml, s.grouped = true, false
			s.form = []member{{name: "event", text: asEvent}, {name: "command", text: asShell}, {name: "timeout", text: asLimit}}
		}
		put, err := s.put(before)
		if err != nil {
			if !errors.Is(err, ErrParse) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if again, err := s.put(put); err != nil || !bytes.Equal(again, put) {
			t.Fatalf("before\n%q\nput\n%q\nput again\n%q\n%v", before, put, again, err)
		}
		cut, err := s.cut(put, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cut == nil {
			return
		}
		if left, err := s.look(cut); err != nil || left.some {
			t.Fatalf("before\n%q\ncut\n%q\nleft %+v, %v", before, cut, left, err)
		}
	})
}
