//go:build unix

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"onward/companion/onward-etcd/cluster"
)

// authority is a certificate authority that writes its certificates to a folder.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.cert, a.key = a.sign(name, &x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true})
	return a
}

// sign creates a certificate for a name, and writes it to the files NAME.crt and NAME.key.
func (a *authority) sign(name string, cert *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	cert.SerialNumber = big.NewInt(time.Now().UnixNano())
	cert.Subject = pkix.Name{CommonName: name}
	cert.NotBefore, cert.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = cert, key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{a.file(name + ".crt"): {Type: "CERTIFICATE", Bytes: der}, a.file(name + ".key"): {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	done, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return done, key
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// user creates the certificate of a user, and returns the environment variables with which onward uses it.
func (a *authority) user(name string) []string {
	a.sign(name, &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return []string{"ONWARD_ETCD_CERT=" + a.file(name+".crt"), "ONWARD_ETCD_KEY=" + a.file(name+".key")}
}

// config returns the TLS configuration of a user for servers whose certificates the authority by has signed.
func (a *authority) config(user, by string) *tls.Config {
	a.t.Helper()
	pair, err := tls.LoadX509KeyPair(a.file(user+".crt"), a.file(user+".key"))
	if err != nil {
		a.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(read(a.file(by + ".crt"))))
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool}
}

// The name in the certificate is the user, and a role allows that user one prefix only.
func TestCertificatesNameUsers(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t, "ours"), newAuthority(t, "others")
	ours.sign("server", &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	c := cluster.New(t, 1, "--client-cert-auth", "--trusted-ca-file", ours.file("ours.crt"), "--cert-file", ours.file("server.crt"), "--key-file", ours.file("server.key"))
	root, pod := ours.user("root"), ours.user("pod")
	stranger := others.user("pod")
	grant(t, ours, c)

	url := strings.Replace(c.URL("team-a"), "etcd+plain", "etcd", 1)
	ca := "ONWARD_ETCD_CACERT=" + ours.file("ours.crt")
	m := newMachine(t, url, append(pod, ca)...)
	m.must("todo", "add", "one")
	if list := m.must("todo", "show"); !strings.Contains(list, "one") {
		t.Error(list)
	}
	m.must("session", "delete", "demo", "--yes")

	m.with("ONWARD_STORE="+strings.Replace(url, "team-a", "team-b", 1)).fails(77, "permission denied", "todo", "add", "two")
	m.with("ONWARD_STORE="+strings.Replace(url, "team-a", "team", 1)).fails(77, "permission denied", "todo", "show")
	newMachine(t, url, append(root, ca)...).must("todo", "add", "three")
	newMachine(t, url, append(stranger, ca)...).fails(77, "certificate", "todo", "add", "four")
	newMachine(t, url, ca).fails(77, "certificate", "todo", "add", "five")
	newMachine(t, url, pod...).fails(77, "certificate", "todo", "add", "six")

	// The hint names the variables. The error for a URL of the wrong kind differs from that for a server that is down.
	newMachine(t, url, append(stranger, ca)...).fails(77, "hint: ONWARD_ETCD_CACERT names", "todo", "show")
	plain := newMachine(t, c.URL("team-a"), "ONWARD_LOCK_TIMEOUT=1s")
	plain.fails(68, "if it speaks TLS, the URL begins with etcd://", "todo", "show")
	unprotected := cluster.New(t, 1)
	secure := newMachine(t, strings.Replace(unprotected.URL("team"), "etcd+plain", "etcd", 1), append(pod, ca, "ONWARD_LOCK_TIMEOUT=1s")...)
	secure.fails(68, "if it speaks without TLS", "todo", "show")

	// A user with a password has the same limits.
	secret := ours.file("password")
	if err := os.WriteFile(secret, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	password := newMachine(t, url, append(ours.user(""), ca, "ONWARD_ETCD_USER=ann", "ONWARD_ETCD_PASSWORD_FILE="+secret)...)
	password.must("todo", "add", "seven")
	if err := os.WriteFile(secret, []byte("guess"), 0o600); err != nil {
		t.Fatal(err)
	}
	password.fails(77, "authentication failed", "todo", "add", "eight")
}

// grant creates the users and lets them use one prefix, as docs/fleet.md describes.
func grant(t *testing.T, a *authority, c *cluster.Cluster) {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{"https://" + c.Nodes[0].Client}, Logger: zap.NewNop(), TLS: a.config("root", "ours"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	do := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(client.RoleAdd(ctx, "team-a"))
	do(client.RoleGrantPermission(ctx, "team-a", "team-a/", clientv3.GetPrefixRangeEnd("team-a/"), clientv3.PermissionType(clientv3.PermReadWrite)))
	do(client.UserAddWithOptions(ctx, "pod", "", &clientv3.UserAddOptions{NoPassword: true}))
	do(client.UserAdd(ctx, "ann", "sesame"))
	do(client.UserGrantRole(ctx, "pod", "team-a"))
	do(client.UserGrantRole(ctx, "ann", "team-a"))
	do(client.UserAddWithOptions(ctx, "root", "", &clientv3.UserAddOptions{NoPassword: true}))
	do(client.UserGrantRole(ctx, "root", "root"))
	do(client.AuthEnable(ctx))
}
