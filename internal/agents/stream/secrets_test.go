package stream

import (
	"strings"
	"testing"
)

// TestSecretsAreMasked checks that a line which a history keeps has no secret, and that other lines stay as they are.
func TestSecretsAreMasked(t *testing.T) {
	for line, want := range map[string]string{
		"export GITHUB_TOKEN=abc123 && make":                                 "export GITHUB_TOKEN=*** && make",
		`DB_PASSWORD="two words" psql -h db`:                                 "DB_PASSWORD=*** psql -h db",
		"mysql --password hunter2 -e 'select 1'":                             "mysql --password *** -e 'select 1'",
		"tool --api-key=abc --verbose":                                       "tool --api-key=*** --verbose",
		`curl -H "Authorization: Bearer abc.def" https://example.com`:        `curl -H "Authorization: Bearer ***" https://example.com`,
		`curl -H 'X-Api-Key: abc' https://example.com`:                       `curl -H 'X-Api-Key: ***' https://example.com`,
		"curl -u me:pass https://example.com":                                "curl -u me:*** https://example.com",
		"git clone https://me:pass@example.com/app.git":                      "git clone https://me:***@example.com/app.git",
		"echo sk-" + strings.Repeat("a1", 12):                                "echo ***",
		"gh auth login ghp_0123456789abcdefghijABCDEFGHIJ":                   "gh auth login ***",
		`curl -d '{"user":"me","password":"x y"}' localhost`:                 `curl -d '{"user":"me","password":***}' localhost`,
		"AWS_SECRET_ACCESS_KEY=abc AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE x": "AWS_SECRET_ACCESS_KEY=*** AWS_ACCESS_KEY_ID=*** x",
		"GITHUB_TOKEN=$TOKEN make":                                           "GITHUB_TOKEN=$TOKEN make",
		"onward run claude --max-tokens 300 -- go test ./token":              "onward run claude --max-tokens 300 -- go test ./token",
		"grep -rn password: docs":                                            "grep -rn password: ***",
		"go test ./... -run TestTokens=1":                                    "go test ./... -run TestTokens=1",
		"ssh -p 22 me@example.com":                                           "ssh -p 22 me@example.com",
	} {
		if got := withoutSecrets(line); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
}
