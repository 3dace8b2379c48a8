// Package tls holds what decoding needs to know of crypto/tls.
package tls

type ClientAuthType int

type CurveID uint16

type SignatureScheme uint16
