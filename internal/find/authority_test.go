package find

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"onward/internal/agents"
	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// TestStoresRefuseAgents writes settings, rules, trust and deletions without checking who runs the command. The store must refuse an agent,
// and let a person through.
func TestStoresRefuseAgents(t *testing.T) {
	const noon todo.Time = 1_767_258_000_000
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("ONWARD_STORE", filepath.Join(home, "store"))
	t.Setenv("ONWARD_SESSION", "")
	xdg.Reload()
	defer xdg.Reload()
	cleared.once.Do(func() {})
	as := func(sign string) { os.Setenv(supervise.RunVariable, sign) }
	for _, name := range append(agents.MarkerVariables(), runAndGateVariables()...) {
		t.Setenv(name, "")
	}
	name := "demo"
	list, err := (&Finder{Flags: Flags{Session: &name}}).List(home)
	if err != nil {
		t.Fatal(err)
	}
	project := session.NewProject(home, "demo")
	list.Project = project
	person := func() bool { return AnyAgentVariable() == "" }
	answer := func(do func(*schedule.Document) (schedule.Change, error)) error {
		_, err := list.UpdateCalls("", person, do)
		return err
	}
	rule := policy.Rule{Tool: "shell", Command: "rm", Decision: policy.Allow}
	rewrite := func(change func(*policy.File)) error {
		return RewriteRules(list, func(f *policy.File) error { change(f); return nil })
	}
	setting := func(change func(*session.ProjectSettings) bool) error {
		_, err := list.Store.UpdateSettings(project, "", noon, func(p *session.ProjectSettings) (session.Change, error) {
			change(p)
			return session.Change{What: "changed it"}, nil
		})
		return err
	}
	_, err = list.Store.Update(list.Name, "", noon, func(*session.Document) (session.Change, error) { return session.Change{What: "began"}, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		do   func() error
	}{
		{"set a setting", func() error {
			return setting(func(p *session.ProjectSettings) bool { return session.SetByPerson(p, "max-total", "9", noon) })
		}},
		{"set a gate", func() error {
			return setting(func(p *session.ProjectSettings) bool { return session.SetByPerson(p, "gate", "true", noon) })
		}},
		{"unset a setting", func() error {
			return setting(func(p *session.ProjectSettings) bool { return session.UnsetByPerson(p, "max-total", noon) })
		}},
		{"unset a gate", func() error {
			return setting(func(p *session.ProjectSettings) bool { return session.UnsetByPerson(p, "gate", noon) })
		}},
		{"add a rule", func() error { return rewrite(func(f *policy.File) { f.Rules = append(f.Rules, rule) }) }},
		{"change a rule", func() error { return rewrite(func(f *policy.File) { f.Rules[0].Command = "ls" }) }},
		{"remove a rule", func() error { return rewrite(func(f *policy.File) { f.Rules = nil }) }},
		{"trust a store", func() error { return list.Storage.TrustOtherUsers() }},
		{"trust a gate", func() error { return list.TrustGate(&project, "make test") }},
		{"trust an item's gate", func() error { return list.TrustItemGates("make test") }},
		{"add a rule of the session", func() error {
			return answer(func(d *schedule.Document) (schedule.Change, error) {
				d.Rules = append(d.Rules, rule)
				return schedule.Change{What: "added"}, nil
			})
		}},
		{"prune", func() error {
			_, err := list.Store.Prune([]session.Name{list.Name}, time.Now().Add(time.Hour))
			return err
		}},
		{"delete", func() error { return list.Store.Delete(list.Name) }},
	} {
		as("mark")
		if err := c.do(); err == nil || !strings.Contains(err.Error(), "only a person may ") {
			t.Errorf("an agent may %s: %v", c.what, err)
		}
		as("")
		if err := c.do(); err != nil && c.what != "delete" { // which prune has done
			t.Errorf("a person may not %s: %v", c.what, err)
		}
	}
}
