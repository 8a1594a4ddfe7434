package etcd

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
)

// sent is set when a request leaves this process. A request that was not sent had no effect, which its error does
// not show: waiting for a connection and waiting for an answer end with the same error.
type sent struct{ atomic.Bool }

// sentKey is the key of a sent in a context.
type sentKey struct{}

// tracking returns a context for requests, and a sent that is set once one of them has left.
func tracking(ctx context.Context) (context.Context, *sent) {
	s := new(sent)
	return context.WithValue(ctx, sentKey{}, s), s
}

// departures sets the sent of a request's context when the request leaves, and tells the link of one that no server answered.
type departures struct{ link *link }

func (departures) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

func (d departures) HandleRPC(ctx context.Context, what stats.RPCStats) {
	switch what := what.(type) {
	case *stats.OutPayload:
		if s, is := ctx.Value(sentKey{}).(*sent); is {
			s.Store(true)
		}
	case *stats.End:
		if code := codeOf(what.Error); code == codes.Unavailable || code == codes.DeadlineExceeded {
			d.link.doubt()
		}
	}
}

func (departures) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (departures) HandleConn(context.Context, stats.ConnStats) {}
