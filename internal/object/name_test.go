package object

import "testing"

func TestNamesInAnyStyle(t *testing.T) {
	for name, want := range map[string]bool{
		"session_id": true, "sessionId": true, "sessionID": true, "SessionId": true, "session-id": true, "sessionid": true,
		"session": false, "session_idx": false, "": false, "_": false,
	} {
		if got := SameName(name, "session_id"); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
