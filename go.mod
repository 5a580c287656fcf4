module assay

go 1.26

require (
	github.com/fxamacker/cbor/v2 v2.10.0
	github.com/oklog/ulid/v2 v2.1.2
	pgregory.net/rapid v1.3.0
)

require github.com/x448/float16 v0.8.4 // indirect
