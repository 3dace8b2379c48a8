// Package mail holds what decoding needs to know of net/mail.
package mail

type Address struct {
	Name    string
	Address string
}

type Header map[string][]string
