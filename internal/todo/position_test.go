package todo

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func labels(refs []Ref) string {
	words := make([]string, len(refs))
	for i, r := range refs {
		words[i] = r.Label()
	}
	return strings.Join(words, " ")
}

func TestPositionsAndRanges(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"1", "1"},
		{"4", "4"},
		{"last", "4"},
		{"2.1", "2.1"},
		{"2.last", "2.3"},
		{"id:build", "2"},
		{"id:mac", "2.2"},
		{"2-3", "2 3"},
		{"3-3", "3"},
		{"1-4", "1 2 3 4"},
		{"2.1-2.3", "2.1 2.2 2.3"},
		{"2.2-2.2", "2.2"},
		{"3-last", "3 4"},
		{"4-last", "4"},
		{"2.2-2.last", "2.2 2.3"},
		{"all", "1 2 3 4"},
		{"4 1", "1 4"},
		// A position that is named twice counts once; otherwise a total would be wrong.
		{"1 1", "1"},
		{"1-3 2-4 3", "1 2 3 4"},
		{"all last id:sign", "1 2 3 4"},
		{"2.1-2.2 2.2-2.3 id:mac", "2.1 2.2 2.3"},
		// An item and one of its subtasks are two positions.
		{"2 2.1", "2 2.1"},
	} {
		refs, err := resolve(releases(), ranges(t, c.args))
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
		} else if got := labels(refs); got != c.want {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
}

func TestIDsMayHoldDashes(t *testing.T) {
	items := parse("·release-1 ·all")
	for arg, want := range map[string]string{"id:release-1": "1", "id:all": "2"} {
		refs, err := resolve(items, ranges(t, arg))
		if err != nil || labels(refs) != want {
			t.Errorf("%s: got %s, %v", arg, labels(refs), err)
		}
	}
}

func TestAllMatchesNothingInEmptyList(t *testing.T) {
	refs, err := resolve(nil, ranges(t, "all"))
	if err != nil || len(refs) > 0 {
		t.Errorf("got %v, %v", refs, err)
	}
}

func TestMalformedPositions(t *testing.T) {
	for _, s := range []string{
		"", " ", "1 ", " 1", "0", "00", "01", "+1", "-1", "1.", ".1", ".", "1.0", "1.01", "1.+1", "1.2.3", "1..2",
		"3abc", "abc", "1,2", "0x1", "1e1", "1_0", "١", "LAST", "last.1", "last.last", "1.all", "1.id:a", "id:", "all.1",
		"1-", "-", "--", "1-2-3", "0-2", "2-1", "2.3-2.1", "1.1-2.2", "1-2.1", "1.1-2", "last-2", "last-last",
		"1-2.last", "1.1-2.last", "1.1-last", "2.last-2.last", "1-last.1", "1-all", "1-id:build",
	} {
		_, err := ParseRange(s)
		if !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: got %v, want a bad argument", s, err)
		}
	}
	// A range is not accepted as a position of a single item, so the error does not suggest one.
	for s, want := range map[string]string{"all": "is a range", "1-2": "is a range", "2-last": "is a range", "2-1": "is malformed", "x": "is malformed"} {
		_, err := ParsePosition(s)
		if !errors.Is(err, ErrPosition) || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), positionGrammar) {
			t.Errorf("%q: got %v, want that it %s, and the grammar of a position", s, err, want)
		}
	}
}

func TestOutOfRangeReportsValidRange(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"5", "it must be 1-4"},
		{"3-9", "it must be 1-4"},
		{"8-9", "it must be 1-4"},
		{"9.1", "it must be 1-4"},
		{"2.4", "it must be 2.1-2.3"},
		{"2.2-2.9", "it must be 2.1-2.3"},
		{"5-last", "it must be 1-4"},
		{"1.1-1.last", "item 1 has no subtasks"},
		{"1.1", "item 1 has no subtasks"},
		{"1.last", "item 1 has no subtasks"},
		{"id:nothing", `"nothing"`},
		{"99999999999999999999", "it must be 1-4"},
		{"2.99999999999999999999", "it must be 2.1-2.3"},
	} {
		_, err := resolve(releases(), ranges(t, "1 "+c.arg))
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.arg, err, c.want)
		}
	}
	for _, arg := range []string{"1", "last", "1.1"} {
		if _, err := resolve(nil, ranges(t, arg)); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "the list is empty") {
			t.Errorf("%s of nothing: got %v", arg, err)
		}
	}
}

// TestNumbersDoNotWrapAround tries numbers that would be 1 if they were truncated to 32 or 64 bits.
func TestNumbersDoNotWrapAround(t *testing.T) {
	for _, arg := range []string{"4294967297", "2.4294967297", "18446744073709551617", "2.18446744073709551617"} {
		if refs, err := resolve(releases(), ranges(t, arg)); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %s, %v", arg, labels(refs), err)
		}
	}
}

func TestInsertOnePastTheEnd(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"1", "1"},
		{"5", "5"},
		{"last", "5"}, // for a new item, last means after the last one
		{"2.4", "2.4"},
		{"2.last", "2.4"},
		{"1.1", "1.1"},
		{"1.last", "1.1"},
		{"id:sign", "3"},
		{"id:mac", "2.2"},
		{"6", "it must be 1-5"},
		{"2.5", "it must be 2.1-2.4"},
		{"1.2", "position 1.2 is out of range: it must be 1.1"},
		{"5.1", "it must be 1-4"},
	} {
		ref, err := gap(releases(), position(t, c.at))
		got := ref.Label()
		if err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.at, got, c.want)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v is not found at all", c.at, err)
		}
	}
}

func TestInsertIntoEmptyList(t *testing.T) {
	if _, err := gap(nil, position(t, "2")); err == nil || !strings.HasSuffix(err.Error(), "position 2 is out of range: it must be 1") {
		t.Errorf("got %v", err)
	}
}

func TestArgumentsOfAdd(t *testing.T) {
	for _, c := range []struct {
		at      string
		args    []string
		literal int
		want    string // the expected position and texts
	}{
		{"", []string{"fix it"}, 0, "last|fix it"},
		{"", []string{"3"}, 0, "no text"},
		{"", []string{"last"}, 0, "no text"},
		{"", []string{"id:x"}, 0, "no text"},
		{"", []string{"3"}, 1, "last|3"},
		{"", []string{"3 apples"}, 0, "last|3 apples"},
		{"", []string{"2fa", "support"}, 0, "last|2fa|support"},
		{"", []string{"1.5x", "speed"}, 0, "last|1.5x|speed"},
		{"", []string{"2026-11-22", "release"}, 0, "last|2026-11-22|release"},
		{"", []string{"...", "and", "more"}, 0, "last|...|and|more"},
		{"", []string{"last.1", "foo"}, 0, "malformed"},
		{"", []string{"1.2.3", "foo"}, 0, "malformed"},
		{"", []string{"1.last.1"}, 0, "malformed"},
		{"", []string{"3", "fix it"}, 0, "3|fix it"},
		{"", []string{"last", "a", "b"}, 0, "last|a|b"},
		{"", []string{"id:x", "a"}, 0, "id:x|a"},
		{"", []string{"fix", "it"}, 0, "last|fix|it"},
		{"2.1", []string{"3", "a"}, 0, "2.1|3|a"},
		{"", []string{"3", "a"}, 2, "last|3|a"}, // everything after -- is text
		{"", []string{"3", "a"}, 1, "3|a"},
		{"", []string{"0", "a"}, 0, "malformed"},
		{"1.", []string{"a"}, 0, "malformed"},
	} {
		p, texts, err := SplitPosition(c.at, c.args, c.literal)
		got := strings.Join(slices.Concat([]string{p.String()}, texts), "|")
		switch {
		case errors.Is(err, ErrNoText):
			got = "no text"
		case errors.Is(err, ErrSyntax):
			got = "malformed"
		}
		if got != c.want {
			t.Errorf("%q %q: got %s, want %s", c.at, c.args, got, c.want)
		}
	}
}
