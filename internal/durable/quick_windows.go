package durable

// quick leaves every file to readFile.
func quick(string, string, int64) []byte { return nil }
