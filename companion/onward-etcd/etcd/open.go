package etcd

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"

	"onward/internal/durable"
	"onward/internal/store"
)

// Scheme begins the URLs of this store, alone or with a variant.
const (
	Scheme = "etcd"
	plain  = "etcd+plain"
)

// Settings name the servers of the store, and how they are reached.
type Settings struct {
	Hosts  []string // each with its port
	Prefix string   // begins all keys
	TLS    *tls.Config
	User   string
	Secret string

	Memory  string                      // a file of this machine that names the server to ask first; empty for none
	Lease   time.Duration               // of a held document; 0 means the default
	Between grpc.UnaryClientInterceptor // for tests, between the store and the servers; otherwise nil
	Dial    func(context.Context, string) (net.Conn, error)
}

const (
	usualPort  = "2379"
	usualLease = 10 * time.Second
)

// ParseURL reads etcd://HOST[:PORT],HOST[:PORT]…/PREFIX, or etcd+plain://…, whose hosts are all on this machine.
// The store's parser of addresses has refused passwords before.
func ParseURL(url string) (Settings, error) {
	scheme, rest, _ := strings.Cut(url, "://")
	hosts, prefix, _ := strings.Cut(rest, "/")
	prefix = strings.TrimSuffix(prefix, "/")
	set := Settings{Prefix: prefix + "/"}
	switch {
	case scheme != Scheme && scheme != plain:
		return set, fmt.Errorf("the scheme must be etcd or etcd+plain, not %q", scheme)
	case prefix == "" || path.Clean("/"+prefix) != "/"+prefix || strings.ContainsAny(prefix, "?# "):
		return set, fmt.Errorf("%q must end in a prefix for its keys, such as etcd://db1,db2,db3/team-a", url)
	}
	for host := range strings.SplitSeq(hosts, ",") {
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			name, port, err = net.SplitHostPort(host + ":" + usualPort)
		}
		if err != nil || name == "" || strings.ContainsAny(host, "?# ") {
			return set, fmt.Errorf("%q is not a host with or without a port, in %q", host, url)
		}
		if ip := net.ParseIP(name); scheme == plain && name != "localhost" && !ip.IsLoopback() {
			return set, fmt.Errorf("etcd+plain:// is not protected, so it is for this machine only, and %s may be another one; use etcd://", name)
		}
		set.Hosts = append(set.Hosts, net.JoinHostPort(name, port))
	}
	if scheme == Scheme {
		set.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return set, nil
}

// Environment completes settings with those that must not be in a URL.
func (set *Settings) Environment(getenv func(string) string) error {
	if user := getenv("ONWARD_ETCD_USER"); user != "" {
		secret, err := readSecret("ONWARD_ETCD_PASSWORD_FILE", getenv("ONWARD_ETCD_PASSWORD_FILE"))
		if err != nil {
			return err
		}
		set.User, set.Secret = user, strings.TrimRight(string(secret), "\r\n")
	}
	if set.TLS == nil {
		return nil
	}
	if file := getenv("ONWARD_ETCD_CACERT"); file != "" {
		text, err := readFile("ONWARD_ETCD_CACERT", file)
		if err != nil {
			return err
		}
		set.TLS.RootCAs = x509.NewCertPool()
		if !set.TLS.RootCAs.AppendCertsFromPEM(text) {
			return store.WrapProblem(store.ErrSettings, "ONWARD_ETCD_CACERT: %s holds no certificate", file)
		}
	}
	cert, key := getenv("ONWARD_ETCD_CERT"), getenv("ONWARD_ETCD_KEY")
	if cert == "" && key == "" {
		return nil
	}
	secret, err := readSecret("ONWARD_ETCD_KEY", key)
	if err != nil {
		return err
	}
	public, err := readFile("ONWARD_ETCD_CERT", cert)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(public, secret)
	if err != nil {
		return store.WrapProblem(store.ErrSettings, "ONWARD_ETCD_CERT and ONWARD_ETCD_KEY: %w", err)
	}
	set.TLS.Certificates = []tls.Certificate{pair}
	return nil
}

// readFile reads a file that a variable names. Its limit is a megabyte, which is more than all certificates of a system have.
func readFile(variable, file string) ([]byte, error) {
	data, err := durable.ReadForeign(file, 1<<20)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, store.WrapProblem(store.ErrPermission, "%s: %w", variable, err)
	case err != nil:
		return nil, store.WrapProblem(store.ErrSettings, "%s: %v", variable, err)
	}
	return data, nil
}

// readSecret reads a file with a secret. As in libpq, only its owner may be able to read it. A file of root's may also be
// readable by a group, since Kubernetes mounts secrets like that for a pod that is not root.
func readSecret(variable, file string) ([]byte, error) {
	if file == "" {
		return nil, store.WrapProblem(store.ErrSettings, "%s is not set", variable)
	}
	if info, err := os.Stat(file); err == nil && runtime.GOOS != "windows" {
		allowed := fs.FileMode(0o700)
		if ofRoot(info) {
			allowed = 0o740
		}
		if mode := info.Mode().Perm(); mode&^allowed != 0 {
			return nil, store.WrapProblem(store.ErrPermission, "%s: %s can be read by others (mode %04o): chmod 600 %s", variable, file, mode, file)
		}
	}
	return readFile(variable, file)
}

// Open opens the store at a URL for a caller that waits at most that long. It sends no request yet,
// unless there is a password. A command connects to one server: to the one that answered the last command of this machine,
// else to any. The others are connected to only if that one does not answer.
func Open(url string, set Settings, wait time.Duration) (*Store, error) {
	s := &Store{
		servers: &servers{url: strings.TrimSuffix(url, "/"), lease: set.Lease, link: newLink(len(set.Hosts), set.Dial)},
		prefix:  set.Prefix, wait: wait,
	}
	if s.lease == 0 {
		s.lease = usualLease
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	s.link.giveUp = cancel
	s.memory = readMemory(set.Memory, set.Hosts)
	s.link.known = s.memory.host != ""
	scheme, dial := "http://", s.link.dialPlain
	if set.TLS != nil {
		scheme, dial = "https://", s.link.dial
	}
	config := clientv3.Config{
		Context: ctx, Logger: zap.NewNop(), Username: set.User, Password: set.Secret, DialTimeout: max(wait, least), TLS: set.TLS,
		MaxCallSendMsgSize: 64 << 20, MaxCallRecvMsgSize: 1<<31 - 1, // the servers set the limit of a request, and report it
		DialKeepAliveTime: 10 * time.Second, DialKeepAliveTimeout: 3 * time.Second,
		DialOptions: []grpc.DialOption{
			grpc.WithContextDialer(dial), grpc.WithStatsHandler(departures{s.link}),
			grpc.WithConnectParams(grpc.ConnectParams{
				Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second / 2},
				MinConnectTimeout: 2 * time.Second,
			}),
		},
	}
	if set.TLS != nil {
		config.DialOptions = append(config.DialOptions, grpc.WithTransportCredentials(watched{credentials.NewTLS(set.TLS), s.link}))
	}
	if set.Between != nil {
		config.DialOptions = append(config.DialOptions, grpc.WithChainUnaryInterceptor(set.Between))
	}
	for _, host := range set.Hosts {
		config.Endpoints = append(config.Endpoints, scheme+host)
	}
	all := config.Endpoints
	if set.User == "" { // the library sends a password before there is a client that could try more hosts
		s.link.first = cmp.Or(s.memory.host, set.Hosts[rand.IntN(len(set.Hosts))])
		config.Endpoints = []string{scheme + s.link.first}
	}
	client, err := clientv3.New(config)
	if err != nil {
		return nil, s.problem(err)
	}
	s.client = client
	if len(config.Endpoints) < len(all) {
		var once sync.Once
		s.link.widen = func() { once.Do(func() { go client.SetEndpoints(all...) }) }
	}
	if !s.memory.fresh(time.Now()) {
		s.version = s.checkVersion()
	}
	return s, nil
}
