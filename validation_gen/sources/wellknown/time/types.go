// Package time holds what decoding needs to know of time.
package time

type Time struct{}

type Duration int64

type Location struct{}

type Month int

type Weekday int

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

func (*Time) UnmarshalJSON([]byte) error
