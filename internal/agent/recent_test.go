package agent

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// What is remembered is what a plain list of the ids remembers.
func TestRecent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r recent
		var list []string
		id := rapid.Custom(func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(0, 99).Draw(t, "id")) })
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				one := id.Draw(t, "added")
				fresh := !slices.Contains(list, one)
				if fresh {
					list = append(list, one)
				}
				if r.add([]byte(one)) != fresh {
					t.Fatalf("adding %s: new is %v", one, !fresh)
				}
			},
			"cut": func(t *rapid.T) {
				one := id.Draw(t, "cut")
				list = list[:max(0, slices.Index(list, one))]
				if n := r.cut([]byte(one)); n != len(list) {
					t.Fatalf("%d are left, not %d", n, len(list))
				}
			},
			"": func(t *rapid.T) {
				if r.n != len(list) {
					t.Fatalf("%d, not %d", r.n, len(list))
				}
				for n := range 100 {
					one := strconv.Itoa(n)
					if r.has([]byte(one)) != slices.Contains(list, one) {
						t.Fatalf("%s is known: %v", one, r.has([]byte(one)))
					}
				}
			},
		})
	})
}

func TestRecentForgetsTheOldest(t *testing.T) {
	var r recent
	id := func(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }
	const many = 5 * maxRecent
	for n := range many {
		if !r.add(id(n)) {
			t.Fatalf("%d is not new", n)
		}
	}
	if r.n != many {
		t.Errorf("counted %d", r.n)
	}
	for n := many - maxRecent/2; n < many; n++ {
		if !r.has(id(n)) {
			t.Fatalf("%d is forgotten", n)
		}
	}
	if r.has(id(0)) || r.has(id(many-maxRecent-1)) {
		t.Error("an old one is remembered")
	}
}
