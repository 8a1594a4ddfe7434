package torture

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// failing are the system calls that a store is made of.
var failing = []string{
	"openat", "read", "pread64", "write", "pwrite64", "fsync", "close", "renameat", "flock", "unlinkat", "mkdirat",
	"newfstatat", "fstat", "fchmod", "utimensat", "getdents64", "fcntl",
}

// errnos are what disks, full disks, foreign folders, signals and network file systems answer.
var errnos = []string{"EIO", "ENOSPC", "EACCES", "EROFS", "EINTR", "EMFILE", "ENOLCK", "EDQUOT", "ESTALE", "ENOENT", "EPERM", "ENOSYS", "EOPNOTSUPP", "EINVAL"}

// harmlessForFsync are the errors of fsync that are no failure:
// an interrupted one is made again, and some file systems have none for folders.
var harmlessForFsync = []string{"EINTR", "EINVAL", "EOPNOTSUPP"}

// TestEveryErrorAtEverySystemCall lets one system call fail with one error.
// Exit code 0 means that the list is the new one; any other code except 79 means that it is the old one.
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
					// One error for each call; which one goes round with the rows.
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
							// A hook continues if a change may not survive a crash, and logs that.
							// The folders of agents' settings are synced where that works: an
							// install is easily made again.
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

// TestFailedReadIsNotMissingFile has every read of the file of rules report that there is none, as a network file
// system may of a file that was opened. The rules that are there must not be written over for that.
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
