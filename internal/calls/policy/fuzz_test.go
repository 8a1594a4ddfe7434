package policy

import (
	"bytes"
	"testing"
)

// FuzzDecode looks for a file of rules that is accepted, but whose meaning changes when it is written and read again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/policy/v1","rules":[{"tool":"shell","command":"git push","decision":"deny","priority":5}]}`))
	f.Add([]byte(`{"schema":"onward/policy/v1","rules":[{"tool":"*","args":"\"path\":\"/etc","decision":"ask","modes":["default","yolo"]}]}`))
	f.Add([]byte(`{"schema":"onward/policy/v1","rules":[{"tool":"shell","decision":"allow","tool":"edit"}]}`))
	f.Add([]byte(`{"schema":"onward/policy/v1","rules":[{"tool":"shell","decision":"deny","comand":"rm"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Decode(data)
		if err != nil {
			return
		}
		written := file.Encode()
		again, err := Decode(written)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if twice := again.Encode(); !bytes.Equal(twice, written) || len(again.Rules) != len(file.Rules) {
			t.Fatalf("written\n%s\nand then\n%s", written, twice)
		}
	})
}
