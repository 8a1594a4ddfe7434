package durable

import (
	"errors"
	"fmt"
	"io/fs"

	"onward/internal/store"
)

// SystemError sorts an error of the operating system.
func SystemError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", store.ErrPermission, err)
	default:
		return fmt.Errorf("%w: %w", store.ErrIO, err)
	}
}
