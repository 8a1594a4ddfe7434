package agent

import "errors"

// ErrUnfinished is what an input gives when its reader leaves and its writer goes on.
// Next then gives it back and draws none of the conclusions that the end of an input allows:
// open turns stay open, and calls without a result are not unconfirmed.
var ErrUnfinished = errors.New("the input was left before its end")

func unfinished(err error) bool { return errors.Is(err, ErrUnfinished) }
