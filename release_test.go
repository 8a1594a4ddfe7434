package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onward/test/golden"
)

// TestReleaseReportsItsVersion builds with the linker's flags of the release. Only a test finds a wrong name in
// them, because the linker ignores a variable that does not exist.
func TestReleaseReportsItsVersion(t *testing.T) {
	if !*long {
		t.Skip("it links the program; -long runs it")
	}
	t.Parallel()
	release, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`ldflags: \["(.*)"\]`).FindStringSubmatch(string(release))
	if found == nil {
		t.Fatal("the release has no flags for the linker")
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	flags := strings.NewReplacer("{{ .Version }}", "1.2.3", "{{ .FullCommit }}", revision).Replace(found[1])
	program := filepath.Join(t.TempDir(), "onward")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, "--version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Version, Revision string }
	if err := json.Unmarshal(out, &got); err != nil || got.Version != "1.2.3" || got.Revision != revision {
		t.Errorf("the release says %s, %v", out, err)
	}
}

// TestReleaseIsPinned checks that a release is built by exactly the programs that were reviewed, and no others that took their names.
func TestReleaseIsPinned(t *testing.T) {
	t.Parallel()
	read := func(name string) string { return textOf(t, name) }
	workflows, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(workflows) == 0 {
		t.Fatalf("find the workflows: %v, %d files", err, len(workflows))
	}
	uses := regexp.MustCompile(`(?m)uses: *(\S+)`)
	commit := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	for _, name := range append(workflows, "action.yml") {
		for _, found := range uses.FindAllStringSubmatch(read(name), -1) {
			if found[1] != "./" && !commit.MatchString(found[1]) {
				t.Errorf("%s uses %s, which is not a commit", name, found[1])
			}
		}
	}
	for _, line := range strings.Split(read("release/image/Dockerfile"), "\n") {
		if image, ok := strings.CutPrefix(line, "FROM "); ok && !strings.HasPrefix(image, "scratch") && !strings.Contains(image, "@sha256:") {
			t.Errorf("the image begins with %s, which has no digest", image)
		}
	}
	_, rest, _ := strings.Cut(read(".ci/tools"), "goreleaser_version=")
	tried, _, _ := strings.Cut(rest, "\n")
	if !strings.Contains(read(".github/workflows/release.yml"), "\n          version: "+tried+"\n") {
		t.Errorf("the release is built by another goreleaser than %q, which .ci/nightly tries", tried)
	}
}

// TestNoProgramIsCommitted checks that every file in the repository is small. A program that `go build` left in a folder would go
// to everybody who clones the project or installs it with Go.
func TestNoProgramIsCommitted(t *testing.T) {
	t.Parallel()
	files, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("this is not a clone: %v", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		if info, err := os.Lstat(name); err == nil && info.Size() > 1<<20 {
			t.Errorf("%s has %d bytes: is it a program? Then `git rm --cached %[1]s`", name, info.Size())
		}
	}
}

// TestReleasedVersion checks that the plugins, which agents install from the repository, and the page that shows the action name the
// newest version in CHANGELOG.md, as the tag of the release does. -update writes it into them.
func TestReleasedVersion(t *testing.T) {
	t.Parallel()
	newest := regexp.MustCompile(`(?m)^## \[(\d\S*)\]`).FindStringSubmatch(textOf(t, "CHANGELOG.md"))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	named := regexp.MustCompile(`("version": ")[^"]*"`)
	files, err := filepath.Glob("plugins/*/*-extension.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("find the extensions: %v, %d files", err, len(files))
	}
	for _, name := range append(files, "plugins/onward/.claude-plugin/plugin.json", "plugins/onward/.codex-plugin/plugin.json") {
		text := textOf(t, name)
		if !named.MatchString(text) {
			t.Errorf("%s has no version", name)
		}
		golden.Compare(t, name, named.ReplaceAllString(text, "${1}"+newest[1]+`"`))
	}
	_, inHost, _ := strings.Cut(strings.TrimSpace(textOf(t, "release/home")), "/")
	action := regexp.MustCompile(`(uses: ` + regexp.QuoteMeta(inHost) + `@v)\d\S*`)
	text := textOf(t, "docs/recipes.md")
	golden.Compare(t, "docs/recipes.md", action.ReplaceAllString(text, "${1}"+newest[1]))
	if tag, is := strings.CutPrefix(os.Getenv("GITHUB_REF"), "refs/tags/v"); is && tag != newest[1] {
		t.Errorf("the tag is v%s, and the newest version in CHANGELOG.md is %s", tag, newest[1])
	}
}

// textOf returns what is in a file of the project.
func textOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestHome checks that every page and every file of a release uses the address in release/home, which release/set-home
// changes. Any other address of an onward belongs to somebody else.
func TestHome(t *testing.T) {
	t.Parallel()
	read := func(name string) string { return textOf(t, name) }
	home := strings.TrimSpace(read("release/home"))
	if !strings.HasPrefix(read("go.mod"), "module "+home+"\n") {
		t.Errorf("the module is not %s", home)
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`(?:[a-z]+\.(?:com|org|dev|io)/|uses: )[\w.-]+/onward\b`)
	for _, name := range append(pages, "README.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", ".goreleaser.yaml", ".github/workflows/release.yml", "release/check.sh") {
		for _, found := range address.FindAllString(read(name), -1) {
			_, inHost, _ := strings.Cut(home, "/") // as GitHub names an action
			if found != home && found != "example.com/team/onward" && found != "uses: "+inHost {
				t.Errorf("%s names %q; the home is %q", name, found, home)
			}
		}
	}
}
