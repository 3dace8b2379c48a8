// Package regexp holds what decoding needs to know of regexp.
package regexp

type Regexp struct{}

func (*Regexp) UnmarshalText([]byte) error
