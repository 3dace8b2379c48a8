// Package url holds what decoding needs to know of net/url.
package url

type Values map[string][]string

type Userinfo struct{}

type URL struct {
	Scheme      string
	Opaque      string
	User        *Userinfo
	Host        string
	Path        string
	RawPath     string
	OmitHost    bool
	ForceQuery  bool
	RawQuery    string
	Fragment    string
	RawFragment string
}
