// Compresses stdin as compress/gzip of the Go release that builds it does: gzip LEVEL
package main

import (
	"compress/gzip"
	"os"

	"solpack/encoders/stream"
)

func main() {
	w, err := gzip.NewWriterLevel(stream.Output, stream.Number(os.Args[1]))
	stream.Through(w, err)
}
