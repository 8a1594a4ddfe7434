// Package npm stands in for npm's registry in tests.
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

// Registry packs the packages in the folders of a folder, and serves them on the loopback, as npm's registry does.
// The caller closes it.
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
			_ = json.NewEncoder(w).Encode(document) // to npm, which says what it lacks
			return
		}
		files.ServeHTTP(w, r)
	}))
	address := "http://" + server.Listener.Addr().String() + "/"
	for _, file := range found {
		name, document := packed(t, file, tarballs, address)
		documents[name] = document
	}
	server.Start()
	return server
}

// packed packs one package, and returns what the registry says of it.
func packed(t *testing.T, file, tarballs, address string) (name string, document map[string]any) {
	t.Helper()
	cmd := exec.Command("npm", "pack", "--json", "--pack-destination", tarballs)
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack in %s: %v\n%s", cmd.Dir, err, out)
	}
	var made []struct{ Name, Version, Filename, Integrity string }
	if err := json.Unmarshal(out, &made); err != nil || len(made) != 1 {
		t.Fatalf("npm pack in %s: %v\n%s", cmd.Dir, err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	p := made[0]
	manifest["dist"] = map[string]string{"tarball": address + p.Filename, "integrity": p.Integrity}
	return p.Name, map[string]any{
		"name": p.Name, "dist-tags": map[string]string{"latest": p.Version}, "versions": map[string]any{p.Version: manifest},
	}
}
