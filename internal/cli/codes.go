package cli

// The exit codes. 1 and 2 never mean anything to a loop:
// Go exits with 2 on a panic, and several agents read 2 from a hook as "continue".
const (
	ExitOK               = 0
	ExitNo               = 1
	ExitDone             = 10
	ExitNeedsHuman       = 11
	ExitLimit            = 12
	ExitWait             = 13
	ExitNotApplicable    = 14
	ExitHostError        = 15
	ExitAwaitingApproval = 20
	ExitCallsFailed      = 21
	ExitUsage            = 64
	ExitData             = 65
	ExitNotFound         = 66
	ExitUnavailable      = 68
	ExitNewer            = 69
	ExitInternal         = 70
	ExitLockUnsupported  = 71
	ExitSetupFailed      = 72
	ExitIO               = 74
	ExitBusy             = 75
	ExitUnknown          = 76
	ExitPermission       = 77
	ExitConfig           = 78
	ExitNotDurable       = 79
	ExitInterrupted      = 130
	ExitTerminated       = 143
)
