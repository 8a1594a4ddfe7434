package continuation

// Cause says in words why an agent failed; empty if it is not known.
func (c ErrorClass) Cause() string {
	switch c {
	case ErrorAuth:
		return "it is not logged in"
	case ErrorBilling:
		return "its credit or quota is used up"
	case ErrorRateLimit:
		return "its usage limit is reached"
	case ErrorContext:
		return "its context is full"
	case ErrorInvalidRequest:
		return "its provider refused the request"
	case ErrorServer:
		return "its provider failed"
	case ErrorTurnCutOff:
		return "its output was cut off"
	}
	return ""
}

// FailedText says that a turn failed, and why, if that is known.
func FailedText(what, class string) string {
	if cause := ErrorClass(class).Cause(); cause != "" {
		return what + " failed: " + cause
	}
	return what + " failed"
}
