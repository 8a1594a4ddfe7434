package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// tags are the platforms of a wheel, by system and processor. The programs for Linux link no C library, so they run with
// each; macOS 12 is the oldest that Go supports.
var tags = map[string]string{
	"linux/amd64":   "manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// wheels writes a wheel for each system. The programs are its scripts, so pip puts them on PATH and Python is not started.
func (r release) wheels(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range r.systems {
		platform, ok := tags[s.os+"/"+s.arch]
		if !ok {
			return fmt.Errorf("there is no name of a wheel for %s/%s", s.os, s.arch)
		}
		name, data, err := r.wheel(s, platform)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// wheel returns the wheel of a system, with its name. Its bytes depend on what is in it alone.
func (r release) wheel(s system, platform string) (name string, data []byte, err error) {
	team, project := r.team()
	if team != "" {
		project = team + "-" + project
	}
	stem := strings.NewReplacer("-", "_", ".", "_").Replace(project) + "-" + pythonVersion(r.version)
	var out bytes.Buffer
	w := archive{zip: zip.NewWriter(&out)}
	for _, p := range s.programs {
		program, err := os.ReadFile(p.path)
		if err != nil {
			return "", nil, err
		}
		w.add(stem+".data/scripts/"+s.file(p), program, 0o755)
	}
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", nil, err
	}
	info := stem + ".dist-info/"
	w.add(info+"licenses/LICENSE", text, 0o644)
	w.add(info+"licenses/licenses.txt", r.notices, 0o644)
	metadata := "Metadata-Version: 2.4\nName: " + project + "\nVersion: " + pythonVersion(r.version) + "\nSummary: " + summary +
		"\nLicense-Expression: " + license + "\nLicense-File: LICENSE\nLicense-File: licenses.txt\n"
	if r.owned() {
		metadata += "Project-URL: Homepage, https://" + r.home + "\n"
	} else {
		metadata += "Classifier: Private :: Do Not Upload\n" // the name may be somebody else's, and the index refuses this
	}
	w.add(info+"METADATA", []byte(metadata), 0o644)
	var each strings.Builder
	for _, p := range strings.Split(platform, ".") {
		each.WriteString("Tag: py3-none-" + p + "\n")
	}
	w.add(info+"WHEEL", []byte("Wheel-Version: 1.0\nGenerator: onward\nRoot-Is-Purelib: false\n"+each.String()), 0o644)
	w.record.WriteString(info + "RECORD,,\n")
	w.add(info+"RECORD", []byte(w.record.String()), 0o644)
	if w.err == nil {
		w.err = w.zip.Close()
	}
	return stem + "-py3-none-" + platform + ".whl", out.Bytes(), w.err
}

// archive is a wheel that is being written, with the record of its files.
type archive struct {
	zip    *zip.Writer
	record strings.Builder
	err    error
}

func (w *archive) add(name string, data []byte, mode os.FileMode) {
	if w.err != nil {
		return
	}
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	head.SetMode(mode)
	var file io.Writer
	if file, w.err = w.zip.CreateHeader(head); w.err == nil {
		_, w.err = file.Write(data)
	}
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
}

var (
	semantic   = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(.+?))?(?:\+.*)?$`)
	candidates = regexp.MustCompile(`^(alpha|beta|rc)\.?(\d+)$`)
	notLocal   = regexp.MustCompile(`[^a-z0-9]+`)
)

// pythonVersion returns a version in Python's form: 1.2.0-rc.1 is 1.2.0rc1, and any other version before a release is a development version.
func pythonVersion(version string) string {
	parts := semantic.FindStringSubmatch(version)
	switch {
	case parts == nil:
		return version
	case parts[2] == "":
		return parts[1]
	case candidates.MatchString(parts[2]):
		of := candidates.FindStringSubmatch(parts[2])
		return parts[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[of[1]] + of[2]
	}
	return parts[1] + ".dev0+" + notLocal.ReplaceAllString(strings.ToLower(parts[2]), ".")
}
