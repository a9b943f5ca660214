// Compresses stdin as github.com/klauspost/compress/zstd does: LEVEL of 1 to 4
package main

import (
	"os"

	"github.com/klauspost/compress/zstd"

	"solpack/encoders/stream"
)

func main() {
	level := zstd.EncoderLevel(stream.Number(os.Args[1]))
	w, err := zstd.NewWriter(stream.Output, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1))
	stream.Through(w, err)
}
