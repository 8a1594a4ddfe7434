package hook

import "strings"

// foreign reports whether a payload is from an agent that runs the hooks of another one. One reads another agent's settings
// besides its own, and goes on if a hook says so at a stop; it names its events in lower case first, and then as the
// other agent does. Antigravity has the folder of the agent that it replaces. Neither is taken for the agent whose hook it
// runs: its events change nothing, are not counted, and are answered as if there was nothing to say.
func foreign(p Payload) bool {
	has := func(names ...string) bool {
		for _, name := range names {
			if p.Get(name) == nil {
				return false
			}
		}
		return true
	}
	event := p.Text("hook_event_name")
	return event != "" && event == strings.ToLower(event) && has("workspace_root", "session_id") ||
		has("conversation_id", "workspace_paths", "execution_num")
}
