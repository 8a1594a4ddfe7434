// Package tree tells apart the states of a checkout's files. A state is the id that git would give to a tree of all files, tracked
// or not, that git does not ignore. The package writes nothing into the repository: the index that git needs, and the objects
// of changed files, are in a folder that the caller provides.
package tree

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of what is read of files that git does not track.
var maxUntracked, maxUntrackedBytes int64 = 20_000, 256 << 20

// manyUntracked is from how many of them on their objects are kept in one file.
const manyUntracked = 200

// Tree is a state of the files of a checkout.
type Tree struct {
	ID   string // equal ids are equal files; "" is not a tree
	Refs string // a digest of what is checked out, and of all branches and tags: a commit or a tag without a change of files makes another one
}

// State identifies the state of a checkout: its files, and the commits of its branches and tags.
func (t Tree) State() string { return t.ID + "@" + t.Refs }

// NoTree is the error for a folder whose files git cannot read. Reason says why, in one line.
type NoTree struct{ Reason string }

func (e *NoTree) Error() string { return e.Reason }

func none(format string, args ...any) error { return &NoTree{fmt.Sprintf(format, args...)} }

// Reader reads trees. Its folder keeps what makes the next tree of the same checkout cheap: which files git does not track,
// and their ids. Several processes may use one folder at a time.
type Reader struct {
	Folder  string
	Without []string // other folders whose files belong to the program, and not to a checkout that they may be in
}

// Read returns the tree of the checkout that a folder is in. The error is a *NoTree if there is none: outside a checkout,
// where a file cannot be read, or where the context ended first.
func (r Reader) Read(ctx context.Context, dir string) (Tree, error) {
	c, err := r.open(ctx, dir)
	if err != nil {
		return Tree{}, err
	}
	defer c.close()
	var t Tree
	var refs []byte
	missing, err := c.missing()
	if err != nil {
		return Tree{}, err
	}
	err = together(func() (err error) {
		t.ID, err = c.addAll(missing)
		return err
	}, func() (err error) {
		refs, err = c.git("for-each-ref", "--format=%(objectname) %(refname)")
		return err
	})
	if err != nil {
		return Tree{}, err
	}
	t.Refs = digest(append([]byte(c.head+"\n"), refs...))
	raw, err := c.filtersWouldApply()
	if err != nil {
		return Tree{}, err
	}
	if raw {
		t.ID += "-raw"
	}
	t.ID += missing
	return c.withModules(t)
}

// missingMark begins what an id says of the files that are missing.
const missingMark = "~"

// missing returns a digest of the files that the tree has and the folder lacks, as in a sparse checkout; empty if there are none.
func (c *checkout) missing() (string, error) {
	if !mayHaveHidden(c.real) {
		return "", nil
	}
	out, err := c.withIndex().git("ls-files", "-t", "-z")
	var names []byte
	for line := range strings.SplitSeq(string(out), "\x00") {
		if name, skipped := strings.CutPrefix(line, "S "); skipped {
			if _, err := os.Lstat(filepath.Join(c.top, name)); err != nil {
				names = append(names, name+"\x00"...)
			}
		}
	}
	if len(names) == 0 {
		return "", err
	}
	return missingMark + digest(names), err
}

// withIndex returns the checkout with its own index.
func (c *checkout) withIndex() *checkout {
	own := *c
	own.env = append(slices.Clone(c.env), "GIT_INDEX_FILE="+c.real)
	return &own
}

// mayHaveHidden reports whether an index may tell git to take files for unchanged that are missing. Version 2 of the format, which git
// writes if it can, has no place for that (gitformat-index, "extended flag"), unless a part of the index is in another file.
func mayHaveHidden(index string) bool {
	head := make([]byte, 8)
	f, err := os.Open(index)
	if err != nil {
		return true
	}
	defer f.Close()
	if _, err := io.ReadFull(f, head); err != nil || string(head) != "DIRC\x00\x00\x00\x02" {
		return true
	}
	parts, err := filepath.Glob(filepath.Join(filepath.Dir(index), "sharedindex.*"))
	return err != nil || len(parts) > 0
}

// missingIn returns what an id says of the files that are missing.
func missingIn(id string) string {
	id, _, _ = strings.Cut(id, "+")
	_, missing, _ := strings.Cut(id, missingMark)
	return missing
}

// checkout is a checkout whose tree is being read.
type checkout struct {
	reader Reader
	ctx    context.Context
	top    string // its folder
	real   string // its index, which stays as it is
	head   string // the commit that is checked out; empty if there is none yet
	kept   string // the folder with what is kept of it
	work   string // a folder for this reading
	index  string // the index of this reading, in work
	env    []string

	objects   string // the folder of objects that are kept, and that of the repository
	alternate string

	filters []string // names of filters that only the repository's own configuration defines, and that are not run

	without  []string // pathspecs of all files but the reader's own; none where they are elsewhere
	settings int      // how many of git's settings are in env
}

// open finds a checkout, and prepares a reading of its files.
func (r Reader) open(ctx context.Context, dir string) (*checkout, error) {
	c, err := r.in(ctx, dir)
	if err != nil {
		return nil, err
	}
	var config []byte
	own := *c
	err = together(c.findPlace, func() (err error) {
		config, err = own.config()
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.work, err = os.MkdirTemp(c.kept, "reading-"); err != nil {
		return nil, fmt.Errorf("make the folder of trees: %w", err)
	}
	c.index = filepath.Join(c.work, "index")
	for _, folder := range append([]string{r.Folder}, r.Without...) {
		if name, within := c.within(folder); within && !c.ignores(name) {
			c.without = append(c.without, ":(top,exclude,literal)"+name)
		}
	}
	if c.without != nil {
		c.without = append([]string{"--", ":/"}, c.without...)
	}
	c.env = append(c.env, "GIT_INDEX_FILE="+c.index)
	c.leaveOutFilters(config)
	c.setting("lfs.storage", filepath.Join(c.work, "lfs")) // Git LFS keeps a copy of each changed file that it reads, in .git otherwise
	return c, nil
}

// openTrees finds a checkout to compare its trees, for which git needs no more than its objects.
func (r Reader) openTrees(ctx context.Context, dir string) (*checkout, error) {
	c, err := r.in(ctx, dir)
	if err != nil {
		return nil, err
	}
	return c, c.findPlace()
}

// in returns a checkout in which git has not been asked yet. Outside of repositories, git need not run to say so.
func (r Reader) in(ctx context.Context, dir string) (*checkout, error) {
	if top, err := NearestGit(dir); err == nil && top == "" {
		return nil, notGit()
	}
	return &checkout{reader: r, ctx: ctx, top: dir, env: environment()}, nil // git says better what is wrong with a folder
}

// NearestGit returns the nearest folder, from the given one upwards, that holds .git; empty if none does.
func NearestGit(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, os.ErrNotExist) {
			return dir, err
		}
		if dir == filepath.Dir(dir) {
			return "", nil
		}
	}
	return "", err
}

func notGit() error { return none("this is not a git repository") }

// findPlace asks git where the folders of the checkout are, and which commit is checked out, and makes the folder with what is kept of it.
func (c *checkout) findPlace() error {
	out, err := c.git("rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir", "--git-path", "index", "--git-path", "objects", "--revs-only", "HEAD")
	switch {
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return notGit()
	case err != nil:
		return err
	}
	paths := strings.Split(string(out), "\n")
	switch len(paths) {
	case 6:
		c.head = paths[4]
	case 5: // no commit yet
	default:
		return none("git does not say where the checkout is")
	}
	if !isCheckout(paths[0], c.top) {
		return none("the git setting core.worktree names another folder")
	}
	c.top, c.real = paths[0], paths[2]
	c.kept = filepath.Join(c.reader.Folder, digest([]byte(paths[1])))
	c.objects, c.alternate = filepath.Join(c.kept, "objects"), paths[3]
	c.env = append(c.env, "GIT_OBJECT_DIRECTORY="+c.objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoted(c.alternate))
	if err := errors.Join(os.MkdirAll(c.objects, 0o700), c.remember()); err != nil {
		return fmt.Errorf("make the folder of trees: %w", err)
	}
	return nil
}

// isCheckout reports whether the checkout that git names is the one that a folder is in. With core.worktree, git reads other files than
// those that a gate runs on.
func isCheckout(top, dir string) bool {
	nearest, err := NearestGit(dir)
	if err != nil || nearest == "" {
		return false
	}
	at, _ := os.Stat(nearest)
	is, err := os.Stat(top)
	return err == nil && os.SameFile(at, is)
}

// checkoutFile is next to what is kept of a checkout, and names its folder.
const checkoutFile = "checkout"

func (c *checkout) remember() error {
	file := filepath.Join(c.kept, checkoutFile)
	if is, err := os.ReadFile(file); err == nil && string(is) == c.top {
		return nil
	}
	return os.WriteFile(file, []byte(c.top), 0o600)
}

// ForgetCheckouts removes what is kept of checkouts, but for those that the caller keeps, by their folders. It is made again when it is needed.
func (r Reader) ForgetCheckouts(keeps func(top string) bool) {
	entries, _ := os.ReadDir(r.Folder)
	for _, entry := range entries {
		kept := filepath.Join(r.Folder, entry.Name())
		if top, err := os.ReadFile(filepath.Join(kept, checkoutFile)); err != nil || !keeps(string(top)) {
			_ = os.RemoveAll(kept)
		}
	}
}

// within returns the path of a folder in the checkout, if it is there.
func (c *checkout) within(folder string) (name string, within bool) {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", false
	}
	name, err = filepath.Rel(c.top, folder)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name) && name != "."
}

// ignores reports whether git ignores a file or a folder. To leave that out as well would make `git add` fail.
func (c *checkout) ignores(name string) bool {
	_, err := c.git("check-ignore", "--quiet", "--", name)
	return err == nil
}

func (c *checkout) close() { _ = os.RemoveAll(c.work) }

// addAll makes an index of all files that are tracked or not ignored, and returns its tree. It starts from the one that an
// earlier reading left, in which git finds the files that have not changed since, tracked or not. That one is of no use if the
// checkout's own index is another one now, or if other files are ignored or missing: then it starts from a copy of the checkout's index.
func (c *checkout) addAll(missing string) (id string, err error) {
	state, err := stateOf(c.real)
	if err != nil {
		return "", fmt.Errorf("read the index: %w", err)
	}
	if c.without != nil || missing != "" { // an index of a reader with other files of its own has those of this one
		state = digest([]byte(state + missing + strings.Join(c.without, "\x00")))
	}
	earlier, err := filepath.Glob(filepath.Join(c.kept, "*.index"))
	if err != nil {
		return "", err
	}
	for _, file := range earlier {
		name := strings.Split(strings.TrimSuffix(filepath.Base(file), ".index"), "-")
		if len(name) != 3 || name[0] != state {
			continue
		}
		if err := linkIndex(file, c.index); err != nil {
			break // another process has replaced it
		}
		was, _ := os.Stat(c.index)
		ignored, err := c.addNew()
		if err != nil {
			return "", err
		}
		if is, err := os.Stat(c.index); err == nil && os.SameFile(was, is) && ignored == name[1] {
			return name[2], nil // git has found nothing to write
		}
		if ignored == name[1] {
			return c.saveIndex(earlier, state, ignored)
		}
		if err := os.Remove(c.index); err != nil {
			return "", err
		}
	}
	if err := copyIndex(c.real, c.index); err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	var untracked int64
	err = together(c.unhide, func() (err error) {
		untracked, err = c.limitUntracked()
		return err
	})
	if err != nil {
		return "", err
	}
	c.removeOld()
	if untracked > manyUntracked {
		if err := c.addMany(); err != nil {
			return "", err
		}
	}
	ignored, err := c.addNew()
	if err != nil {
		return "", err
	}
	// A file that is as old as the index is read again each time, until the index is written again.
	if _, err := c.git("update-index", "--force-write-index"); err != nil {
		return "", err
	}
	return c.saveIndex(earlier, state, ignored)
}

// unhide lets git look at each file of the index of this reading that is there: with `git update-index --assume-unchanged` and
// --skip-worktree, a user tells it to take a file for unchanged.
func (c *checkout) unhide() error {
	out, err := c.git("ls-files", "-v", "-z")
	if err != nil {
		return err
	}
	var assumed, skipped strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		tag, name, _ := strings.Cut(line, " ")
		if tag != strings.ToUpper(tag) {
			assumed.WriteString(name + "\x00")
		}
		if !strings.EqualFold(tag, "S") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(c.top, name)); err == nil {
			skipped.WriteString(name + "\x00")
		}
	}
	for flag, names := range map[string]string{"--no-assume-unchanged": assumed.String(), "--no-skip-worktree": skipped.String()} {
		if names == "" {
			continue
		}
		if _, err := c.gitInput(names, "update-index", flag, "-z", "--stdin"); err != nil {
			return err
		}
	}
	return nil
}

// add adds what has changed to the index of this reading. Git would look for changes within a repository that the index names, and run
// the filters of that one's own configuration, so it is only asked which commit is checked out there; its files are read by withModules.
func (c *checkout) add(settings ...string) error {
	modules, err := c.modules()
	if err != nil {
		return err
	}
	without := c.without
	if len(modules) > 0 && without == nil {
		without = []string{"--", ":/"}
	}
	for _, name := range modules {
		without = append(without[:len(without):len(without)], ":(top,exclude,literal)"+name)
	}
	if _, err := c.git(slices.Concat(settings, []string{"add", "--all", "--sparse"}, without)...); err != nil || len(modules) == 0 {
		return err
	}
	_, err = c.git(slices.Concat([]string{"update-index", "--add", "--remove", "--"}, modules)...)
	return err
}

// addMany adds new files with their objects in one pack, which is many times as fast as a file for each. Git leaves half a pack where it
// is killed, so it writes that into the folder of this reading.
func (c *checkout) addMany() error {
	own := *c
	folder := filepath.Join(c.work, "objects")
	own.env = append(slices.Clone(c.env), "GIT_OBJECT_DIRECTORY="+folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoted(c.objects)+":"+quoted(c.alternate))
	if err := errors.Join(os.Mkdir(folder, 0o700), own.add("-c", "core.bigFileThreshold=1")); err != nil {
		return err
	}
	made, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	slices.Reverse(made) // the index of a pack comes last
	for _, file := range made {
		to := filepath.Join(c.objects, strings.TrimPrefix(file, folder))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(file, to))
	}
	return err
}

// removeOld removes the folders of readings that were killed.
func (c *checkout) removeOld() {
	folders, _ := filepath.Glob(filepath.Join(c.kept, "reading-*"))
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(folder)
		}
	}
}

// addNew adds what has changed to the index of this reading. It returns a digest of the files in it that are ignored:
// those that git tracks all the same, and in an earlier index, those that were not ignored then. Both are asked at a time,
// since no file is added that is ignored; if one was deleted, an index may be kept under a name that does not fit, and is not used.
func (c *checkout) addNew() (ignored string, err error) {
	err = together(func() error { return c.add() }, func() error {
		list, err := c.git("ls-files", "--cached", "--ignored", "--exclude-standard", "-z")
		ignored = digest(list)
		return err
	})
	return ignored, err
}

// saveIndex returns the tree of the index of this reading, and saves that for the next one under a name that says what it is of, so that
// it cannot be taken for another one's.
func (c *checkout) saveIndex(earlier []string, state, ignored string) (id string, err error) {
	out, err := c.git("write-tree", "--missing-ok") // which writes the ids of all folders into the index
	if err != nil {
		return "", err
	}
	for _, file := range earlier {
		_ = os.Remove(file)
	}
	id = strings.TrimSpace(string(out))
	saved := c.index + ".saved"
	if err := linkIndex(c.index, saved); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil // there are no files
		}
		return id, err
	}
	return id, os.Rename(saved, filepath.Join(c.kept, state+"-"+ignored+"-"+id+".index"))
}

// together calls functions at the same time, and returns the error of the first of them that has one.
func together(do ...func() error) error {
	errs := make([]error, len(do))
	var wait sync.WaitGroup
	for i, f := range do {
		wait.Go(func() { errs[i] = f() })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// limitUntracked refuses a checkout with more, or larger, files that git does not track than are read. It returns how many there are.
func (c *checkout) limitUntracked() (count int64, err error) {
	out, err := c.git(append([]string{"ls-files", "--others", "--exclude-standard", "-z"}, c.without...)...)
	if err != nil {
		return 0, err
	}
	var size int64
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		count++
		if info, err := os.Lstat(filepath.Join(c.top, name)); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	if count > maxUntracked || size > maxUntrackedBytes {
		return 0, none("more than %d files, or %d MB, are neither tracked nor ignored", maxUntracked, maxUntrackedBytes>>20)
	}
	return count, nil
}

// digest returns a short name of contents. The ids of files are git's; this tells lists of them apart, and links no more packages.
func digest(data []byte) string {
	h := fnv.New128a()
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// stateOf returns what changes when git writes an index: a file of its own with another time. "none" is no index.
func stateOf(index string) (string, error) {
	f, err := os.Open(index)
	if errors.Is(err, os.ErrNotExist) {
		return "none", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	end := make([]byte, min(32, info.Size())) // with git's checksum of all that is before it
	if _, err := f.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return "", err
	}
	return digest(fmt.Appendf(end, "%d %d", info.Size(), info.ModTime().UnixNano())), nil
}

// linkIndex gives an index that git keeps no more another name. Git never writes into one, but replaces it.
func linkIndex(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return err
	}
	return copyIndex(from, to) // the file system has no links
}

// copyIndex copies an index with its time: git reads a file again whose time is not before the index's.
// If there is none, the copy does not exist either, which git takes for an empty one.
func copyIndex(from, to string) error {
	f, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	// Git replaces an index by a rename, so time and contents are those of one file.
	info, err := f.Stat()
	if err != nil {
		return err
	}
	index, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, index, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// modules returns the names of the repositories within the checkout that the index of this reading names and that are checked out.
func (c *checkout) modules() ([]string, error) {
	index, err := os.ReadFile(c.index)
	if err != nil || !mayHaveModules(index) {
		if errors.Is(err, os.ErrNotExist) {
			err = nil // nothing is tracked, and there is no file
		}
		return nil, err
	}
	out, err := c.git("ls-files", "--stage", "-z")
	return slices.DeleteFunc(modulesOf(out), func(name string) bool {
		_, err := os.Lstat(filepath.Join(c.top, name, ".git"))
		return err != nil
	}), err
}

// moduleMode is git's mode of a repository within a checkout.
const moduleMode = "160000"

// modulesOf returns the names of the repositories within a checkout in a list of its files, which begins each with the mode.
func modulesOf(list []byte) (names []string) {
	for line := range strings.SplitSeq(string(list), "\x00") {
		if head, name, _ := strings.Cut(line, "\t"); strings.HasPrefix(head, moduleMode+" ") {
			names = append(names, name)
		}
	}
	return names
}

// mayHaveModules reports whether an index may name repositories within the checkout. To list a large index takes a third of
// the time of reading a tree, so its bytes are searched first: in every version of the format, the mode of an entry is
// four bytes. A part of it that is in another file, which the extension "link" names, may have one too.
func mayHaveModules(index []byte) bool {
	return bytes.Contains(index, []byte{0, 0, 0o160000 >> 8, 0}) || bytes.Contains(index, []byte("link"))
}

// withModules adds the states of the repositories within a checkout, which git's own tree names by a commit: those whose
// files are not the ones of that commit.
func (c *checkout) withModules(t Tree) (Tree, error) {
	modules, err := c.modules()
	if err != nil {
		return Tree{}, err
	}
	var states []byte
	for _, name := range modules {
		dir := filepath.Join(c.top, name)
		module, err := c.reader.Read(c.ctx, dir)
		if err != nil {
			return Tree{}, none("%s: %v", name, err)
		}
		if c.reader.CommitOf(c.ctx, dir, module.ID, "HEAD") == "" {
			states = fmt.Appendf(states, "%s\x00%s\x00", name, module.ID)
		}
	}
	if len(states) > 0 {
		t.ID += "+" + digest(states)
	}
	return t, nil
}
