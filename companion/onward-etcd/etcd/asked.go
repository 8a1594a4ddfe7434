package etcd

import (
	"context"
	"os"
	"strconv"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/internal/store"
)

// Each new leader of the servers gives every lease its whole time again. While leaders change more often than that, the lease of a
// holder that died never ends. So after a change of the leader, those who wait for a holder ask it whether it is still there: they write
// a key, and it writes its own key again. They remove a holder that has not answered for most of the time of a lease.

// answer writes the holder's key again whenever somebody asks, until the holder stops.
func (h *held) answer(after int64) {
	ctx, next := clientv3.WithRequireLeader(h.ctx), after+1
	for open := true; open; open = pause(ctx, retry) {
		for resp := range h.client.Watch(ctx, h.askedPrefix(h.key), clientv3.WithPrefix(), clientv3.WithFilterDelete(), clientv3.WithRev(next)) {
			if next = max(next, resp.Header.Revision+1, resp.CompactRevision); len(resp.Events) == 0 {
				continue
			}
			_ = h.ask(ctx, func(ctx context.Context) error {
				_, err := h.transact(ctx, []clientv3.Cmp{h.isHolder()}, []clientv3.Op{clientv3.OpPut(h.runKey(h.key), me(), clientv3.WithLease(h.lease))}, nil)
				return err
			})
		}
	}
}

// isSilent reports whether a holder has not answered for most of the time of a lease, and removes its key then. It asks only after a
// change of the leader, since otherwise the lease ends in time. Each machine has a question of its own, timed by its own clock.
func (s *Store) isSilent(ctx context.Context, k store.Key, by *holder) bool {
	if !by.answers || !s.memory.newLeader(time.Now()) {
		return false
	}
	host, _ := os.Hostname()
	question := s.askedPrefix(k) + host
	resp, err := s.get(ctx, question)
	if err != nil {
		return false
	}
	last := s.lease / 5 // an outage of the servers may have kept the answer back, so it is waited for once more
	if len(resp.Kvs) > 0 {
		asked, _ := strconv.ParseInt(string(resp.Kvs[0].Value), 10, 64)
		age := time.Since(time.UnixMilli(asked))
		answered := resp.Kvs[0].ModRevision < by.latest
		switch {
		case age < 0 || answered && age > s.lease || age > time.Minute: // too old to say anything
		case answered || age < s.lease/2:
			return false
		default:
			return pause(ctx, last) && s.removeSilent(ctx, k, by)
		}
	}
	lease, err := s.leaseOfMarks(ctx)
	if err == nil {
		_ = s.ask(ctx, func(ctx context.Context) error {
			_, err := s.client.Put(ctx, question, strconv.FormatInt(time.Now().UnixMilli(), 10), clientv3.WithLease(lease))
			return err
		})
	}
	return false
}

// removeSilent deletes the key of a holder unless it has written that since, and reports whether it did.
func (s *Store) removeSilent(ctx context.Context, k store.Key, by *holder) (removed bool) {
	_ = s.ask(ctx, func(ctx context.Context) error {
		resp, err := s.transact(ctx, []clientv3.Cmp{clientv3.Compare(clientv3.ModRevision(s.runKey(k)), "=", by.latest)},
			[]clientv3.Op{clientv3.OpDelete(s.runKey(k)), clientv3.OpDelete(s.askedPrefix(k), clientv3.WithPrefix())}, nil)
		removed = err == nil && resp.Succeeded
		return err
	})
	if removed {
		_, _ = s.client.Revoke(ctx, by.lease) // so that the holder learns of it, if it lives
	}
	return removed
}
