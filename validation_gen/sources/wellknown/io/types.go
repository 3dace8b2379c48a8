// Package io holds what decoding needs to know of io.
package io

type ReadCloser interface{}

type Reader interface{}

type Writer interface{}
