// Package json holds what decoding needs to know of encoding/json.
package json

type RawMessage []byte

func (*RawMessage) UnmarshalJSON([]byte) error
