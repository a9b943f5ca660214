module solpack/encoders

go 1.25.0

require (
	github.com/klauspost/compress v1.18.0
	github.com/klauspost/pgzip v1.2.6
)
