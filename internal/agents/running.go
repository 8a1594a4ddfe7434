package agents

// Running names the agent that runs this process, by the environment variables of the commands that it runs;
// empty if there is no sign of one, "agent" if it does not say which it is.
func Running(lookup func(string) (string, bool)) string {
	_, name := marked(lookup)
	return name
}

// Marker names the variable that shows that an agent runs this process; empty if none does.
func Marker(lookup func(string) (string, bool)) string {
	variable, _ := marked(lookup)
	return variable
}

// Markers returns the variables by which a shell of an agent is known.
func Markers() []string {
	var out []string
	for _, a := range all {
		out = append(out, a.Markers...)
	}
	return append(out, common[:]...)
}

// common are the variables that agents of several makers set. Some name themselves in the second one.
var common = [...]string{"AI_AGENT", "AGENT"}

func marked(lookup func(string) (string, bool)) (variable, name string) {
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

// Outlives returns what reports, by a command line, whether a process of an agent outlives its conversations; nil if none does.
func Outlives(name string) func(args []string) bool {
	if a := Find(name); a != nil {
		return a.Outlives
	}
	return nil
}
