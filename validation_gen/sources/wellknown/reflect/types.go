// Package reflect holds what decoding needs to know of reflect.
package reflect

type Kind uint

type Type interface{}
