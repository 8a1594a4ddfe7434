//go:build unix

package etcd

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cluster is servers that a test has started.
type cluster struct {
	t     testing.TB
	nodes []*node
}

// node is one server.
type node struct {
	name, client, peer, dir string
	args                    []string
	cmd                     *exec.Cmd
	log                     *bytes.Buffer
}

// free returns addresses that nobody listens at.
func free(t testing.TB, n int) (addresses []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addresses = append(addresses, l.Addr().String())
	}
	return addresses
}

// newCluster starts servers on this machine; where there is none installed, the test is skipped.
func newCluster(t testing.TB, n int, args ...string) *cluster {
	t.Helper()
	program, err := exec.LookPath("etcd")
	if err != nil {
		t.Skip("there is no etcd to test with: ", err)
	}
	c := &cluster{t: t}
	dir := memoryDir(t)
	addresses := free(t, 2*n)
	var initial []string
	for i := range n {
		node := &node{name: fmt.Sprint("n", i), client: addresses[2*i], peer: addresses[2*i+1], dir: dir}
		initial = append(initial, node.name+"=http://"+node.peer)
		c.nodes = append(c.nodes, node)
	}
	scheme := "http://"
	if strings.Contains(strings.Join(args, " "), "--cert-file") {
		scheme = "https://"
	}
	for _, node := range c.nodes {
		node.args = append([]string{
			program, "--name", node.name, "--data-dir", filepath.Join(dir, node.name), "--log-level", "error",
			"--listen-client-urls", scheme + node.client, "--advertise-client-urls", scheme + node.client,
			"--listen-peer-urls", "http://" + node.peer, "--initial-advertise-peer-urls", "http://" + node.peer,
			"--initial-cluster", strings.Join(initial, ","), "--heartbeat-interval", "50", "--election-timeout", "500",
		}, args...)
		node.start(t)
		t.Cleanup(node.kill)
	}
	return c
}

func (n *node) start(t testing.TB) {
	t.Helper()
	n.log = &bytes.Buffer{}
	n.cmd = exec.Command(n.args[0], n.args[1:]...)
	n.cmd.Stderr = n.log
	n.cmd.SysProcAttr = dieWithTest()
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// url is that of a store on the servers.
func (c *cluster) url(prefix string) string {
	var hosts []string
	for _, n := range c.nodes {
		hosts = append(hosts, n.client)
	}
	return plain + "://" + strings.Join(hosts, ",") + "/" + prefix
}

// open opens a store on the servers.
func (c *cluster) open(prefix string, change ...func(*Settings)) *Store {
	c.t.Helper()
	set, err := ParseURL(c.url(prefix))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, f := range change {
		f(&set)
	}
	s, err := Open(c.url(prefix), set, time.Minute)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { s.Close() })
	return s
}

// memoryDir is a folder on a disk in memory, where there is one: thousands of commits do not wait for a real disk.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "onward-etcd-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
