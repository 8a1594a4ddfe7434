// Package suggest suggests known names for a misspelled one.
package suggest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Most is how many names are suggested at most.
const Most = 3

// Names returns the known names that are close to a word, the closest first.
// Two typing errors in a word of four letters leave little of it: the first letter must be right then.
func Names(word string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range known {
		d := distance(word, name)
		if d <= farthest(word) && d < len(name) && (d < 2 || len(word) > 4 || word[0] == name[0]) {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range found[:min(Most, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// Nearest returns the known names that are as close to a word as the closest one, where that differs by one letter only; else those that
// Names returns.
func Nearest(word string, known []string) []string {
	near := Names(word, known)
	return slices.DeleteFunc(near, func(name string) bool {
		return name != near[0] && len(word) > 4 && distance(word, near[0]) < 2 && distance(word, name) > 1
	})
}

// distance returns how many letters differ. Two that changed places are one error.
func distance(word, name string) int {
	word, name = strings.ToLower(word), strings.ToLower(name)
	for i := 1; i < len(word); i++ {
		if word[:i-1]+word[i:i+1]+word[i-1:i]+word[i+1:] == name {
			return min(1, levenshtein.ComputeDistance(word, name))
		}
	}
	return levenshtein.ComputeDistance(word, name)
}

// IsMisspelled reports whether a word is a name with one typing error.
func IsMisspelled(word, name string) bool { return distance(word, name) < 2 }

// farthest is how many letters may differ: in a name of three letters, two differences prove nothing.
func farthest(word string) int {
	if len(word) <= 3 {
		return 1
	}
	return max(2, len(word)/3)
}
