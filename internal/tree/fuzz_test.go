package tree

import "testing"

// FuzzManifests reads manifests of projects as somebody else wrote them: what does not belong to their tests changes nothing.
func FuzzManifests(f *testing.F) {
	f.Add([]byte(`{"scripts":{"test":"jest"},"jest":{"bail":true},"dependencies":{"a":"1"}}`))
	f.Add([]byte("[tool.pytest.ini_options]\naddopts = '-q'\n[project]\nname = 'a'\n"))
	f.Add([]byte(`{"scripts":`))
	f.Fuzz(func(t *testing.T, text []byte) {
		testsOfPackage(text)
		more := append(append([]byte{}, text...), "\n[project.urls]\nhome = 'a'\n"...)
		if got, want := testsOfPyproject(more), testsOfPyproject(text); got != want {
			t.Errorf("a table of links changes the tests: %q, not %q", got, want)
		}
	})
}
