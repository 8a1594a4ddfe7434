package durable

// Quick leaves every file to ReadFile.
func Quick(string, string, int64) []byte { return nil }
