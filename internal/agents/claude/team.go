package claude

import (
	"bytes"
	"cmp"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
)

// A member of a team runs in the process of its leader, or in one of its own in another pane of the terminal. There it is
// a conversation of its own, whose events do not name the team. The lines of its file do, and the team has a file that
// names the conversation of the leader.

// teammate is a member of a team that has a process of its own.
type teammate struct {
	name   string
	team   string
	leader string // the conversation of the leader
}

// id is by which sub-agent's id the leader's conversation has the member.
func (m teammate) id() string { return native.ShortenID(m.name + "-" + m.team) }

// asLed returns an event of such a member as the event of a sub-agent in the leader's conversation, which it would be in the
// leader's process.
func (m teammate) asLed(p hook.Payload) hook.Payload {
	led := hook.Payload{text("session_id", m.leader), text("agent_id", m.id()), text("teammate_name", m.name)}
	if p.Text("hook_event_name") == "Stop" {
		led = append(led, text("hook_event_name", "SubagentStop"))
	}
	return append(led, p...)
}

func text(name, value string) object.Member {
	quoted, _ := jsontext.AppendQuote(nil, value) // a text that was read is valid
	return object.Member{Name: name, Value: quoted}
}

// led reads an event of a member that has a process of its own; false for any other event.
func led(p hook.Payload, a hook.EventContext) (hook.Call, bool) {
	m, ok := memberOf(p, a)
	if !ok {
		return hook.Call{}, false
	}
	c := hook.ReadNamed(m.asLed(p))
	c.Elsewhere = true
	if p.Text("hook_event_name") == "SessionEnd" {
		c.SubAgent, c.Member, c.Events = "", "", nil
		c.SetReport(continuation.Event{Type: continuation.BackgroundEnd, ID: m.id()})
	}
	return c, true
}

// paneVariable names the pane of tmux in which a program runs.
const paneVariable = "TMUX_PANE"

// memberOf returns the member of a team whose conversation reports an event, if it has a process of its own.
func memberOf(p hook.Payload, a hook.EventContext) (m teammate, ok bool) {
	conversation := p.Text("transcript_path")
	if !filepath.IsAbs(conversation) || p.Text("agent_id") != "" {
		return m, false
	}
	teams := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(conversation))), "teams")
	if len(a.Glob(teams)) == 0 {
		return m, false
	}
	if m.name, m.team = namedIn(a.Head(conversation)); m.team != "" && filepath.IsLocal(m.team) {
		m.leader = readTeam(a.Head(filepath.Join(teams, m.team, "config.json"))).Text("lead_session_id")
	} else if p.Text("hook_event_name") == "SessionStart" {
		m = memberOfPane(a, a.Glob(filepath.Join(teams, "*", "config.json")), p)
	}
	return m, m.name != "" && m.leader != "" && m.leader != p.Text("session_id")
}

// namedIn returns the member and the team that a conversation's file names.
func namedIn(head []byte) (name, team string) {
	for line := range bytes.Lines(head) {
		if !bytes.Contains(line, []byte(`"teamName":"`)) {
			continue
		}
		if l, err := object.ReadMembers(line); err == nil && l.Text("team_name") != "" {
			return l.Text("agent_name"), l.Text("team_name")
		}
	}
	return "", ""
}

// memberOfPane returns the member that a team has started in the pane of the event, as long as its conversation has no file. The
// file of a team that ended may be left over, so the newest member counts.
func memberOfPane(a hook.EventContext, configs []string, p hook.Payload) (m teammate) {
	pane, newest := a.Env(paneVariable), 0.0
	for _, path := range configs {
		team := readTeam(a.Head(path))
		for _, one := range team.List("members") {
			member := one.Object()
			joined := member.Number("joined_at")
			if pane == "" || member.Text("tmux_pane_id") != pane || member.Text("cwd") != p.Text("cwd") ||
				cmp.Or(p.Text("agent_type"), member.Text("agent_type")) != member.Text("agent_type") || joined == nil || *joined < newest {
				continue
			}
			newest = *joined
			m = teammate{name: member.Text("name"), team: team.Text("name"), leader: team.Text("lead_session_id")}
		}
	}
	return m
}

// readTeam reads the file of a team; nil if there is none, or if it is longer than what was read of it.
func readTeam(data []byte) object.Members {
	team, _ := object.ReadMembers(data)
	return team
}

// starts adds to the end of a tool call that it started a member in a process of its own: that takes seconds until it
// reports something on its own, in which the leader may stop.
func starts(p hook.Payload, c *hook.Call) {
	if result := p.Object("tool_response"); c.Activity == continuation.ToolEnd && result.Text("status") == "teammate_spawned" && result.Flag("is_splitpane") {
		m := teammate{name: result.Text("name"), team: result.Text("team_name")}
		c.Events = append(c.Events, continuation.Event{Type: continuation.BackgroundStart, ID: m.id(), Kind: "subagent"})
	}
}
