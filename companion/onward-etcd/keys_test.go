//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A group may be able to read a key that root owns: Kubernetes mounts keys like that for pods without root. Any other key
// that another user can read is refused.
func TestKeyOfRootForAGroup(t *testing.T) {
	t.Parallel()
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("it takes root and setpriv to become another user")
	}
	home, err := os.MkdirTemp("/tmp", "onward-keys-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	const user, group = 1000, 2000
	key := filepath.Join(home, "key")
	if err := os.WriteFile(key, []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The folder of the test programs is accessible to root only.
	for _, name := range []string{"onward", "onward-etcd"} {
		if err := os.Link(filepath.Join(programs, name), filepath.Join(home, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Chown(home, user, group); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		owner int
		mode  os.FileMode
		taken bool
	}{
		{0, 0o440, true},
		{0, 0o640, true},
		{0, 0o444, false},
		{0, 0o644, false},
		{0, 0o660, false},
		{user, 0o640, false},
		{user, 0o600, true},
	} {
		if err := os.Chown(key, c.owner, group); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(key, c.mode); err != nil {
			t.Fatal(err)
		}
		// onward checks the permissions of the file before its content, which is not a key.
		m := newMachine(t, "etcd://127.0.0.1:1/team", "ONWARD_ETCD_KEY="+key, "ONWARD_ETCD_CERT="+key)
		run := exec.Command(setpriv, "--reuid", "1000", "--regid", "2000", "--clear-groups", filepath.Join(home, "onward"), "todo", "show")
		run.Dir, run.Env = home, append(m.env, "HOME="+home)
		code, _, errs := m.wait(run)
		want := 78
		if !c.taken {
			want = 77
		}
		if code != want || strings.Contains(errs, "chmod 600") == c.taken {
			t.Errorf("owner %d, mode %04o: exit %d: %s", c.owner, c.mode, code, errs)
		}
	}
}
