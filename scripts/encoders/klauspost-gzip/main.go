// Compresses stdin as github.com/klauspost/compress/gzip does, or, with a block size, as pgzip: LEVEL [BLOCK]
package main

import (
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/pgzip"

	"solpack/encoders/stream"
)

func main() {
	level := stream.Number(os.Args[1])
	if len(os.Args) == 2 {
		w, err := gzip.NewWriterLevel(stream.Output, level)
		stream.Through(w, err)
		return
	}
	w, err := pgzip.NewWriterLevel(stream.Output, level)
	if err == nil {
		err = w.SetConcurrency(stream.Number(os.Args[2]), 1)
	}
	stream.Through(w, err)
}
