package cmd

import (
	"strconv"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
)

// scheduleValues returns the candidates that come from tool calls, their rules and their tools.
// Numbers of rules are those of the session where ofSession is set.
func (a *app) scheduleValues(kind string, ofSession bool) []candidate {
	switch kind {
	case "call status":
		return cli.WordCandidates(schedule.Statuses())
	case "approval mode":
		return cli.WordCandidates(policy.Modes())
	case "tool":
		return a.toolNames()
	}
	_, doc, _ := a.loadCalls() // a schedule that cannot be read has no candidates
	if doc == nil {
		doc = &schedule.Document{}
	}
	var out []candidate
	switch kind {
	case "call":
		return callCandidates(doc, schedule.Statuses()...)
	case "waiting call":
		return callCandidates(doc, schedule.Awaiting)
	case "open call":
		return callCandidates(doc, schedule.OpenStatuses()...)
	case "batch":
		return render.Map(doc.Batches, func(_ int, b *schedule.Batch) candidate { return candidate{Text: b.ID} })
	case "message":
		return render.Map(doc.Messages, func(i int, m *schedule.Message) candidate { return candidate{Text: strconv.Itoa(i + 1), Help: m.Text} })
	case "message or all":
		if out = a.scheduleValues("message", false); len(out) > 0 {
			out = append(out, candidate{Text: "all", Help: "every message"})
		}
	case "rule":
		of, err := find.Rules()
		if ofSession {
			of, err = doc.Rules, nil
		}
		if err != nil {
			return nil
		}
		return render.Map(of, func(i int, r *policy.Rule) candidate { return candidate{Text: strconv.Itoa(i + 1), Help: r.String()} })
	default:
		panic("nobody knows how to complete a " + kind)
	}
	return out
}

// callCandidates returns the calls that have one of some statuses.
func callCandidates(doc *schedule.Document, statuses ...schedule.Status) []candidate {
	calls := schedule.CallsWithStatus(doc.CallsOf(""), statuses...)
	return render.Map(calls, func(_ int, c **schedule.Call) candidate {
		return candidate{Text: (*c).ID, Help: (*c).Tool + " " + output.ArgsAndReason(*c)}
	})
}

// toolNames returns the tools that can be called.
func (a *app) toolNames() []candidate {
	tools, err := a.tools()
	if err != nil {
		return nil
	}
	return render.Map(tools, func(_ int, t *tool.Tool) candidate { return candidate{Text: t.Name, Help: t.Description} })
}
