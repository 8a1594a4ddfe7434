package torture

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// failing are the system calls with which a store reads and writes.
var failing = []string{
	"openat", "read", "pread64", "write", "pwrite64", "fsync", "close", "renameat", "flock", "unlinkat", "mkdirat",
	"newfstatat", "fstat", "fchmod", "utimensat", "getdents64", "fcntl",
}

// errnos are the errors of broken disks, full disks, other users' folders, signals and network file systems.
var errnos = []string{"EIO", "ENOSPC", "EACCES", "EROFS", "EINTR", "EMFILE", "ENOLCK", "EDQUOT", "ESTALE", "ENOENT", "EPERM", "ENOSYS", "EOPNOTSUPP", "EINVAL"}

// harmlessForFsync are the errors of fsync after which a command may succeed: an interrupted call
// is repeated, and some file systems cannot sync folders.
var harmlessForFsync = []string{"EINTR", "EINVAL", "EOPNOTSUPP"}

// TestEveryErrorAtEverySystemCall lets one system call of a run fail with one error.
// With exit code 0, the list must be the new one; with any other code except 79, the old one.
func TestEveryErrorAtEverySystemCall(t *testing.T) {
	needSweep(t)
	needStrace(t)
	var points, done, refused, notDurable, missed atomic.Int64
	t.Run("commands", func(t *testing.T) {
		eachMutation(t, func(row int, _ mutation) bool { return inPart(t, row) }, func(t *testing.T, row int, m mutation, from, p place, may states) {
			all := slices.DeleteFunc(m.points(t, p), func(at point) bool { return !slices.Contains(failing, at.call) })
			step := every(20)
			for i := row % step; i < len(all); i += step {
				at := all[i]
				with := errnos
				if *form != "all" {
					// Each call gets one error. The next row starts with another one, so that all come up.
					with = errnos[(i+row)%len(errnos):][:1]
				}
				for _, errno := range with {
					if errno == m.truly {
						continue
					}
					p.restore(t, from)
					r, injected := m.inject(t, p, at, "error="+errno)
					if !injected {
						missed.Add(1)
						continue
					}
					points.Add(1)
					got := p.state(t, m.look)
					problem := complaint(r)
					switch {
					case m.letGo(r) && got != may.new:
						refused.Add(1)
						if !may.unchanged(got) {
							problem = "the hook failed, and the state is not the old one"
						}
					case r.code == 0:
						done.Add(1)
						if got != may.new {
							problem = "exit code 0, and the state is not the new one"
						} else if at.call == "fsync" && !slices.Contains(harmlessForFsync, errno) && !strings.HasPrefix(m.args, "hook") && !m.goesWithoutRoom(errno) {
							// If a change may not survive a crash, a hook logs that and continues.
							// A folder of an agent's settings is synced only if that works, since
							// an install is easily repeated.
							problem = "exit code 0, though the disk did not take it"
						}
					case r.code == 79:
						notDurable.Add(1)
						if got != may.new && (may.between == nil && !may.parts || !may.whole(got)) {
							problem = "exit code 79, and the state is not the new one"
						}
					default:
						refused.Add(1)
						if !may.unchanged(got) {
							problem = "the command failed, and the state is not the old one"
						}
					}
					if problem == "" {
						problem = m.finishes(t, p, may)
					}
					if problem == "" {
						problem = m.goesOn(t, p)
					}
					if problem != "" {
						t.Errorf("%s at call %d, %s\n%s\nexit code %d: %s\nthe state is\n%s\nit was\n%s", errno, i, at.text, problem, r.code, r.errors, got, may.old)
					}
				}
			}
		})
	})
	t.Logf("%d points in %d commands: %d done, %d refused, %d not durable; %d not reached",
		points.Load(), len(mutations()), done.Load(), refused.Load(), notDurable.Load(), missed.Load())
	if missed.Load() > points.Load()/20 {
		t.Errorf("%d of the points were not reached", missed.Load())
	}
}

// TestFailedReadIsNotMissingFile lets every read of the file of rules fail as if the file were missing, as a network
// file system may for an open file. The existing rules must not be overwritten then.
func TestFailedReadIsNotMissingFile(t *testing.T) {
	needStrace(t)
	eachMutation(t, func(_ int, m mutation) bool {
		return m.name == "add a rule to others" || m.name == "remove a rule" || m.name == "add"
	}, func(t *testing.T, _ int, m mutation, from, p place, may states) {
		failed := 0
		for _, at := range m.points(t, p) {
			if at.call != "read" && at.call != "fstat" {
				continue
			}
			p.restore(t, from)
			r, injected := m.inject(t, p, at, "error=ENOENT")
			if got := p.state(t, m.look); got != may.new && got != may.old || got == may.old && r.code < 64 {
				t.Errorf("%s: exit code %d: %s\nthe state is\n%s", at.text, r.code, r.errors, got)
			}
			if injected && r.code != 0 {
				failed++
			}
		}
		if failed == 0 {
			t.Error("no read has failed")
		}
	})
}
