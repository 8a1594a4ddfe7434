package agent

import (
	"errors"
	"io"
	"os"
	"testing"
)

func BenchmarkFile(b *testing.B) {
	data, err := os.Open(os.Getenv("BENCHFILE"))
	if err != nil {
		b.Skip()
	}
	info, _ := data.Stat()
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		data.Seek(0, 0)
		r := NewReader(data, Options{Ahead: true})
		for {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				break
			}
		}
	}
}
