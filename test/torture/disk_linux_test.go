package torture

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("skipped: mounting small disks needs root")
	}
}

// disk returns a place whose store is on a small file system of its own.
func disk(t *testing.T, options string) place {
	t.Helper()
	needRoot(t)
	p := newPlace(t)
	p.with = []string{"ONWARD_SESSION=s"}
	if err := os.Mkdir(p.store(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", p.store(), "tmpfs", 0, options); err != nil {
		t.Skipf("skipped: no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(p.store(), syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return p
}

// refuses checks that every command that changes a list fails with the code, changes nothing,
// and prints one line that says so.
func (p place) refuses(t *testing.T, code int, hint string) {
	t.Helper()
	before := p.state(t, everything)
	for _, args := range []string{"todo add second", "todo done 1", "todo clear", "pause why", "stop", "set yolo true", "session use b", "check-continue"} {
		r := p.run(t, "", nil, words(args)...)
		if r.code != code || complaint(r) != "" || !strings.Contains(r.errors, hint) {
			t.Errorf("%s: exit code %d, want %d with %q: %s%s", args, r.code, code, hint, complaint(r), r.errors)
		}
	}
	if after := p.state(t, everything); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	if left := p.temporaries(); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	// Reading still works.
	p.must(t, "", "todo", "show")
	p.must(t, "", "todo", "list")
	p.must(t, "", "todo", "history")
	p.must(t, "", "check-continue", "--dry-run")
}

// TestFullDisk adds items until the disk is full. Every change that was confirmed must be on it.
func TestFullDisk(t *testing.T) {
	for _, options := range []string{"size=64k", "nr_inodes=9", "size=256k,nr_inodes=12"} {
		t.Run(options, func(t *testing.T) {
			p := disk(t, options)
			text := strings.Repeat("a", 3000)
			confirmed := map[string]bool{}
			refused := 0
			for n := 0; n < 150 && refused < 10; n++ {
				// Large items use up the blocks, and many sessions the inodes.
				session, item := fmt.Sprint("s", n%4), fmt.Sprint(n, text)
				r := p.run(t, "", nil, "todo", "add", item, "-s", session)
				switch r.code {
				case 0, 79:
					confirmed[session+" "+item] = true
				case 74:
					refused++
					if complaint(r) != "" || !strings.Contains(r.errors, "no space left on device") {
						t.Errorf("%s: %s", complaint(r), r.errors)
					}
				default:
					t.Errorf("exit code %d: %s", r.code, r.errors)
				}
			}
			if refused == 0 || len(confirmed) == 0 {
				t.Fatalf("%d confirmed, %d refused", len(confirmed), refused)
			}
			found := 0
			for _, session := range []string{"s0", "s1", "s2", "s3"} {
				shown := p.run(t, "", nil, "todo", "show", "--format", "plain", "-s", session)
				if shown.code != 0 && shown.code != 66 { // 66: nothing of this session could be saved
					t.Errorf("show %s: exit code %d: %s", session, shown.code, shown.errors)
				}
				for line := range strings.Lines(shown.out) {
					fields := strings.Fields(line)
					found++
					if !confirmed[session+" "+fields[len(fields)-1]] {
						t.Errorf("%s: %.40s was refused and is there", session, line)
					}
				}
			}
			if found != len(confirmed) {
				t.Errorf("%d were confirmed, %d are there", len(confirmed), found)
			}
			if left := p.temporaries(); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
			t.Logf("%d confirmed, %d refused", len(confirmed), refused)
			// Deleting makes room again.
			p.must(t, "", "session", "delete", "--yes", "s0")
			p.must(t, "", "todo", "add", "x", "-s", "s1")
		})
	}
}

func TestReadOnlyDisk(t *testing.T) {
	p := disk(t, "size=1m")
	p.must(t, "", "todo", "add", "first")
	if err := syscall.Mount("", p.store(), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	p.refuses(t, 74, "read-only file system")
}

// TestImmutableStore makes the store immutable with chattr +i, which stops even root.
func TestImmutableStore(t *testing.T) {
	needRoot(t)
	base := t.TempDir()
	p := place{dir: base, work: base, with: []string{"ONWARD_SESSION=s"}}
	p.must(t, "", "todo", "add", "first")
	for _, sub := range []string{"sessions/s.json", "sessions"} {
		t.Run(sub, func(t *testing.T) {
			at := filepath.Join(p.store(), sub)
			if said, err := exec.Command("chattr", "+i", at).CombinedOutput(); err != nil {
				t.Skipf("skipped: chattr: %v %s", err, said)
			}
			t.Cleanup(func() { exec.Command("chattr", "-i", at).Run() })
			before := p.state(t, everything)
			r := p.run(t, "", nil, "todo", "add", "second")
			if r.code != 77 || complaint(r) != "" || !strings.Contains(r.errors, "hint: ") {
				t.Errorf("exit code %d: %s", r.code, r.errors)
			}
			if after := p.state(t, everything); after != before {
				t.Errorf("it was\n%s\nand is\n%s", before, after)
			}
			p.must(t, "", "todo", "show")
			if left := p.temporaries(); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// TestAnotherUsersStore uses a store as a user who may only read it, and as one who may not even read it.
func TestAnotherUsersStore(t *testing.T) {
	needRoot(t)
	if !has("setpriv") {
		t.Skip("skipped: there is no setpriv to become another user with")
	}
	nobody := []string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}
	p := newPlace(t)
	p.with = []string{"ONWARD_SESSION=s"}
	p.must(t, "", "todo", "add", "first")
	// The other users may enter every folder above the store, and run the program.
	for at := p.work; at != "/" && at != "."; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode()&0o005 != 0o005 {
			os.Chmod(at, info.Mode()|0o055)
		}
	}
	for at := filepath.Dir(program); at != "/"; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode()&0o001 == 0 {
			os.Chmod(at, info.Mode()|0o011)
		}
	}
	before := p.state(t, everything)
	for _, args := range []string{"todo show", "todo list", "todo assert", "check-continue", "todo add x", "event tool-start"} {
		r := p.run(t, "", nobody, words(args)...)
		if r.code != 77 || complaint(r) != "" || !strings.Contains(r.errors, "hint: ") {
			t.Errorf("%s: exit code %d: %s", args, r.code, r.errors)
		}
	}
	// A store that is shared for reading.
	for _, sub := range []string{"", "sessions", "history"} {
		os.Chmod(filepath.Join(p.store(), sub), 0o755)
	}
	for _, sub := range []string{"sessions/s.json", "history/s.jsonl", "sessions/s.lock"} {
		os.Chmod(filepath.Join(p.store(), sub), 0o644)
	}
	for _, args := range []string{"todo show", "todo list", "todo history", "check-continue --dry-run", "repair --yes s"} {
		if r := p.run(t, "", nobody, words(args)...); r.code != 0 {
			t.Errorf("%s: exit code %d: %s", args, r.code, r.errors)
		}
	}
	for _, args := range []string{"todo add x", "check-continue", "session use b", "session delete --yes s"} {
		r := p.run(t, "", nobody, words(args)...)
		if r.code != 77 || complaint(r) != "" {
			t.Errorf("%s: exit code %d: %s", args, r.code, r.errors)
		}
	}
	if after := p.state(t, everything); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	// Folders that everybody may write do not open a list that only its owner may write.
	os.Chown(filepath.Join(p.store(), "sessions/s.json"), 1234, 1234)
	for _, path := range []string{"sessions", "history", "history/s.jsonl", "sessions/s.lock"} {
		os.Chmod(filepath.Join(p.store(), path), 0o777)
	}
	for _, args := range []string{"todo add x", "pause why", "todo clear"} {
		if r := p.run(t, "", nobody, words(args)...); r.code != 77 || complaint(r) != "" {
			t.Errorf("%s: exit code %d: %s", args, r.code, r.errors)
		}
	}
	if after := p.state(t, everything); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}

// TestRootLeavesAStoreToItsOwner runs one command as root, as sudo does. The user must still be able to change the list.
func TestRootLeavesAStoreToItsOwner(t *testing.T) {
	needRoot(t)
	p := newPlace(t)
	p.with = []string{"ONWARD_SESSION=s"}
	for _, line := range fullHistory() {
		p.must(t, "", strings.Fields(line)...)
	}
	own := func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, 65534, 65534)
		}
		return err
	}
	if err := filepath.WalkDir(p.store(), own); err != nil {
		t.Fatal(err)
	}
	p.must(t, "", "todo", "add", "one-more")
	p.must(t, "", "todo", "add", "first", "-s", "new")
	p.must(t, "", "event", "tool-start", "-s", "new")
	p.must(t, "", "session", "use", "new")
	files := 0
	filepath.WalkDir(p.store(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files++
		if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 65534 || stat.Gid != 65534 {
			t.Errorf("%s belongs to %d:%d", path, stat.Uid, stat.Gid)
		}
		return nil
	})
	if files < 11 {
		t.Errorf("only %d files were looked at", files)
	}
}

// TestPlantedLinks puts a link to a file of the user at every path of a store. The file must not change.
func TestPlantedLinks(t *testing.T) {
	for _, at := range []string{
		"sessions", "history", "projects",
		"sessions/s.json", "sessions/s.lock", "sessions/s.activity", "history/s.jsonl", "history/s.jsonl.tmp",
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.with = []string{"ONWARD_SESSION=s"}
			for range 49 {
				p.must(t, "", "todo", "add", "first")
			}
			victim := filepath.Join(p.dir, "victim")
			content := []byte("precious\n")
			full := filepath.Join(p.store(), at)
			if err := os.RemoveAll(full); err != nil {
				t.Fatal(err)
			}
			folder := !strings.Contains(at, "/")
			if folder {
				if err := os.Mkdir(victim, 0o700); err != nil {
					t.Fatal(err)
				}
				victim = filepath.Join(victim, "s.json")
			}
			if err := os.WriteFile(victim, content, 0o600); err != nil {
				t.Fatal(err)
			}
			to := victim
			if folder {
				to = filepath.Dir(victim)
			}
			if err := os.Symlink(to, full); err != nil {
				t.Fatal(err)
			}
			for _, args := range []string{"todo add x", "todo done 1", "event tool-start", "check-continue", "session use b", "todo undo", "todo clear", "repair --yes", "session delete --yes s", "session prune --older-than 0", "todo show", "todo list", "todo history"} {
				r := p.run(t, "", nil, words(args)...)
				if problem := complaint(r); r.code > 15 && problem != "" {
					t.Errorf("%s: %s: %d %s", args, problem, r.code, r.errors)
				}
				if strings.Contains(r.out+r.errors, "precious") {
					t.Errorf("%s has read through the link: %s%s", args, r.out, r.errors)
				}
			}
			if now, err := os.ReadFile(victim); err != nil || !bytes.Equal(now, content) {
				t.Errorf("what the link leads to became %q, %v", now, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(victim)); folder && (err != nil || len(entries) != 1) {
				t.Errorf("the folder that the link leads to holds %v, %v", entries, err)
			}
		})
	}
}

// TestLinkInSharedFolder creates a link before the store exists, as any user can in /tmp.
func TestLinkInSharedFolder(t *testing.T) {
	needRoot(t)
	p := newPlace(t)
	victim := filepath.Join(p.dir, "victim")
	if err := os.WriteFile(victim, []byte("precious\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(p.dir, "shared")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(shared, "store", "sessions"), 0o777),
		os.Chmod(shared, 0o777|os.ModeSticky),
		os.Symlink(victim, filepath.Join(shared, "store", "sessions", "s.json")),
		os.Symlink(victim, filepath.Join(shared, "store", "sessions", "s.lock")),
		os.Lchown(filepath.Join(shared, "store"), 65534, 65534),
		os.Lchown(filepath.Join(shared, "store", "sessions"), 65534, 65534),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	p.with = []string{"ONWARD_SESSION=s", "ONWARD_STORE=" + filepath.Join(shared, "store")}
	r := p.run(t, "", nil, "todo", "add", "x")
	if r.code != 65 && r.code != 77 || complaint(r) != "" {
		t.Errorf("exit code %d: %s", r.code, r.errors)
	}
	if now, _ := os.ReadFile(victim); string(now) != "precious\n" {
		t.Errorf("the victim's file became %q", now)
	}
}

// TestFileSystemWithoutLocks lets flock fail as on network file systems. Nothing may be written without a lock.
func TestFileSystemWithoutLocks(t *testing.T) {
	needStrace(t)
	for errno, code := range map[string]int{"ENOLCK": 71, "EOPNOTSUPP": 71, "ENOSYS": 71, "EINVAL": 71, "ESTALE": 74, "EIO": 74, "EPERM": 77} {
		t.Run(errno, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.with = []string{"ONWARD_SESSION=s"}
			p.must(t, "", "todo", "add", "first")
			before := p.state(t, everything)
			r := p.run(t, "", []string{"strace", "-f", "-q", "-o", filepath.Join(p.dir, "log"), "-e", "trace=flock", "-e", "inject=flock:error=" + errno}, "todo", "add", "second")
			if r.code != code || complaint(r) != "" || code == 71 && !strings.Contains(r.errors, "hint: put the store on a local disk") {
				t.Errorf("exit code %d, want %d: %s", r.code, code, r.errors)
			}
			if after := p.state(t, everything); after != before {
				t.Errorf("it was\n%s\nand is\n%s", before, after)
			}
		})
	}
}

// TestDoctorOnFullDisk checks that doctor reports a full disk, although empty files can still be created on it.
func TestDoctorOnFullDisk(t *testing.T) {
	p := disk(t, "size=64k")
	p.must(t, "", "todo", "add", "first")
	if err := os.WriteFile(filepath.Join(p.store(), "fills"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	r := p.run(t, "", nil, "doctor")
	if r.code != 1 || !strings.Contains(r.out, "no space left on device") || !strings.Contains(r.out, "hint: make space on the disk") {
		t.Errorf("exit code %d:\n%s%s", r.code, r.out, r.errors)
	}
	if left := p.temporaries(); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
