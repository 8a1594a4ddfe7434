package agents

// RunningAgent names the agent that runs this process, by the environment variables of the commands that it runs;
// empty if there is no sign of one, "agent" if it does not say which it is.
func RunningAgent(lookup func(string) (string, bool)) string {
	_, name := findMarker(lookup)
	return name
}

// MarkerVariable names the variable that shows that an agent runs this process; empty if none does.
func MarkerVariable(lookup func(string) (string, bool)) string {
	variable, _ := findMarker(lookup)
	return variable
}

// MarkerVariables returns the variables by which a shell of an agent is known.
func MarkerVariables() []string {
	var out []string
	for _, a := range all {
		out = append(out, a.Markers...)
	}
	return append(out, common[:]...)
}

// common are the variables that agents of several makers set. Some name themselves in the second one.
var common = [...]string{"AI_AGENT", "AGENT"}

func findMarker(lookup func(string) (string, bool)) (variable, name string) {
	find := func(variables []string) string {
		for _, v := range variables {
			if text, ok := lookup(v); ok && text != "" && text != "0" && text != "false" {
				return v
			}
		}
		return ""
	}
	fork := ""
	for _, a := range all {
		// An agent leaves the marks of the one that it was made from, too.
		if v := find(a.Markers); v != "" && (name == "" || a.MadeFrom == name && fork == "") {
			if name != "" {
				fork = a.Name
			}
			variable, name = v, a.Name
		}
	}
	if name == "" {
		if variable = find(common[:]); variable != "" {
			name = "agent"
		}
	}
	return variable, name
}

// OutlivesConversations returns what reports, by a command line, whether a process of an agent outlives its conversations; nil if none does.
func OutlivesConversations(name string) func(args []string) bool {
	if a := Find(name); a != nil {
		return a.OutlivesConversations
	}
	return nil
}
