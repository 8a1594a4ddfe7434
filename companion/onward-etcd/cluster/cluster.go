//go:build unix

// Package cluster starts etcd on this machine, for tests and measurements.
package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// Cluster is some servers that form one cluster of etcd.
type Cluster struct {
	Nodes []*Node
	Dir   string

	replaced int // how many servers were replaced
}

// Node is one server.
type Node struct {
	Client string      // its address
	TLS    *tls.Config // of its clients; nil without encryption

	args []string
	cmd  *exec.Cmd
	log  string
}

// Program returns the server to test with: the one that ONWARD_ETCD names, or the first on PATH; an error if there is none.
func Program() (string, error) { return exec.LookPath(cmp.Or(os.Getenv("ONWARD_ETCD"), "etcd")) }

// Version returns the first line of the server's --version.
func Version() string {
	program, err := Program()
	if err != nil {
		return err.Error()
	}
	text, _ := exec.Command(program, "--version").Output()
	first, _, _ := strings.Cut(string(text), "\n")
	return first
}

// New starts servers with some arguments, and ends them with the test. If no server is installed, the test is skipped.
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
	addresses := FreeAddresses(t, 2*n)
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

// Start starts a server, for the first time or after it was killed.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(n.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	n.cmd = exec.Command(n.args[0], n.args[1:]...)
	n.cmd.Stderr = log
	n.cmd.SysProcAttr = DieWithTest()
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

// Kill ends a server immediately, as a loss of power would.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// Freeze stops a server: it keeps its connections, and answers nothing. On Linux it returns once the server has stopped, since a
// request that follows the signal can be faster than its effect on another processor.
func (n *Node) Freeze() {
	pid := n.cmd.Process.Pid
	_ = n.cmd.Process.Signal(syscall.SIGSTOP)
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, named := bytes.Cut(stat, []byte(") ")); err != nil || named && state[0] == 'T' {
			return
		}
	}
}

// Thaw lets it continue.
func (n *Node) Thaw() { _ = n.cmd.Process.Signal(syscall.SIGCONT) }

// Size returns the size of the server's data in bytes.
func (n *Node) Size() (int64, error) {
	s, err := n.status()
	if err != nil {
		return 0, err
	}
	return s.DbSizeInUse, nil
}

func (n *Node) status() (resp *pb.StatusResponse, err error) {
	err = n.ask(time.Second, func(ctx context.Context, conn *grpc.ClientConn) error {
		resp, err = pb.NewMaintenanceClient(conn).Status(ctx, &pb.StatusRequest{})
		return err
	})
	return resp, err
}

// ask calls a server over a connection of its own.
func (n *Node) ask(within time.Duration, call func(context.Context, *grpc.ClientConn) error) error {
	trust := insecure.NewCredentials()
	if n.TLS != nil {
		trust = credentials.NewTLS(n.TLS)
	}
	conn, err := grpc.NewClient("passthrough:"+n.Client, grpc.WithTransportCredentials(trust))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return call(ctx, conn)
}

// Requests returns how many requests the server has answered, by its own count.
func (n *Node) Requests() (total int, err error) {
	all, err := n.Metrics()
	for name, count := range all {
		if strings.HasPrefix(name, "grpc_server_handled_total{") && strings.Contains(name, `grpc_type="unary"`) {
			total += int(count)
		}
	}
	return total, err
}

// Metrics returns the server's metrics, by their names and labels.
func (n *Node) Metrics() (map[string]float64, error) {
	scheme, client := "http://", &http.Client{Transport: &http.Transport{TLSClientConfig: n.TLS, DisableKeepAlives: true}}
	if n.TLS != nil {
		scheme = "https://"
	}
	resp, err := client.Get(scheme + n.Client + "/metrics")
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	all := map[string]float64{}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		line := lines.Text()
		space := strings.LastIndexByte(line, ' ')
		if space < 0 || line[0] == '#' {
			continue
		}
		if all[line[:space]], err = strconv.ParseFloat(line[space+1:], 64); err != nil {
			return nil, err
		}
	}
	return all, lines.Err()
}

// Trust lets the tests reach servers with TLS.
func (c *Cluster) Trust(set *tls.Config) {
	for _, n := range c.Nodes {
		n.TLS = set
	}
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

// URL returns the URL of a store on the servers.
func (c *Cluster) URL(prefix string) string {
	var hosts []string
	for _, n := range c.Nodes {
		hosts = append(hosts, n.Client)
	}
	return "etcd+plain://" + strings.Join(hosts, ",") + "/" + prefix
}

// FreeAddresses returns addresses without a listener. Their ports are below those that systems give to outgoing connections, so
// that no connection takes one before the server does.
func FreeAddresses(t testing.TB, n int) (addresses []string) {
	t.Helper()
	const lowest, highest = 10_000, 32_000
	for tries := 0; len(addresses) < n; tries++ {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", lowest+rand.IntN(highest-lowest)))
		if err != nil && tries > 1000 {
			t.Fatal(err)
		}
		if err == nil {
			defer func() { _ = l.Close() }()
			addresses = append(addresses, l.Addr().String())
		}
	}
	return addresses
}

// folder returns a folder on a disk in memory, if there is one, so that thousands of commits need not wait for a real disk.
func folder(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "onward-etcd-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
