package powerloss

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

const diskSize = 32 << 20

// record is a request to a disk: a write, or a flush of all writes before it.
type record struct {
	at    int64
	data  []byte
	flush bool
}

// recorder is a disk in memory that logs its requests in their order.
type recorder struct {
	fs.Inode
	mu    sync.Mutex
	image []byte
	log   []record
}

var (
	_ fs.NodeGetattrer = (*recorder)(nil)
	_ fs.NodeSetattrer = (*recorder)(nil)
	_ fs.NodeOpener    = (*recorder)(nil)
	_ fs.NodeReader    = (*recorder)(nil)
	_ fs.NodeWriter    = (*recorder)(nil)
	_ fs.NodeFsyncer   = (*recorder)(nil)
)

func (r *recorder) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = 0o600, diskSize
	return 0
}

func (r *recorder) Setattr(_ context.Context, _ fs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = 0o600, diskSize
	return 0
}

func (r *recorder) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

func (r *recorder) Read(_ context.Context, _ fs.FileHandle, dest []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := copy(dest, r.image[min(at, diskSize):])
	return fuse.ReadResultData(dest[:n]), 0
}

func (r *recorder) Write(_ context.Context, _ fs.FileHandle, data []byte, at int64) (uint32, syscall.Errno) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, record{at: at, data: slices.Clone(data)})
	return uint32(copy(r.image[at:], data)), 0
}

func (r *recorder) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, record{flush: true})
	return 0
}

// length returns the number of requests to the disk so far.
func (r *recorder) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.log)
}

// recordingDisk makes an ext4 file system on a recorder, and mounts it.
func recordingDisk(t *testing.T, options string) (disk *recorder, blank []byte, mounted string) {
	t.Helper()
	dir := t.TempDir()
	image := filepath.Join(dir, "image")
	if err := os.WriteFile(image, make([]byte, diskSize), 0o600); err != nil {
		t.Fatal(err)
	}
	output(t, "mkfs.ext4", "-q", "-J", "size=4", "-F", image)
	blank, err := os.ReadFile(image)
	if err != nil {
		t.Fatal(err)
	}
	disk = &recorder{image: slices.Clone(blank)}
	front := filepath.Join(dir, "fuse")
	if err := os.Mkdir(front, 0o700); err != nil {
		t.Fatal(err)
	}
	root := &fs.Inode{}
	server, err := fs.Mount(front, root, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMount: true},
		OnAdd: func(ctx context.Context) {
			root.AddChild("disk", root.NewPersistentInode(ctx, disk, fs.StableAttr{Mode: fuse.S_IFREG}), true)
		},
	})
	if err != nil {
		t.Skipf("skipped: there is no FUSE here: %v", err)
	}
	t.Cleanup(func() { server.Unmount() })
	return disk, blank, mount(t, filepath.Join(front, "disk"), options)
}

// mount attaches a file to a loop device and mounts its file system until the end of the test.
func mount(t *testing.T, image, options string) string {
	t.Helper()
	at := t.TempDir()
	unmount, err := mountAt(t, image, at, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unmount)
	return at
}

func mountAt(t *testing.T, image, at, options string) (unmount func(), err error) {
	t.Helper()
	loop := strings.TrimSpace(output(t, "losetup", "--find", "--show", image))
	if err := syscall.Mount(loop, at, "ext4", 0, options); err != nil {
		output(t, "losetup", "--detach", loop)
		return nil, err
	}
	return func() {
		if err := syscall.Unmount(at, 0); err != nil {
			t.Errorf("unmount %s: %v", at, err)
			syscall.Unmount(at, syscall.MNT_DETACH)
		}
		output(t, "losetup", "--detach", loop)
	}, nil
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Skipf("skipped: %s: %v %s", name, err, out)
	}
	return string(out)
}

// crash returns a possible state of the disk after a power failure that follows the requests log[:at].
// All writes before the last flush are on it. Of the later ones, a disk may have done all, none,
// or some in any order.
func crash(blank []byte, log []record, at int, how string, random *rand.Rand) []byte {
	image := slices.Clone(blank)
	durable := 0
	for i, r := range log[:at] {
		if r.flush {
			durable = i
		}
	}
	apply := func(r record) {
		copy(image[min(r.at, diskSize):], r.data)
	}
	for _, r := range log[:durable] {
		apply(r)
	}
	rest := slices.Clone(log[durable:at])
	switch how {
	case "all":
	case "nothing":
		rest = nil
	case "some":
		random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		rest = rest[:random.IntN(len(rest)+1)]
		// A write may be torn between two sectors.
		for i, r := range rest {
			if len(r.data) > 4096 && random.IntN(4) == 0 {
				rest[i].data = r.data[:4096*random.IntN(len(r.data)/4096)]
			}
		}
	}
	for _, r := range rest {
		apply(r)
	}
	return image
}
