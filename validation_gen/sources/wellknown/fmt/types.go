// Package fmt holds what decoding needs to know of fmt.
package fmt

type Stringer interface{}
