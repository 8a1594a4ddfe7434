package pi

import "onward/internal/agents/hook"

var protocol = hook.Protocol{
	Name: "pi", ReportsBothEnds: true, GoAhead: "{}\n", ReadsDecision: true, CanRefusePrompt: true, ReportsCompactionEnd: true,
	Parse: readHook, Render: hook.RenderWhole,
}

// readHook reads an event as onward's extension reports it: in onward's own words, but for a turn that failed,
// for which Pi has only the host's message.
func readHook(p hook.Payload) hook.Call {
	c := hook.Generic.Parse(p)
	if c.Event == "turn-failed" {
		c.SetTurnFailed("", p.Text("message"))
	}
	return c
}
