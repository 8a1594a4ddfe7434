//go:build unix

package realagents

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		team := newTeam(t, a)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cmd := team.command(ctx)
		cmd.SysProcAttr = &syscall.SysProcAttr{} // it becomes the leader of a session, as Start of a terminal needs
		terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { terminal.Close() })
		go io.Copy(io.Discard, terminal)
		team.work(ctx)
		cancel()
		_ = cmd.Wait() // it is killed
		if *record {
			team.keep("hooks", a, "team", team.taken())
		}
		team.check("[SubagentStop Stop]")
	})
}

// TestTeamMemberInAPane is the same with a member that has a pane of tmux, and so a process and a conversation, for itself.
func TestTeamMemberInAPane(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		team := newTeam(t, a)
		if _, err := exec.LookPath("tmux"); err != nil {
			skip(t, "no tmux on this machine")
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		leader := team.command(ctx, "--teammate-mode", "tmux")
		tmux := func(args ...string) {
			cmd := exec.CommandContext(ctx, "tmux", append([]string{"-f", os.DevNull}, args...)...)
			cmd.Dir, cmd.Env = leader.Dir, append(leader.Env, "TMUX_TMPDIR="+filepath.Join(team.home, "tmp"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("tmux %s: %v\n%s", args[0], err, out)
			}
		}
		tmux(append([]string{"new-session", "-d", "-x", "200", "-y", "50", "--"}, leader.Args...)...)
		team.work(ctx)
		tmux("kill-server")
		// Claude Code tells the member of each task that it takes: within its turn, or after it as a prompt of its own, at whose end the
		// member may be sent back again.
		team.check("[Stop Stop]", "[Stop Stop Stop]", "[Stop Stop Stop Stop]")
	})
}

// team is a place in which Claude Code leads a team of one member.
type team struct {
	place
	agent          agent
	leader, member *model
}

func newTeam(t *testing.T, a agent) team {
	t.Helper()
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
	write(t, filepath.Join(p.home, ".claude.json"), asJSON(object{
		"hasCompletedOnboarding": true, "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": object{"approved": []string{"fake"}},
		"projects":              object{p.dir: object{"hasTrustDialogAccepted": true}},
	}))
	return team{p, a, m, member}
}

// command starts the leader. Only a session on a terminal has a team.
func (p team) command(ctx context.Context, flags ...string) *exec.Cmd {
	cmd := p.place.command(ctx, p.agent, p.leader, append(append(p.agent.words(p.leader), flags...), task)...)
	cmd.Env = append(cmd.Env, "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1", "TERM=xterm-256color")
	return cmd
}

// work waits until both tasks are done.
func (p team) work(ctx context.Context) {
	for done := 0; done < 2 && ctx.Err() == nil; {
		time.Sleep(100 * time.Millisecond)
		if code, _ := p.onward("todo", "show"); code == 0 {
			done, _ = p.counts()
		}
	}
}

// check says at which events somebody was sent back: the member and then the leader, once for each prompt.
func (p team) check(want ...string) {
	p.t.Helper()
	var story []string
	for _, c := range p.taps() {
		if c.blocks() {
			story = append(story, c.event())
		}
	}
	if got := fmt.Sprint(story); !slices.Contains(want, got) {
		p.t.Errorf("sent back at %s, not at %v\nthe leader:\n%s\nthe member:\n%s", got, want, last(p.leader.began()), last(p.member.began()))
	}
	spoken := func(text string) bool {
		return strings.Contains(text, tag) || strings.Contains(text, "task_assignment")
	}
	if began := p.member.began(); len(began) < 2 || !slices.ContainsFunc(began[1:], spoken) {
		p.t.Errorf("the member was spoken to with\n%s", last(began))
	}
}
