package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"onward/internal/store"
)

// SystemError classifies an error of the operating system. An error that has a class already stays as it is.
func SystemError(err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrPermission), errors.Is(err, store.ErrIO):
		return err
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", store.ErrPermission, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	default:
		return fmt.Errorf("%w: %w", store.ErrIO, err)
	}
}
