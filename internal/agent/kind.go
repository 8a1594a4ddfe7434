package agent

// KindOf gives the agent of a short name, as the owner of a list has it.
// A list that no agent wrote is onward's own.
func KindOf(short string) Kind {
	for _, a := range adapters() {
		if a.source == short {
			return a.kind
		}
	}
	return Onward
}

// Onward stands where the other kinds stand, for a list that a person or a script wrote.
const Onward Kind = "onward"
