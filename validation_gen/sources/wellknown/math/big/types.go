// Package big holds what decoding needs to know of math/big.
package big

type Float struct{}

type Int struct{}

type Rat struct{}

func (*Float) UnmarshalText([]byte) error
func (*Int) UnmarshalJSON([]byte) error
func (*Rat) UnmarshalText([]byte) error
