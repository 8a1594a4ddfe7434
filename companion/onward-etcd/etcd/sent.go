package etcd

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/stats"
)

// sent is set when a request leaves this process. What was not sent was not done, whatever its error says:
// a call that waits for a connection ends with the same error as one that waits for its answer.
type sent struct{ atomic.Bool }

// sentKey is the key of a sent in a context.
type sentKey struct{}

// tracking returns the context of requests, and whether one of them was sent.
func tracking(ctx context.Context) (context.Context, *sent) {
	s := new(sent)
	return context.WithValue(ctx, sentKey{}, s), s
}

// departures notes which requests leave.
type departures struct{}

func (departures) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

func (departures) HandleRPC(ctx context.Context, what stats.RPCStats) {
	if _, payload := what.(*stats.OutPayload); !payload {
		return
	}
	if s, is := ctx.Value(sentKey{}).(*sent); is {
		s.Store(true)
	}
}

func (departures) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (departures) HandleConn(context.Context, stats.ConnStats) {}
