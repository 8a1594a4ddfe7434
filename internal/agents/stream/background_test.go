package stream

import "testing"

// TestStartsInBackground knows a call that starts something in the background by its arguments.
func TestStartsInBackground(t *testing.T) {
	for input, want := range map[string]bool{
		`{"command":"serve","run_in_background":true}`:                           true,
		`{"command":"serve","is_background": true}`:                              true,
		`{"command":"serve","run_in_background":false}`:                          false,
		`{"command":"grep run_in_background","description":"true or \"false\""}`: false,
		``: false,
	} {
		if got := startsInBackground([]byte(input)); got != want {
			t.Errorf("%s: %t", input, got)
		}
	}
}
