//go:build unix

package realagents

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestTeamMemberIsSentBack lets the leader of a team start a member that stops before its task is done. The member is sent
// back to work; the leader is not, as long as the member works, and then does the rest.
func TestTeamMemberIsSentBack(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "claude" {
			skip(t, "it has no teams")
		}
		part := a.delegate("do the first task of the team")
		part.args["name"] = "reader"
		delete(part.args, "run_in_background")
		create := func(text string) call {
			return call{name: "TaskCreate", args: object{"subject": text, "description": text}}
		}
		update := func(id, status string) reply {
			return use(call{name: "TaskUpdate", args: object{"taskId": id, "status": status}})
		}
		member := newModel(
			t,
			[]reply{update("1", "in_progress"), textReply("I have begun.")},
			[]reply{update("1", "completed"), textReply("The first task is done.")},
			[]reply{textReply("There is nothing left for me.")},
		)
		m := newModel(t, []reply{use(create("Read the code"), create("Write the change")), use(part), textReply("I wait for the reader.")}, []reply{textReply("I have heard.")})
		m.leave(member, func(r request) bool { return strings.Contains(r.first, "do the first task of the team") })
		rest := newModel(t, []reply{update("2", "completed")})
		m.leave(rest, func(r request) bool { return !r.results && strings.Contains(r.text, tag) })
		p := ready(t, a, m)

		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		write(t, filepath.Join(p.home, ".claude.json"), asJSON(object{
			"hasCompletedOnboarding": true, "bypassPermissionsModeAccepted": true,
			"customApiKeyResponses": object{"approved": []string{"fake"}},
			"projects":              object{p.dir: object{"hasTrustDialogAccepted": true}},
		}))
		// Only a session on a terminal has a team.
		cmd := p.command(ctx, a, m, append(a.words(m), task)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{} // it becomes the leader of a session, as Start of a terminal needs
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1", "TERM=xterm-256color")
		terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { terminal.Close() })
		go io.Copy(io.Discard, terminal)
		for done := 0; done < 2 && ctx.Err() == nil; {
			time.Sleep(100 * time.Millisecond)
			if code, _ := p.onward("todo", "show"); code == 0 {
				done, _ = p.counts()
			}
		}
		cancel()
		_ = cmd.Wait() // it is killed
		if *record {
			p.keep("hooks", a, "team", p.taken())
		}

		var story []string
		for _, c := range p.taps() {
			if c.blocks() {
				story = append(story, c.event())
			}
		}
		if got := fmt.Sprint(story); got != "[SubagentStop Stop]" {
			t.Errorf("sent back at %s, not the member and then the leader, once each\nthe leader:\n%s\nthe member:\n%s", got, last(m.began()), last(member.began()))
		}
		if began := member.began(); len(began) < 2 || !strings.Contains(began[1], tag) {
			t.Errorf("the member was spoken to with\n%s", last(began))
		}
	})
}
