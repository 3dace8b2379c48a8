// Package sql holds what decoding needs to know of database/sql.
package sql

import "time"

type NullBool struct {
	Bool  bool
	Valid bool
}

type NullFloat64 struct {
	Float64 float64
	Valid   bool
}

type NullInt32 struct {
	Int32 int32
	Valid bool
}

type NullInt64 struct {
	Int64 int64
	Valid bool
}

type NullString struct {
	String string
	Valid  bool
}

type NullTime struct {
	Time  time.Time
	Valid bool
}
