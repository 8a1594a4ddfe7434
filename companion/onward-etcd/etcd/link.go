package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/credentials"
)

// link records why connections fail. The library keeps trying while calls wait, and reports to them only that their
// time is over. Users want to know whether a name is wrong, a server is down, or a certificate is bad.
type link struct {
	hosts  int
	first  string // the only host that is connected to until there is a reason to try the others; empty if there is none such
	known  bool   // an earlier command has got answers of these servers
	dialer func(context.Context, string) (net.Conn, error)
	giveUp context.CancelCauseFunc // ends all calls that wait for servers
	widen  func()                  // lets the other hosts be connected to as well; any number of calls are one

	mu        sync.Mutex
	dialed    bool             // the first host has been connected to
	doubtful  bool             // the first host has not answered a request
	worked    []string         // the hosts with which a connection has worked, the first such one first
	failed    map[string]error // by host
	refusals  map[string]error // of certificates, by host
	connected bool             // a connection has worked at some time
	unheard   time.Time        // since when no answer has come; zero if no call waits for one
}

func newLink(hosts int, dialer func(context.Context, string) (net.Conn, error)) *link {
	if dialer == nil {
		dialer = func(ctx context.Context, host string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", host)
		}
	}
	return &link{hosts: hosts, dialer: dialer, widen: func() {}, failed: map[string]error{}, refusals: map[string]error{}}
}

// patience is how long a first connection may take before the other hosts are tried as well. It is much longer than a
// healthy server needs, since connections to all of them cost the servers three times as much.
const patience = least / 2

// dial connects to a host. If the first host breaks its connection, or does not answer soon, the others are tried too.
func (l *link) dial(ctx context.Context, host string) (net.Conn, error) {
	if host == l.first {
		l.mu.Lock()
		again := l.dialed
		l.dialed = true
		l.mu.Unlock()
		if again {
			l.widen()
		}
		time.AfterFunc(patience, func() {
			if l.best() == "" {
				l.widen()
			}
		})
	}
	conn, err := l.dialer(ctx, host)
	if err != nil || !l.speaksOtherwise(host) {
		l.fail(host, err)
	}
	return conn, err
}

// dialPlain connects to a host without encryption.
func (l *link) dialPlain(ctx context.Context, host string) (net.Conn, error) {
	conn, err := l.dial(ctx, host)
	if err != nil {
		return nil, err
	}
	return &greeted{Conn: conn, link: l, host: host}, nil
}

// fail records why a connection to a host failed, or that it succeeded.
func (l *link) fail(host string, err error) {
	l.mu.Lock()
	l.failed[host] = err
	l.mu.Unlock()
	if err != nil {
		l.widen()
	}
}

// heard records that a server has sent something, so that its connection works.
func (l *link) heard(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed[host] = nil
	l.connected = true
	if !slices.Contains(l.worked, host) {
		l.worked = append(l.worked, host)
	}
}

// doubt records that a request was not answered, perhaps because the server has lost the others, and lets them be tried.
func (l *link) doubt() {
	l.mu.Lock()
	l.doubtful = true
	l.mu.Unlock()
	l.widen()
}

// best returns the host that the next command should ask first; empty if none has worked.
func (l *link) best() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, host := range l.worked {
		if host != l.first || !l.doubtful {
			return host
		}
	}
	return ""
}

// otherwise returns what to try if a server speaks TLS and this side does not, or the other way round. Servers that have
// answered before have no such fault: their connections end because of an outage.
func (l *link) otherwise(hint string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known || l.connected {
		return ""
	}
	return "; " + hint
}

// errOtherwise means that a server accepted a connection, and closed it without sending anything. A server with TLS does
// that with a client that does not use it, and the other way round.
var errOtherwise = errors.New("the server ended the connection without a word")

// speaksOtherwise reports whether the last connection to a host ended like that.
func (l *link) speaksOtherwise(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Is(l.failed[host], errOtherwise)
}

// greeted is an unencrypted connection that records whether the server ever sends anything.
type greeted struct {
	net.Conn
	link  *link
	host  string
	heard bool
}

func (g *greeted) Read(data []byte) (int, error) {
	n, err := g.Conn.Read(data)
	switch {
	case g.heard:
	case n > 0:
		g.heard = true
		g.link.heard(g.host)
	case err != nil && !errors.Is(err, net.ErrClosed): // net.ErrClosed means that this end has closed it
		g.link.fail(g.host, fmt.Errorf("%s: %w%s", g.host, errOtherwise, g.link.otherwise("if it speaks TLS, the URL begins with etcd://")))
	}
	return n, err
}

// last returns why a host cannot be reached; nil if all can.
func (l *link) last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, err := range l.failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// refused returns what is wrong with a certificate, if no server can be reached because of one.
func (l *link) refused() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.connected || len(l.refusals) < l.hosts {
		return nil
	}
	for _, err := range l.refusals {
		return err
	}
	return nil
}

// refuse records that this side or the server refused a certificate. Waiting would not change that.
func (l *link) refuse(host string, err error) {
	l.mu.Lock()
	l.refusals[host] = err
	l.mu.Unlock()
	l.widen()
	if err := l.refused(); err != nil {
		l.giveUp(err)
	}
}

// asks records that a call waits for an answer.
func (l *link) asks() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unheard.IsZero() {
		l.unheard = time.Now()
	}
}

// answers records that an answer came.
func (l *link) answers() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unheard = time.Time{}
}

// Silent returns the time since which the servers have not answered.
func (s *servers) Silent() time.Time {
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	return s.link.unheard
}

// watched records how TLS handshakes end.
type watched struct {
	credentials.TransportCredentials
	link *link
}

func (w watched) ClientHandshake(ctx context.Context, host string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	secure, info, err := w.TransportCredentials.ClientHandshake(ctx, host, conn)
	if err == nil {
		w.link.fail(host, nil)
		return &alerted{secure, w.link, host}, info, nil
	}
	_, unknown := errors.AsType[*tls.CertificateVerificationError](err)
	_, plainly := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case unknown || isAlert(err):
		w.link.refuse(host, err)
	case plainly || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
		w.link.fail(host, fmt.Errorf("%s: TLS: %w (%w)%s", host, errOtherwise, err,
			w.link.otherwise("if it speaks without TLS, which is for servers on this machine only, the URL begins with etcd+plain://")))
	default:
		w.link.fail(host, err)
	}
	return secure, info, err
}

func (w watched) Clone() credentials.TransportCredentials {
	return watched{w.TransportCredentials.Clone(), w.link}
}

// alerted is a TLS connection that records the alerts of the server, which
// reports only after the handshake that it refuses the client's certificate.
type alerted struct {
	net.Conn
	link *link
	host string
}

func (a *alerted) Read(data []byte) (int, error) {
	n, err := a.Conn.Read(data)
	switch {
	case isAlert(err):
		a.link.refuse(a.host, err)
	case n > 0:
		a.link.heard(a.host)
	}
	return n, err
}

// isAlert reports whether an error is a TLS alert that the server sent.
func isAlert(err error) bool {
	op, failed := errors.AsType[*net.OpError](err)
	return failed && op.Op == "remote error"
}
