package hook

import (
	"path/filepath"
	"testing"
)

func TestHelpForAModelWithoutTodoTool(t *testing.T) {
	off, on := Protocol{LacksTodoTool: Always}, Protocol{}
	for _, c := range []struct {
		agent Protocol
		text  string
		given bool
		want  string
	}{
		{on, "use onward", true, ""},
		{off, "", false, defaultListHelp},
		{off, "use onward", true, "use onward\n"},
		{off, "use onward\n\n", true, "use onward\n"},
		{off, "", true, ""}, // the user wants none
	} {
		if got := c.agent.ListHelp(Call{}, nil, c.text, c.given); got != c.want {
			t.Errorf("%q, given %v: got %q, want %q", c.text, c.given, got, c.want)
		}
	}
}

func TestExitCodesThatAnswer(t *testing.T) {
	two, none := &Protocol{Code: 2}, &Protocol{}
	for _, c := range []struct {
		agent *Protocol
		code  int
		want  bool
	}{
		{two, 0, true},
		{two, 2, true},
		{two, SafeExitCode, true},
		{two, 1, false},
		{none, 0, true},
		{none, 2, false},
		{none, SafeExitCode, false},
		{nil, 0, true},
		{nil, 2, false},
	} {
		if got := c.agent.IsAnswerCode(c.code); got != c.want {
			t.Errorf("%+v, exit %d: got %v", c.agent, c.code, got)
		}
	}
}

func TestFolderOfAnEvent(t *testing.T) {
	host, work, gone := filepath.Join(t.TempDir(), "host"), filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "gone")
	isFolder := func(path string) bool { return path == host || path == work || path == "relative" }
	for _, c := range []struct{ named, dir, want string }{
		{host, work, host},
		{"", work, work},
		{gone, work, work},
		{"relative", work, work},
		{"", gone, ""},
		{"", "relative", ""},
		{"", "", ""},
	} {
		p := Protocol{FolderVariable: "FOLDER"}
		env := func(name string) string { return map[string]string{"FOLDER": c.named}[name] }
		if got := p.FolderOf(Call{Dir: c.dir}, env, isFolder); got != c.want {
			t.Errorf("the host names %q, the agent works in %q: got %q, want %q", c.named, c.dir, got, c.want)
		}
	}
}
