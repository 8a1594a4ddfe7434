//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/companion/onward-etcd/cluster"
)

// block returns the code block of docs/fleet.md that contains a text.
func block(t *testing.T, with string) string {
	t.Helper()
	parts := strings.Split(read(page), "```\n")
	for i := 1; i < len(parts); i += 2 {
		if strings.Contains(parts[i], with) {
			return parts[i]
		}
	}
	t.Fatalf("%s has no block with %q", page, with)
	return ""
}

// manual is a folder in which the commands of docs/fleet.md run, with addresses of this machine instead of the
// three hosts.
type manual struct {
	*authority
	env            []string
	clients, peers []string
}

// here returns a block of the manual as the given host runs it, with the addresses of this machine.
func (m *manual) here(host int, with string) string {
	text := strings.NewReplacer(
		"me=db1", fmt.Sprint("me=db", host+1), "/var/lib/etcd", "data-$me", "etcd --name", "exec etcd --name",
		"https://0.0.0.0:2379", "https://"+m.clients[host], "https://$me:2379", "https://"+m.clients[host], "https://db1:2379", "https://"+m.clients[0],
		"https://0.0.0.0:2380", "https://"+m.peers[host], "https://$me:2380", "https://"+m.peers[host],
		"https://db1:2380", "https://"+m.peers[0], "https://db2:2380", "https://"+m.peers[1], "https://db3:2380", "https://"+m.peers[2],
		"db1,db2,db3", strings.Join(m.clients, ","),
	).Replace(block(m.t, with))
	return text
}

func (m *manual) command(script string) *exec.Cmd {
	sh := exec.Command("sh", "-e", "-c", script)
	sh.Dir, sh.Env = m.dir, m.env
	return sh
}

// run runs the commands of a script, and returns their output.
func (m *manual) run(script string) string {
	m.t.Helper()
	out, err := m.command(script).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s\n%v: %s", script, err, out)
	}
	return string(out)
}

// The commands of docs/fleet.md work as they are printed: they create certificates, start three servers, grant roles, and use onward.
func TestManual(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl: ", err)
	}
	program, err := cluster.Program()
	if err != nil {
		t.Skip("there is no etcd to test with: ", err)
	}
	at := cluster.FreeAddresses(t, 6)
	m := &manual{authority: &authority{t: t, dir: t.TempDir()}, clients: at[:3], peers: at[3:]}
	m.env = append(os.Environ(), append(newMachine(t, "").env, "PATH="+m.dir+":"+programs+":"+os.Getenv("PATH"))...)
	if program, err = filepath.Abs(program); err == nil {
		err = errors.Join(os.Symlink(program, m.file("etcd")), os.WriteFile(m.file("my-agent"), []byte("#!/bin/sh\necho \"asked: $1\"\n"), 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	m.run(block(t, "openssl"))
	for host := range 3 {
		server := m.command(m.here(host, "--auto-compaction-mode"))
		server.SysProcAttr = cluster.DieWithTest()
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = server.Process.Kill()
			_ = server.Wait()
		})
	}
	store := m.here(0, "ONWARD_ETCD_CACERT=$PWD")
	eventually(t, "the servers answer", func() bool { return m.command(store).Run() == nil })
	roles := m.here(0, "etcdctl role add")
	if _, err := exec.LookPath("etcdctl"); err == nil {
		m.run(roles)
	} else {
		authorize(t, m, roles)
	}
	if told := m.run(store); !strings.Contains(told, "reachable, in") {
		t.Error(told)
	}
	if code, out, errs := newMachine(t, "").wait(m.command(strings.Replace(store, "/team-a", "/team-b", 1))); code != 77 {
		t.Errorf("another prefix: exit %d: %s%s", code, out, errs)
	}
	m.run(store + `onward schedule submit shell --session release-2 --id copy --args '{"command":"cp a b"}' || [ $? = 20 ]`)
	if told := m.run(store + m.here(0, "onward schedule approve copy")); !strings.Contains(told, "fix the parser") || !strings.Contains(told, "scheduled") {
		t.Error(told)
	}
	if told := m.run(store + "onward todo add 'tag it' -s release-2\n" + m.here(0, "onward session take")); !strings.Contains(told, "asked: ") || !strings.Contains(told, "tag it") {
		t.Error(told)
	}
}

// authorize does what the etcdctl lines of the manual do, for machines without etcdctl.
func authorize(t *testing.T, m *manual, lines string) {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"https://" + m.clients[0]}, TLS: m.config("root", "ca")})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, noPassword := context.Background(), &clientv3.UserAddOptions{NoPassword: true}
	for line := range strings.Lines(strings.ReplaceAll(lines, " && ", "\n")) {
		var err error
		switch words := strings.Fields(line); strings.Join(words[:min(3, len(words))], " ") {
		case "etcdctl role add":
			_, err = client.RoleAdd(ctx, words[3])
		case "etcdctl role grant-permission":
			_, err = client.RoleGrantPermission(ctx, words[3], words[6], clientv3.GetPrefixRangeEnd(words[6]), clientv3.PermissionType(clientv3.PermReadWrite))
		case "etcdctl user add":
			_, err = client.UserAddWithOptions(ctx, words[3], "", noPassword)
		case "etcdctl user grant-role":
			_, err = client.UserGrantRole(ctx, words[3], words[4])
		case "etcdctl auth enable":
			_, err = client.AuthEnable(ctx)
		default:
			if words[0] != "export" {
				t.Fatalf("nobody knows what %q does", line)
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}
