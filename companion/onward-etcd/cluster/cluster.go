//go:build unix

// Package cluster starts etcd on this machine, for tests and measurements.
package cluster

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Cluster is servers that follow one leader.
type Cluster struct {
	Nodes []*Node
	Dir   string
}

// Node is one server.
type Node struct {
	Client string // its address

	args []string
	cmd  *exec.Cmd
	log  string
}

// Program is the server that is installed; an error if there is none.
func Program() (string, error) { return exec.LookPath("etcd") }

// New starts servers with some arguments, which end with the test. Where none is installed, the test is skipped.
func New(t testing.TB, n int, args ...string) *Cluster {
	t.Helper()
	return NewIn(t, folder(t), n, args...)
}

// NewIn is New for servers that keep their data in a folder.
func NewIn(t testing.TB, dir string, n int, args ...string) *Cluster {
	t.Helper()
	program, err := Program()
	if err != nil {
		t.Skip("there is no etcd to test with: ", err)
	}
	c := &Cluster{Dir: dir}
	addresses := Free(t, 2*n)
	var initial []string
	for i := range n {
		initial = append(initial, fmt.Sprintf("n%d=http://%s", i, addresses[2*i+1]))
	}
	scheme := "http://"
	if strings.Contains(strings.Join(args, " "), "--cert-file") {
		scheme = "https://"
	}
	for i := range n {
		name, client, peer := fmt.Sprint("n", i), addresses[2*i], addresses[2*i+1]
		node := &Node{Client: client, log: filepath.Join(c.Dir, name+".log")}
		node.args = append([]string{
			program, "--name", name, "--data-dir", filepath.Join(c.Dir, name), "--log-level", "error",
			"--listen-client-urls", scheme + client, "--advertise-client-urls", scheme + client,
			"--listen-peer-urls", "http://" + peer, "--initial-advertise-peer-urls", "http://" + peer,
			"--initial-cluster", strings.Join(initial, ","), "--heartbeat-interval", "50", "--election-timeout", "500",
		}, args...)
		c.Nodes = append(c.Nodes, node)
		node.Start(t)
		t.Cleanup(node.Kill)
	}
	return c
}

// Start starts a server, also one that was killed.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(n.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	n.cmd = exec.Command(n.args[0], n.args[1:]...)
	n.cmd.Stderr = log
	n.cmd.SysProcAttr = dieWithTest()
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// Memory returns the bytes of memory that the server uses; 0 if the system does not report it.
func (n *Node) Memory() int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", n.cmd.Process.Pid))
	var size, resident int64
	_, _ = fmt.Sscan(string(data), &size, &resident)
	return resident * int64(os.Getpagesize())
}

// Kill ends a server at once, as a loss of power would.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// Freeze stops a server: it keeps its connections, and answers nothing.
func (n *Node) Freeze() { _ = n.cmd.Process.Signal(syscall.SIGSTOP) }

// Thaw lets it continue.
func (n *Node) Thaw() { _ = n.cmd.Process.Signal(syscall.SIGCONT) }

// Size returns the bytes that the server keeps its data in.
func (n *Node) Size() (int64, error) {
	s, err := n.status()
	if err != nil {
		return 0, err
	}
	return s.DbSizeInUse, nil
}

func (n *Node) status() (*pb.StatusResponse, error) {
	conn, err := grpc.NewClient("passthrough:"+n.Client, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return pb.NewMaintenanceClient(conn).Status(ctx, &pb.StatusRequest{})
}

// Leader waits until there is one, and returns it.
func (c *Cluster) Leader() *Node {
	for {
		for _, n := range c.Nodes {
			if s, err := n.status(); err == nil && s.Leader == s.Header.MemberId {
				return n
			}
		}
	}
}

// URL is that of a store on the servers.
func (c *Cluster) URL(prefix string) string {
	var hosts []string
	for _, n := range c.Nodes {
		hosts = append(hosts, n.Client)
	}
	return "etcd+plain://" + strings.Join(hosts, ",") + "/" + prefix
}

// Free returns addresses without a listener.
func Free(t testing.TB, n int) (addresses []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		addresses = append(addresses, l.Addr().String())
	}
	return addresses
}

// folder is on a disk in memory, where there is one: thousands of commits do not wait for a real disk.
func folder(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "onward-etcd-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
