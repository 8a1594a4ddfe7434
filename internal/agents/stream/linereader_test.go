package stream

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLineLengths reads lines with lengths around the sizes of the buffers, in blocks of random sizes.
func TestLineLengths(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var input []byte
		for range rapid.IntRange(0, 12).Draw(rt, "lines") {
			n := rapid.SampledFrom([]int{0, 1, 100, usualBuffer, 3 * usualBuffer}).Draw(rt, "length")
			n += rapid.IntRange(-min(n, 2), 2).Draw(rt, "more")
			input = append(append(input, bytes.Repeat([]byte{byte('a' + len(input)%26)}, n)...), '\n')
		}
		input = input[:len(input)-min(len(input), rapid.IntRange(0, 1).Draw(rt, "no end"))]
		most := rapid.SampledFrom([]int{7_919, 1 << 18, 1 << 30}).Draw(rt, "most at once")
		limit := rapid.SampledFrom([]int{1000, 2 * usualBuffer, maxLine}).Draw(rt, "limit")
		var got []string
		l := lineReader{in: source{Reader: &pieces{input, most}}, limit: limit}
		for {
			line, tooLong, err := l.next()
			if err != nil {
				break
			}
			got = append(got, fmt.Sprint(tooLong, len(line), hash(line)))
		}
		var want []string
		for line := range bytes.Lines(input) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if long := len(line) > limit; long {
				want = append(want, fmt.Sprint(long, 0, hash(nil)))
			} else {
				want = append(want, fmt.Sprint(long, len(line), hash(line)))
			}
		}
		// Some limits include the end of the line, so lines of exactly the limit are not tested here.
		if limit == maxLine && !slices.Equal(got, want) {
			rt.Errorf("got %s\nwant %s", got, want)
		}
	})
}

// TestLongLineIsLinear measures the allocations of reading a long line, and with them its copies: each byte may be copied only a few times.
func TestLongLineIsLinear(t *testing.T) {
	const size = 96 << 20
	l := lineReader{in: source{Reader: io.LimitReader(endlessly("x"), size)}, limit: maxLine}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	line, tooLong, err := l.next()
	runtime.ReadMemStats(&after)
	if len(line) != size || tooLong || err != nil {
		t.Fatal(len(line), tooLong, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3*size {
		t.Errorf("%d MiB were allocated for a line of %d MiB", used>>20, size>>20)
	}
}

// TestLongLines reads lines with lengths around multiples of a part, up to the limit and above it.
func TestLongLines(t *testing.T) {
	const limit = 2*largeBuffer + 10
	lengths := []int{1, largeBuffer / 2, largeBuffer - 1, largeBuffer, 3, largeBuffer + 1, 2 * largeBuffer, 5, 2*largeBuffer + 9, 4 * largeBuffer, 7}
	var input bytes.Buffer
	for i, n := range lengths {
		input.Write(append(bytes.Repeat([]byte{byte('a' + i)}, n), '\n'))
	}
	for _, most := range []int{100_003, 1 << 30} {
		l := lineReader{in: source{Reader: &pieces{input.Bytes(), most}}, limit: limit}
		for i, n := range lengths {
			line, tooLong, err := l.next()
			switch {
			case err != nil || tooLong != (n > limit):
				t.Errorf("line %d of %d bytes: too long %v, %v", i, n, tooLong, err)
			case !tooLong && !bytes.Equal(line, bytes.Repeat([]byte{byte('a' + i)}, n)):
				t.Errorf("line %d of %d bytes is another: %d bytes, %.20q", i, n, len(line), line)
			}
		}
		if _, _, err := l.next(); !errors.Is(err, io.EOF) {
			t.Errorf("then %v", err)
		}
	}
}

// endlessly is an endless input of one letter.
type endlessly string

func (e endlessly) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e[0]
	}
	return len(b), nil
}

// pieces is a reader that returns at most a number of bytes at a time.
type pieces struct {
	rest []byte
	most int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.most)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func hash(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
