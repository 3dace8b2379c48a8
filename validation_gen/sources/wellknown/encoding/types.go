// Package encoding holds what decoding needs to know of encoding.
package encoding

type TextMarshaler interface{}

type TextUnmarshaler interface{}
