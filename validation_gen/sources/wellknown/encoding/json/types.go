// Package json holds what decoding needs to know of encoding/json.
package json

type Marshaler interface{}

type Number string

type RawMessage []byte

type Unmarshaler interface{}

func (*RawMessage) UnmarshalJSON([]byte) error
