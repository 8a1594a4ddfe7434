package etcd

import (
	"context"
	"errors"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"onward/internal/store"
)

// codeOf returns the code of an answer, or of what came instead of one.
func codeOf(err error) codes.Code {
	var answer rpctypes.EtcdError
	switch {
	case errors.As(err, &answer):
		return answer.Code()
	case errors.Is(err, context.DeadlineExceeded):
		return codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return codes.Canceled
	}
	return status.Code(err)
}

// passing reports whether another server, or the same one later, may do what this one did not do,
// or did without an answer. Only what is surely a refusal is not.
func passing(err error) bool {
	switch codeOf(err) {
	case codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.Unauthenticated,
		codes.FailedPrecondition, codes.OutOfRange, codes.Unimplemented, codes.ResourceExhausted, codes.DataLoss:
		return errors.Is(err, rpctypes.ErrTooManyRequests) || errors.Is(err, rpctypes.ErrAuthOldRevision)
	}
	return !errors.Is(err, store.ErrSettings) && !errors.Is(err, store.ErrBusy)
}

// problem sorts what servers answer into the kinds of package store.
func (s *servers) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrSettings), errors.Is(err, store.ErrBusy):
		return err // it is sorted
	case s.link.refused() != nil:
		return store.WrapProblem(store.ErrCertificate, "%s: %w", s.url, s.link.refused())
	case errors.Is(err, rpctypes.ErrNoSpace):
		return store.WrapProblem(store.ErrQuota, "the store is full: %w", err)
	case errors.Is(err, rpctypes.ErrTooManyRequests):
		return store.WrapProblem(store.ErrUnavailable, "%s: %w", s.url, err)
	}
	switch code := codeOf(err); {
	case errors.Is(err, rpctypes.ErrRequestTooLarge), code == codes.ResourceExhausted:
		return store.WrapProblem(store.ErrRequestTooLarge, "it is more than %s takes in one request", s.url)
	case code == codes.PermissionDenied, code == codes.Unauthenticated,
		errors.Is(err, rpctypes.ErrAuthFailed), errors.Is(err, rpctypes.ErrUserEmpty), errors.Is(err, rpctypes.ErrUserNotFound):
		return store.WrapProblem(store.ErrPermission, "%s: %w", s.url, err)
	case code == codes.DataLoss:
		return store.WrapProblem(store.ErrIO, "%s: %w", s.url, err)
	}
	if last := s.link.last(); last != nil {
		err = last
	} else if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("no answer in time")
	}
	return store.WrapProblem(store.ErrUnavailable, "%s: %w", s.url, err)
}
