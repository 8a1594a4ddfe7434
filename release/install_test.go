//go:build unix

// Package release tests what a release brings besides its programs.
package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// page is a project's page of releases, on the loopback.
type page struct {
	*httptest.Server
	files    map[string][]byte // by their paths
	requests atomic.Int32
}

const archive = "onward_1.2.3_linux_amd64"

// published serves a release for Linux, whose onward is a script. The machine is said to be such a one.
func published(t *testing.T) *page {
	t.Helper()
	p := &page{files: map[string][]byte{}}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		data, ok := p.files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(p.Close)
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	w := tar.NewWriter(zipped)
	add := func(name, text string, mode int64) {
		if err := w.WriteHeader(&tar.Header{Name: archive + "/" + name, Mode: mode, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"onward", "onward-schema", "onward-mcp", "onward-etcd"} {
		add(name, "#!/bin/sh\necho "+name+" 1.2.3\n", 0o755)
	}
	for _, name := range []string{"man/onward.1.gz", "man/onward-exit-codes.7.gz", "completions/onward.bash", "completions/onward.zsh", "completions/onward.fish"} {
		add(name, name, 0o644)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	sums := fmt.Appendf(nil, "%064x  onward_1.2.3_darwin_arm64.tar.gz\n%x  %s.tar.gz\n%064x  onward_1.2.3_linux_amd64.deb\n", 1, sha256.Sum256(packed.Bytes()), archive, 2)
	p.files["/latest/download/checksums.txt"] = sums
	p.files["/download/v1.2.3/checksums.txt"] = sums
	p.files["/download/v1.2.3/"+archive+".tar.gz"] = packed.Bytes()
	return p
}

// machine is a folder of programs that is all of PATH, and a home.
type machine struct {
	t         *testing.T
	bin, home string
}

func newMachine(t *testing.T, programs ...string) machine {
	t.Helper()
	m := machine{t, filepath.Join(t.TempDir(), "bin"), filepath.Join(t.TempDir(), "a home")}
	if err := os.MkdirAll(m.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	sums := []string{"sha256sum"}
	if runtime.GOOS == "darwin" {
		sums = []string{"shasum", "perl"}
	}
	for _, name := range append(append(programs, sums...), "sh", "mktemp", "mkdir", "mv", "cp", "rm", "tar", "gzip", "grep", "cut", "tail", "sed") {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip("there is no " + name)
		}
		if err := os.Symlink(path, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.script("uname", `case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac`)
	return m
}

// script puts a program of the test's own on the machine.
func (m machine) script(name, text string) {
	m.t.Helper()
	// A process that a test beside this one starts in the meantime would hold the file open, and nobody could run it.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// install runs a script with arguments, and returns its exit code and output.
func (m machine) install(script []byte, args ...string) (code int, out string) {
	m.t.Helper()
	cmd := exec.Command("sh", append([]string{"-s", "--"}, args...)...)
	cmd.Env, cmd.Dir, cmd.Stdin = []string{"PATH=" + m.bin, "HOME=" + m.home}, m.bin, bytes.NewReader(script)
	printed, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(printed)
}

// files returns the names of all files in the home.
func (m machine) files() (names []string) {
	_ = filepath.WalkDir(m.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, m.home+"/"))
		}
		return nil
	})
	return names
}

// installer returns the script as release/set-home changes it.
func installer(t *testing.T) []byte { return homed(t, "example.com/team/onward") }

func homed(t *testing.T, home string) []byte {
	t.Helper()
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\nhome=\S+`).ReplaceAllLiteral(script, []byte("\nhome="+home))
}

// TestInstall installs a release with each of the programs that can download, over an older one, and removes it.
func TestInstall(t *testing.T) {
	t.Parallel()
	p := published(t)
	for _, loader := range []string{"curl", "wget"} {
		m := newMachine(t, loader)
		old := filepath.Join(m.home, ".local", "bin", "onward")
		if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(old, []byte("old"), 0o755); err != nil {
			t.Fatal(err)
		}
		code, out := m.install(installer(t), "--from", p.URL)
		if code != 0 || !strings.Contains(out, "installed onward 1.2.3 into "+filepath.Dir(old)+"\nadd it to your PATH") {
			t.Fatalf("%s: exit %d\n%s", loader, code, out)
		}
		if got := strings.Join(m.files(), " "); got != ".local/bin/onward .local/bin/onward-etcd .local/bin/onward-mcp .local/bin/onward-schema "+
			".local/share/bash-completion/completions/onward .local/share/fish/vendor_completions.d/onward.fish "+
			".local/share/man/man1/onward.1.gz .local/share/man/man7/onward-exit-codes.7.gz .local/share/zsh/site-functions/_onward" {
			t.Errorf("%s: the home has %s", loader, got)
		}
		if version, err := exec.Command(old).Output(); err != nil || string(version) != "onward 1.2.3\n" {
			t.Errorf("%s: %q, %v", loader, version, err)
		}
		if code, out := m.install(installer(t), "--uninstall"); code != 0 || len(m.files()) != 0 {
			t.Errorf("%s: exit %d, %q stay\n%s", loader, code, m.files(), out)
		}
	}
	m := newMachine(t, "curl")
	if code, out := m.install(installer(t), "--from", p.URL+"/", "--version", "v1.2.3", "--to", m.home+"/tools"); code != 0 || len(m.files()) != 4 {
		t.Errorf("a version, and a folder with another name: exit %d, %q\n%s", code, m.files(), out)
	}
}

// TestInstallRefuses says what is wrong, and leaves nothing behind.
func TestInstallRefuses(t *testing.T) {
	t.Parallel()
	curl := []string{"curl"}
	for name, test := range map[string]struct {
		programs []string
		change   func(p *page, m machine)
		args     []string
		code     int
		says     string
	}{
		"no loader":         {nil, nil, nil, 66, "neither curl nor wget"},
		"unknown system":    {curl, func(_ *page, m machine) { m.script("uname", "echo Plan9") }, nil, 66, "no release for Plan9"},
		"windows":           {curl, func(_ *page, m machine) { m.script("uname", "echo MINGW64_NT-10.0") }, nil, 66, "Scoop"},
		"unknown processor": {curl, func(_ *page, m machine) { m.script("uname", "case $1 in -s) echo Linux ;; *) echo riscv64 ;; esac") }, nil, 66, "riscv64"},
		"no archive":        {curl, func(_ *page, m machine) { m.script("uname", "case $1 in -s) echo Linux ;; *) echo aarch64 ;; esac") }, nil, 66, "no archive for linux on arm64"},
		"unknown version":   {curl, nil, []string{"--version", "9.9.9"}, 74, "/download/v9.9.9/checksums.txt"},
		"checksum":          {curl, func(p *page, _ machine) { p.files["/download/v1.2.3/"+archive+".tar.gz"][40]++ }, nil, 65, "does not have the checksum"},
		"lost archive":      {curl, func(p *page, _ machine) { delete(p.files, "/download/v1.2.3/"+archive+".tar.gz") }, nil, 74, "cannot be had from"},
		"not signed":        {curl, func(_ *page, m machine) { m.script("cosign", "exit 0") }, nil, 65, "not signed"},
		"wrong signature":   {curl, signed("echo no matching signatures >&2; exit 1"), nil, 65, "signature of the checksums is wrong: no matching"},
		"no checksum tool": {curl, func(_ *page, m machine) {
			os.Remove(filepath.Join(m.bin, "sha256sum"))
			os.Remove(filepath.Join(m.bin, "shasum"))
		}, nil, 66, "cannot be checked"},
		"folder is a file":     {curl, nil, []string{"--to", "/dev/null/bin"}, 77, "you may not write to /dev/null/bin"},
		"unknown argument":     {curl, nil, []string{"--force"}, 64, "unknown argument --force"},
		"argument without one": {curl, nil, []string{"--to"}, 64, "--to needs a value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, m := published(t), newMachine(t, test.programs...)
			if test.change != nil {
				test.change(p, m)
			}
			code, out := m.install(installer(t), append([]string{"--from", p.URL}, test.args...)...)
			if code != test.code || !strings.Contains(out, test.says) {
				t.Errorf("exit %d, want %d and %q\n%s", code, test.code, test.says, out)
			}
			if left := m.files(); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
		})
	}
	m := newMachine(t, "curl")
	if code, out := m.install(homed(t, "onward")); code != 78 || !strings.Contains(out, "--from URL") {
		t.Errorf("without an address: exit %d\n%s", code, out)
	}
}

// signed gives the release a signature, and the machine a cosign.
func signed(cosign string) func(*page, machine) {
	return func(p *page, m machine) {
		p.files["/download/v1.2.3/checksums.txt.sigstore.json"] = []byte("{}")
		m.script("cosign", cosign)
	}
}

// TestInstallChecksSignature asks cosign about the checksums and the workflow of the project, and no other.
func TestInstallChecksSignature(t *testing.T) {
	t.Parallel()
	p, m := published(t), newMachine(t, "curl")
	signed(`echo "$@" >`+filepath.Join(m.bin, "asked"))(p, m)
	if code, out := m.install(installer(t), "--from", p.URL); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	asked, err := os.ReadFile(filepath.Join(m.bin, "asked"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"verify-blob --new-bundle-format --bundle ", `--certificate-identity-regexp ^https://example[.]com/team/onward/\.github/workflows/release\.yml@ `, "/checksums.txt\n"} {
		if !strings.Contains(string(asked), want) {
			t.Errorf("cosign was asked %q, without %q", asked, want)
		}
	}
}

// TestInstallCutOff runs what has arrived of the script: nothing is asked of the server, and nothing is written.
func TestInstallCutOff(t *testing.T) {
	t.Parallel()
	p, m, script := published(t), newMachine(t, "curl"), installer(t)
	end := bytes.LastIndexByte(script, '}')
	step := 251
	if testing.Short() {
		step = 997
	}
	for cut := 0; cut < end; cut += step {
		m.install(script[:cut], "--from", p.URL)
	}
	m.install(script[:end], "--from", p.URL)
	if asked := p.requests.Load(); asked > 0 || len(m.files()) > 0 {
		t.Errorf("%d requests, and %q", asked, m.files())
	}
}

// A page that was reached by HTTPS cannot send the download to an address that anybody on the way could answer.
func TestInstallStaysWithHTTPS(t *testing.T) {
	p := published(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, p.URL+r.URL.Path, http.StatusFound)
	}))
	defer secure.Close()
	m := newMachine(t, "curl")
	authority := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	// curl is told of the authority on its command line, since the script's environment has nothing but two variables.
	curl, err := filepath.EvalSymlinks(filepath.Join(m.bin, "curl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(m.bin, "curl")); err != nil {
		t.Fatal(err)
	}
	m.script("curl", fmt.Sprintf(`exec '%s' --cacert '%s' "$@"`, curl, authority))
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	code, out := m.install(script, "--from", secure.URL)
	if code != 74 || p.requests.Load() != 0 || len(m.files()) != 0 {
		t.Errorf("exit code %d, %d requests by HTTP, files %q\n%s", code, p.requests.Load(), m.files(), out)
	}
}
