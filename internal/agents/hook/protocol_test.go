package hook

import (
	"path/filepath"
	"testing"
)

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
