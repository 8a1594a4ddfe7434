package companion

import (
	"errors"
	"testing"
)

// FuzzAnswers searches for a text that counts as an answer to every question, and contains no verdict on one of them.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"version":"v","ok":true}` + "\n" + `{"version":"v","ok":false,"at":"a","problem":"p"}`, `{"version":"v","ok":true}`,
		`{"version":"w","ok":true}{"version":"v","ok":true}`, `{"version":"v","ok":true,"ok":true}{}`, `{"version":"v","ok":true}{"version":"v","ok":true}x`,
		`{"version":"v"}{"version":"v","ok":true,"problem":"p","new":1}`, "null null", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		answers, err := readAnswers(out, 2, "v")
		if err != nil {
			if !errors.Is(err, ErrFailed) && !errors.Is(err, ErrVersion) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if len(answers) != 2 {
			t.Fatalf("%d answers", len(answers))
		}
		for _, a := range answers {
			if a.Version != "v" || a.OK != (a.Err() == nil) || !a.OK && a.Problem == "" {
				t.Fatalf("%+v", a)
			}
		}
	})
}
