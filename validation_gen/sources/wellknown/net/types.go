// Package net holds what decoding needs to know of net.
package net

type Addr interface{}

type HardwareAddr []byte

type IP []byte

type IPMask []byte

type IPNet struct {
	IP   IP
	Mask IPMask
}

type TCPAddr struct {
	IP   IP
	Port int
	Zone string
}

type UDPAddr struct {
	IP   IP
	Port int
	Zone string
}

func (*IP) UnmarshalText([]byte) error
