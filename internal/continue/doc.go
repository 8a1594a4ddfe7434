// Package continuation decides whether an agent continues, and writes the prompt for it.
//
// The directory is named for the subcommand check-continue;
// continue is a keyword of the language, so the package is not.
// Importers write the name out: continuation "onward/internal/continue".
//
// Everything here is pure. An Event changes a session document through Apply,
// Decide looks at a document, facts and the present time,
// and Prompt writes the text. Reading, locking and printing are elsewhere.
package continuation
