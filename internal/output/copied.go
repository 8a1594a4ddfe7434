package output

import (
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/transfer"
)

// Copied is the result for one list, or for the settings of a project.
type Copied struct {
	Name    session.Name
	As      string // the session in the other store, if it has another name there
	Did     transfer.Result
	Err     error
	Project string // whose settings they are; empty for a list
	Left    int    // calls that may still run, which are not copied
}

// What names the list or the settings that were copied.
func (c Copied) What() string {
	if c.Project != "" {
		return "the settings of " + render.Text(c.Project)
	}
	if c.As != "" {
		return c.Name.String() + " as " + session.Name{Session: c.As, Agent: c.Name.Agent}.String() + ", the name of its project there"
	}
	return c.Name.String()
}

// CopiedJSON is one list of onward/copy/v1.
func CopiedJSON(_ int, l *Copied) Members {
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
func CopiedSettingsJSON(_ int, s *Copied) Members {
	if s.Err != nil {
		return Members{"project", s.Project, "result", "refused", "problem", s.Err.Error()}
	}
	return Members{"project", s.Project, "result", s.Did}
}
