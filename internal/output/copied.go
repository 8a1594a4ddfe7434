package output

import (
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/transfer"
)

// CopiedName names the list or the settings that were copied.
func CopiedName(c transfer.Outcome) string {
	if c.Project != "" {
		return "the settings of " + render.Text(c.Project)
	}
	if c.As != "" {
		return c.Name.String() + " as " + session.Name{Session: c.As, Agent: c.Name.Agent}.String() + ", the name of its project there"
	}
	return c.Name.String()
}

// CopiedJSON is one list of onward/copy/v1.
func CopiedJSON(_ int, l *transfer.Outcome) Members {
	out := Members{"session", l.Name.Session, "agent", l.Name.AgentID()}
	if l.Err != nil {
		return append(out, "result", "refused", "problem", l.Err.Error())
	}
	if out = append(out, "result", l.Did); l.As != "" {
		out = append(out, "as", l.As)
	}
	if l.Left > 0 {
		out = append(out, "calls_left", l.Left)
	}
	return out
}

// CopiedSettingsJSON is the settings of one project in onward/copy/v1.
func CopiedSettingsJSON(_ int, s *transfer.Outcome) Members {
	if s.Err != nil {
		return Members{"project", s.Project, "result", "refused", "problem", s.Err.Error()}
	}
	return Members{"project", s.Project, "result", s.Did}
}
