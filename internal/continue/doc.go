// Package continuation decides whether an agent continues, and writes the prompt for it.
//
// The directory is named after the subcommand check-continue. The package cannot be,
// because continue is a keyword of Go, so importers write the name out:
// continuation "onward/internal/continue".
//
// Everything here is pure. Apply changes a session document by an Event,
// Decide looks at a document, the facts and the current time,
// and Prompt writes the text. Reading, locking and printing are elsewhere.
package continuation
