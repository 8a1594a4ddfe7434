package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/credentials"
)

// link records why connections fail. The library keeps trying while calls wait, and reports to them only that their
// time is over. Users want to know whether a name is wrong, a server is down, or a certificate is bad.
type link struct {
	hosts  int
	dialer func(context.Context, string) (net.Conn, error)
	giveUp context.CancelCauseFunc // ends all calls that wait for servers

	mu        sync.Mutex
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
	return &link{hosts: hosts, dialer: dialer, failed: map[string]error{}, refusals: map[string]error{}}
}

// dial connects to a host.
func (l *link) dial(ctx context.Context, host string) (net.Conn, error) {
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
	defer l.mu.Unlock()
	l.failed[host] = err
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
		g.link.fail(g.host, nil)
	case err != nil && !errors.Is(err, net.ErrClosed): // net.ErrClosed means that this end has closed it
		g.link.fail(g.host, fmt.Errorf("%s: %w; if it speaks TLS, the URL begins with etcd://", g.host, errOtherwise))
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
	if err := l.refused(); err != nil {
		l.giveUp(err)
	}
}

// works records that a connection works.
func (l *link) works() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.connected = true
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
		w.link.fail(host, fmt.Errorf("%s: TLS: %w (%w); if it speaks without TLS, which is for servers on this machine only, the URL begins with etcd+plain://", host, errOtherwise, err))
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
		a.link.works()
	}
	return n, err
}

// isAlert reports whether an error is a TLS alert that the server sent.
func isAlert(err error) bool {
	op, failed := errors.AsType[*net.OpError](err)
	return failed && op.Op == "remote error"
}
