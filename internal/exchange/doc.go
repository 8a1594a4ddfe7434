// Package exchange imports todo lists from other programs and from users, and exports lists to them.
//
// Everything here is pure: bytes become items and items become bytes. The input is from other programs,
// so every refusal names its line and column, and no decoder needs more memory
// than four times its input and 1 MiB, besides the items that it returns.
package exchange
