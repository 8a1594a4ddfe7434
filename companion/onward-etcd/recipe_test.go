//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/companion/onward-etcd/cluster"
)

// block returns the block of commands of docs/fleet.md that contains a text, as a user copies it.
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

// local puts what servers have on this machine in the place of the three hosts of the manual.
func local(text, host string) string {
	return strings.NewReplacer("db1,db2,db3", host, "https://db1:2379", "https://"+host).Replace(text)
}

// The certificates, the roles and the variables of the manual are those with which servers and onward work.
func TestRecipeOfCertificates(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl: ", err)
	}
	a := &authority{t: t, dir: t.TempDir()}
	inFolder := func(script string, env ...string) string {
		t.Helper()
		sh := exec.Command("sh", "-e", "-c", script)
		sh.Dir, sh.Env = a.dir, append(os.Environ(), env...)
		out, err := sh.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v: %s", script, err, out)
		}
		return string(out)
	}
	inFolder(block(t, "openssl"))
	c := cluster.New(t, 1, "--cert-file", a.file("db1.crt"), "--key-file", a.file("db1.key"), "--trusted-ca-file", a.file("ca.crt"), "--client-cert-auth")
	roles := local(block(t, "etcdctl role add"), c.Nodes[0].Client)
	if _, err := exec.LookPath("etcdctl"); err == nil {
		inFolder(roles)
	} else {
		authorize(t, a, c, roles)
	}
	store := local(block(t, "ONWARD_ETCD_CACERT=$PWD"), c.Nodes[0].Client)
	m := newMachine(t, "")
	told := inFolder(store+"onward todo add 'fix the parser'\nonward todo show", m.env...)
	if !strings.Contains(told, "reachable, in") || !strings.Contains(told, "1  ⭕  fix the parser") {
		t.Error(told)
	}
	sh := exec.Command("sh", "-c", strings.Replace(store, "/team-a", "/team-b", 1))
	sh.Dir, sh.Env = a.dir, append(os.Environ(), m.env...)
	if code, out, errs := m.wait(sh); code != 77 {
		t.Errorf("another prefix: exit %d: %s%s", code, out, errs)
	}
}

// authorize does what the lines of the manual do, where etcdctl is not installed.
func authorize(t *testing.T, a *authority, c *cluster.Cluster, lines string) {
	t.Helper()
	config := a.config("root", "ca")
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"https://" + c.Nodes[0].Client}, TLS: config})
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
