package session

import (
	"errors"
	"testing"
)

// TestOrigin reads the forms in which git stores the URL of a repository.
func TestOrigin(t *testing.T) {
	const want = "example.com/team/app"
	for url, want := range map[string]string{
		"https://example.com/team/app.git":                  want,
		"https://example.com/team/app":                      want,
		"https://example.com/team/app/":                     want,
		"https://example.com/team/app.git/":                 want,
		"https://me:secret@Example.COM:443/team/app.git":    want,
		"https://token@example.com/team/app":                want,
		"http://example.com//team/./app.git":                want,
		"ssh://git@example.com:2222/team/app.git":           want,
		"git@example.com:team/app.git":                      want,
		"example.com:team/app":                              want,
		"git@example.com:/team/app.git":                     want,
		"git://example.com/team/app.git":                    want,
		"git+ssh://git@example.com/team/app":                want,
		`"https://example.com/team/app.git" # the main one`: want,
		"https://example.com/other/app.git":                 "example.com/other/app",
		"https://example.com/Team/app.git":                  "example.com/Team/app",
		"https://[2001:db8::1]:8443/team/app":               "[2001:db8::1]/team/app",
		"https://[2001:db8::1]/team/app":                    "[2001:db8::1]/team/app",
		"https://example.com":                               "",
		"/srv/git/app.git":                                  "",
		"../app.git":                                        "",
		"./a:b/app":                                         "",
		`C:\\work\\app`:                                     "",
		"file:///srv/git/app.git":                           "",
		"":                                                  "",
	} {
		config := "[core]\n\turl = no\n[remote \"fork\"]\n\turl = https://example.com/me/app\n[Remote \"origin\"]\n\tfetch = +refs/heads/*\n\tURL = " + url + "\n\turl = second\n"
		if got := OriginURL(config); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
	for _, config := range []string{"", "[remote \"fork\"]\nurl = https://example.com/me/app\n", "[remote \"Origin\"]\nurl = https://example.com/me/app\n", "[remote \"origin\"]\n[core]\nurl = https://example.com/me/app\n"} {
		if got := OriginURL(config); got != "" {
			t.Errorf("%q: got %q", config, got)
		}
	}
}

func TestSharedNames(t *testing.T) {
	one, err := Project{Dir: "/a", Origin: "example.com/team/app"}.shared()
	two, _ := Project{Dir: "/b", Origin: "example.com/team/app"}.shared()
	fork, _ := Project{Dir: "/a", Origin: "example.com/me/app"}.shared()
	if err != nil || one != two || one == fork || CheckName(Name{Session: one}) != nil {
		t.Errorf("got %q, %q and %q, %v", one, two, fork, err)
	}
	if name, err := (Project{Dir: "/a"}).shared(); !errors.Is(err, ErrUnnamed) {
		t.Errorf("got %q, %v", name, err)
	}
}
