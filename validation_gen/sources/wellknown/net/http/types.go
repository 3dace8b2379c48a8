// Package http holds what decoding needs to know of net/http.
package http

type Header map[string][]string

type SameSite int

type ConnState int
