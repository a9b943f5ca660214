// Package stream connects an encoder with its input and output without the packages os and fmt, which are large.
package stream

import (
	"io"
	"syscall"
)

type input struct{}

func (input) Read(p []byte) (int, error) {
	n, err := syscall.Read(0, p)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

type output struct{}

func (output) Write(p []byte) (int, error) {
	for at := 0; at < len(p); {
		n, err := syscall.Write(1, p[at:])
		if err != nil {
			return at, err
		}
		at += n
	}
	return len(p), nil
}

// Output is what an encoder writes to.
var Output io.Writer = output{}

// Through copies the input into the encoder, and closes it. It panics if anything fails.
func Through(w io.WriteCloser, err error) {
	if err == nil {
		_, err = io.CopyBuffer(struct{ io.Writer }{w}, input{}, make([]byte, 1<<18))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
}

// Number reads a number, and panics where a word is none.
func Number(word string) int {
	n, sign := 0, 1
	for at, c := range []byte(word) {
		if at == 0 && c == '-' {
			sign = -1
		} else if c >= '0' && c <= '9' && n < 1<<30 {
			n = n*10 + int(c-'0')
		} else {
			panic("not a number: " + word)
		}
	}
	return n * sign
}
