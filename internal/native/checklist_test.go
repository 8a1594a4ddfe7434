package native

import (
	"strings"
	"testing"
)

// TestCheckList reads texts of models. An item is written as its status and its text; nil means that the text contains no list.
func TestCheckList(t *testing.T) {
	for text, want := range map[string]string{
		"- [ ] a\n- [x] b": "pending a, completed b",
		"# Plan\n\n1. [X] a\n2) [~] b\n\n  * [-] c\r\n": "completed a, in_progress b, cancelled c",
		"[ ] a\n+ [!] b":                 "pending a, blocked b",
		"- [ ] [x] stays":                "pending [x] stays",
		"- [ ] a [x]\n- [7] a reference": "pending a [x]",
		"- [ ]\n- [ ] b":                 "pending b; 1 left",
		"":                               "",
		"  \n":                           "",
		"I will read the code first.\n- then write": "nil",
	} {
		var got []string
		list := CheckList(text)
		if list == nil {
			got = []string{"nil"}
		} else {
			for _, it := range list.Items {
				got = append(got, string(it.Status)+" "+it.Content)
			}
		}
		said := strings.Join(got, ", ")
		if list != nil && len(list.Left) > 0 {
			said += "; 1 left"
		}
		if said != want {
			t.Errorf("%q: %s, want %s", text, said, want)
		}
	}
}
