package durable

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// owned reports whether a file is the caller's.
func owned(path string, _ fs.FileInfo) bool {
	security, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := security.Owner()
	if err != nil {
		return false
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false
	}
	if owner.Equals(user.User.Sid) {
		return true
	}
	// What an administrator makes belongs to the group of administrators.
	administrators, err := windows.CreateWellKnownSid(windows.WinBuiltinAdministratorsSid)
	if err != nil || !owner.Equals(administrators) {
		return false
	}
	member, err := windows.Token(0).IsMember(administrators)
	return err == nil && member
}

// chown does nothing: on Windows a new file inherits the permissions of its folder.
func chown(*os.Root, string) error { return nil }

// foreign reports nothing: on Windows the folders of a user are not open to others.
func foreign(fs.FileInfo) bool { return false }

func writesForOthers(*os.Root) bool { return false }
