// Package exchange reads todo lists that other programs and people wrote, and writes lists for them.
//
// Everything here is pure: bytes become items and items become bytes. What is read is somebody else's,
// so every refusal names the line and the column at which it stands, and no decoder needs more memory
// than four times its input and 1 MiB, besides the items that it gives back.
package exchange
