// Package npm serves packages to npm in tests, instead of its registry.
package npm

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Registry packs each package in a subfolder of packages, and serves them on loopback as npm's registry does.
// The caller closes the server.
func Registry(t *testing.T, packages string) *httptest.Server {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(packages, "*", "package.json"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s has no packages: %v", packages, err)
	}
	documents := map[string]any{}
	tarballs := t.TempDir()
	files := http.FileServer(http.Dir(tarballs))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if document, ok := documents[strings.TrimPrefix(r.URL.Path, "/")]; ok {
			_ = json.NewEncoder(w).Encode(document) // an error reaches npm, which reports it
			return
		}
		files.ServeHTTP(w, r)
	}))
	address := "http://" + server.Listener.Addr().String() + "/"
	for name, document := range packed(t, found, tarballs, address) {
		documents[name] = document
	}
	server.Start()
	return server
}

// packed packs the packages, and returns the registry's document for each, by name.
// It starts npm once for all of them, since npm's start takes most of the time.
func packed(t *testing.T, manifests []string, tarballs, address string) map[string]any {
	t.Helper()
	cmd := exec.Command("npm", "pack", "--json", "--pack-destination", tarballs)
	for _, file := range manifests {
		cmd.Args = append(cmd.Args, filepath.Dir(file))
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	var made []struct{ Name, Version, Filename, Integrity string }
	if err := json.Unmarshal(out, &made); err != nil || len(made) != len(manifests) {
		t.Fatalf("npm pack of %d packages: %v\n%s", len(manifests), err, out)
	}
	documents := map[string]any{}
	for i, p := range made {
		text, err := os.ReadFile(manifests[i])
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := json.Unmarshal(text, &manifest); err != nil || manifest["name"] != p.Name {
			t.Fatalf("%s became the package %s: %v", manifests[i], p.Name, err)
		}
		manifest["dist"] = map[string]string{"tarball": address + p.Filename, "integrity": p.Integrity}
		documents[p.Name] = map[string]any{
			"name": p.Name, "dist-tags": map[string]string{"latest": p.Version}, "versions": map[string]any{p.Version: manifest},
		}
	}
	return documents
}
