// Package context holds what decoding needs to know of context.
package context

type Context interface{}
