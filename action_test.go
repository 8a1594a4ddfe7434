package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// actionStep is a step of action.yml: its script, and the variables that pass the inputs to it.
type actionStep struct {
	condition, script string
	env               map[string]string
}

var (
	actionInput  = regexp.MustCompile(`(?m)^  ([a-z-]+):\n    description: .*\n(?:    default: (.*)\n)?`)
	actionMember = regexp.MustCompile(`(?m)^        ([A-Z_]+): (.*)$`)
	// unquoted is a value outside a script that YAML reads as another mapping.
	unquoted   = regexp.MustCompile(`(?m)^ {0,8}(?:- )?[a-zA-Z_-]+: [^"'|\n][^\n]*?:(?: .*)?$`)
	expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)
)

// readAction reads the inputs, with their defaults, and the steps of action.yml.
func readAction(t *testing.T) (inputs map[string]string, steps []actionStep) {
	t.Helper()
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range unquoted.FindAllString(string(text), -1) {
		t.Errorf("action.yml is not YAML, because a value with a colon needs quotes: %s", line)
	}
	head, runs, _ := strings.Cut(string(text), "\n  steps:\n")
	head, _, _ = strings.Cut(head, "\noutputs:\n")
	inputs = make(map[string]string)
	for _, m := range actionInput.FindAllStringSubmatch(head, -1) {
		inputs[m[1]] = strings.Trim(m[2], `"`)
	}
	for _, step := range strings.Split("\n"+runs, "\n    - ")[1:] {
		members, script, ok := strings.Cut(step, "\n      run: |\n")
		if !ok || !strings.Contains(members, "\n      shell: bash\n") {
			t.Fatalf("a step is no script for bash:\n%s", step)
		}
		s := actionStep{env: make(map[string]string), script: regexp.MustCompile(`(?m)^        `).ReplaceAllString(script, "")}
		if _, condition, ok := strings.Cut(members, "\n      if: "); ok {
			s.condition, _, _ = strings.Cut(condition, "\n")
		}
		for _, m := range actionMember.FindAllStringSubmatch(members, -1) {
			s.env[m[1]] = m[2]
		}
		steps = append(steps, s)
	}
	if len(inputs) != 8 || len(steps) != 2 || steps[1].condition != "inputs.assert == 'true'" {
		t.Fatalf("read %d inputs and %d steps: %v", len(inputs), len(steps), steps)
	}
	return inputs, steps
}

// evaluate returns the value of an expression such as `inputs.version || github.action_ref`.
func evaluate(text string, inputs, contexts map[string]string) string {
	for _, part := range strings.Split(text, " || ") {
		value := strings.Trim(part, "'")
		if name, ok := strings.CutPrefix(part, "inputs."); ok {
			value = inputs[name]
		} else if strings.HasPrefix(part, "github.") {
			value = contexts[part]
		}
		if value != "" {
			return value
		}
	}
	return ""
}

// TestActionInputsInDocs fails if the recipe in docs sets an input that the action does not have.
func TestActionInputsInDocs(t *testing.T) {
	t.Parallel()
	inputs, _ := readAction(t)
	page, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(page), "### GitHub Actions")
	home, err := os.ReadFile("release/home")
	if err != nil {
		t.Fatal(err)
	}
	address := "./\n"
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(home)), "github.com/"); ok { // which release/set-home writes
		address = name + "@v"
	}
	if _, uses, _ := strings.Cut(recipe, "- uses: "); !strings.HasPrefix(uses, address) {
		t.Error("docs/recipes.md uses the action of an address that does not exist")
	}
	_, with, _ := strings.Cut(recipe, "  with:\n")
	with, _, ok := strings.Cut(with, "```")
	for line := range strings.Lines(with) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if _, known := inputs[name]; !known || !ok {
			t.Errorf("docs/recipes.md sets %q, which is no input of the action", name)
		}
	}
}

// TestActionScriptsWithoutExpressions keeps expressions out of scripts, because the shell would run their text.
func TestActionScriptsWithoutExpressions(t *testing.T) {
	t.Parallel()
	_, steps := readAction(t)
	for _, s := range steps {
		if strings.Contains(s.script, "${{") {
			t.Errorf("a script contains an expression:\n%s", s.script)
		}
	}
}

// TestAction runs the steps of action.yml in bash, as a runner does: with an archive on the machine,
// and with a release that a curl of the test serves.
func TestAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the test workflow uses the action on Windows")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	t.Parallel()
	defaults, steps := readAction(t)
	archive, sum := releaseArchive(t)

	const done, open = "- [x] fix the parser\n", "- [x] fix the parser\n- [ ] write 100% of the notes _(blocked)_\n"
	inArchive := map[string]string{"archive": archive}
	for name, c := range map[string]struct {
		inputs  map[string]string
		ref     string
		list    string
		served  string // the server's checksums.txt
		install string // the output of the first step; "" if it succeeds
		check   string // the output of the second step; "" if it succeeds
	}{
		"Done":           {inputs: inArchive, list: done},
		"Open":           {inputs: inArchive, list: open, check: "::error title=item 2 is blocked::write 100%25 of the notes"},
		"Allowed":        {inputs: map[string]string{"archive": archive, "allow": "blocked"}, list: open},
		"NoFile":         {inputs: inArchive, check: `onward: import "TODO.md": no such file`},
		"NoList":         {inputs: map[string]string{"archive": archive, "file": ""}, check: "::error title=no list::"},
		"NoListRequired": {inputs: map[string]string{"archive": archive, "file": "", "require-list": "false"}},
		"Checksum":       {inputs: map[string]string{"archive": archive, "checksum": sum}, list: done},
		"WrongChecksum":  {inputs: map[string]string{"archive": archive, "checksum": "00"}, install: "::error title=onward::onward_1.2.3_"},
		"NoArchive":      {inputs: map[string]string{"archive": "none.tar.gz"}, install: "::error title=onward::there is no archive none.tar.gz"},
		"Tag":            {ref: "v1.2.3", served: sum, list: done},
		"Version":        {inputs: map[string]string{"version": "1.2.3"}, ref: "main", served: sum, list: done},
		"Latest":         {inputs: map[string]string{"version": "latest"}, served: sum, list: open, check: "::error title=item 2"},
		"Branch":         {ref: "main", install: `::error title=onward::"main" is not a version: `},
		"Forged":         {inputs: map[string]string{"version": "$(touch forged)\n::error::"}, install: `::error title=onward::"$(touch forged)%0A::error::" is not a version: `},
		"Tampered":       {ref: "v1.2.3", served: strings.Repeat("0", 64), install: "does not have the checksum in checksums.txt"},
		"NotListed":      {ref: "v1.2.3", served: "", install: "checksums.txt of version 1.2.3 does not list onward_1.2.3_"},
		"NoRelease":      {ref: "v9.9.9", served: sum, install: "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			server := filepath.Join(dir, "server")
			files := map[string]string{
				"bin/curl":                    servingCurl,
				"server/v1.2.3/checksums.txt": c.served + "  " + filepath.Base(archive) + "\n",
				"work/other":                  "",
				"runner temp/github_output":   "",
				"runner temp/github_path":     "",
			}
			if c.list != "" {
				files["work/TODO.md"] = c.list
			}
			for file, content := range files {
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(content), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(archive, filepath.Join(server, "v1.2.3", filepath.Base(archive))); err != nil {
				t.Fatal(err)
			}
			inputs := maps.Clone(defaults)
			maps.Copy(inputs, c.inputs)
			contexts := map[string]string{"github.action_ref": c.ref, "github.server_url": "https://github.com", "github.repository": "team/onward"}
			temp := filepath.Join(dir, "runner temp")
			step := func(s actionStep, path string) (string, error) {
				run := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", s.script)
				run.Dir = filepath.Join(dir, "work")
				run.Env = []string{
					"PATH=" + path, "HOME=" + dir, "SERVED=" + server, "RUNNER_TEMP=" + temp,
					"RUNNER_OS=" + map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS],
					"RUNNER_ARCH=" + map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
					"GITHUB_OUTPUT=" + filepath.Join(temp, "github_output"), "GITHUB_PATH=" + filepath.Join(temp, "github_path"),
				}
				for k, v := range s.env {
					run.Env = append(run.Env, k+"="+expression.ReplaceAllStringFunc(v, func(e string) string {
						return evaluate(expression.FindStringSubmatch(e)[1], inputs, contexts)
					}))
				}
				out, err := run.CombinedOutput()
				return string(out), err
			}
			path := filepath.Join(dir, "bin") + ":" + withoutOnward(os.Getenv("PATH"))

			out, err := step(steps[0], path)
			if c.install != "" {
				added, _ := os.ReadFile(filepath.Join(temp, "github_path"))
				if err == nil || !strings.Contains(out, c.install) || len(added) != 0 || strings.Count("\n"+out, "\n::") > 1 {
					t.Errorf("%v, PATH %q:\n%s\nwant %q", err, added, out, c.install)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, _ := os.ReadFile(filepath.Join(temp, "github_output")); string(got) != "version=dev\n" {
				t.Errorf("the step's output is %q", got)
			}
			added, err := os.ReadFile(filepath.Join(temp, "github_path"))
			if err != nil {
				t.Fatal(err)
			}
			out, err = step(steps[1], strings.TrimSpace(string(added))+":"+path)
			if (err == nil) != (c.check == "") || !strings.Contains(out, c.check) {
				t.Errorf("%v\n%s\nwant %q", err, out, c.check)
			}
		})
	}
}

// servingCurl returns a script that replaces curl. It serves version 1.2.3 as the only release, and as the latest.
const servingCurl = `#!/bin/sh
out=
while [ $# -gt 1 ]; do
	case $1 in
	--output) out=$2; shift ;;
	--proto | --retry | --write-out) shift ;;
	esac
	shift
done
case $1 in
https://github.com/team/onward/releases/latest) printf %s "${1%latest}tag/v1.2.3" ;;
https://github.com/team/onward/releases/download/v1.2.3/*) cp "$SERVED/${1#*/download/}" "$out" ;;
*) echo "curl: (22) The requested URL returned error: 404: $1" >&2; exit 22 ;;
esac
`

// releaseArchive packs onward as a release does. It returns the archive and its SHA-256.
func releaseArchive(t *testing.T) (file, sum string) {
	t.Helper()
	dir := t.TempDir()
	name := fmt.Sprintf("onward_1.2.3_%s_%s", runtime.GOOS, runtime.GOARCH)
	file = filepath.Join(dir, name+".tar.gz")
	// The program in the archive starts onward, which is faster than packing it.
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\"\n", filepath.Join(builtPrograms(t), "onward"))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, name), 0o700),
		os.WriteFile(filepath.Join(dir, name, "onward"), []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "-C", dir, "-czf", file, name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, fmt.Sprintf("%x", sha256.Sum256(packed))
}
