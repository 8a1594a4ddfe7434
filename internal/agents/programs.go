package agents

import "onward/internal/agents/agent"

// Programs lists the programs of agents that can be started.
func Programs() []agent.Program {
	var list []agent.Program
	for _, a := range all {
		if p, known := ProgramOf(a.Name); known {
			list = append(list, p)
		}
	}
	return list
}

// ProgramOf returns the program of an agent, by its short name.
func ProgramOf(name string) (agent.Program, bool) {
	a := Find(name)
	if a == nil || a.Program == nil {
		return agent.Program{}, false
	}
	p := *a.Program
	p.Name = a.Name
	return p, true
}

// ReportsCost reports whether an agent's stream has what its turns cost, by the agent's short name.
func ReportsCost(name string) bool {
	p, known := ProgramOf(name)
	return known && p.Costs
}
