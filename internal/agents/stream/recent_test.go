package stream

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// A recent must contain the same ids as a plain list of the last ids.
func TestRecent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r RecentIDs
		var list []string
		id := rapid.Custom(func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(0, 99).Draw(t, "id")) })
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				one := id.Draw(t, "added")
				fresh := !slices.Contains(list, one)
				if fresh {
					list = append(list, one)
				}
				if r.Add([]byte(one)) != fresh {
					t.Fatalf("adding %s: new is %v", one, !fresh)
				}
			},
			"cut": func(t *rapid.T) {
				one := id.Draw(t, "cut")
				list = list[:max(0, slices.Index(list, one))]
				if n := r.RemoveFrom([]byte(one)); n != len(list) {
					t.Fatalf("%d are left, not %d", n, len(list))
				}
			},
			"": func(t *rapid.T) {
				if r.n != len(list) {
					t.Fatalf("%d, not %d", r.n, len(list))
				}
				for n := range 100 {
					one := strconv.Itoa(n)
					if r.Has([]byte(one)) != slices.Contains(list, one) {
						t.Fatalf("%s is known: %v", one, r.Has([]byte(one)))
					}
				}
			},
		})
	})
}

func TestRecentForgetsTheOldest(t *testing.T) {
	var r RecentIDs
	id := func(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }
	const many = 5 * maxRecent
	for n := range many {
		if !r.Add(id(n)) {
			t.Fatalf("%d is not new", n)
		}
	}
	if r.n != many {
		t.Errorf("counted %d", r.n)
	}
	for n := many - maxRecent/2; n < many; n++ {
		if !r.Has(id(n)) {
			t.Fatalf("%d is forgotten", n)
		}
	}
	if r.Has(id(0)) || r.Has(id(many-maxRecent-1)) {
		t.Error("an old one is remembered")
	}
}
