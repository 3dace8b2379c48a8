// Package netip holds what decoding needs to know of net/netip.
package netip

type Addr struct{}

type AddrPort struct{}

type Prefix struct{}

func (*Addr) UnmarshalText([]byte) error
func (*AddrPort) UnmarshalText([]byte) error
func (*Prefix) UnmarshalText([]byte) error
